"""A few rows of a batch, to look at without the others.

A batch observes and scores all its rows at once. Where only a few are wanted, these are copied into a small batch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch

_ROWS = 64  # of the small batch

Look = Callable[[Batch, NDArray[np.int64]], NDArray[Any]]


class RowSubset:
    """Looks at rows of ``batch``: at all of them where most are wanted, else at copies of those rows."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._small: Batch | None = None  # made when first needed

    def look(self, rows: NDArray[np.int64], seats: NDArray[np.int64], look: Look) -> NDArray[Any]:
        """What ``look(batch, seats)``, which gives a value for each row of a batch, gives for some rows (k,): (k, ...).

        seats : (k,) the seat of each of these rows
        """
        batch = self.batch
        if 2 * rows.size > batch.size:
            every = np.zeros(batch.size, np.int64)
            every[rows] = seats
            return look(batch, every)[rows]
        return np.concatenate([look(few, some)[:n] for few, some, n in self._parts(rows, seats)])

    def _parts(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> Iterator[tuple[Batch, NDArray[np.int64], int]]:
        """Copies of the rows, as many at a time as fit; at least one part."""
        few = self._small = self._small or Batch(self.batch.game, min(_ROWS, self.batch.size))
        for start in range(0, max(1, rows.size), few.size):
            part = rows[start : start + few.size]
            few.copy_rows(self.batch, part, np.arange(part.size))
            some = np.zeros(few.size, np.int64)
            some[: part.size] = seats[start : start + few.size]
            yield few, some, part.size
