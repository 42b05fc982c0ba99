"""What is hidden from whom: for each game a table, from which pairs of states are made that a seat cannot tell apart.

Neither the code that resamples nor the one that observes takes part in making them. A game's table is ``tests/<game>/hidden.py``:

* ``CONFIGS``: the configurations that are looked at.
* ``hidden_things(g, seat)``: yields the places of things that the seat cannot see. Two of one kind may change places.
* ``CHANGES``: other changes of a record that the seat cannot notice, by name: ``change(g, seat, rng)`` returns whether there was
  anything to change.
* ``PLACES``: the names of all places.
* ``SHOWN``: fields that everybody must see or, if they are not public, the seat itself.
* ``SECRET``: kinds of decision whose choices are secret until the round goes on.
* ``missing(config)``: names of places, changes and fields that do not come up with a configuration, if any.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from typing import Any, NamedTuple

Change = Callable[[Any, int, random.Random], bool]


class Place(NamedTuple):
    """A place in which a seat does not see what there is."""

    name: str
    kind: Hashable
    """Things of one kind may be in each other's places."""
    thing: int
    replace: Callable[[int], None]
    """Put another thing into the place."""


def entry(name: str, kind: Hashable, entries: Any, i: int) -> Place:
    """An entry of a list of ids."""
    return Place(name, kind, int(entries[i]), lambda thing: entries.__setitem__(i, thing))


def member(name: str, kind: Hashable, words: Any, i: int) -> Place:
    """A member of a set."""

    def replace(thing: int) -> None:
        flip(words, i)
        flip(words, thing)

    return Place(name, kind, i, replace)


def counted(name: str, kind: Hashable, counts: Any, i: int) -> Place:
    """One of some equal things."""

    def replace(thing: int) -> None:
        counts[i] -= 1
        counts[thing] += 1

    return Place(name, kind, i, replace)


def flip(words: Any, i: int) -> None:
    """Put a thing into a set, or take it out."""
    bits = words.dtype.itemsize * 8
    words[i // bits] ^= words.dtype.type(1 << i % bits)
