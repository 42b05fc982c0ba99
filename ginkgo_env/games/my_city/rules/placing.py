"""Where a building may be placed, and which choices a player has besides (M4, M5)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, bit, popcount
from ginkgo_env.core.compile.intrinsics import scratch_sets
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.compile.simd import add_moved
from ginkgo_env.games.my_city.components import Components
from ginkgo_env.games.my_city.constants import N_HEADINGS, N_WORDS, Color
from ginkgo_env.games.my_city.rules.cells import around, back, built_on, cells_of, first_cell, size_of, write_cells
from ginkgo_env.games.my_city.rules.scoring import count_building
from ginkgo_env.games.my_city.state import State

Cells = tuple[np.uint64, np.uint64]
"""A set of cells: its low and its high word."""


@kernel(inline=True)
def find_reaching(t: Components, building: int, low: np.uint64, high: np.uint64, out: np.ndarray) -> None:
    """Write the anchors from which a building reaches a set of cells into out (words, headings)."""
    # M12.2: the set is moved back from each cell of the shape to the anchor, for all headings at once
    for heading in range(N_HEADINGS):
        out[0, heading], out[1, heading] = low, high
    for k in range(1, t.most_covered):
        add_moved(low, high, t.offsets[building], k, out)


@kernel(inline=True)
def find_anchors(g: State, t: Components, p: int, building: int, out: np.ndarray) -> int:
    """Write where a player may anchor a building into out (headings, words); return how many."""
    low, high = built_on(g, p)
    n = 0
    if (low | high) == ZERO:  # M4.3: the first building that is placed lies at the river, whatever was passed before
        for heading in range(N_HEADINGS):
            out[heading, 0], out[heading, 1] = t.at_river[building, heading, 0], t.at_river[building, heading, 1]
            n += size_of(out[heading, 0], out[heading, 1])
        return n
    hits, touches = scratch_sets(N_WORDS, N_HEADINGS), scratch_sets(N_WORDS, N_HEADINGS)
    near_low, near_high = around(t, low, high)
    find_reaching(t, building, low, high, hits)
    find_reaching(t, building, near_low, near_high, touches)
    # M4.1: no cell is built on already; M4.4: some cell lies beside a building. The components hold M4.2 and the rest of M4.1.
    for heading in range(N_HEADINGS):
        out[heading, 0] = t.anchors[building, heading, 0] & ~hits[0, heading] & touches[0, heading]
        out[heading, 1] = t.anchors[building, heading, 1] & ~hits[1, heading] & touches[1, heading]
        n += size_of(out[heading, 0], out[heading, 1])
    return n


@kernel(inline=True)
def count_placements(t: Components, building: int, built: Cells, near: Cells, some: Cells) -> tuple[int, int]:
    """Return how many placements a building has, and how many of them cover one of some cells.

    It is not the player's first one (M4.3).

    built : the cells built on; near : those beside them
    """
    # As find_anchors, for three sets in one loop: each of them alone would wait for its own results.
    n, m = 0, 0
    hits, touches, joins = (
        scratch_sets(N_WORDS, N_HEADINGS),
        scratch_sets(N_WORDS, N_HEADINGS),
        scratch_sets(N_WORDS, N_HEADINGS),
    )
    for heading in range(N_HEADINGS):
        hits[0, heading], hits[1, heading] = built
        touches[0, heading], touches[1, heading] = near
        joins[0, heading], joins[1, heading] = some
    for k in range(1, t.most_covered):
        add_moved(built[0], built[1], t.offsets[building], k, hits)
        add_moved(near[0], near[1], t.offsets[building], k, touches)
        add_moved(some[0], some[1], t.offsets[building], k, joins)
    for heading in range(N_HEADINGS):
        for w in range(N_WORDS):
            anchors = t.anchors[building, heading, w] & ~hits[w, heading] & touches[w, heading]
            n += popcount(anchors)
            m += popcount(anchors & joins[w, heading])
    return n, m


@kernel
def may_pass(g: State, t: Components, p: int) -> bool:
    """Whether a player may pass the current building."""
    # M5.2: a pass costs a point; M5.4: churches must be built
    return g.points[p] > 0 and t.color[g.current] != Color.CHURCH


@kernel
def pass_action(t: Components) -> int:
    """Return the action *pass* (M11.7)."""
    return N_HEADINGS * t.n_cells


@kernel
def end_action(t: Components) -> int:
    """Return the action *end* (M11.7)."""
    return N_HEADINGS * t.n_cells + 1


@kernel
def has_to_end(g: State, t: Components, p: int) -> bool:
    """Whether a player can neither place nor pass the current building (M5.2, M5.4)."""
    return not may_pass(g, t, p) and find_anchors(g, t, p, g.current, scratch_sets(N_HEADINGS, N_WORDS)) == 0


@kernel(inline=True)
def legal_for(g: State, t: Components, p: int, mask: np.ndarray) -> int:
    """Write the mask (A,) int8 of a player's choices; return their number, at least one.

    Where *end* is the only one, nothing is written.
    """
    anchors = scratch_sets(N_HEADINGS, N_WORDS)
    passing = may_pass(g, t, p)
    n = find_anchors(g, t, p, g.current, anchors) + (2 if passing else 1)
    if n == 1:  # M5.2, M5.4: ending is not asked then
        return 1
    for heading in range(N_HEADINGS):
        write_cells(t, mask, heading * t.n_cells, anchors[heading, 0], anchors[heading, 1])
    mask[pass_action(t)] = 1 if passing else 0
    mask[end_action(t)] = 1  # M5.3: also where the building could be placed, and instead of a church
    return n


@kernel(inline=True)
def place(g: State, t: Components, p: int, building: int, action: int) -> None:
    """Place a building on a player's board by a legal action, and update the points (M3.4)."""
    low, high = cells_of(t, building, action)
    color = t.color[building]
    g.covered[p, color, 0] |= low
    g.covered[p, color, 1] |= high
    anchor_low, anchor_high = first_cell(low, high)
    g.anchors[p, 0] |= anchor_low
    g.anchors[p, 1] |= anchor_high
    east_low, east_high, south_low, south_high = joints_of(t, low, high)
    g.east[p, 0] |= east_low
    g.east[p, 1] |= east_high
    g.south[p, 0] |= south_low
    g.south[p, 1] |= south_high
    g.placed[p] |= bit(building)
    g.at[p, building] = action
    count_building(g, t, p, building, low, high)


@kernel(inline=True)
def joints_of(t: Components, low: np.uint64, high: np.uint64) -> tuple[np.uint64, np.uint64, np.uint64, np.uint64]:
    """Return the cells of a building whose next cell in the row belongs to it too.

    Then those whose cell below does.
    """
    # M12.4: which neighboring cells carry the same building; beside are the cells whose next one in the row is covered
    beside_low, beside_high = back(low & t.not_first[0], high & t.not_first[1], 1)
    below_low, below_high = back(low, high, t.columns)
    return low & beside_low, high & beside_high, low & below_low, high & below_high
