"""Kernels on masks that serve every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest, nth_bit, popcount
from ginkgo_env.core.compile.intrinsics import read_bits
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.rng import GOLDEN, mix, reduce, successor

NO_ACTION = -1  # leaves its row alone
RESET = -2  # starts a game anew from the row's seed; inside the package only
RUNNING, ENDED, TRUNCATED = 0, 1, 2  # what a step left a game as
_WORD = 64  # bits of a word


@entry
def first_illegal(masks: Any, actions: Any) -> int:
    """The first row of actions (B,) int64 that is neither legal by its mask (B, A) nor NO_ACTION; -1 if there is none."""
    for i in range(actions.shape[0]):
        a = actions[i]
        if a != NO_ACTION and (a < 0 or a >= masks.shape[1] or masks[i, a] == 0):
            return i
    return -1


@entry
def next_seed(seed: Any) -> np.uint64:
    """The seed (uint64) of the game that follows, as with autoreset."""
    return successor(seed)


@entry
def mix_many(words: Any) -> None:
    """splitmix64's output of each word (n,) uint64, in place."""
    for i in range(words.shape[0]):
        words[i] = mix(words[i])


@kernel(inline=True)
def last_bits(mask: Any, start: int) -> np.uint64:
    """Which of the numbers of a contiguous mask (A,) from number `start` on, fewer than 64, are ones; the first is bit 0."""
    word, over = ZERO, start + _WORD - mask.shape[0]
    if over <= start:
        return (read_bits(mask, start - over) >> ONE) >> np.uint64(over - 1)
    for a in range(start, mask.shape[0]):
        word |= np.uint64(mask[a]) << np.uint64(a - start)
    return word


@entry
def list_legal(masks: Any, offsets: Any, actions: Any) -> None:
    """Write the ones of masks (B, A) as ids, ascending, into actions (N,) int64: those of row i from offsets[i] on."""
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
    """A uniform legal action of a contiguous mask (A,) from a random word; NO_ACTION if there is none."""
    whole = mask.shape[0] & ~(_WORD - 1)
    rest = last_bits(mask, whole)  # what is left after the last whole word
    n = popcount(rest)
    for start in range(0, whole, _WORD):
        n += popcount(read_bits(mask, start))
    if n == 0:
        return NO_ACTION
    wanted = reduce(word, n)
    first = before = n = 0  # where the word with the wanted one begins, and how many ones lie before that
    for start in range(0, whole, _WORD):
        n += popcount(read_bits(mask, start))
        passed = n <= wanted
        before = n if passed else before
        first += _WORD if passed else 0
    return first + nth_bit(read_bits(mask, first) if first < whole else rest, wanted - before)


@entry
def sample_many(start: int, stop: int, masks: Any, words: Any, actions: Any) -> None:
    """Draw a uniform legal action for each row, NO_ACTION where there is none; advances the rows' random words (B,)."""
    for i in range(start, stop):
        words[i] += GOLDEN
        actions[i] = draw_legal(masks[i], mix(words[i]))


@entry
def sample_rows(start: int, stop: int, rows: Any, masks: Any, words: Any, actions: Any) -> None:
    """Draw a uniform legal action for some rows (k,) of a batch, into actions (k,); advances these rows' random words (B,)."""
    for k in range(start, stop):
        i = rows[k]
        words[i] += GOLDEN
        actions[k] = draw_legal(masks[i], mix(words[i]))
