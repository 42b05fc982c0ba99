"""What a seat knows, as a vector (M12.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, bit
from ginkgo_env.core.compile.intrinsics import clear, copy
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.seats import seat_at
from ginkgo_env.games.my_city.constants import N_HEADINGS, NONE, SHAPE_SIDE, Color, Source, Terrain
from ginkgo_env.games.my_city.knowledge.layout import BOARD_PLANES, LEAST, MOST, PLAYER_FIELDS, O
from ginkgo_env.games.my_city.rules.cells import built_on, write_cells
from ginkgo_env.games.my_city.rules.scoring import gold_open, visible
from ginkgo_env.games.my_city.state import State
from ginkgo_env.games.my_city.tables import Tables

_SHAPE = N_HEADINGS * SHAPE_SIDE * SHAPE_SIDE
_N_SOURCES, _N_PLAYER_FIELDS = len(Source), len(PLAYER_FIELDS)
_N_COLORS, _N_BOARD_PLANES = len(Color), len(BOARD_PLANES)


@kernel
def observe_one(g: State, t: Tables, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write what a seat knows into out (n,), all of it; seats from 0 for the viewer."""
    terrain, boards = offsets[O.TERRAIN], offsets[O.BOARDS]
    clear(out[:terrain])
    copy(out[terrain:boards], t.terrain)
    for k in range(g.players):  # in this order, as each board may write zeros behind its end
        write_board(g, t, seat_at(g, seat, k), out, boards + k * _N_BOARD_PLANES * t.n_cells)
    clear(out[offsets[O.PLAYERS] :])
    if g.current != NONE:
        out[offsets[O.CURRENT] + g.current] = 1
        shape = offsets[O.SHAPE]
        copy(out[shape : shape + _SHAPE], t.headings[g.current])
    for i in range(g.drawn, t.n_buildings + 1):
        out[offsets[O.LEFT] + g.deck[i]] = 1
    if g.blocked != NONE:
        out[offsets[O.BLOCKED] + g.blocked] = 1
    turn = offsets[O.TURN]
    out[turn], out[turn + 1] = g.rounds, t.n_buildings + 1 - g.drawn
    out[turn + 2] = 1 if gold_open(g, t) else 0
    for k in range(g.players):
        p = seat_at(g, seat, k)
        write_player(g, t, p, out, offsets[O.PLAYERS] + k * _N_PLAYER_FIELDS)
        write_buildings(g, t, p, out, offsets[O.BUILDINGS] + 2 * k * int(t.n_buildings))
    chosen = g.choice[seat]
    last = offsets[O.CHOSEN + 1] - 1
    out[last if chosen == NONE else offsets[O.CHOSEN] + chosen] = 1


@kernel
def write_board(g: State, t: Tables, p: int, out: np.ndarray, start: int) -> None:
    """The planes of a player's board."""
    low, high = built_on(g, p)
    write_cells(t, out, start, t.light[0] & ~low, t.light[1] & ~high)
    for color in range(_N_COLORS):
        start += t.n_cells
        write_cells(t, out, start, g.covered[p, color, 0], g.covered[p, color, 1])
    write_cells(t, out, start + t.n_cells, g.east[p, 0], g.east[p, 1])
    write_cells(t, out, start + 2 * t.n_cells, g.south[p, 0], g.south[p, 1])


@kernel
def write_player(g: State, t: Tables, p: int, out: np.ndarray, start: int) -> None:
    """What is counted for a player, and the points by source as they stand."""
    low, high = built_on(g, p)
    out[start], out[start + 1] = g.points[p], 1 if g.ended[p] != 0 else 0
    out[start + 2], out[start + 3] = t.n_veins - visible(t, Terrain.VEIN, low, high), g.gold[p]
    for source in range(_N_SOURCES):
        out[start + 4 + source] = min(max(g.sources[p, source], LEAST), MOST)


@kernel
def write_buildings(g: State, t: Tables, p: int, out: np.ndarray, start: int) -> None:
    """For each building whether it is placed, and whether it is lost."""
    lost = g.passed[p]
    if g.blocked != NONE:
        lost |= bit(g.blocked)
    if g.ended[p] != 0:
        lost = ~g.placed[p]
    for building in range(t.n_buildings):
        out[start + 2 * building] = 1 if (g.placed[p] & bit(building)) != ZERO else 0
        out[start + 2 * building + 1] = 1 if (lost & bit(building)) != ZERO else 0
