"""Observations and scores of a few rows of a batch.

A batch observes and scores all its rows. If only a few are needed, they are copied into a small batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch

_ROWS = 64  # rows of the small batch

Look = Callable[[Batch, NDArray[np.int64]], NDArray[Any]]


class RowSubset:
    """Evaluates functions on some rows of ``batch``, on copies of them unless they are most of the batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._small: Batch | None = None  # created when it is first needed

    def look(self, rows: NDArray[np.int64], seats: NDArray[np.int64], look: Look) -> NDArray[Any]:
        """Return the values (k, ...) of ``look(batch, seats)``, a function of all rows, for some rows (k,).

        seats : (k,) the seat of each of these rows
        """
        batch = self.batch
        if 2 * rows.size > batch.size:
            every = np.zeros(batch.size, np.int64)
            every[rows] = seats
            return look(batch, every)[rows]
        return np.concatenate([look(few, some)[:n] for few, some, n in self._parts(rows, seats)])

    def _parts(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> Iterator[tuple[Batch, NDArray[np.int64], int]]:
        """Yield copies of the rows in parts that fit into the small batch, at least one."""
        few = self._small = self._small or Batch(self.batch.game, min(_ROWS, self.batch.size))
        for start in range(0, max(1, rows.size), few.size):
            part = rows[start : start + few.size]
            few.copy_rows(self.batch, part, np.arange(part.size))
            some = np.zeros(few.size, np.int64)
            some[: part.size] = seats[start : start + few.size]
            yield few, some, part.size
