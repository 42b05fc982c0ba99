"""Compact features of what a seat knows, for learning: their layout, and the kernels that write them.

Seats are relative to the viewer, who is seat 0. Features are scaled so that most lie between 0 and 1. The bounds are wide, as
positions on other boards may exceed that.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest, popcount
from ginkgo_env.core.compile.intrinsics import clear, scratch_sets
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.kernels import seat_at
from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.my_city.components import Components
from ginkgo_env.games.my_city.constants import MAX_CELLS, N_COLORS, N_HEADINGS, N_WORDS, NONE, Color, Source, Terrain
from ginkgo_env.games.my_city.rules.cells import around, back, built_on, cells_of, first_cell, flood, forth, size_of
from ginkgo_env.games.my_city.rules.placing import count_placements, find_anchors
from ginkgo_env.games.my_city.rules.scoring import buildings_on, gold_open
from ginkgo_env.games.my_city.state import State

# --- layout ------------------------------------------------------------------------------------------------------------------


MANY = 4096  # bound of all features


class FeatureBlock(IntEnum):
    """Blocks of the features in their order."""

    DECISION, GAME, SIDES, FITS, JOINS = range(5)


class GameFeature(IntEnum):
    """Fields of block ``game``."""

    SHARE_LEFT, CARDS_LEFT, BLOCKING_CARD_LEFT, GOLD_OPEN = range(4)


SideFeature = IntEnum(
    "SideFeature",
    """
    POINTS_START POINTS_PASSES POINTS_GOLD POINTS_TREES POINTS_ROCKS
    POINTS_YELLOW POINTS_RED POINTS_BLUE POINTS_CHURCHES POINTS_WELLS POINTS_EMPTY
    TOTAL LEAD COUNTER HAS_ENDED VEINS_OPEN GOLD
    PLACED_YELLOW PLACED_RED PLACED_BLUE PLACED_CHURCH
    TO_COME_YELLOW TO_COME_RED TO_COME_BLUE TO_COME_CHURCH
    GROUPS_YELLOW GROUPS_RED GROUPS_BLUE
    BESIDE_LARGEST_GROUP_YELLOW BESIDE_LARGEST_GROUP_RED BESIDE_LARGEST_GROUP_BLUE
    CHURCHES_BESIDE_COLORS_0 CHURCHES_BESIDE_COLORS_1 CHURCHES_BESIDE_COLORS_2 CHURCHES_BESIDE_COLORS_3
    WELLS_WITH_SIDES_0 WELLS_WITH_SIDES_1 WELLS_WITH_SIDES_2 WELLS_WITH_SIDES_3 WELLS_WITH_SIDES_4
    WELLS_COVERED FREE
    FREE_BESIDE_FREE_0 FREE_BESIDE_FREE_1 FREE_BESIDE_FREE_2 FREE_BESIDE_FREE_3 FREE_BESIDE_FREE_4
    IN_AREAS_OF_1 IN_AREAS_OF_2 IN_AREAS_OF_3 IN_AREAS_OF_4 IN_AREAS_OF_5 IN_AREAS_OF_MORE
    AREAS BESIDE_BUILDINGS
    """,
    start=0,
)
"""Fields of each seat in block ``sides``; points are in the order of Source.

