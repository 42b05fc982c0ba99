"""Records as Python code reads them: names, and sets as numbers of any size."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ginkgo_env.games.my_city.constants import Ending, Stage

Row = tuple[int, int, int, int]

DECISIONS = [stage.name.lower() for stage in Stage]
ENDINGS: list[str | None] = [ending.name.lower() if ending else None for ending in Ending]


def members(cells: int) -> Iterator[int]:
    """The numbers in a set, upward."""
    while cells:
        low = cells & -cells
        yield low.bit_length() - 1
        cells ^= low


def one_set(words: Sequence[int]) -> int:
    """A set of cells, two words in a record, as one number."""
    low, high = words
    return low | high << 64
