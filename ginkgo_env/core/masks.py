"""Kernels and entries on action masks and on sets of actions, for every game.

A mask (A,) int8 is what games write and users read. A set (W,) uint64 holds the same as bits, and is what the package trusts:
users never get hold of it, so changing a mask does no harm.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest, nth_bit, popcount
from ginkgo_env.core.compile.intrinsics import borrow, read_bits
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.rng import GOLDEN, mix, reduce

NO_ACTION = -1  # leaves its row as it is
RESET = -2  # starts a new game from the row's seed; used inside the package only
RUNNING, ENDED, TRUNCATED = 0, 1, 2  # state of a game after a step
_WORD = 64  # bits of a word


def n_words(size: int) -> int:
    """Return the number of words of a set of actions: action a is bit ``a % 64`` of word ``a // 64``."""
    return -(-size // _WORD)


def sets_of(masks: NDArray[np.int8]) -> NDArray[np.uint64]:
    """Return the sets (rows, W) of the ones of masks (rows, A)."""
    sets = np.empty((len(masks), n_words(masks.shape[1])), np.uint64)
    pack_many(np.ascontiguousarray(masks, np.int8), sets)
    return sets


def are_legal(sets: NDArray[np.uint64], rows: NDArray[np.int64], actions: NDArray[np.int64]) -> NDArray[np.bool_]:
    """Return whether actions (k,), any int64, are in the sets of rows (k,)."""
    inside = (actions >= 0) & (actions < _WORD * sets.shape[1])
    known = np.where(inside, actions, 0)
    bits: NDArray[np.uint64] = sets[rows, known // _WORD] >> (known % _WORD).astype(np.uint64)
    legal: NDArray[np.bool_] = inside & ((bits & ONE) != ZERO)
    return legal


@entry
def first_illegal(sets: Any, actions: Any) -> int:
    """Return the first row whose action is neither legal nor NO_ACTION, or -1.

    sets (B, W) uint64, actions (B,) int64
    """
    for i in range(actions.shape[0]):
        a = actions[i]
        if a != NO_ACTION and (a < 0 or a >= _WORD * sets.shape[1] or not contains(sets[i], a)):
            return i
    return -1


@kernel(inline=True)
def first_outside(lowest: int, size: int, actions: Any) -> int:
    """Return the first row whose action is not in lowest..size - 1, or -1.

    actions (B,) int64
    """
    outside = False
    for i in range(actions.shape[0]):
        outside |= actions[i] < lowest or actions[i] >= size
    if outside:
        for i in range(actions.shape[0]):
            if actions[i] < lowest or actions[i] >= size:
                return i
    return -1


@kernel(inline=True)
def contains(legal: Any, action: int) -> bool:
    """Return whether an action, 0 to 64 W - 1, is in a set (W,)."""
    return bool((legal[action // _WORD] >> np.uint64(action % _WORD)) & ONE)


@kernel(inline=True)
def pack(mask: Any, legal: Any) -> None:
    """Write the set (W,) of the ones of a contiguous mask (A,)."""
    whole = mask.shape[0] & ~(_WORD - 1)
    for start in range(0, whole, _WORD):
        legal[start // _WORD] = read_bits(mask, start)
    if whole < mask.shape[0]:
        legal[whole // _WORD] = last_bits(mask, whole)


@entry
def pack_many(masks: Any, sets: Any) -> None:
    """Write the sets (B, W) of masks (B, A)."""
    for i in range(masks.shape[0]):
        pack(masks[i], sets[i])


@entry
def mix_many(keys: Any) -> None:
    """Replace each key (n,) uint64 by the output of splitmix64 for it, in place."""
    for i in range(keys.shape[0]):
        keys[i] = mix(keys[i])


@kernel(inline=True)
def last_bits(mask: Any, start: int) -> np.uint64:
    """Return the last items of a contiguous mask (A,), fewer than 64, as bits; ``start`` is bit 0."""
    word, over = ZERO, start + _WORD - mask.shape[0]
    if over <= start:
        return (read_bits(mask, start - over) >> ONE) >> np.uint64(over - 1)
    for a in range(start, mask.shape[0]):
        word |= np.uint64(mask[a]) << np.uint64(a - start)
    return word


@entry
def list_legal(sets: Any, offsets: Any, actions: Any) -> None:
    """Write the actions in sets (B, W) into actions (N,) int64, those of row i from offsets[i] on.

    They are in ascending order in each row.
    """
    for i in range(sets.shape[0]):
        k = offsets[i]
        for w in range(sets.shape[1]):
            rest = sets[i, w]
            while rest != ZERO:
                actions[k] = _WORD * w + lowest(rest)
                rest &= rest - ONE
                k += 1


@kernel(inline=True)
def draw_legal(mask: Any, key: np.uint64) -> int:
    """Return a uniformly drawn legal action of a contiguous mask (A,), or NO_ACTION.

    key : a random key
    """
    whole = mask.shape[0] & ~(_WORD - 1)
    rest = last_bits(mask, whole)  # the bits after the last whole word
    n = popcount(rest)
    for start in range(0, whole, _WORD):
        n += popcount(read_bits(mask, start))
    if n == 0:
        return NO_ACTION
    drawn = reduce(key, n)
    first = before = n = 0  # start of the word with the drawn bit, and the number of ones before it
    for start in range(0, whole, _WORD):
        n += popcount(read_bits(mask, start))
        passed = n <= drawn
        before = n if passed else before
        first += _WORD if passed else 0
    return first + nth_bit(read_bits(mask, first) if first < whole else rest, drawn - before)


@kernel(inline=True)
def draw(legal: Any, key: np.uint64) -> int:
    """Return a uniformly drawn action of a set (W,), or NO_ACTION: the same one as ``draw_legal``."""
    n = 0
    for w in range(legal.shape[0]):
        n += popcount(legal[w])
    if n == 0:
        return NO_ACTION
    drawn = reduce(key, n)
    first = before = n = 0  # word with the drawn bit, and the number of ones before it
    for w in range(legal.shape[0] - 1):
        n += popcount(legal[w])
        passed = n <= drawn
        before = n if passed else before
        first += 1 if passed else 0
    return _WORD * first + nth_bit(legal[first], drawn - before)


@entry
def sample_many(start: int, stop: int, sets: Any, keys: Any, actions: Any) -> None:
    """Draw a uniform action of each set (B, W), NO_ACTION if it is empty; advances keys (B,)."""
    sets = borrow(sets)
    for i in range(start, stop):
        keys[i] += GOLDEN
        actions[i] = draw(sets[i], mix(keys[i]))
