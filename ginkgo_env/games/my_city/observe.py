"""What a seat knows, as one flat vector of named blocks (M12.3), and its boards as planes.

Seats are relative to the viewer, who is seat 0. Ids are frozen by ``tests/my_city/frozen_ids.json``. :func:`observe` is the only
way from hidden fields to output.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, TypeVar

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, bit
from ginkgo_env.core.compile.intrinsics import clear, copy
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.kernels import seat_at
from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.my_city.components import Components, TerrainPlane
from ginkgo_env.games.my_city.constants import N_HEADINGS, NONE, SHAPE_SIDE, Color, Source, Terrain
from ginkgo_env.games.my_city.rules.cells import built_on, write_cells
from ginkgo_env.games.my_city.rules.placing import end_action
from ginkgo_env.games.my_city.rules.scoring import count_visible, gold_open
from ginkgo_env.games.my_city.state import State

# --- layout ------------------------------------------------------------------------------------------------------------------


OBSERVATION_DTYPE = np.int8
LEAST, MOST = -128, 127  # points beyond are written as these; on a board of 128 cells only trees and rocks can bring so many


class ObsBlock(IntEnum):
    """Blocks of an observation in their order."""

    CURRENT, SHAPE, LEFT, BLOCKED, TURN, TERRAIN, BOARDS, PLAYERS, BUILDINGS, CHOSEN = range(10)


class TurnField(IntEnum):
    """Fields of block ``turn``."""

    ROUND, CARDS_LEFT, GOLD_OPEN = range(3)


class BoardPlane(IntEnum):
    """Planes of each seat in block ``boards``."""

    UNCOVERED, YELLOW, RED, BLUE, CHURCH, SAME_BUILDING_TO_THE_EAST, SAME_BUILDING_TO_THE_SOUTH = range(7)


PlayerField = IntEnum(
    "PlayerField",
    """
    COUNTER HAS_ENDED VEINS_COVERED GOT_GOLD
    START PASSES GOLD TREES ROCKS YELLOW RED BLUE CHURCHES WELLS EMPTY
    """,
    start=0,
)
"""Fields of each seat in block ``players``; from START on they are in the order of Source."""


class BuildingField(IntEnum):
    """Fields of each building of a seat in block ``buildings``."""

    PLACED, LOST = range(2)


TURN_FIELDS, PLAYER_FIELDS = field_names(TurnField), field_names(PlayerField)
TERRAIN_PLANES, BOARD_PLANES = field_names(TerrainPlane), field_names(BoardPlane)


def observation_layout(players: int, rows: int, columns: int, buildings: int, actions: int) -> Layout:
    """Return the blocks of an observation for a game of this size."""
    return Layout(
        [
            Block("current", (buildings,), "building to place"),
            Block(
                "shape",
                (N_HEADINGS, SHAPE_SIDE, SHAPE_SIDE),
                "its cells for each heading from the top left corner; zero for a heading that it does not have",
            ),
            Block("left", (buildings + 1,), "cards not turned up; the blocking card last"),
            Block("blocked", (buildings,), "building lost to everybody (M5.5)"),
            Block("turn", (len(TURN_FIELDS),), f"{', '.join(TURN_FIELDS)} (somebody may still get the gold)", high=buildings + 1),
            Block("terrain", (len(TERRAIN_PLANES), rows, columns), f"the board: {', '.join(TERRAIN_PLANES)}"),
            Block(
                "boards",
                (players, len(BOARD_PLANES), rows, columns),
                f"for each seat: {', '.join(BOARD_PLANES)} (uncovered: light green cells, marks included)",
            ),
            Block(
                "players",
                (players, len(PLAYER_FIELDS)),
                f"for each seat: {', '.join(PLAYER_FIELDS)} (points as they stand, limited to {LEAST} and {MOST})",
                low=LEAST,
                high=MOST,
            ),
            Block(
                "buildings",
                (players, buildings, len(BuildingField)),
                "for each seat and building: placed; lost (passed, blocked or unbuilt at the end)",
            ),
            Block("chosen", (actions + 1,), "own choice that is not yet in effect; last: none", seen_by="self"),
        ]
    )


# --- the observation ---------------------------------------------------------------------------------------------------------


_SHAPE = N_HEADINGS * SHAPE_SIDE * SHAPE_SIDE
_N_SOURCES, _N_PLAYER_FIELDS, _N_BUILDING_FIELDS = len(Source), len(PLAYER_FIELDS), len(BuildingField)
_N_COLORS, _N_BOARD_PLANES = len(Color), len(BOARD_PLANES)


@kernel
def observe(g: State, t: Components, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
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


@kernel(inline=True)
def write_board(g: State, t: Components, p: int, out: np.ndarray, start: int) -> None:
    """Write the planes of a player's board."""
    low, high = built_on(g, p)
    write_cells(t, out, start + BoardPlane.UNCOVERED * t.n_cells, t.light[0] & ~low, t.light[1] & ~high)
    for color in range(_N_COLORS):
        plane = start + (BoardPlane.YELLOW + color) * t.n_cells
        write_cells(t, out, plane, g.covered[p, color, 0], g.covered[p, color, 1])
    # M12.4: these planes tell buildings of one color apart
    write_cells(t, out, start + BoardPlane.SAME_BUILDING_TO_THE_EAST * t.n_cells, g.east[p, 0], g.east[p, 1])
    write_cells(t, out, start + BoardPlane.SAME_BUILDING_TO_THE_SOUTH * t.n_cells, g.south[p, 0], g.south[p, 1])


