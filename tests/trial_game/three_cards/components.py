"""The decks: data that kernels get as their ``components``, so that another deck needs no other machine code."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.state import Array, record_dtype, short
from three_cards.constants import N_RANKS

RANKS = ("J", "Q", "K")
RANK_NAMES = ("jack", "queen", "king")


class Components:
    """The record of a deck, field by field."""

    cards: Array = short("how many of each rank", N_RANKS)
    ante: int = short("chips that everybody pays first")
    bet: int = short("chips of a bet")
    number: int = short("the deck's own")


DECK = record_dtype(Components)


def _read() -> dict[str, NDArray[Any]]:
    decks = {}
    with (Path(__file__).parent / "data" / "decks.csv").open(newline="", encoding="utf-8") as file:
        for number, row in enumerate(csv.DictReader(file)):
            cards = [int(row[rank]) for rank in ("jacks", "queens", "kings")]
            deck = decks[row["deck"]] = np.zeros(1, DECK)
            deck["cards"], deck["ante"], deck["bet"], deck["number"] = cards, int(row["ante"]), int(row["bet"]), number
            deck.flags.writeable = False
    return decks


DECKS = _read()
"""Components of shape (1,) by the deck's name."""
