"""Entries that let tests reach kernels of the core, compiled as they are inside games."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core import rng
from ginkgo_env.core.compile import bits
from ginkgo_env.core.compile.jit import entry

STREAM = np.dtype([("rng", np.uint64), ("items", np.int16, 40)])


def stream(seed: int) -> Any:
    states = np.zeros(1, STREAM)
    states["rng"] = seed
    return states


@entry
def random_bits(states, out):  # type: ignore[no-untyped-def]
    """Fill out with random bits."""
    for i in range(out.shape[0]):
        out[i] = rng.next_bits(states[0])


@entry
def numbers(states, n, out):  # type: ignore[no-untyped-def]
    """Fill out with random numbers below n."""
    for i in range(out.shape[0]):
        out[i] = rng.below(states[0], n)


@entry
def shuffled(states, items, n):  # type: ignore[no-untyped-def]
    """Shuffle the first n items."""
    rng.shuffle(states[0], items, n)


@entry
def successors(seeds, out):  # type: ignore[no-untyped-def]
    """The seed after each seed."""
    for i in range(seeds.shape[0]):
        out[i] = rng.successor(seeds[i])


@entry
def change(set_, adds, removes):  # type: ignore[no-untyped-def]
    """Add and remove numbers."""
    for i in range(adds.shape[0]):
        bits.add(set_, adds[i])
    for i in range(removes.shape[0]):
        bits.remove(set_, removes[i])


@entry
def look(set_, found, listed):  # type: ignore[no-untyped-def]
    """found[i] tells whether i is in the set; listed gets its numbers in order; returns how many and the counted size."""
    for i in range(found.shape[0]):
        found[i] = bits.has(set_, i)
    return bits.list_into(set_, listed), bits.count(set_)


@entry
def scan(words_, low, n):  # type: ignore[no-untyped-def]
    """Lowest bit and number of bits of each word."""
    for i in range(words_.shape[0]):
        low[i] = bits.lowest(words_[i])
        n[i] = bits.popcount(words_[i])


@entry
def emptied(set_):  # type: ignore[no-untyped-def]
    """Empty a set."""
    bits.clear(set_)


@entry
def single(i):  # type: ignore[no-untyped-def]
    """The word with bit i alone."""
    return bits.bit(i)
