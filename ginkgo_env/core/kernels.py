"""Kernels that games share: seats relative to one of them, and piles of cards or tiles."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit_outcome
from ginkgo_env.core.rng import shuffle
from ginkgo_env.core.state import State

# --- seats of records with a field ``players``; a division would cost more than all else where they are used -----------------


@kernel
def seat_at(g: Any, seat: int, k: int) -> int:
    """Return the k-th seat to the left, 0 <= k < players."""
    p = seat + k
    return p - g.players if p >= g.players else p


@kernel
def from_viewer(g: Any, p: int, seat: int) -> int:
    """Return how many seats player p sits to the left of the viewer."""
    return p - seat if p >= seat else p - seat + g.players


# --- piles: the next item is the last of the list, so that drawing moves nothing ---------------------------------------------


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
