"""The state of one game: a single record."""

from __future__ import annotations

from typing import Any, Protocol

import numpy as np

from ginkgo_env.core import state
from three_cards.config import Config
from three_cards.constants import MAX_ACTIONS, N_HANDS, NOBODY
from three_cards.tables import DECKS

RECORD = state.record_dtype(
    [
        ("rng", np.uint64),  # state of the generator; hidden
        ("seed", np.uint64),  # hidden
        ("actor", np.int8),  # seat that decides, NOBODY when over
        ("stage", np.int8),  # Stage
        ("hand", np.int8, N_HANDS),  # rank of each card; hidden from others until shown, unless cards lie open
        ("acts", np.int8, MAX_ACTIONS),  # Action + 1 of each action taken, then 0; public
        ("n_acts", np.int8),  # how many; public
        ("shown", np.int8),  # 1 if the game ended with a showdown; public
        # configuration, public
        ("players", np.int8),
        ("deck", np.int8),  # the number of the tables
        ("open", np.int8),  # 1 if all see all cards
        ("sorted", np.int8),  # 1 if the cards are dealt from the lowest up
    ]
)
CONFIG_FIELDS = ("players", "deck", "open", "sorted")


class State(state.State, Protocol):
    """The record, as kernels see it."""

    stage: int
    hand: Any
    acts: Any
    n_acts: int
    shown: int
    players: int
    deck: int
    open: int
    sorted: int


def blank_state(config: Config) -> state.States:
    """The record that every game of a configuration starts from, (1,)."""
    states = np.zeros(1, RECORD).view(np.recarray)
    states["actor"], states["players"] = NOBODY, config.players
    states["deck"] = DECKS[config.deck]["number"]
    states["open"], states["sorted"] = config.cards != "closed", config.cards == "sorted"
    return states
