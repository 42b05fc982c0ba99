"""Kernels on masks that serve every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.jit import entry
from ginkgo_env.core.rng import GOLDEN, mix, reduce, successor

NO_ACTION = -1  # leaves its row alone
RESET = -2  # starts a game anew from the row's seed; inside the package only
RUNNING, ENDED, TRUNCATED = 0, 1, 2  # what a step left a game as
_CHUNK = 32


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
def sample_many(start: int, stop: int, masks: Any, words: Any, actions: Any) -> None:
    """Draw a uniform legal action for each row, NO_ACTION where there is none; advances the rows' random words (B,)."""
    size = masks.shape[1]
    for i in range(start, stop):
        n = np.int64(0)
        for a in range(size):
            n += np.int64(masks[i, a])
        if n == 0:
            actions[i] = NO_ACTION
            continue
        words[i] += GOLDEN
        wanted = reduce(mix(words[i]), n)
        a = 0
        while a + _CHUNK <= size:  # skip whole chunks: most of a mask is zero
            n = np.int64(0)
            for b in range(_CHUNK):
                n += np.int64(masks[i, a + b])
            if n > wanted:
                break
            wanted -= n
            a += _CHUNK
        while masks[i, a] == 0 or wanted > 0:
            wanted -= np.int64(masks[i, a])
            a += 1
        actions[i] = a
