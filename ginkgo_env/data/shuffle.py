"""Batches from the parts of a data set: in order, or mixed with bounded memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.data.play import Columns
from ginkgo_env.data.units import Unit, Units

MEMORY = 1 << 28  # bytes that are mixed at a time
Member = NDArray[np.bool_] | None
"""For each game whether it is wanted; None: all are."""


def in_order(units: Units, names: Sequence[str], size: int, member: Member) -> Iterator[Columns]:
    """Batches in the order of the rows. Views where a batch lies in one part."""
    waiting: list[Columns] = []
    held = 0
    for unit in units.all():
        rows = _wanted(units, unit, names, member)
        start, n = 0, _count(rows)
        while held + n - start >= size:
            stop = start + size - held
            waiting.append(_slice(rows, start, stop))
            yield _joined(waiting)
            waiting, held, start = [], 0, stop
        if start < n:
            waiting.append(_slice(rows, start, n))
            held += n - start
    if waiting:
        yield _joined(waiting)


def mixed(
    units: Units, names: Sequence[str], size: int, rng: np.random.Generator, memory: int, member: Member
) -> Iterator[Columns]:
    """Batches in random order: the parts are shuffled, and as many as fit into memory are mixed row by row."""
    parts = units.all()
    waiting = [parts[k] for k in rng.permutation(len(parts))]
    pool = _Pool(memory, least=max(unit.rows for unit in parts) + size, most=sum(unit.rows for unit in parts))
    while waiting:
        while waiting and pool.has_room(waiting[-1].rows):
            pool.add(_wanted(units, waiting.pop(), names, member))
        order = rng.permutation(pool.filled)
        whole = len(order) // size * size if waiting else len(order)
        for start in range(0, whole, size):
            yield pool.take(order[start : min(start + size, whole)])
        pool.keep(order[whole:])


class _Pool:
    """Rows that are mixed, in memory that is used again and again: new memory costs more than filling it.

    least, most : numbers of rows for which there must be room, and for which it is enough
    """

    def __init__(self, memory: int, least: int, most: int) -> None:
        self.filled, self._memory, self._least, self._most = 0, memory, least, most
        self._room = least
        self._data: Columns = {}

    def has_room(self, n: int) -> bool:
        """Whether so many rows can be added."""
        return self.filled + n <= self._room

    def add(self, rows: Columns) -> None:
        """Add rows."""
        if not self._data:
            each = sum(values.dtype.itemsize * math.prod(values.shape[1:]) for values in rows.values())
            self._room = max(self._least, min(self._most, self._memory // max(1, each)))
            self._data = {name: np.empty((self._room, *values.shape[1:]), values.dtype) for name, values in rows.items()}
        n = _count(rows)
        for name, values in rows.items():
            self._data[name][self.filled : self.filled + n] = values
        self.filled += n

    def take(self, order: NDArray[np.int64]) -> Columns:
        """A copy of some rows."""
        return _taken(self._data, order)

    def keep(self, order: NDArray[np.int64]) -> None:
        """Keep these rows only."""
        for name, values in self.take(order).items():
            self._data[name][: len(order)] = values
        self.filled = len(order)


def _wanted(units: Units, unit: Unit, names: Sequence[str], member: Member) -> Columns:
    """The rows of a part whose games are wanted."""
    if member is None:
        return units.read(unit, names)
    rows = units.read(unit, list(dict.fromkeys([*names, "game"])))
    own = np.flatnonzero(member[rows["game"]])
    if len(own) == len(rows["game"]):
        return {name: rows[name] for name in names}
    return _taken({name: rows[name] for name in names}, own)


def _count(rows: Columns) -> int:
    return len(next(iter(rows.values())))


def _slice(rows: Columns, start: int, stop: int) -> Columns:
    return {name: values[start:stop] for name, values in rows.items()}


def _taken(rows: Columns, order: NDArray[np.int64]) -> Columns:
    return {name: values[order] for name, values in rows.items()}


def _joined(parts: Sequence[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
