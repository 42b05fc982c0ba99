"""Piles of cards or tiles. The next item is the last of the list, so that drawing moves nothing."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit_outcome
from ginkgo_env.core.rng import shuffle
from ginkgo_env.core.state import State


@kernel
def stack_up(g: State, pile: np.ndarray, size: int, which: int, log: np.ndarray) -> None:
    """Shuffle the first `size` items in place, log them as the random outcome `which`, and reverse them.

    The log, like all lists outside kernels, has them in the order in which they are drawn.
    """
    shuffle(g, pile, size)
    emit_outcome(log, which, pile, size)
    for i in range(size // 2):
        item = pile[i]
        pile[i] = pile[size - 1 - i]
        pile[size - 1 - i] = item
