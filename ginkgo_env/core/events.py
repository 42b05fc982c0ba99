"""A log of the events within a step, for records, replays and texts.

A log is an (n, 4) int16 array; the first number of the first row counts the rows that follow. A row is a kind of event, which
each game defines, and three numbers. Kernels get an empty array (:data:`SILENT`) when nothing is logged.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.compile.intrinsics import borrow
from ginkgo_env.core.compile.jit import kernel

Row = tuple[int, int, int, int]
COLUMNS = 4
SILENT: NDArray[np.int16] = np.zeros((0, COLUMNS), np.int16)
OUTCOME, ITEM = 0, 1
"""Kinds of row that every game has: a random outcome (number, how many items follow, -), and an item (item, -, -)."""
_ROWS = 4096


def new_log() -> NDArray[np.int16]:
    """Return an empty log with room for the events of any step."""
    return np.zeros((_ROWS, COLUMNS), np.int16)


def outcomes_of(rows: Sequence[Row]) -> list[tuple[int, list[int]]]:
    """Return the random outcomes among the rows of a log: the number and the items of each."""
    return [
        (which, [item for _, item, _, _ in rows[i + 1 : i + 1 + n]])
        for i, (kind, which, n, _) in enumerate(rows)
        if kind == OUTCOME
    ]


def runs_of(rows: Sequence[Row], goes_on: Callable[[list[Row], Row], bool]) -> Iterator[list[Row]]:
    """Group consecutive rows: a row joins the run before it where ``goes_on(run, row)``."""
    run: list[Row] = []
    for row in rows:
        if run and not goes_on(run, row):
            yield run
            run = []
        run.append(row)
    if run:
        yield run


def read_log(log: NDArray[np.int16]) -> list[Row]:
    """Return the rows of a log as tuples, and empty the log."""
    n = int(log[0, 0])
    rows = [(int(a), int(b), int(c), int(d)) for a, b, c, d in log[1 : n + 1]]
    log[0, 0] = 0
    return rows


@kernel(inline=True)
def no_log() -> Any:
    """Return what :data:`SILENT` is, for loops that log nothing."""
    return borrow(np.empty((0, COLUMNS), np.int16))  # is freed at once, and never read


@kernel
def emit(log: NDArray[np.int16], kind: int, a: int, b: int, c: int) -> None:
    """Append a row, unless the log is :data:`SILENT`."""
    if log.shape[0] > 0:
        n = int(log[0, 0]) + 1
        log[n, 0], log[n, 1], log[n, 2], log[n, 3] = kind, a, b, c
        log[0, 0] = n


@kernel
def emit_outcome(log: NDArray[np.int16], which: int, items: np.ndarray, n: int) -> None:
    """Append a random outcome, which is the first n items."""
    if log.shape[0] > 0:
        emit(log, OUTCOME, which, n, 0)
        for i in range(n):
            emit(log, ITEM, items[i], 0, 0)
