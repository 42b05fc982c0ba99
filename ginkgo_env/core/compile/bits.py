"""Sets of small numbers as 64-bit words, such as the cards or tiles in one place.

A set is an array of ``uint64`` words; number ``i`` is bit ``i % 64`` of word ``i // 64``. Reading the bits upward
lists a set in order, so that a set needs no sorting. In kernels, words must never be combined with signed integers, of which
Numba would make floats: use the constants :data:`ZERO` and :data:`ONE`.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import types
from numba.extending import intrinsic

from ginkgo_env.core.compile.jit import JIT_DISABLED, kernel

ZERO = np.uint64(0)
ONE = np.uint64(1)


def _unary_word_intrinsic(emit: Any) -> Any:
    @intrinsic
    def function(typingctx: Any, word: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return emit(builder, args[0])

        return types.int64(types.uint64), codegen

    return function


if JIT_DISABLED:

    def lowest(word: np.uint64) -> int:
        """Return the index of the lowest bit that is set; the word must not be zero."""
        value = int(word)
        return (value & -value).bit_length() - 1

    def highest(word: np.uint64) -> int:
        """Return the index of the highest bit that is set, or -1 for zero."""
        return int(word).bit_length() - 1

    def popcount(word: np.uint64) -> int:
        """Return the number of bits that are set."""
        return int(word).bit_count()

else:
    lowest = _unary_word_intrinsic(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))
    highest = _unary_word_intrinsic(
        lambda builder, word: builder.sub(ir.IntType(64)(63), builder.ctlz(word, ir.Constant(ir.IntType(1), 0)))
    )
    popcount = _unary_word_intrinsic(lambda builder, word: builder.ctpop(word))


@kernel
def bit(i: int) -> np.uint64:
    """Return the word with bit i alone, 0 <= i < 64."""
    return ONE << np.uint64(i)


@kernel
def nth_bit(word: np.uint64, n: int) -> int:
    """Return the index of the n-th bit that is set, counted from 0; the word must have more than n.

    It bisects without branches, which would often be mispredicted.
    """
    at, size = 0, 32
    while size > 0:
        below = popcount(word & ((ONE << np.uint64(size)) - ONE))
        step = size if n >= below else 0
        n -= below if n >= below else 0
        word >>= np.uint64(step)
        at += step
        size >>= 1
    return at


@kernel
def has(words: np.ndarray, i: int) -> bool:
    """Return whether number i is in the set."""
    return (words[i >> 6] & (ONE << np.uint64(i & 63))) != ZERO


@kernel
def add(words: np.ndarray, i: int) -> None:
    """Add number i to the set, in place."""
    words[i >> 6] |= ONE << np.uint64(i & 63)


@kernel
def remove(words: np.ndarray, i: int) -> None:
    """Remove number i from the set, in place, if it is there."""
    words[i >> 6] &= ~(ONE << np.uint64(i & 63))


@kernel
def count(words: np.ndarray) -> int:
    """Return the number of members."""
    n = 0
    for w in range(len(words)):
        n += popcount(words[w])
    return n


@kernel
def clear(words: np.ndarray) -> None:
    """Remove all members, in place."""
    for w in range(words.shape[0]):
        words[w] = ZERO


@kernel
def list_into(words: np.ndarray, out: np.ndarray) -> int:
    """Write the members in ascending order into out (n,); return their number."""
    n = 0
    for w in range(words.shape[0]):
        rest = words[w]
        while rest != ZERO:
            out[n] = (w << 6) + lowest(rest)
            rest &= rest - ONE
            n += 1
    return n


@kernel
def nth(words: np.ndarray, k: int) -> int:
    """Return the k-th lowest member, counted from 0, or -1 if there are fewer."""
    for w in range(words.shape[0]):
        rest = words[w]
        while rest != ZERO:
            if k == 0:
                return (w << 6) + lowest(rest)
            rest &= rest - ONE
            k -= 1
    return -1
