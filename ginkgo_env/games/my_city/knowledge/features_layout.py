"""The layout of the compact features, for learning. Seats are relative to the viewer, who is seat 0.

Features are scaled so that most lie between 0 and 1. The bounds are wide, as positions on other boards may exceed that.
"""

from __future__ import annotations

from enum import IntEnum

from ginkgo_env.core.layout import Block, Layout, field_names

MANY = 4096  # bound of all features


class FeatureBlock(IntEnum):
    """Blocks of the features in their order."""

    DECISION = 0
    GAME = 1
    SIDES = 2
    FITS = 3
    JOINS = 4


class GameFeature(IntEnum):
    """Fields of block ``game``."""

    SHARE_LEFT, CARDS_LEFT, BLOCKING_CARD_LEFT, GOLD_OPEN = range(4)


class SideFeature(IntEnum):
    """Fields of each seat in block ``sides``.

    Buildings to come are those not placed, passed or blocked, the current one included. Free cells are light green cells without
    a building; they are beside each other only on one bank. Larger areas of free cells are counted together.
    """

    POINTS_START, POINTS_PASSES, POINTS_GOLD, POINTS_TREES, POINTS_ROCKS = range(5)  # points in the order of Source
    POINTS_YELLOW, POINTS_RED, POINTS_BLUE, POINTS_CHURCHES, POINTS_WELLS, POINTS_EMPTY = range(5, 11)
    TOTAL, LEAD, COUNTER, HAS_ENDED, VEINS_OPEN, GOLD = range(11, 17)
    PLACED_YELLOW, PLACED_RED, PLACED_BLUE, PLACED_CHURCH = range(17, 21)
    TO_COME_YELLOW, TO_COME_RED, TO_COME_BLUE, TO_COME_CHURCH = range(21, 25)
    GROUPS_YELLOW, GROUPS_RED, GROUPS_BLUE = range(25, 28)
    BESIDE_LARGEST_GROUP_YELLOW, BESIDE_LARGEST_GROUP_RED, BESIDE_LARGEST_GROUP_BLUE = range(28, 31)
    CHURCHES_BESIDE_COLORS_0, CHURCHES_BESIDE_COLORS_1, CHURCHES_BESIDE_COLORS_2, CHURCHES_BESIDE_COLORS_3 = range(31, 35)
    WELLS_WITH_SIDES_0, WELLS_WITH_SIDES_1, WELLS_WITH_SIDES_2, WELLS_WITH_SIDES_3, WELLS_WITH_SIDES_4 = range(35, 40)
    WELLS_COVERED, FREE = range(40, 42)
    FREE_BESIDE_FREE_0, FREE_BESIDE_FREE_1, FREE_BESIDE_FREE_2, FREE_BESIDE_FREE_3, FREE_BESIDE_FREE_4 = range(42, 47)
    IN_AREAS_OF_1, IN_AREAS_OF_2, IN_AREAS_OF_3, IN_AREAS_OF_4, IN_AREAS_OF_5, IN_AREAS_OF_MORE = range(47, 53)
    AREAS, BESIDE_BUILDINGS = range(53, 55)


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
