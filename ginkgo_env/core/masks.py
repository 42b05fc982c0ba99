"""Kernels and entries on action masks, for every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest, nth_bit, popcount
from ginkgo_env.core.compile.intrinsics import read_bits
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.rng import GOLDEN, mix, reduce, successor

NO_ACTION = -1  # leaves its row as it is
RESET = -2  # starts a new game from the row's seed; used inside the package only
RUNNING, ENDED, TRUNCATED = 0, 1, 2  # state of a game after a step
_WORD = 64  # bits of a word


@entry
def first_illegal(masks: Any, actions: Any) -> int:
    """Return the first row whose action is neither legal nor NO_ACTION, or -1.

    masks (B, A) int8, actions (B,) int64
    """
    for i in range(actions.shape[0]):
        a = actions[i]
        if a != NO_ACTION and (a < 0 or a >= masks.shape[1] or masks[i, a] == 0):
            return i
    return -1


@entry
def next_seed(seed: Any) -> np.uint64:
    """Return the seed (uint64) of the game that follows, as with autoreset."""
    return successor(seed)


@entry
def mix_many(words: Any) -> None:
    """Replace each word (n,) uint64 by the output of splitmix64 for it, in place."""
    for i in range(words.shape[0]):
        words[i] = mix(words[i])


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
def list_legal(masks: Any, offsets: Any, actions: Any) -> None:
    """Write the legal ids of masks (B, A) into actions (N,) int64, those of row i from offsets[i] on.

    They are in ascending order in each row.
    """
    size = masks.shape[1]
    whole = size & ~(_WORD - 1)
    for i in range(masks.shape[0]):
        k = offsets[i]
        for start in range(0, size, _WORD):
            rest = read_bits(masks[i], start) if start < whole else last_bits(masks[i], whole)
            while rest != ZERO:
                actions[k] = start + lowest(rest)
                rest &= rest - ONE
                k += 1


@kernel(inline=True)
def draw_legal(mask: Any, word: np.uint64) -> int:
    """Return a uniformly drawn legal action of a contiguous mask (A,), or NO_ACTION.

    word : a random word
    """
    whole = mask.shape[0] & ~(_WORD - 1)
    rest = last_bits(mask, whole)  # the bits after the last whole word
    n = popcount(rest)
    for start in range(0, whole, _WORD):
        n += popcount(read_bits(mask, start))
    if n == 0:
        return NO_ACTION
    drawn = reduce(word, n)
    first = before = n = 0  # start of the word with the drawn bit, and the number of ones before it
    for start in range(0, whole, _WORD):
        n += popcount(read_bits(mask, start))
        passed = n <= drawn
        before = n if passed else before
        first += _WORD if passed else 0
    return first + nth_bit(read_bits(mask, first) if first < whole else rest, drawn - before)


@entry
def sample_many(start: int, stop: int, masks: Any, words: Any, actions: Any) -> None:
    """Draw a uniform legal action for each row, NO_ACTION if it has none; advances the random words (B,)."""
    for i in range(start, stop):
        words[i] += GOLDEN
        actions[i] = draw_legal(masks[i], mix(words[i]))


@entry
def sample_rows(start: int, stop: int, rows: Any, masks: Any, words: Any, actions: Any) -> None:
    """Draw a uniform legal action for some rows (k,) into actions (k,); advances their words (B,)."""
    for k in range(start, stop):
        i = rows[k]
        words[i] += GOLDEN
        actions[k] = draw_legal(masks[i], mix(words[i]))
