"""Arrays that kernels hold without counting references to them."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

from ginkgo_env.core.compile.intrinsics import borrow
from ginkgo_env.core.compile.jit import entry, kernel


@kernel
def _fill(row: Any, value: int) -> None:
    for i in range(row.shape[0]):
        row[i] = value


@entry
def fill_rows(rows: Any, none: Any) -> bool:
    """Write each row's number into it."""
    mine, nothing = borrow(rows), borrow(none)
    for i in range(mine.shape[0]):
        _fill(mine[i], i)
    return nothing is None


def test_a_borrowed_array_is_the_array_and_none_is_none() -> None:
    """What is written reaches the array, of which nothing else changes; it lives on and is freed as without kernels."""
    rows = np.zeros((3, 4), np.int64)
    references = sys.getrefcount(rows)
    assert fill_rows(rows, None)
    np.testing.assert_array_equal(rows, np.arange(3)[:, None].repeat(4, axis=1))
    assert sys.getrefcount(rows) == references
    assert not fill_rows(rows[::2], rows), "views and arrays for None"
    np.testing.assert_array_equal(rows[:, 0], [0, 1, 1])
