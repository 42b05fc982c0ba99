"""The random generator of game records: a game depends on its own seed alone.

The generator is splitmix64 (Steele, Lea and Flood 2014); its state is a uint64 in the record's field ``rng``. Kernels
that take a record accept any record with such a field.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.state import State

GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MULTIPLY_1 = np.uint64(0xBF58476D1CE4E5B9)
_MULTIPLY_2 = np.uint64(0x94D049BB133111EB)
_SHIFT_1, _SHIFT_2, _SHIFT_3 = np.uint64(30), np.uint64(27), np.uint64(31)
_HALF = np.uint64(32)
_DRAW = np.uint64(0x6A09E667F3BCC909)  # the stream of seeds from which configurations are drawn


@kernel
def mix(bits: np.uint64) -> np.uint64:
    """Return the output of splitmix64 for a state: 64 bits, well mixed."""
    bits = (bits ^ (bits >> _SHIFT_1)) * _MULTIPLY_1
    bits = (bits ^ (bits >> _SHIFT_2)) * _MULTIPLY_2
    return bits ^ (bits >> _SHIFT_3)


@kernel
def next_bits(g: State) -> np.uint64:
    """Return the next 64 random bits of a record; advances ``g.rng``."""
    g.rng += GOLDEN
    return mix(g.rng)


@kernel
def reduce(bits: np.uint64, n: Any) -> Any:
    """Return a number 0 <= r < n from random bits: their upper half times n / 2**32.

    The bias is below n / 2**32.
    """
    return np.int64(((bits >> _HALF) * np.uint64(n)) >> _HALF)


@kernel
def drawn(seed: np.uint64, n: int) -> int:
    """Return the index r of the configuration that a seed draws from n, 0 <= r < n."""
    return int(reduce(mix(seed ^ _DRAW), n))


@kernel
def below(g: State, n: int) -> int:
    """Return a random number 0 <= r < n; advances ``g.rng``."""
    return reduce(next_bits(g), n)


@kernel
def shuffle(g: State, items: np.ndarray, n: int) -> None:
    """Shuffle the first n items in place (Fisher and Yates, from the last item down); advances ``g.rng``.

    ``g.rng`` is written once, at the end: the items may be part of the record, and the compiler would have to read it again after
    each write to them.
    """
    state = g.rng
    for i in range(n - 1, 0, -1):
        state += GOLDEN
        j = reduce(mix(state), i + 1)
        item = items[i]
        items[i] = items[j]
        items[j] = item
    g.rng = state


@kernel
def successor(seed: np.uint64) -> np.uint64:
    """Return the seed of the game that follows a finished game in the same row of a batch."""
    return mix(seed + GOLDEN)
