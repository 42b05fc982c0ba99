"""Plain data of positions: one function for each kind of value, which gives it back or says where the position goes wrong."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Set
from typing import Any

import numpy as np

from ginkgo_env.core.errors import PositionError, shown, some

_LONGEST = 100  # more names than any list holds


def fail(where: str, problem: str) -> PositionError:
    """The error for a place in a position."""
    return PositionError(f"position: {where}: {problem}")


def fields_of(value: Any, keys: Set[str], where: str) -> Mapping[str, Any]:
    """An object with exactly these keys."""
    if not isinstance(value, Mapping):
        raise fail(where, f"expected an object, not {shown(value)}")
    if set(value) != keys:
        missing, unknown = sorted(keys - set(value)), sorted(map(shown, set(value) - keys))
        raise fail(
            where, "; ".join(f"{what} {some(names)}" for what, names in (("missing", missing), ("unknown", unknown)) if names)
        )
    return value


def number(value: Any, low: int, high: int, where: str) -> int:
    """A whole number in a range."""
    if type(value) is not int or not low <= value <= high:
        raise fail(where, f"expected a whole number from {low} to {high}, not {shown(value)}")
    return value


def flag(value: Any, where: str) -> int:
    """True or false, as 1 or 0."""
    if type(value) is not bool:
        raise fail(where, f"expected true or false, not {shown(value)}")
    return int(value)


def choice(value: Any, table: Mapping[Any, Any], where: str) -> Any:
    """What a table says of a word or null."""
    if not isinstance(value, str | None) or value not in table:
        raise fail(where, f"expected one of {some(table)}, not {shown(value)}")
    return table[value]


def named(value: Any, table: Mapping[str, int], where: str) -> int:
    """The number of one name."""
    return listed([value], table, where)[0]


def listed(value: Any, table: Mapping[str, int], where: str, several: Container[int] = ()) -> list[int]:
    """The numbers of a list of names; only those in `several` may come more than once."""
    if not isinstance(value, list) or len(value) > _LONGEST:
        raise fail(where, f"expected a list of names, not {shown(value)}")
    ids: list[int] = []
    for name in value:
        if not isinstance(name, str) or name not in table:
            raise fail(where, f"{shown(name)} does not belong here")
        if table[name] in ids and table[name] not in several:
            raise fail(where, f"{name} is there twice")
        ids.append(table[name])
    return ids


def cell(value: Any, far: int, where: str) -> tuple[int, int]:
    """A cell, at most so far from the top left cell of the start square in each direction."""
    if not isinstance(value, list) or len(value) != 2:
        raise fail(where, f"expected [x, y], not {shown(value)}")
    return number(value[0], -far, far, where), number(value[1], -far, far, where)


def word(value: Any, where: str) -> np.uint64:
    """A word of the random generator."""
    if isinstance(value, str) and re.fullmatch("0x[0-9a-fA-F]{16}", value):
        return np.uint64(int(value[2:], 16))
    raise fail(where, f"expected 0x and 16 hexadecimal digits, not {shown(value)}")


def put(words: Any, ids: list[int]) -> None:
    """Put numbers into a set."""
    for i in ids:
        words[i >> 6] |= np.uint64(1 << (i & 63))


def count_up(counts: Any, ids: list[int]) -> None:
    """Count numbers."""
    for i in ids:
        counts[i] += 1
