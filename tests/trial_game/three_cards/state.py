"""The state of one game: a single record."""

from __future__ import annotations

from typing import Protocol

import numpy as np

from ginkgo_env.core import state
from ginkgo_env.core.state import IN_PART, NO_SEAT, Array, byte, flag, number, one_of, record_dtype, seat, uint64
from three_cards.components import DECKS
from three_cards.config import Config
from three_cards.constants import MAX_ACTIONS, N_HANDS, N_RANKS, Action, Stage


class State(state.State, Protocol):
    """The record, as kernels see it: fields with shape, meaning, and who may know them."""

    rng: np.uint64 = uint64("state of the generator", seen_by=NO_SEAT)
    seed: np.uint64 = uint64("seed of this game", seen_by=NO_SEAT)
    actor: int = seat("who decides; nobody when over")
    stage: int = one_of("the kind of decision", Stage)
    hand: Array = number("rank of each card; others see it once shown, or if open", N_HANDS, below=N_RANKS, seen_by=IN_PART)
    acts: Array = number("Action + 1 of each action taken, then 0", MAX_ACTIONS, high=len(Action))
    n_acts: int = number("how many were taken", high=MAX_ACTIONS)
    shown: int = flag("1 if the game ended with a showdown")
    players: int = number("how many; configuration", low=1, high=2)
    deck: int = byte("the number of the deck; configuration")
    open: int = flag("1 if all see all cards; configuration")
    sorted: int = flag("1 if the cards are dealt from the lowest up; configuration")


RECORD = record_dtype(State)
CONFIG_FIELDS = ("players", "deck", "open", "sorted")


def blank_state(config: Config) -> state.States:
    """The record that every game of a configuration starts from, (1,)."""
    states = state.empty_state(State, RECORD)
    states["players"] = config.players
    states["deck"] = DECKS[config.deck]["number"]
    states["open"], states["sorted"] = config.cards != "closed", config.cards == "sorted"
    return states
