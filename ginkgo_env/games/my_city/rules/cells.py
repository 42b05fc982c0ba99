"""Sets of cells as two words, low and high: cell i is bit i, in reading order (M12.2).

Sets are passed as pairs of words, as these stay in registers.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, popcount
from ginkgo_env.core.compile.intrinsics import write_bits
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.my_city.components import Components
from ginkgo_env.games.my_city.constants import Color
from ginkgo_env.games.my_city.state import State

_WORD, _LAST = 64, np.uint64(63)


@kernel
def back(low: np.uint64, high: np.uint64, n: int) -> tuple[np.uint64, np.uint64]:
    """Move each cell n cells back in reading order, 0 <= n < 128; cells that fall off the front are lost."""
    if n >= _WORD:
        return high >> np.uint64(n - _WORD), ZERO
    # A shift by 64, as n = 0 would need, is undefined: the high word moves by 1 and by 63 - n instead.
    return (low >> np.uint64(n)) | ((high << ONE) << (_LAST - np.uint64(n))), high >> np.uint64(n)


@kernel
def forth(low: np.uint64, high: np.uint64, n: int) -> tuple[np.uint64, np.uint64]:
    """Move each cell n cells forward in reading order, 0 <= n < 64; bits beyond the last cell may be set."""
    return low << np.uint64(n), (high << np.uint64(n)) | ((low >> ONE) >> (_LAST - np.uint64(n)))


@kernel
def around(t: Components, low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the cells on the four sides of a set of cells; bits beyond the last row may be set."""
    # M4.5: touching disregards the river
    up_low, up_high = back(low, high, t.columns)
    down_low, down_high = forth(low, high, t.columns)
    # M14.22: the first and the last column are no neighbors, though they follow each other in reading order
    west_low, west_high = back(low & t.not_first[0], high & t.not_first[1], 1)
    east_low, east_high = forth(low & t.not_last[0], high & t.not_last[1], 1)
    return up_low | down_low | west_low | east_low, up_high | down_high | west_high | east_high


@kernel
def flood(
    t: Components, low: np.uint64, high: np.uint64, within_low: np.uint64, within_high: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return all cells of a set (within) that are connected with the given ones."""
    while True:
        near_low, near_high = around(t, low, high)
        more_low, more_high = low | (near_low & within_low), high | (near_high & within_high)
        if more_low == low and more_high == high:
            return low, high
        low, high = more_low, more_high


@kernel
def first_cell(low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """Return the first cell of a set that is not empty, as a set."""
    # without a branch, which would be predicted wrongly half the time
    return low & ~(low - ONE), high & ~(high - ONE) if low == ZERO else ZERO


@kernel
def size_of(low: np.uint64, high: np.uint64) -> int:
    """Return the number of cells of a set."""
    return popcount(low) + popcount(high)


@kernel
def built_on(g: State, p: int) -> tuple[np.uint64, np.uint64]:
    """Return all cells of a player's board that carry a building."""
    return (
        g.covered[p, Color.YELLOW, 0] | g.covered[p, Color.RED, 0] | g.covered[p, Color.BLUE, 0] | g.covered[p, Color.CHURCH, 0],
        g.covered[p, Color.YELLOW, 1] | g.covered[p, Color.RED, 1] | g.covered[p, Color.BLUE, 1] | g.covered[p, Color.CHURCH, 1],
    )


@kernel
def heading_of(t: Components, action: int) -> int:
    """Return the heading of an action that places a building (M11.7)."""
    n = t.n_cells  # comparisons are faster than a division
    return int(action >= n) + int(action >= 2 * n) + int(action >= 3 * n)


@kernel
def cells_of(t: Components, building: int, action: int) -> tuple[np.uint64, np.uint64]:
    """Return the cells that a building covers, placed by an action (M11.5)."""
    # without branches, which would often be predicted wrongly
    heading = heading_of(t, action)
    anchor = action - heading * t.n_cells
    low, high = t.covered[building, heading, 0], t.covered[building, heading, 1]
    moved_low, moved_high = forth(low, high, anchor & (_WORD - 1))
    in_high = ZERO - np.uint64(anchor >= _WORD)  # all ones or all zeros
    return moved_low & ~in_high, (moved_high & ~in_high) | (moved_low & in_high)


@kernel(inline=True)
def write_cells(t: Components, out: np.ndarray, start: int, low: np.uint64, high: np.uint64) -> None:
    """Write a set as ones and zeros into an array of bytes, from index start on.

    Up to 63 zeros are written beyond the last cell, where the array continues: write later what follows.
    """
    end = out.shape[0]
    if t.n_cells > _WORD:
        write_bits(out, start, low)
        over = max(0, start + 2 * _WORD - end)  # the second word begins earlier by this, as it would leave the array
        if over > 0:
            high = (high << np.uint64(over)) | (low >> np.uint64(_WORD - over))
        write_bits(out, start + _WORD - over, high)
    elif start + _WORD <= end:
        write_bits(out, start, low)
    else:
        for i in range(t.n_cells):
            out[start + i] = 1 if (low & (ONE << np.uint64(i))) != ZERO else 0
