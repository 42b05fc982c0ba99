"""Batches from the chunks of a data set, in order or shuffled in bounded memory."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import check_memory
from ginkgo_env.data.chunks import Chunk, ChunkReader
from ginkgo_env.data.metadata import DataError
from ginkgo_env.data.play import Columns

MEMORY = 1 << 28  # bytes of the shuffle buffer
Selection = NDArray[np.bool_] | None
"""(games,), whether each game is selected; None for all games."""


def ordered_batches(chunks: ChunkReader, names: Sequence[str], size: int, selected: Selection) -> Iterator[Columns]:
    """Batches in the order of the rows, as views where a batch lies within a chunk."""
    parts: list[Columns] = []
    held = 0
    for chunk in chunks.chunks():
        rows = _read_selected(chunks, chunk, names, selected)
        start, n = 0, _count(rows)
        while held + n - start >= size:
            stop = start + size - held
            parts.append(_slice(rows, start, stop))
            yield _concatenate(parts)
            parts, held, start = [], 0, stop
        if start < n:
            parts.append(_slice(rows, start, n))
            held += n - start
    if parts:
        yield _concatenate(parts)


def shuffled_batches(
    chunks: ChunkReader, names: Sequence[str], size: int, rng: np.random.Generator, memory: int, selected: Selection
) -> Iterator[Columns]:
    """Batches in random order: chunks are read in random order, and those in memory are shuffled."""
    ordered = chunks.chunks()
    remaining = [ordered[k] for k in rng.permutation(len(ordered))]
    buffer = _ShuffleBuffer(memory, least=max(chunk.rows for chunk in ordered) + size, most=sum(chunk.rows for chunk in ordered))
    while remaining:
        while remaining and buffer.has_room(remaining[-1].rows):
            buffer.add(_read_selected(chunks, remaining.pop(), names, selected))
        order = rng.permutation(buffer.filled)
        stop = len(order) // size * size if remaining else len(order)
        for start in range(0, stop, size):
            yield buffer.take(order[start : min(start + size, stop)])
        buffer.retain(order[stop:])


class _ShuffleBuffer:
    """Rows that are shuffled together. Its memory is reused, as allocating takes longer than filling it.

    least, most : bounds on the number of rows for which memory is allocated
    """

    def __init__(self, memory: int, least: int, most: int) -> None:
        self.filled, self._memory, self._least, self._most = 0, memory, least, most
        self._capacity = least
        self._data: Columns = {}

    def has_room(self, n: int) -> bool:
        return self.filled + n <= self._capacity

    def add(self, rows: Columns) -> None:
        if not self._data:
            row_bytes = sum(values.dtype.itemsize * math.prod(values.shape[1:]) for values in rows.values())
            self._capacity = min(self._most, max(self._least, self._memory // max(1, row_bytes)))
            check_memory(self._capacity * row_bytes, f"size or memory for {self._capacity} decisions", "a buffer", DataError)
            self._data = {name: np.empty((self._capacity, *values.shape[1:]), values.dtype) for name, values in rows.items()}
        n = _count(rows)
        for name, values in rows.items():
            self._data[name][self.filled : self.filled + n] = values
        self.filled += n

    def take(self, order: NDArray[np.int64]) -> Columns:
        """Copy some rows."""
        return _take(self._data, order)

    def retain(self, order: NDArray[np.int64]) -> None:
        """Remove all other rows."""
        for name, values in self.take(order).items():
            self._data[name][: len(order)] = values
        self.filled = len(order)


def _read_selected(chunks: ChunkReader, chunk: Chunk, names: Sequence[str], selected: Selection) -> Columns:
    """Read the rows of the selected games of a chunk."""
    if selected is None:
        return chunks.read(chunk, names)
    rows = chunks.read(chunk, list(dict.fromkeys([*names, "game"])))
    own = np.flatnonzero(selected[rows["game"]])
    if len(own) == len(rows["game"]):
        return {name: rows[name] for name in names}
    return _take({name: rows[name] for name in names}, own)


def _count(rows: Columns) -> int:
    return len(next(iter(rows.values())))


def _slice(rows: Columns, start: int, stop: int) -> Columns:
    return {name: values[start:stop] for name, values in rows.items()}


def _take(rows: Columns, order: NDArray[np.int64]) -> Columns:
    return {name: values[order] for name, values in rows.items()}


def _concatenate(parts: Sequence[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}
