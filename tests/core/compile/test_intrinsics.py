"""Intrinsics, against plain Python: borrowed arrays, bytes, sets, layers of networks."""

from __future__ import annotations

import math
import sys
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginkgo_env.core.compile.dense import HEIGHT, PRODUCTS, WIDTH, apply_tanh, dense, modulate, multiply_add, products
from ginkgo_env.core.compile.intrinsics import borrow, equal_bits, greater_bits, replace_items, sum_where, write_bits, write_items
from ginkgo_env.core.compile.jit import entry, for_types_of, kernel
from ginkgo_env.core.compile.simd import LANES, add_moved

from .. import kernels


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


@entry
def write_parts(numbers: Any, start: int, added: int, word: Any, out: Any) -> None:
    """Write bits and numbers of 8, 32 and 64 items side by side: rows of out are bits, numbers, and numbers that replace."""
    byte, half = np.uint8(word), np.uint32(word)
    write_bits(out[0], 1, byte)
    write_bits(out[0], 9, half)
    write_bits(out[0], 41, word)
    write_items(out[1], 1, numbers, start, added, byte)
    write_items(out[1], 9, numbers, start, added, half)
    write_items(out[1], 41, numbers, start, added, word)
    replace_items(out[2], 1, numbers, start, added, byte)
    replace_items(out[2], 9, numbers, start, added, half)
    replace_items(out[2], 41, numbers, start, added, word)


def test_parts_of_bytes_are_written_and_nothing_beside_them() -> None:
    random = np.random.default_rng(1)
    for start, added in ((0, 0), (20, 3), (7, -60)):
        numbers, word = random.integers(-128, 127, 84).astype(np.int8), int(random.integers(2**64, dtype=np.uint64))
        out = np.full((3, 106), 9, np.uint8)
        write_parts(numbers, start, added, np.uint64(word), out)
        expected = np.full((3, 106), 9, np.uint8)
        for first, n in ((1, 8), (9, 32), (41, 64)):
            for k in range(n):
                bit, number = word >> k & 1, (int(numbers[start + k]) + added) % 256
                expected[0, first + k], expected[1, first + k] = bit, number * bit
                expected[2, first + k] = number if bit else 9
        assert (out == expected).all()


# --- four sets at once -------------------------------------------------------------------------------------------------------


@entry
def move_all(sets: Any, distances: Any, out: Any) -> None:
    """Each set (n, 2) moved by each row of distances (K, 4), into out (n, 2, 4)."""
    for i in range(sets.shape[0]):
        for k in range(distances.shape[0]):
            add_moved(sets[i, 0], sets[i, 1], distances, k, out[i])


def test_sets_are_moved_by_any_distance() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        sets = rng.integers(0, 2**64, (5, 2), np.uint64)
        distances = rng.integers(0, 128, (3, LANES)).astype(np.int16)
        distances[0] = rng.choice([0, 1, 63, 64, 65, 127], LANES)
        out = np.zeros((5, 2, LANES), np.uint64)
        out[0, 0, 0] = 1 << 40  # what is there stays
        move_all(sets, distances, out)
        for i, (low, high) in enumerate(sets.tolist()):
            for lane in range(LANES):
                expected = (1 << 40) * (i == lane == 0)
                for distance in distances[:, lane].tolist():
                    expected |= (low | high << 64) >> distance
                assert int(out[i, 0, lane]) | int(out[i, 1, lane]) << 64 == expected


# --- sets as words, against Python's sets ------------------------------------------------------------------------------------


SOME = settings(derandomize=True, deadline=None, max_examples=100)
NUMBERS = st.lists(st.integers(0, 127), max_size=40)


@SOME
@given(NUMBERS, NUMBERS)
def test_sets(adds: list[int], removes: list[int]) -> None:
    words = np.zeros(2, np.uint64)
    kernels.change(words, np.array(adds, np.int64), np.array(removes, np.int64))
    wanted = set(adds) - set(removes)
    found, listed = np.zeros(128, np.bool_), np.full(128, -1, np.int64)
    n, size = kernels.look(words, found, listed)
    assert set(np.flatnonzero(found).tolist()) == wanted
    assert listed[:n].tolist() == sorted(wanted) and n == size == len(wanted)
    assert (listed[n:] == -1).all()
    kernels.emptied(words)
    assert not words.any()


@SOME
@given(st.lists(st.integers(1, 2**64 - 1), min_size=1, max_size=20))
def test_words(values: list[int]) -> None:
    low, n = np.zeros(len(values), np.int64), np.zeros(len(values), np.int64)
    kernels.scan(np.array(values, np.uint64), low, n)
    assert low.tolist() == [(value & -value).bit_length() - 1 for value in values]
    assert n.tolist() == [value.bit_count() for value in values]


@pytest.mark.parametrize("i", [0, 1, 31, 32, 62, 63])
def test_bits(i: int) -> None:
    assert int(kernels.single(i)) == 1 << i
    low, n = np.zeros(1, np.int64), np.zeros(1, np.int64)
    kernels.scan(np.array([1 << i], np.uint64), low, n)
    assert (low[0], n[0]) == (i, 1)


# --- layers of networks, against products in float64; each row alone gives the same bits -------------------------------------


SHAPES = [(1, 1, 1), (8, 5, WIDTH), (HEIGHT, 0, 3), (7, 33, 2 * WIDTH + 1), (3, 9, WIDTH + 1), (8, 12, 2), (11, 6, WIDTH - 1)]


@entry
def layer(x: Any, w: Any, b: Any, out: Any) -> None:
    """Call the kernel."""
    dense(x, w, b, out)


@entry
def tanh_of(values: Any) -> None:
    """Call the kernel."""
    apply_tanh(values)


