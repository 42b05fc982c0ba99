"""Tables of flaws: for each game valid positions, and changes to them that make a position or a state which is refused.

A game's table is ``tests/<game>/flaws.py``:

* ``BASES``: valid positions by name, made when they are needed; ``GAMES``, if not all are of the game that ``config`` names.
* ``POSITIONS``: the name of a base, what the error says, and edits of the position. What the error says is a flaw of the game, or
  how the sentence begins.
* ``STATES``: the name of a base, the flaw, and edits of its record, for what a position does not say.
* ``ACCEPTED``: the name of a base and edits after which a position is valid still, although play cannot reach it.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

Json = dict[str, Any]
Edit = Callable[[Any], object]
Says = Any
"""A member of the game's ``Flaw``, or text."""


def sentence_of(says: Says) -> str:
    """How an error begins."""
    return says if isinstance(says, str) else str(says.sentence)


# --- edits of positions: places are written ``players.0.hand`` ---------------------------------------------------------------


def _find(position: Any, path: str) -> tuple[Any, Any]:
    """What holds a place, and its key there."""
    *way, last = [int(step) if step.isdigit() else step for step in path.split(".")]
    for step in way:
        position = position[step]
    return position, last


def at(position: Any, path: str) -> Any:
    home, key = _find(position, path)
    return home[key]


def put(path: str, value: Any) -> Edit:
    """Another value in a place."""

    def edit(position: Any) -> None:
        home, key = _find(position, path)
        home[key] = copy.deepcopy(value)

    return edit


def lose(path: str) -> Edit:
    """Without a key or an entry."""

    def edit(position: Any) -> None:
        home, key = _find(position, path)
        del home[key]

    return edit


def add(path: str, *values: Any) -> Edit:
    """More entries at the end of a list."""
    return lambda position: at(position, path).extend(values)


def reverse(path: str) -> Edit:
    return lambda position: at(position, path).reverse()


def mover(names: Any) -> Callable[..., Edit]:
    """The edit that moves things from list to list, which stay in the order of all names.

    names : in order; positions write decks and the like in drawing order, where the end is as good as any place
    """
    order = {name: i for i, name in enumerate(names)}

    def move(source: str, target: str, *things: str) -> Edit:
        def edit(position: Any) -> None:
            home = at(position, target)
            for thing in things:
                at(position, source).remove(thing)
                home.append(thing)
            home.sort(key=order.__getitem__)

        return edit

    return move


# --- edits of records ----------------------------------------------------------------------------------------------------------


def to(name: str, value: Any, *place: int) -> Edit:
    """Another value of a field, or of an entry of it."""

    def edit(g: Any) -> None:
        if place:
            g[name][place] = value
        else:
            g[name] = value

    return edit


def more(name: str, n: int, *place: int) -> Edit:
    """A number added to a field, or to an entry of it."""
    return lambda g: to(name, (g[name][place] if place else g[name]) + n, *place)(g)
