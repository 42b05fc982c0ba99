"""Scores and standings (M8)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rewards import total_of
from ginkgo_env.games.my_city.components import Components
from ginkgo_env.games.my_city.constants import (
    CHURCH_POINTS,
    N_COLORS,
    ROCK_POINTS,
    SIDES_OF_WELL,
    TREE_POINTS,
    WELL_POINTS,
    Color,
    Source,
    Terrain,
)
from ginkgo_env.games.my_city.rules.cells import around, built_on, cells_of, first_cell, flood, size_of
from ginkgo_env.games.my_city.state import State

_GROUP_SOURCE = np.array([Source.YELLOW, Source.RED, Source.BLUE], np.int64)
"""The source of the points for the largest group of each color (M8.4)."""
_ABOVE_ANY_LOSS = 1024  # keeps standings positive; also above any score


@kernel
def score(g: State, t: Components, out: np.ndarray) -> None:
    """Write the points by source as they stand into out (P, sources) int32 (M8.1 to M8.6, M8.9)."""
    for p in range(g.players):
        for source in range(out.shape[1]):
            out[p, source] = g.sources[p, source]


@kernel
def score_version(g: State, t: Components) -> int:
    """Return a number that changes when scores do: after a round a card is turned up or the game ends."""
    return 2 * int(g.drawn) + int(g.stage)


@kernel(inline=True)
def count_building(g: State, t: Components, p: int, building: int, low: np.uint64, high: np.uint64) -> None:
    """Update a player's points after a building has been placed on some cells."""
    # Only sources that these cells and their sides can change are counted again.
    # M8.2, M8.3, M8.6: what a building covers is not visible
    g.sources[p, Source.TREES] -= TREE_POINTS * size_of(t.of_mark[Terrain.TREES, 0] & low, t.of_mark[Terrain.TREES, 1] & high)
    g.sources[p, Source.ROCKS] -= ROCK_POINTS * size_of(t.of_mark[Terrain.ROCKS, 0] & low, t.of_mark[Terrain.ROCKS, 1] & high)
    g.sources[p, Source.EMPTY] += size_of(t.of_mark[Terrain.EMPTY, 0] & low, t.of_mark[Terrain.EMPTY, 1] & high)
    sides_low, sides_high = around(t, low, high)
    color = t.color[building]
    if color != Color.CHURCH:  # M8.4: churches belong to no group
        group = 1  # M8.4: a single building is a group of one
        if ((sides_low & g.covered[p, color, 0]) | (sides_high & g.covered[p, color, 1])) != ZERO:
            group = group_size(g, t, p, color, low, high)
        source = _GROUP_SOURCE[color]
        g.sources[p, source] = max(group, int(g.sources[p, source]))
    # M8.5: a church gains colors if it is new, or if the new building touches it
    if (((low | sides_low) & g.covered[p, Color.CHURCH, 0]) | ((high | sides_high) & g.covered[p, Color.CHURCH, 1])) != ZERO:
        g.sources[p, Source.CHURCHES] = CHURCH_POINTS * churches_in_color(g, t, p)
    # M8.5: a well changes if it is covered, or if the new building is beside it
    if (((low | sides_low) & t.of_mark[Terrain.WELL, 0]) | ((high | sides_high) & t.of_mark[Terrain.WELL, 1])) != ZERO:
        g.sources[p, Source.WELLS] = WELL_POINTS * wells_enclosed(g, t, p)


@kernel
def group_size(g: State, t: Components, p: int, color: int, low: np.uint64, high: np.uint64) -> int:
    """Return the number of buildings in the group of a color that lies on some cells (M8.4)."""
    # M4.6: buildings are never removed, so only the group that a new building has joined can become the largest
    low, high = flood(t, low, high, g.covered[p, color, 0], g.covered[p, color, 1])
    return size_of(g.anchors[p, 0] & low, g.anchors[p, 1] & high)  # M8.4: each building has one anchor


@kernel
def gold_open(g: State, t: Components) -> bool:
    """Whether anybody may still get the gold (M6.1)."""
    return g.gold_round == 0 and t.n_veins > 0  # M6.3: without veins there is no gold


@kernel
def count_visible(t: Components, mark: int, low: np.uint64, high: np.uint64) -> int:
    """Return the number of visible light green cells of a kind (M8.2)."""
    return size_of(t.of_mark[mark, 0] & ~low, t.of_mark[mark, 1] & ~high)


@kernel
def churches_in_color(g: State, t: Components, p: int) -> int:
    """Return the number of a player's churches that touch buildings of all three colors (M8.5)."""
    n, rest = 0, g.placed[p] & t.of_color[Color.CHURCH]
    while rest != ZERO:
        church = lowest(rest)
        rest &= rest - ONE
        low, high = cells_of(t, church, g.at[p, church])
        low, high = around(t, low, high)  # M8.5: on any side, also across the river
        colors = 0
        for color in range(N_COLORS):
            if ((low & g.covered[p, color, 0]) | (high & g.covered[p, color, 1])) != ZERO:
                colors += 1
        if colors == N_COLORS:
            n += 1
    return n


@kernel
def wells_enclosed(g: State, t: Components, p: int) -> int:
    """Return the number of visible wells with four different buildings on their four sides (M8.5)."""
    n = 0
    low, high = built_on(g, p)
    wells_low, wells_high = t.of_mark[Terrain.WELL, 0] & ~low, t.of_mark[Terrain.WELL, 1] & ~high
    while (wells_low | wells_high) != ZERO:
        well_low, well_high = first_cell(wells_low, wells_high)
        wells_low, wells_high = wells_low & ~well_low, wells_high & ~well_high
        sides_low, sides_high = around(t, well_low, well_high)
        if ((sides_low & ~low) | (sides_high & ~high)) != ZERO:
            continue  # some side is open, as of most wells: counting buildings would be slower
        if buildings_on(g, t, p, sides_low, sides_high) == SIDES_OF_WELL:
            n += 1
    return n


@kernel
def buildings_on(g: State, t: Components, p: int, low: np.uint64, high: np.uint64) -> int:
    """Return the number of different buildings of a player on some cells."""
    n, rest = 0, g.placed[p]
    while rest != ZERO:
        building = lowest(rest)
        rest &= rest - ONE
        on_low, on_high = cells_of(t, building, g.at[p, building])
        if ((on_low & low) | (on_high & high)) != ZERO:
            n += 1
    return n


@kernel
def standing(g: State, t: Components, points: np.ndarray, out: np.ndarray) -> None:
    """Write the standings into out (P,) int64 (M8.8)."""
    # M8.8: the score, then how little land is empty in each row from the top,
    # as one number in base columns + 1: at most 61 bits on any board of 128 cells
    for p in range(g.players):
        low, high = built_on(g, p)
        standing = np.int64(_ABOVE_ANY_LOSS) + total_of(points[p])
        for row in range(t.rows):
            empty = size_of(
                t.of_mark[Terrain.EMPTY, 0] & ~low & t.in_row[row, 0], t.of_mark[Terrain.EMPTY, 1] & ~high & t.in_row[row, 1]
            )
            standing = standing * (t.columns + 1) + t.columns - empty
        out[p] = standing
