"""The deck as a random outcome, and empty land, which decides ties."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.game import Chance
from ginkgo_env.core.log import outcomes_of
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Buildings
from ginkgo_env.games.my_city.constants import LETTERS, Terrain
from ginkgo_env.games.my_city.text.reading import set_of_words

DECK = "deck"


def chances(rows: Sequence[tuple[int, int, int, int]], buildings: Buildings) -> list[Chance]:
    """The random outcomes among the rows of a log (M11.8)."""
    return [Chance(DECK, [buildings.cards[card] for card in items]) for _, items in outcomes_of(rows)]


def empty_by_row(g: Any, p: int, board: Board) -> list[int]:
    """A player's empty land in each row, which decides ties (M8.8)."""
    built = sum(map(set_of_words, g["covered"][p].tolist()))  # no cell has two colors
    empty = LETTERS[Terrain.EMPTY]
    return [
        sum(letter == empty and not built >> (r * board.columns + c) & 1 for c, letter in enumerate(row))
        for r, row in enumerate(board.terrain)
    ]