@entry
def fused(a: Any, b: Any, c: Any, out: Any) -> None:
    """Call the intrinsic for each item."""
    for i in range(out.size):
        out[i] = multiply_add(a[i], b[i], c[i])


def numbers(*shape: int, seed: int = 0) -> Any:
    return np.random.default_rng((seed, *shape)).normal(size=shape).astype(np.float32)


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_layer_is_its_product(shape: tuple[int, int, int]) -> None:
    """All numbers of the result are written, and none beside it."""
    rows, n, m = shape
    x, w, b = numbers(rows, n), numbers(n, m), numbers(m)
    memory = np.full((rows + 2, m), np.float32(np.nan))
    layer(x, w, b, memory[1:-1])
    np.testing.assert_allclose(memory[1:-1], b + x.astype(np.float64) @ w, atol=1e-5)
    assert np.isnan(memory[[0, -1]]).all()


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_row_does_not_depend_on_the_others(shape: tuple[int, int, int]) -> None:
    rows, n, m = shape
    x, w, b, together = numbers(rows, n), numbers(n, m), numbers(m), np.empty((rows, m), np.float32)
    layer(x, w, b, together)
    for few in range(1, rows + 1):
        some = np.empty((few, m), np.float32)
        layer(x[rows - few :], w, b, some)
        assert some.tobytes() == together[rows - few :].tobytes()
    others = np.full((rows, n), np.float32(np.nan))
    others[rows // 2] = x[rows // 2]
    out = np.empty((rows, m), np.float32)
    layer(others, w, b, out)
    assert out[rows // 2].tobytes() == together[rows // 2].tobytes()


@pytest.mark.parametrize("columns", [1, 2, WIDTH - 1, WIDTH, WIDTH + 1, 3 * WIDTH - 1])
def test_an_output_does_not_depend_on_the_others(columns: int) -> None:
    x, w, b = numbers(8, 20), numbers(20, 3 * WIDTH), numbers(3 * WIDTH)
    whole, part = np.empty((8, 3 * WIDTH), np.float32), np.empty((8, columns), np.float32)
    layer(x, w, b, whole)
    layer(x, np.ascontiguousarray(w[:, :columns]), b[:columns], part)
    assert part.tobytes() == whole[:, :columns].tobytes()


def test_other_arrays_are_refused() -> None:
    """Without compilation any array will do."""
    if not hasattr(layer, "signatures"):
        return
    x, w, b, out = numbers(4, 4), numbers(4, 4), numbers(4), np.empty((4, 4), np.float32)
    for wrong in ((x.T, w, b, out), (x, w.astype(np.float64), b, out), (x, w, b[::-1], out)):
        with pytest.raises(Exception, match="contiguous arrays of float32"):
            layer(*wrong)


def test_tanh() -> None:
    values = np.concatenate([np.linspace(-12, 12, 20_001), np.geomspace(1e-30, 100, 999), [0, np.inf, -np.inf]]).astype(
        np.float32
    )
    out = values.copy()
    tanh_of(out)
    np.testing.assert_allclose(out, np.tanh(values.astype(np.float64)), rtol=0, atol=5e-7)
    assert 1 - 5e-7 < np.abs(out).max() <= 1
    mirrored = -values
    tanh_of(mirrored)
    np.testing.assert_array_equal(mirrored, -out)
    part = values[5:12].copy()
    tanh_of(part)
    assert part.tobytes() == out[5:12].tobytes()


def test_products_and_sums() -> None:
    a, b, c, out = numbers(50, seed=1), numbers(50, seed=2), numbers(50, seed=3), np.empty(50, np.float32)
    fused(a, b, c, out)
    np.testing.assert_allclose(out, a.astype(np.float64) * b + c, atol=1e-6)


@entry
def some_outputs(a: Any, w: Any, rows: Any, out: Any) -> None:
    """The inner products of a vector and some rows of a matrix."""
    products(a, w, rows, out)


@entry
def modulated(z: Any, x: Any, columns: Any, gain: Any, shift: Any, out: Any) -> None:
    """A layer as some inputs modulate it."""
    modulate(z, x, columns, gain, shift, out)


def test_inner_products_are_the_sums_of_eight_sums() -> None:
    random = np.random.default_rng(4)
    for n in (8, 64, 136):
        a, w = random.standard_normal(n, np.float32), random.standard_normal((20, n), np.float32)
        rows, out = random.integers(0, 20, PRODUCTS), np.empty(PRODUCTS, np.float32)
        some_outputs(a, w, rows, out)
        parts = [math.fsum(np.multiply(a[k::8], row[k::8], dtype=float)) for row in w[rows] for k in range(8)]
        np.testing.assert_allclose(out, np.reshape(parts, (PRODUCTS, 8)).sum(axis=1), rtol=1e-4, atol=1e-5)
        again, one = np.empty(PRODUCTS, np.float32), rows[3]
        some_outputs(a, w, np.full(PRODUCTS, one), again)
        assert (again == out[3]).all()  # whatever stands beside it


@pytest.mark.parametrize("n", [5, 64, 100])
def test_units_are_modulated(n: int) -> None:
    random = np.random.default_rng(n)
    z, x, columns = random.standard_normal(n, np.float32), random.standard_normal(30, np.float32), np.array([3, 29, 0])
    gain, shift = random.standard_normal((2, 3, n), np.float32)
    out = np.empty(n, np.float32)
    modulated(z, x, columns, gain, shift, out)
    scaled, shifted = z.copy(), np.zeros(n, np.float32)
    for m, column in enumerate(columns):
        scaled, shifted = scaled + x[column] * (gain[m] * z), shifted + x[column] * shift[m]
    assert (out == np.maximum(scaled + shifted, 0)).all()