Buildings to come are those not placed, passed or blocked, the current one included. Free cells are light green cells without
a building; they are beside each other only on one bank. Larger areas of free cells are counted together.
"""


GAME, SIDES = field_names(GameFeature), field_names(SideFeature)
N_AREA_SIZES = 6  # of IN_AREAS_OF_1 and following


def features_layout(players: int, buildings: int) -> Layout:
    """Return the blocks of the features for these numbers of players and of buildings."""

    def block(name: str, shape: tuple[int, ...], meaning: str, *, low: int = 0) -> Block:
        return Block(name, shape, meaning, low=low, high=MANY)

    fits = "ln(1 + number of placements), if the viewer may still get it"
    return Layout(
        [
            block("decision", (buildings,), "building to place"),
            block("game", (len(GAME),), ", ".join(GAME)),
            block("sides", (players, len(SIDES)), f"for each seat: {', '.join(SIDES)}", low=-MANY),
            block("fits", (buildings,), f"for each building, the current one and those to come: {fits}"),
            block("joins", (buildings,), f"the same of placements beside the viewer's largest group of its color: {fits}"),
        ]
    )


# --- the features ------------------------------------------------------------------------------------------------------------


_N_SIDES, _N_SOURCES, _N_KINDS = len(SIDES), len(Source), len(Color)
PER_POINT, PER_CELL = 1 / 20, 1 / 40
"""What one point, and one cell where cells are few, adds to a feature."""
_POINTS, _CELLS = np.float32(PER_POINT), np.float32(PER_CELL)
_MANY_CELLS = np.float32(1 / 100)
_FEW = np.float32(1 / 5)
_LOG = np.log1p(np.arange(N_HEADINGS * MAX_CELLS + 1)).astype(np.float32)
_LOWEST = np.float32(-1000.0)  # lower than any scaled score


@kernel
def features(g: State, t: Components, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write features of what a seat knows into out (n,) float32.

    offsets : (blocks + 1,) of the layout
    """
    clear(out)
    if g.current != NONE:
        out[offsets[FeatureBlock.DECISION] + g.current] = 1.0
    come = to_come(g, t)
    game = offsets[FeatureBlock.GAME]
    out[game + GameFeature.SHARE_LEFT] = popcount(come) / t.n_buildings
    out[game + GameFeature.CARDS_LEFT] = (t.n_buildings + 1 - g.drawn) * _CELLS
    out[game + GameFeature.BLOCKING_CARD_LEFT] = 1.0 if blocking_left(g, t) else 0.0
    out[game + GameFeature.GOLD_OPEN] = 1.0 if gold_open(g, t) else 0.0
    best = _LOWEST
    sides, beside = offsets[FeatureBlock.SIDES], scratch_sets(_N_KINDS, N_WORDS)
    for k in range(g.players - 1, -1, -1):  # the seat's own cells come last into ``beside``
        start = sides + k * _N_SIDES
        side = out[start : start + _N_SIDES]
        write_side(g, t, seat_at(g, seat, k), come, beside, side)
        if k > 0:
            best = max(best, side[SideFeature.TOTAL])
    if g.players > 1:  # M9.1: alone there is nobody to lead over
        for k in range(g.players):
            total = out[sides + k * _N_SIDES + SideFeature.TOTAL]
            out[sides + k * _N_SIDES + SideFeature.LEAD] = total - best if k == 0 else total - out[sides + SideFeature.TOTAL]
    if g.ended[seat] == 0:  # M5.3: who has ended builds nothing any more
        write_fits(g, t, seat, beside, out, offsets)


@kernel
def to_come(g: State, t: Components) -> np.uint64:
    """Return the current building and those whose cards are not turned up, as a set: it is public (M10.1)."""
    come = ZERO
    for i in range(g.drawn, t.n_buildings + 1):
        come |= bit(g.deck[i])
    if g.current != NONE:
        come |= bit(g.current)
    return come & ~bit(t.n_buildings)


@kernel(inline=True)
def blocking_left(g: State, t: Components) -> bool:
    """Whether the blocking card is still to come (M5.5)."""
    left = ZERO
    for i in range(g.drawn, t.n_buildings + 1):
        left |= bit(g.deck[i])
    return (left & bit(t.n_buildings)) != ZERO


