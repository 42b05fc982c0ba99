"""Sets as words, against Python's sets."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .. import kernels

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
