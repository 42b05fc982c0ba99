"""Values of positions: those of this game, besides :mod:`ginkgo_env.core.validation`."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import Any

from ginkgo_env.core import validation
from ginkgo_env.core.errors import shown
from ginkgo_env.core.validation import fail, number
from ginkgo_env.games.ginkgopolis.constants import WORDS
from ginkgo_env.games.ginkgopolis.tables import RANK

_RANK = RANK.tolist()


def in_order(
    value: Any, table: Mapping[str, int], where: str, several: Container[int] = (), rank: Sequence[int] = _RANK
) -> list[int]:
    """Return the ids of a list of names in a fixed order: that of tiles and cards (R11.1), or `rank`."""
    return validation.in_order(value, table, where, several, rank)


def cell(value: Any, far: int, where: str) -> tuple[int, int]:
    """Return a cell at most `far` away from the top left cell of the start square in each direction."""
    if not isinstance(value, list) or len(value) != 2:
        raise fail(where, f"expected [x, y], got {shown(value)}")
    return number(value[0], -far, far, where), number(value[1], -far, far, where)


def set_of(ids: Sequence[int], words: int = WORDS) -> list[int]:
    """Return a set as in the record: words of 64 bits."""
    bits = [0] * words
    for i in ids:
        bits[i >> 6] |= 1 << (i & 63)
    return bits
