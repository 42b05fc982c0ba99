"""Sets of small numbers as 64-bit words: what cards and tiles lie where.

A set is an array of ``uint64`` words; number ``i`` is bit ``i % 64`` of word ``i // 64``. Reading the bits upward
lists a set in order, so a set needs no sorting. In kernels, words must never meet signed integers (Numba would make floats
of them), hence the named constants.
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
        """Index of the lowest bit that is set; the word must not be zero."""
        value = int(word)
        return (value & -value).bit_length() - 1

    def highest(word: np.uint64) -> int:
        """Index of the highest bit that is set, -1 of zero."""
        return int(word).bit_length() - 1

    def popcount(word: np.uint64) -> int:
        """Number of bits that are set."""
        return int(word).bit_count()

else:
    lowest = _unary_word_intrinsic(lambda builder, word: builder.cttz(word, ir.Constant(ir.IntType(1), 1)))
    highest = _unary_word_intrinsic(
        lambda builder, word: builder.sub(ir.IntType(64)(63), builder.ctlz(word, ir.Constant(ir.IntType(1), 0)))
    )
    popcount = _unary_word_intrinsic(lambda builder, word: builder.ctpop(word))


@kernel
def bit(i: int) -> np.uint64:
    """The word with bit i alone (0 <= i < 64)."""
    return ONE << np.uint64(i)


@kernel
def nth_bit(word: np.uint64, n: int) -> int:
    """Index of the n-th bit that is set, from 0; the word has more than n.

    By halves and without branches, which would often be guessed wrongly.
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
    """Whether number i is in the set."""
    return (words[i >> 6] & (ONE << np.uint64(i & 63))) != ZERO


@kernel
def add(words: np.ndarray, i: int) -> None:
    """Add number i to the set, in place."""
    words[i >> 6] |= ONE << np.uint64(i & 63)


@kernel
def remove(words: np.ndarray, i: int) -> None:
    """Remove number i from the set, in place; does nothing if it is not there."""
    words[i >> 6] &= ~(ONE << np.uint64(i & 63))


@kernel
def count(words: np.ndarray) -> int:
    """Number of members."""
    n = 0
    for w in range(words.shape[0]):
        n += popcount(words[w])
    return n


@kernel
def clear(words: np.ndarray) -> None:
    """Empty the set, in place."""
    for w in range(words.shape[0]):
        words[w] = ZERO


@kernel
def list_into(words: np.ndarray, out: np.ndarray) -> int:
    """Write the members in ascending order into out; return how many there are."""
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
    """The k-th number of the set, from 0; -1 if it holds fewer."""
    for w in range(words.shape[0]):
        rest = words[w]
        while rest != ZERO:
            if k == 0:
                return (w << 6) + lowest(rest)
            rest &= rest - ONE
            k -= 1
    return -1
