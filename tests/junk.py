"""Data that is changed in any place, and what readers of positions make of it: what fuzz tests of several games share."""

from __future__ import annotations

import copy
from collections.abc import Iterator
from typing import Any

from ginkgo_env import PositionError
from ginkgo_env.core.game import Game

Path = tuple[str | int, ...]

NESTED: Any = []
for _ in range(400):
    NESTED = [NESTED]


def paths(value: Any, at: Path = ()) -> Iterator[Path]:
    """Every place in a position; of long lists the first two and the last."""
    yield at
    entries = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for i, (key, inner) in enumerate(entries):
        if isinstance(value, dict) or i < 2 or i == len(value) - 1:
            yield from paths(inner, (*at, key))


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


def replaced(position: Any, path: Path, value: Any) -> Any:
    """The position with another value in one place; both share all the rest, as thousands of whole copies would take long."""
    if not path:
        return value
    whole = copy.copy(position)
    whole[path[0]] = replaced(position[path[0]], path[1:], value)
    return whole


def is_refused(table: Game, data: Any) -> bool:
    """Whether a position is refused, with a sentence; any other exception falls through. An accepted one is written as it was."""
    try:
        state = table.from_position(data)
    except PositionError as error:
        assert 10 < len(str(error)) < 300 and str(error).startswith("position: ")
        return True
    assert table.position(state) == data
    return False