@kernel(inline=True)
def write_player(g: State, t: Components, p: int, out: np.ndarray, start: int) -> None:
    """Write a player's counter, end, veins and gold, and the points by source as they stand (M8.9)."""
    low, high = built_on(g, p)
    out[start + PlayerField.COUNTER] = g.points[p]
    out[start + PlayerField.HAS_ENDED] = 1 if g.ended[p] != 0 else 0
    out[start + PlayerField.VEINS_COVERED] = min(t.n_veins - count_visible(t, Terrain.VEIN, low, high), MOST)
    out[start + PlayerField.GOT_GOLD] = g.gold[p]
    for source in range(_N_SOURCES):
        out[start + PlayerField.START + source] = min(max(g.sources[p, source], LEAST), MOST)


@kernel(inline=True)
def write_buildings(g: State, t: Components, p: int, out: np.ndarray, start: int) -> None:
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


# --- planes ------------------------------------------------------------------------------------------------------------------


Array = TypeVar("Array", bound=Any)


def plane_names(layout: Layout) -> tuple[str, ...]:
    """Return the names of the planes: of block ``terrain``, then of block ``boards`` with the seat.

    ``empty_land``, ``trees``, ``rocks``, ``well``, ``vein``, ``mountain``, ``forest``, ``first_bank``, ``river_to_the_east`` and
    ``river_to_the_south`` belong to the printed board and never change. For each seat follow ``uncovered_0``, ``yellow_0``,
    ``red_0``, ``blue_0``, ``church_0``, ``same_building_to_the_east_0`` and ``same_building_to_the_south_0``: 0 is the viewer,
    1 the left neighbor, and so on. All values are 0 or 1.

    >>> from ginkgo_env import make_game
    >>> plane_names(make_game("my_city").observation)[:3]
    ('empty_land', 'trees', 'rocks')
    """
    seats = layout["boards"].shape[0]
    return (*TERRAIN_PLANES, *(f"{name}_{seat}" for seat in range(seats) for name in BOARD_PLANES))


def board_planes(layout: Layout, observations: Array) -> Array:
    """Return the board and what each seat has built on it as one stack of planes, without a copy.

    layout : ``game.observation``
    observations : (..., n) as from ``Batch.observe``: one observation (n,), a batch or more leading axes. Any array that can be
        sliced and reshaped like numpy's is accepted, for example a tensor of torch

    Returns a view (..., planes, rows, columns) of the same dtype; :func:`plane_names` has the names. Other information stays in
    its blocks: ``layout.view(observations, "shape")`` has the cells of the building to place, for each heading.

    Raises BatchError if the last axis does not have the size of the layout.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("my_city", players=2), 3)
    >>> board_planes(batch.game.observation, batch.observe()).shape
    (3, 24, 11, 11)
    """
    layout.checked_vector(observations)
    terrain, boards = layout["terrain"], layout["boards"]  # adjacent, so one slice holds both
    planes = terrain.shape[0] + boards.shape[0] * boards.shape[1]
    return observations[..., terrain.start : boards.stop].reshape(*observations.shape[:-1], planes, *terrain.shape[1:])
