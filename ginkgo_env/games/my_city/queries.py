"""What texts and pictures ask of a record: names of enum values, sets of cells; translations."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.language import Texts, shared
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.constants import LETTERS, Ending, Stage, Terrain

translate = Texts(__package__, shared)

DECISIONS = [stage.name.lower() for stage in Stage]
ENDINGS: list[str | None] = [ending.name.lower() if ending else None for ending in Ending]


def set_of_words(words: Sequence[int]) -> int:
    """Return a set of cells, two words in a record, as one integer."""
    low, high = words
    return low | high << 64


def empty_by_row(g: Any, p: int, board: Board) -> list[int]:
    """Return a player's empty land in each row, which decides ties (M8.8)."""
    built = sum(map(set_of_words, g["covered"][p].tolist()))  # no cell has two colors
    empty = LETTERS[Terrain.EMPTY]
    return [
        sum(letter == empty and not built >> (r * board.columns + c) & 1 for c, letter in enumerate(row))
        for r, row in enumerate(board.terrain)
    ]