@kernel(inline=True)
def write_side(g: State, t: Components, p: int, come: np.uint64, near: np.ndarray, side: np.ndarray) -> None:
    """Write the fields of a player, but for the lead.

    near : (colors, words) gets the cells beside the largest group of each color
    """
    total = 0
    for source in range(_N_SOURCES):
        total += g.sources[p, source]
        side[SideFeature.POINTS_START + source] = g.sources[p, source] * _POINTS
    side[SideFeature.TOTAL] = total * _POINTS
    low, high = built_on(g, p)
    side[SideFeature.COUNTER] = g.points[p] * _POINTS
    side[SideFeature.HAS_ENDED] = 1.0 if g.ended[p] != 0 else 0.0
    side[SideFeature.VEINS_OPEN] = size_of(t.of_mark[Terrain.VEIN, 0] & ~low, t.of_mark[Terrain.VEIN, 1] & ~high)
    side[SideFeature.GOLD] = g.gold[p]
    for color in range(_N_KINDS):
        side[SideFeature.PLACED_YELLOW + color] = popcount(g.placed[p] & t.of_color[color]) * _FEW
        if g.ended[p] == 0:
            side[SideFeature.TO_COME_YELLOW + color] = popcount(come & t.of_color[color]) * _FEW
    free_low, free_high = t.light[0] & ~low, t.light[1] & ~high
    for color in range(N_COLORS):  # M8.4: the cells beside the largest group are where the next building extends it
        group_low, group_high, groups = largest_group(g, t, p, color)
        near_low, near_high = around(t, group_low, group_high)
        near[color, 0], near[color, 1] = near_low, near_high
        beside = size_of(near_low & free_low, near_high & free_high)
        side[SideFeature.GROUPS_YELLOW + color] = groups * _FEW
        side[SideFeature.BESIDE_LARGEST_GROUP_YELLOW + color] = beside * _FEW
    write_churches(g, t, p, side)
    write_wells(g, t, p, low, high, side)
    write_free(t, free_low, free_high, side)
    # M4.4: every building after the first has to touch another one, so it covers one of these cells
    near_low, near_high = around(t, low, high)
    side[SideFeature.BESIDE_BUILDINGS] = size_of(near_low & free_low, near_high & free_high) * _CELLS


@kernel(inline=True)
def largest_group(g: State, t: Components, p: int, color: int) -> tuple[np.uint64, np.uint64, int]:
    """Return the cells of a player's largest group of a color, and the number of groups (M8.4).

    Of equal groups the one with the first cell in reading order is returned.
    """
    low, high = g.covered[p, color, 0], g.covered[p, color, 1]
    best_low = best_high = ZERO
    best = groups = 0
    while (low | high) != ZERO:
        start_low, start_high = first_cell(low, high)
        group_low, group_high = flood(t, start_low, start_high, low, high)
        low, high = low & ~group_low, high & ~group_high
        n = size_of(g.anchors[p, 0] & group_low, g.anchors[p, 1] & group_high)  # M8.4: buildings count, not cells
        groups += 1
        if n > best:
            best, best_low, best_high = n, group_low, group_high
    return best_low, best_high, groups


@kernel(inline=True)
def colors_beside(g: State, t: Components, p: int, building: int) -> int:
    """Count the colors that a building of a player touches (M8.5)."""
    low, high = cells_of(t, building, g.at[p, building])
    low, high = around(t, low, high)
    n = 0
    for color in range(N_COLORS):
        if ((low & g.covered[p, color, 0]) | (high & g.covered[p, color, 1])) != ZERO:
            n += 1
    return n


@kernel(inline=True)
def write_churches(g: State, t: Components, p: int, side: np.ndarray) -> None:
    """Count the churches that touch buildings of 0, 1, 2 and 3 colors (M8.5)."""
    rest = g.placed[p] & t.of_color[Color.CHURCH]
    while rest != ZERO:
        side[SideFeature.CHURCHES_BESIDE_COLORS_0 + colors_beside(g, t, p, lowest(rest))] += 1.0
        rest &= rest - ONE


@kernel(inline=True)
def write_wells(g: State, t: Components, p: int, low: np.uint64, high: np.uint64, side: np.ndarray) -> None:
    """Count the visible wells beside 0 to 4 different buildings, and the covered wells (M8.5)."""
    wells_low, wells_high = t.of_mark[Terrain.WELL, 0], t.of_mark[Terrain.WELL, 1]
    while (wells_low | wells_high) != ZERO:
        well_low, well_high = first_cell(wells_low, wells_high)
        wells_low, wells_high = wells_low & ~well_low, wells_high & ~well_high
        if ((well_low & low) | (well_high & high)) != ZERO:
            side[SideFeature.WELLS_COVERED] += 1.0  # M8.2: covered cells are not visible, and bring nothing
        else:
            sides_low, sides_high = around(t, well_low, well_high)
            side[SideFeature.WELLS_WITH_SIDES_0 + buildings_on(g, t, p, sides_low, sides_high)] += 1.0


