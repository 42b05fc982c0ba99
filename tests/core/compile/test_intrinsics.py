"""Arrays that kernels hold without counting references to them."""

from __future__ import annotations

import sys
from typing import Any, NamedTuple

import numpy as np

from ginkgo_env.core.compile.intrinsics import borrow, equal_bits, greater_bits, sum_where
from ginkgo_env.core.compile.jit import entry, for_types_of, kernel


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


class Pair(NamedTuple):
    rows: Any
    rest: tuple[Any, int]


@entry
def fill_pair(pair: Any) -> tuple[int, int]:
    """Write the number of each row into the rows of a pair, and 7 into the rest."""
    mine = Pair(*borrow(pair))
    for i in range(mine.rows.shape[0]):
        _fill(mine.rows[i], i)
    last, number = mine.rest
    _fill(last, 7)
    return number, mine.rows.size


def test_borrowed_tuples_hold_the_same_arrays() -> None:
    rows, last = np.zeros((3, 4), np.int64), np.zeros(2, np.int64)
    references = sys.getrefcount(rows), sys.getrefcount(last)
    for pair in (Pair(rows, (last, 5)), (rows, (last, 5))):
        assert fill_pair(pair) == (5, 12)
        assert rows[:, 1].tolist() == [0, 1, 2] and last.tolist() == [7, 7]
        rows[:], last[:] = 0, 0
    del pair
    assert (sys.getrefcount(rows), sys.getrefcount(last)) == references


def test_an_entry_for_types_of_arguments_is_the_entry() -> None:
    rows = np.zeros((3, 4), np.int64)
    assert for_types_of(fill_rows, rows, None)(rows, None) and rows[:, 1].tolist() == [0, 1, 2]


@entry
def look_at_bytes(numbers: Any, start: int, value: int, word: Any, words: Any) -> int:
    """Write which of 64 numbers are equal to a value, and which are above it; return the sum of those in a word."""
    words[0], words[1] = equal_bits(numbers, start, value), greater_bits(numbers, start, value)
    return sum_where(numbers, start, word)


def test_sets_of_bytes() -> None:
    """Bits and sums of 64 bytes at any place, as Python finds them; sums of the highest bytes do not wrap around."""
    random = np.random.default_rng(0)
    for largest in (3, 20, 127):
        numbers, words = random.integers(-1, largest, 84, endpoint=True).astype(np.int8), np.zeros(2, np.uint64)
        for start, value in ((0, -1), (20, largest), (7, 2)):
            part = numbers[start : start + 64].tolist()
            word = sum(1 << k for k in range(64) if part[k] >= 0 and k % 5)
            total = look_at_bytes(numbers, start, value, np.uint64(word), words)
            assert int(words[0]) == sum(1 << k for k in range(64) if part[k] == value)
            assert int(words[1]) == sum(1 << k for k in range(64) if part[k] > value)
            assert total == sum(part[k] for k in range(64) if word >> k & 1)
    full = np.full(64, 127, np.int8)
    assert look_at_bytes(full, 0, 0, np.uint64(2**64 - 1), np.zeros(2, np.uint64)) == 64 * 127
