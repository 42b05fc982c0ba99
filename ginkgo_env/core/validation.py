"""Checks of positions given as plain data; each raises PositionError, which names the place."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping, Sequence, Set
from itertools import pairwise
from typing import Any

from ginkgo_env.core.checks import difference
from ginkgo_env.core.errors import PositionError, shown, some

_LONGEST = 100  # no list of a position is longer
_NONE = -1


def fail(where: str, problem: str) -> PositionError:
    """Return the error for a place in a position."""
    return PositionError(f"position: {where}: {problem}")


def fields_of(value: Any, keys: Set[str], where: str) -> Mapping[str, Any]:
    """Return an object with exactly these keys."""
    if not isinstance(value, Mapping):
        raise fail(where, f"expected an object, got {shown(value)}")
    if value.keys() != keys:
        missing, unknown = sorted(keys - set(value)), sorted(map(shown, set(value) - keys))
        raise fail(
            where, "; ".join(f"{what} {some(names)}" for what, names in (("missing", missing), ("unknown", unknown)) if names)
        )
    return value


def check_config(position: Any, wanted: Mapping[str, Any], low: int, high: int) -> None:
    """Raise PositionError for another configuration than ``wanted``: ``players`` (low to high) and names."""
    if not isinstance(position, Mapping):
        raise fail("the whole", f"expected an object, got {shown(position)}")
    config = fields_of(position.get("config"), wanted.keys(), "config")
    number(config["players"], low, high, "config.players")
    for key, value in config.items():
        if key != "players" and not isinstance(value, str):
            raise fail(f"config.{key}", f"expected a name, got {shown(value)}")
    if differs := difference(config, wanted):
        raise fail("config", differs)


def entries_of(value: Any, what: str, where: str) -> list[Any]:
    """Return a list of at most 100 entries."""
    if not isinstance(value, list) or len(value) > _LONGEST:
        raise fail(where, f"expected a list of {what}, got {shown(value)}")
    return value


def number(value: Any, low: int, high: int, where: str) -> int:
    """Return an integer in a range."""
    if type(value) is not int or not low <= value <= high:
        raise fail(where, f"expected a whole number from {low} to {high}, got {shown(value)}")
    return value


def flag(value: Any, where: str) -> int:
    """Return 1 for true, 0 for false."""
    if type(value) is not bool:
        raise fail(where, f"expected true or false, got {shown(value)}")
    return int(value)


def choice(value: Any, table: Mapping[Any, Any], where: str) -> Any:
    """Return the value in a table for a word or null."""
    if not isinstance(value, str | None) or value not in table:
        raise fail(where, f"expected one of {some(table)}, got {shown(value)}")
    return table[value]


def named(value: Any, table: Mapping[str, int], where: str) -> int:
    """Return the number of a name."""
    return listed([value], table, where)[0]


def listed(value: Any, table: Mapping[str, int], where: str, several: Container[int] = ()) -> list[int]:
    """Return the numbers of a list of names; only those in `several` may occur more than once."""
    ids: list[int] = []
    for name in entries_of(value, "names", where):
        if not isinstance(name, str) or name not in table:
            raise fail(where, f"unexpected {shown(name)}")
        if table[name] in ids and table[name] not in several:
            raise fail(where, f"duplicate {name}")
        ids.append(table[name])
    return ids


def in_order(
    value: Any, table: Mapping[str, int], where: str, several: Container[int] = (), rank: Sequence[int] | None = None
) -> list[int]:
    """Return the numbers of a list of names that is sorted by number, or by the `rank` of the number."""
    ids = listed(value, table, where, several)
    ranks = [(i if rank is None else rank[i], i) for i in ids]
    for k, (one, next_one) in enumerate(pairwise(ranks)):
        if one > next_one:
            raise fail(where, f"expected in order: {value[k + 1]} before {value[k]}")
    return ids


def word(value: Any, where: str) -> int:
    """Return a word of the random generator."""
    if isinstance(value, str) and re.fullmatch("0x[0-9a-f]{16}", value):
        return int(value, 16)
    raise fail(where, f"expected 0x and 16 hexadecimal digits, got {shown(value)}")


def pile_of(ids: Sequence[int], size: int) -> list[int]:
    """Return a list that is drawn from index 0 in the form of a record: the next item last, then -1."""
    return [*reversed(ids), *[_NONE] * (size - len(ids))]


def drawn_from(pile: Sequence[int], size: int, names: Sequence[str]) -> list[str]:
    """Return the names of a pile in the order in which they are drawn."""
    return [names[i] for i in reversed(pile[:size])]


def or_null(number: int) -> int | None:
    """Return a number, or None for -1."""
    return None if number == _NONE else number


def name_or_null(number: int, names: Sequence[str]) -> str | None:
    """Return the name of a number, or None for -1."""
    return None if number == _NONE else names[number]


def same(value: Any, expected: Any, where: str) -> None:
    """Raise PositionError with the first place where a value or its type is not as expected."""
    if isinstance(expected, dict):
        fields = fields_of(value, expected.keys(), where)
        for key, inner in expected.items():
            same(fields[key], inner, f"{where}.{key}")
    elif isinstance(expected, list):
        if not isinstance(value, list) or len(value) != len(expected):
            raise fail(
                where, f"expected a list of {len(expected)}, got {len(value) if isinstance(value, list) else shown(value)}"
            )
        for i, inner in enumerate(expected):
            same(value[i], inner, f"{where}[{i}]")
    elif type(value) is not type(expected) or value != expected:
        raise fail(where, f"expected {shown(expected)}, got {shown(value)}")
