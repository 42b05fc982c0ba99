"""splitmix64: published outputs, and a reference in plain integers."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginkgo_env.core import rng

from . import kernels

SOME = settings(derandomize=True, deadline=None, max_examples=60)
WORD = st.integers(0, 2**64 - 1)
MASK = 2**64 - 1

# Steele, Lea and Flood's generator as published (java.util.SplittableRandom, Vigna's splitmix64.c).
PUBLISHED = {
    0: [0xE220A8397B1DCDAF, 0x6E789E6AA1B965F4, 0x06C45D188009454F, 0xF88BB8A8724C81EC, 0x1B39896A51A8749B],
    1234567: [6457827717110365317, 3203168211198807973, 9817491932198370423, 4593380528125082431, 16408922859458223821],
}


def mix(bits: int) -> int:
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9 & MASK
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EB & MASK
    return bits ^ (bits >> 31)


class Reference:
    """The generator in Python's integers."""

    def __init__(self, bits: int) -> None:
        self.state = bits

    def next(self) -> int:
        self.state = self.state + 0x9E3779B97F4A7C15 & MASK
        return mix(self.state)

    def below(self, n: int) -> int:
        return (self.next() >> 32) * n >> 32


@pytest.mark.parametrize("seed", PUBLISHED)
def test_published_numbers(seed: int) -> None:
    out = np.zeros(5, np.uint64)
    kernels.random_bits(kernels.stream(seed), out)
    assert out.tolist() == PUBLISHED[seed]


@SOME
@given(WORD)
def test_numbers_are_the_references(seed: int) -> None:
    states, out, reference = kernels.stream(seed), np.zeros(8, np.uint64), Reference(seed)
    kernels.random_bits(states, out)
    assert out.tolist() == [reference.next() for _ in range(8)]
    assert int(states["rng"][0]) == reference.state


@SOME
@given(WORD, st.integers(1, 1000))
def test_numbers_below(seed: int, n: int) -> None:
    out, reference = np.zeros(8, np.int64), Reference(seed)
    kernels.numbers(kernels.stream(seed), n, out)
    assert out.tolist() == [reference.below(n) for _ in range(8)]
    assert (out >= 0).all() and (out < n).all()


def test_numbers_are_uniform() -> None:
    out = np.zeros(60_000, np.int64)
    kernels.numbers(kernels.stream(5), 6, out)
    counts = np.bincount(out, minlength=6)
    assert ((counts - 10_000) ** 2 / 10_000).sum() < 25.7  # chi-square, 5 degrees, p = 1e-4


@SOME
@given(WORD, st.integers(0, 40))
def test_shuffling_is_fisher_and_yates(seed: int, n: int) -> None:
    items, reference = np.arange(40), Reference(seed)
    wanted = list(range(40))
    kernels.shuffled(kernels.stream(seed), items, n)
    for i in range(n - 1, 0, -1):
        j = reference.below(i + 1)
        wanted[i], wanted[j] = wanted[j], wanted[i]
    assert items.tolist() == wanted


def test_orders_are_equally_likely() -> None:
    states, counts = kernels.stream(9), dict[tuple[int, ...], int]()
    for _ in range(6000):
        items = np.arange(3)
        kernels.shuffled(states, items, 3)
        key = tuple(items.tolist())
        counts[key] = counts.get(key, 0) + 1
    assert len(counts) == 6
    assert sum((c - 1000) ** 2 / 1000 for c in counts.values()) < 25.7


@SOME
@given(WORD)
def test_successors(seed: int) -> None:
    out = np.zeros(1, np.uint64)
    kernels.successors(np.array([seed], np.uint64), out)
    assert int(out[0]) == mix(seed + int(rng.GOLDEN) & MASK) != seed