@kernel(inline=True)
def write_free(t: Components, low: np.uint64, high: np.uint64, side: np.ndarray) -> None:
    """Count free cells by the free cells beside them, and by the size of their area on the bank."""
    side[SideFeature.FREE] = size_of(low, high) * _MANY_CELLS
    # M4.2: a building lies on one bank, so a free cell across the river is of no use
    east_low, east_high = forth(low & t.same_east[0], high & t.same_east[1], 1)
    west_low, west_high = back(low, high, 1)
    west_low, west_high = west_low & t.same_east[0], west_high & t.same_east[1]
    south_low, south_high = forth(low & t.same_south[0], high & t.same_south[1], t.columns)
    north_low, north_high = back(low, high, t.columns)
    north_low, north_high = north_low & t.same_south[0], north_high & t.same_south[1]
    for w in range(N_WORDS):
        free = low if w == 0 else high
        a, b = (east_low, west_low) if w == 0 else (east_high, west_high)
        c, d = (south_low, north_low) if w == 0 else (south_high, north_high)
        # the three bits of the sum of four flags, for all cells at once
        one, two, four = a ^ b ^ c ^ d, ((a & b) ^ (c & d)) ^ ((a ^ b) & (c ^ d)), a & b & c & d
        side[SideFeature.FREE_BESIDE_FREE_0] += popcount(free & ~one & ~two & ~four) * _CELLS
        side[SideFeature.FREE_BESIDE_FREE_1] += popcount(free & one & ~two) * _CELLS
        side[SideFeature.FREE_BESIDE_FREE_2] += popcount(free & ~one & two) * _CELLS
        side[SideFeature.FREE_BESIDE_FREE_3] += popcount(free & one & two) * _CELLS
        side[SideFeature.FREE_BESIDE_FREE_4] += popcount(free & four) * _CELLS
    while (low | high) != ZERO:
        area_low, area_high = first_cell(low, high)
        area_low, area_high = area_of(t, area_low, area_high, low, high)
        low, high = low & ~area_low, high & ~area_high
        n = size_of(area_low, area_high)
        larger = min(n, N_AREA_SIZES) - 1
        side[SideFeature.IN_AREAS_OF_1 + larger] += n * _CELLS
        side[SideFeature.AREAS] += _FEW


@kernel(inline=True)
def area_of(
    t: Components, low: np.uint64, high: np.uint64, free_low: np.uint64, free_high: np.uint64
) -> tuple[np.uint64, np.uint64]:
    """Return all free cells that are connected on their bank with the given ones."""
    while True:
        east_low, east_high = forth(low & t.same_east[0], high & t.same_east[1], 1)
        west_low, west_high = back(low, high, 1)
        south_low, south_high = forth(low & t.same_south[0], high & t.same_south[1], t.columns)
        north_low, north_high = back(low, high, t.columns)
        near_low = east_low | (west_low & t.same_east[0]) | south_low | (north_low & t.same_south[0])
        near_high = east_high | (west_high & t.same_east[1]) | south_high | (north_high & t.same_south[1])
        more_low, more_high = low | (near_low & free_low), high | (near_high & free_high)
        if more_low == low and more_high == high:
            return low, high
        low, high = more_low, more_high


@kernel(inline=True)
def write_fits(g: State, t: Components, p: int, beside: np.ndarray, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write ln(1 + number) of placements of buildings to come: all, and beside the largest group.

    beside : (colors, words) the cells beside the largest group of each color; of churches, which are in no group (M8.4), none
    """
    beside[Color.CHURCH, 0] = beside[Color.CHURCH, 1] = ZERO
    fits, joins = offsets[FeatureBlock.FITS], offsets[FeatureBlock.JOINS]
    built = built_on(g, p)
    near = around(t, built[0], built[1])
    anchors, rest = scratch_sets(N_HEADINGS, N_WORDS), to_come(g, t)
    while rest != ZERO:
        building = lowest(rest)
        rest &= rest - ONE
        if (built[0] | built[1]) == ZERO:
            out[fits + building] = _LOG[find_anchors(g, t, p, building, anchors)]
        else:
            color = t.color[building]
            n, m = count_placements(t, building, built, near, (beside[color, 0], beside[color, 1]))
            out[fits + building], out[joins + building] = _LOG[n], _LOG[m]
