"""Compact features of what a seat knows, for learning (``features_layout``)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest, popcount
from ginkgo_env.core.compile.intrinsics import clear, scratch_sets
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.seats import seat_at
from ginkgo_env.games.my_city.constants import N_COLORS, N_HEADINGS, N_WORDS, NONE, SIDES_OF_WELL, Color, Source, Terrain
from ginkgo_env.games.my_city.knowledge.features_layout import GAME, N_OPEN, SIDES, SMALL, F
from ginkgo_env.games.my_city.rules.cells import around, back, built_on, cells_of, first_cell, flooded, forth, size_of
from ginkgo_env.games.my_city.rules.placing import anchors_beside, find_anchors
from ginkgo_env.games.my_city.rules.scoring import buildings_on, gold_open
from ginkgo_env.games.my_city.state import State
from ginkgo_env.games.my_city.tables import Tables

_N_SIDES, _N_SOURCES, _N_KINDS = len(SIDES), len(Source), len(Color)
_TOTAL, _COUNTER = SIDES.index("total"), SIDES.index("counter")
_PLACED, _TO_COME = SIDES.index("placed_yellow"), SIDES.index("to_come_yellow")
_GROUPS, _BESIDE_GROUP = SIDES.index("groups_yellow"), SIDES.index("beside_largest_group_yellow")
_CHURCHES, _WELLS, _FREE = SIDES.index("churches_beside_colors_0"), SIDES.index("wells_with_sides_0"), SIDES.index("free")
_AREAS, _BESIDE = SIDES.index("areas"), SIDES.index("beside_buildings")
_LEFT, _CARDS, _BLOCKING, _GOLD = (GAME.index(name) for name in ("share_left", "cards_left", "blocking_card_left", "gold_open"))
_CHURCH, _VEIN, _WELL = int(Color.CHURCH), int(Terrain.VEIN), int(Terrain.WELL)
PER_POINT, PER_CELL = 1 / 20, 1 / 40
"""What a point, and a cell of few, adds to a feature."""
_POINTS, _CELLS = np.float32(PER_POINT), np.float32(PER_CELL)
_MANY_CELLS = np.float32(1 / 100)
_FEW = np.float32(1 / 5)
_LOG = np.log1p(np.arange(4 * 128 + 1)).astype(np.float32)


@kernel
def features_one(g: State, t: Tables, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write features of what a seat knows into out (n,) float32, all of it."""
    clear(out)
    if g.current != NONE:
        out[offsets[F.DECISION] + g.current] = 1.0
    come = to_come(g, t)
    game = offsets[F.GAME]
    out[game + _LEFT] = popcount(come) / t.n_buildings
    out[game + _CARDS] = (t.n_buildings + 1 - g.drawn) * _CELLS
    out[game + _BLOCKING] = 1.0 if blocking_left(g, t) else 0.0
    out[game + _GOLD] = 1.0 if gold_open(g, t) else 0.0
    best = np.float32(-1000.0)  # less than any score
    sides = offsets[F.SIDES]
    for k in range(g.players):
        p = seat_at(g, seat, k)
        write_side(g, t, p, come, out, sides + k * _N_SIDES)
        if k > 0:
            best = max(best, out[sides + k * _N_SIDES + _TOTAL])
    if g.players > 1:
        for k in range(g.players):
            own = out[sides + k * _N_SIDES + _TOTAL]
            out[sides + k * _N_SIDES + _TOTAL + 1] = own - best if k == 0 else own - out[sides + _TOTAL]
    if g.ended[seat] == 0:
        write_fits(g, t, seat, come, out, offsets[F.FITS], offsets[F.JOINS])


@kernel
def to_come(g: State, t: Tables) -> np.uint64:
    """The current building and those whose cards are not turned up: all know which."""
    come = ZERO
    for i in range(g.drawn, t.n_buildings + 1):
        come |= bit(g.deck[i])
    if g.current != NONE:
        come |= bit(g.current)
    return come & ~bit(t.n_buildings)


@kernel
def blocking_left(g: State, t: Tables) -> bool:
    """Whether the blocking card is still to come."""
    left = ZERO
    for i in range(g.drawn, t.n_buildings + 1):
        left |= bit(g.deck[i])
    return (left & bit(t.n_buildings)) != ZERO


@kernel
def write_side(g: State, t: Tables, p: int, come: np.uint64, out: np.ndarray, start: int) -> None:
    """What is counted for a player, but for the lead."""
    total = 0
    for source in range(_N_SOURCES):
        total += g.sources[p, source]
        out[start + source] = g.sources[p, source] * _POINTS
    out[start + _TOTAL] = total * _POINTS
    low, high = built_on(g, p)
    out[start + _COUNTER] = g.points[p] * _POINTS
    out[start + _COUNTER + 1] = 1.0 if g.ended[p] != 0 else 0.0
    out[start + _COUNTER + 2] = size_of(t.of_mark[_VEIN, 0] & ~low, t.of_mark[_VEIN, 1] & ~high)
    out[start + _COUNTER + 3] = g.gold[p]
    for color in range(_N_KINDS):
        out[start + _PLACED + color] = popcount(g.placed[p] & t.of_color[color]) * _FEW
        if g.ended[p] == 0:
            out[start + _TO_COME + color] = popcount(come & t.of_color[color]) * _FEW
    free_low, free_high = t.light[0] & ~low, t.light[1] & ~high
    for color in range(N_COLORS):
        group_low, group_high, groups = largest_group(g, t, p, color)
        near_low, near_high = around(t, group_low, group_high)
        out[start + _GROUPS + color] = groups * _FEW
        out[start + _BESIDE_GROUP + color] = size_of(near_low & free_low, near_high & free_high) * _FEW
    write_churches(g, t, p, out, start + _CHURCHES)
    write_wells(g, t, p, low, high, out, start + _WELLS)
    write_free(t, free_low, free_high, out, start)
    near_low, near_high = around(t, low, high)
    out[start + _BESIDE] = size_of(near_low & free_low, near_high & free_high) * _CELLS


