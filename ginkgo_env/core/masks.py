"""Kernels on masks that serve every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, lowest, popcount
from ginkgo_env.core.jit import entry, kernel
from ginkgo_env.core.memory import eight_bytes
from ginkgo_env.core.rng import GOLDEN, mix, reduce, successor

NO_ACTION = -1  # leaves its row alone
RESET = -2  # starts a game anew from the row's seed; inside the package only
RUNNING, ENDED, TRUNCATED = 0, 1, 2  # what a step left a game as
_CHUNK = 32
_EIGHT = 8  # bytes of a word, bits of a byte


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


@entry
def list_legal(masks: Any, offsets: Any, actions: Any) -> None:
    """Write the ones of masks (B, A) as ids, ascending, into actions (N,) int64: those of row i from offsets[i] on."""
    for i in range(masks.shape[0]):
        k, start = offsets[i], 0
        while start < masks.shape[1]:
            stop, n = min(start + _CHUNK, masks.shape[1]), np.int64(0)
            for a in range(start, stop):
                n += np.int64(masks[i, a])
            for a in range(start, stop if n != 0 else start):  # most of a mask is zero
                if masks[i, a] != 0:
                    actions[k] = a
                    k += 1
            start = stop


@kernel
def draw_legal(mask: Any, word: np.uint64) -> int:
    """A uniform legal action of a contiguous mask (A,) from a random word; NO_ACTION if there is none.

    The mask is read in words of eight bytes, most of which are zero.
    """
    size = mask.shape[0]
    whole = size & ~(_EIGHT - 1)
    rest = ZERO  # what is left after the last whole word
    for a in range(whole, size):
        rest |= np.uint64(mask[a]) << np.uint64((a - whole) * _EIGHT)
    n = popcount(rest)
    for a in range(0, whole, _EIGHT):
        n += popcount(eight_bytes(mask, a))
    if n == 0:
        return NO_ACTION
    wanted = reduce(word, n)
    a = 0
    while a < whole:
        n = popcount(eight_bytes(mask, a))
        if n > wanted:
            break
        wanted -= n
        a += _EIGHT
    found = eight_bytes(mask, a) if a < whole else rest
    while wanted > 0:
        found &= found - ONE
        wanted -= 1
    return a + lowest(found) // _EIGHT


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
