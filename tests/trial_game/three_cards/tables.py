"""The decks: data that kernels get as their ``tables``, so that another deck needs no other machine code."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.state import record_dtype
from three_cards.constants import N_RANKS

RANKS = ("J", "Q", "K")
RANK_NAMES = ("jack", "queen", "king")

DECK = record_dtype(
    [
        ("cards", np.int64, N_RANKS),  # how many of each rank
        ("ante", np.int64),  # chips that everybody pays first
        ("bet", np.int64),  # chips of a bet
        ("number", np.int64),  # the deck's own
    ]
)


class Tables(Protocol):
    """The record of a deck as kernels see it."""

    cards: np.ndarray
    ante: int
    bet: int


def _read() -> dict[str, NDArray[Any]]:
    decks = {}
    with (Path(__file__).parent / "data" / "decks.csv").open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file)):
            cards = [int(row[rank]) for rank in ("jacks", "queens", "kings")]
            decks[row["deck"]] = np.array([(cards, int(row["ante"]), int(row["bet"]), number)], DECK)
            decks[row["deck"]].flags.writeable = False
    return decks


DECKS = _read()
"""Tables of shape (1,) by the deck's name."""
