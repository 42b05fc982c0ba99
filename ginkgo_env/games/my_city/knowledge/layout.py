"""The layout of observations (M12.3): named blocks of one flat vector. Seats are relative to the viewer, 0 is oneself.

Ids are frozen by ``tests/my_city/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.my_city.constants import N_HEADINGS, SHAPE_SIDE, Source
from ginkgo_env.games.my_city.tables import N_TERRAIN_PLANES

OBSERVATION_DTYPE = np.int8
LEAST, MOST = -128, 127  # numbers beyond are shown as these; on a board of 128 cells only trees and rocks could be


class O(IntEnum):  # noqa: E742 -- the short name keeps kernels readable
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


TURN_FIELDS = ("round", "cards_left", "gold_open")
TERRAIN_PLANES = (
    *("empty_land", "trees", "rocks", "well", "vein", "mountain", "forest"),
    *("first_bank", "river_to_the_east", "river_to_the_south"),
)
BOARD_PLANES = ("uncovered", "yellow", "red", "blue", "church", "same_building_to_the_east", "same_building_to_the_south")
PLAYER_FIELDS = ("counter", "has_ended", "veins_covered", "got_gold", *(source.name.lower() for source in Source))


def observation_layout(players: int, rows: int, columns: int, buildings: int, actions: int) -> Layout:
    """The blocks of an observation with this number of players, on a board of this size with so many buildings and actions."""
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
            Block("terrain", (N_TERRAIN_PLANES, rows, columns), f"the board: {', '.join(TERRAIN_PLANES)}"),
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
                (players, buildings, 2),
                "for each seat and building: placed; lost (passed, blocked or unbuilt at the end)",
            ),
            Block("chosen", (actions + 1,), "own choice that is not yet in effect; last: none", seen_by="self"),
        ]
    )
