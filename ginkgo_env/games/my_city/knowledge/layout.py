"""The layout of observations (M12.3): named blocks of one flat vector.

Seats are relative to the viewer, who is seat 0. Ids are frozen by ``tests/my_city/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.my_city.constants import N_HEADINGS, SHAPE_SIDE
from ginkgo_env.games.my_city.tables import TerrainPlane

OBSERVATION_DTYPE = np.int8
LEAST, MOST = -128, 127  # points beyond are written as these; on a board of 128 cells only trees and rocks can bring so many


class ObsBlock(IntEnum):
    """Blocks of an observation in their order."""

    CURRENT = 0
    SHAPE = 1
    LEFT = 2
    BLOCKED = 3
    TURN = 4
    TERRAIN = 5
    BOARDS = 6
    PLAYERS = 7
    BUILDINGS = 8
    CHOSEN = 9


class TurnField(IntEnum):
    """Fields of block ``turn``."""

    ROUND, CARDS_LEFT, GOLD_OPEN = range(3)


class BoardPlane(IntEnum):
    """Planes of each seat in block ``boards``."""

    UNCOVERED, YELLOW, RED, BLUE, CHURCH, SAME_BUILDING_TO_THE_EAST, SAME_BUILDING_TO_THE_SOUTH = range(7)


class PlayerField(IntEnum):
    """Fields of each seat in block ``players``; from START on they are in the order of Source."""

    COUNTER, HAS_ENDED, VEINS_COVERED, GOT_GOLD = range(4)
    START, PASSES, GOLD, TREES, ROCKS, YELLOW, RED, BLUE, CHURCHES, WELLS, EMPTY = range(4, 15)


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
