"""Helpers to read a record in Python: names of enum values, and sets as integers of any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginkgo_env.games.my_city.constants import Ending, Stage

Row = tuple[int, int, int, int]

DECISIONS = [stage.name.lower() for stage in Stage]
ENDINGS: list[str | None] = [ending.name.lower() if ending else None for ending in Ending]


def members(cells: int) -> Iterator[int]:
    """Yield the members of a set in ascending order."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def set_of_words(words: Sequence[int]) -> int:
    """Return a set of cells, two words in a record, as one integer."""
    low, high = words
    return low | high << 64
