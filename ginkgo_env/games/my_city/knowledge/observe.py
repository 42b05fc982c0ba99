"""What a seat knows, as one flat vector of named blocks (M12.3).

This is the only way from hidden fields to output.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, bit
from ginkgo_env.core.compile.intrinsics import clear, copy
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.seats import seat_at
from ginkgo_env.games.my_city.constants import N_HEADINGS, NONE, SHAPE_SIDE, Color, Source, Terrain
from ginkgo_env.games.my_city.knowledge.layout import (
    BOARD_PLANES,
    LEAST,
    MOST,
    PLAYER_FIELDS,
    BoardPlane,
    BuildingField,
    ObsBlock,
    PlayerField,
    TurnField,
)
from ginkgo_env.games.my_city.rules.cells import built_on, write_cells
from ginkgo_env.games.my_city.rules.placing import end_action
from ginkgo_env.games.my_city.rules.scoring import count_visible, gold_open
from ginkgo_env.games.my_city.state import State
from ginkgo_env.games.my_city.tables import Tables

_SHAPE = N_HEADINGS * SHAPE_SIDE * SHAPE_SIDE
_N_SOURCES, _N_PLAYER_FIELDS, _N_BUILDING_FIELDS = len(Source), len(PLAYER_FIELDS), len(BuildingField)
_N_COLORS, _N_BOARD_PLANES = len(Color), len(BOARD_PLANES)


@kernel
def observe(g: State, t: Tables, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write what a seat knows into out (n,) int8; offsets (blocks + 1,) are those of the layout."""
    terrain, boards = offsets[ObsBlock.TERRAIN], offsets[ObsBlock.BOARDS]
    clear(out[:terrain])
    copy(out[terrain:boards], t.terrain)
    for k in range(g.players):  # in this order, as each board may write zeros beyond its end, see write_cells
        write_board(g, t, seat_at(g, seat, k), out, boards + k * _N_BOARD_PLANES * t.n_cells)
    clear(out[offsets[ObsBlock.PLAYERS] :])
    if g.current != NONE:
        out[offsets[ObsBlock.CURRENT] + g.current] = 1
        shape = offsets[ObsBlock.SHAPE]
        copy(out[shape : shape + _SHAPE], t.headings[g.current])
    for i in range(g.drawn, t.n_buildings + 1):  # M10.1: which cards are left is public; a set hides their order (M10.3)
        out[offsets[ObsBlock.LEFT] + g.deck[i]] = 1
    if g.blocked != NONE:  # M5.5
        out[offsets[ObsBlock.BLOCKED] + g.blocked] = 1
    turn = offsets[ObsBlock.TURN]
    out[turn + TurnField.ROUND] = g.rounds
    out[turn + TurnField.CARDS_LEFT] = t.n_buildings + 1 - g.drawn
    out[turn + TurnField.GOLD_OPEN] = 1 if gold_open(g, t) else 0
    for k in range(g.players):
        p = seat_at(g, seat, k)
        write_player(g, t, p, out, offsets[ObsBlock.PLAYERS] + k * _N_PLAYER_FIELDS)
        write_buildings(g, t, p, out, offsets[ObsBlock.BUILDINGS] + k * _N_BUILDING_FIELDS * int(t.n_buildings))
    # M10.2: of choices that wait for the others the own one alone is known, and not even who else has chosen
    choice = end_action(t) + 1 if g.choice[seat] == NONE else g.choice[seat]  # the place after the last action says: none
    out[offsets[ObsBlock.CHOSEN] + choice] = 1


@kernel
def write_board(g: State, t: Tables, p: int, out: np.ndarray, start: int) -> None:
    """Write the planes of a player's board."""
    low, high = built_on(g, p)
    write_cells(t, out, start + BoardPlane.UNCOVERED * t.n_cells, t.light[0] & ~low, t.light[1] & ~high)
    for color in range(_N_COLORS):
        plane = start + (BoardPlane.YELLOW + color) * t.n_cells
        write_cells(t, out, plane, g.covered[p, color, 0], g.covered[p, color, 1])
    # M12.4: these planes tell buildings of one color apart
    write_cells(t, out, start + BoardPlane.SAME_BUILDING_TO_THE_EAST * t.n_cells, g.east[p, 0], g.east[p, 1])
    write_cells(t, out, start + BoardPlane.SAME_BUILDING_TO_THE_SOUTH * t.n_cells, g.south[p, 0], g.south[p, 1])


@kernel
def write_player(g: State, t: Tables, p: int, out: np.ndarray, start: int) -> None:
    """Write a player's counter, end, veins and gold, and the points by source as they stand (M8.9)."""
    low, high = built_on(g, p)
    out[start + PlayerField.COUNTER] = g.points[p]
    out[start + PlayerField.HAS_ENDED] = 1 if g.ended[p] != 0 else 0
    out[start + PlayerField.VEINS_COVERED] = min(t.n_veins - count_visible(t, Terrain.VEIN, low, high), MOST)
    out[start + PlayerField.GOT_GOLD] = g.gold[p]
    for source in range(_N_SOURCES):
        out[start + PlayerField.START + source] = min(max(g.sources[p, source], LEAST), MOST)


@kernel
def write_buildings(g: State, t: Tables, p: int, out: np.ndarray, start: int) -> None:
    """Write for each building whether a player has placed it, and whether it is lost."""
    lost = g.passed[p]
    if g.blocked != NONE:  # M5.5: lost to everybody
        lost |= bit(g.blocked)
    if g.ended[p] != 0:  # M5.3: nothing is built any more
        lost = ~g.placed[p]
    for building in range(t.n_buildings):
        row = start + building * _N_BUILDING_FIELDS
        out[row + BuildingField.PLACED] = 1 if (g.placed[p] & bit(building)) != ZERO else 0
        out[row + BuildingField.LOST] = 1 if (lost & bit(building)) != ZERO else 0
