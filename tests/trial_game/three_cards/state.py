"""The state of one game: a single record."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ginkgo_env.core import state
from ginkgo_env.core.state import Array, byte, fields_of, record_dtype, word
from three_cards.config import Config
from three_cards.constants import MAX_ACTIONS, N_HANDS, NOBODY
from three_cards.tables import DECKS


class State(state.State, Protocol):
    """The record, as kernels see it: fields with shape, meaning, and who may know them."""

    rng: np.uint64 = word()  # state of the generator; hidden
    seed: np.uint64 = word()  # hidden
    actor: int = byte()  # seat that decides, NOBODY when over
    stage: int = byte()  # Stage
    hand: Array = byte(N_HANDS)  # rank of each card; hidden from others until shown, unless cards lie open
    acts: Array = byte(MAX_ACTIONS)  # Action + 1 of each action taken, then 0; public
    n_acts: int = byte()  # how many; public
    shown: int = byte()  # 1 if the game ended with a showdown; public
    # configuration, public
    players: int = byte()
    deck: int = byte()  # the number of the tables
    open: int = byte()  # 1 if all see all cards
    sorted: int = byte()  # 1 if the cards are dealt from the lowest up


RECORD = record_dtype(fields_of(State))
CONFIG_FIELDS = ("players", "deck", "open", "sorted")


def blank_state(config: Config) -> state.States:
    """The record that every game of a configuration starts from, (1,)."""
    states = np.zeros(1, RECORD).view(np.recarray)
    states["actor"], states["players"] = NOBODY, config.players
    states["deck"] = DECKS[config.deck]["number"]
    states["open"], states["sorted"] = config.cards != "closed", config.cards == "sorted"
    return states