@kernel
def largest_group(g: State, t: Tables, p: int, color: int) -> tuple[np.uint64, np.uint64, int]:
    """The cells of a player's largest group of a color, the first of equal ones, and the number of groups (M8.4)."""
    low, high = g.covered[p, color, 0], g.covered[p, color, 1]
    best_low = best_high = ZERO
    best = groups = 0
    while (low | high) != ZERO:
        start_low, start_high = first_cell(low, high)
        group_low, group_high = flooded(t, start_low, start_high, low, high)
        low, high = low & ~group_low, high & ~group_high
        n = size_of(g.anchors[p, 0] & group_low, g.anchors[p, 1] & group_high)
        groups += 1
        if n > best:
            best, best_low, best_high = n, group_low, group_high
    return best_low, best_high, groups


@kernel
def colors_beside(g: State, t: Tables, p: int, building: int) -> int:
    """How many of the three colors a building of a player touches (M8.5)."""
    low, high = cells_of(t, building, g.at[p, building])
    low, high = around(t, low, high)
    n = 0
    for color in range(N_COLORS):
        if ((low & g.covered[p, color, 0]) | (high & g.covered[p, color, 1])) != ZERO:
            n += 1
    return n


@kernel
def write_churches(g: State, t: Tables, p: int, out: np.ndarray, start: int) -> None:
    """How many churches touch buildings of so many colors (M8.5)."""
    rest = g.placed[p] & t.of_color[_CHURCH]
    while rest != ZERO:
        out[start + colors_beside(g, t, p, lowest(rest))] += 1.0
        rest &= rest - ONE


@kernel
def write_wells(g: State, t: Tables, p: int, low: np.uint64, high: np.uint64, out: np.ndarray, start: int) -> None:
    """How many visible wells have so many different buildings beside them; in the last place those that are covered (M8.5)."""
    wells_low, wells_high = t.of_mark[_WELL, 0], t.of_mark[_WELL, 1]
    while (wells_low | wells_high) != ZERO:
        well_low, well_high = first_cell(wells_low, wells_high)
        wells_low, wells_high = wells_low & ~well_low, wells_high & ~well_high
        if ((well_low & low) | (well_high & high)) != ZERO:
            out[start + SIDES_OF_WELL + 1] += 1.0
        else:
            sides_low, sides_high = around(t, well_low, well_high)
            out[start + buildings_on(g, t, p, sides_low, sides_high)] += 1.0


@kernel
def write_free(t: Tables, low: np.uint64, high: np.uint64, out: np.ndarray, start: int) -> None:
    """Free cells, by how many free ones lie beside them and by the size of the area that they form on their bank."""
    out[start + _FREE] = size_of(low, high) * _MANY_CELLS
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
        one, two = a ^ b ^ c ^ d, ((a & b) ^ (c & d)) ^ ((a ^ b) & (c ^ d))
        four = a & b & c & d  # the three bits of the sum of four flags
        out[start + _FREE + 1] += popcount(free & ~one & ~two & ~four) * _CELLS
        out[start + _FREE + 2] += popcount(free & one & ~two) * _CELLS
        out[start + _FREE + 3] += popcount(free & ~one & two) * _CELLS
        out[start + _FREE + 4] += popcount(free & one & two) * _CELLS
        out[start + _FREE + N_OPEN] += popcount(free & four) * _CELLS
    while (low | high) != ZERO:
        area_low, area_high = first_cell(low, high)
        area_low, area_high = area_of(t, area_low, area_high, low, high)
        low, high = low & ~area_low, high & ~area_high
        n = size_of(area_low, area_high)
        out[start + _FREE + N_OPEN + min(n, SMALL)] += n * _CELLS
        out[start + _AREAS] += _FEW


@kernel
def area_of(t: Tables, low: np.uint64, high: np.uint64, free_low: np.uint64, free_high: np.uint64) -> tuple[np.uint64, np.uint64]:
    """All free cells that are connected with some of them on their bank."""
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


@kernel
def write_fits(g: State, t: Tables, p: int, come: np.uint64, out: np.ndarray, fits: int, joins: int) -> None:
    """How many placements the buildings to come have, and how many beside the largest group of their color."""
    found = scratch_sets(N_HEADINGS, N_WORDS)
    for color in range(_N_KINDS):
        near_low = near_high = ZERO
        if color != _CHURCH:
            group_low, group_high, _ = largest_group(g, t, p, color)
            near_low, near_high = around(t, group_low, group_high)
        rest = come & t.of_color[color]
        while rest != ZERO:
            building = lowest(rest)
            rest &= rest - ONE
            out[fits + building] = _LOG[find_anchors(g, t, p, building, found)]
            if (near_low | near_high) != ZERO:
                out[joins + building] = _LOG[anchors_beside(t, building, found, near_low, near_high)]
