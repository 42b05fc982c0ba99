"""The layout of the compact features, for learning. Seats are relative to the viewer, who is seat 0.

Features are scaled so that most lie between 0 and 1. The bounds are wide, as boards of other people may exceed that.
"""

from __future__ import annotations

from enum import IntEnum

from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.golden_city.constants import (
    DISTRICTS_OF_QUARTER,
    MAX_PAIRS,
    N_BONUS,
    N_DECISIONS,
    N_GOODS,
    N_LANDSCAPES,
    N_QUARTERS,
    N_RIVERS,
    Stage,
)

MANY = 4096  # bound of all features
N_AREAS = N_RIVERS + N_QUARTERS
N_THINGS = N_GOODS + N_AREAS  # what scoring cards show: goods, rivers, quarters
N_DISTRICTS = N_QUARTERS * DISTRICTS_OF_QUARTER


class FeatureBlock(IntEnum):
    """Blocks of the features in their order."""

    DECISION = 0
    GAME = 1
    SIDES = 2
    COMING = 3
    COUNTS = 4
    HAND = 5
    LANDSCAPES = 6
    PAIRS = 7
    GOODS = 8
    SCORING = 9
    BONUS = 10
    DISTRICTS = 11
    OFFERED = 12


class GameFeature(IntEnum):
    """Fields of block ``game``."""

    SHARE_LEFT, ROUND, SCORING_CARDS_TO_COME, END_TRIGGERED, PRICE, DECK, DISCARD_PILE, GOODS_STACK = range(8)
    BONUS_CARDS_LEFT, KEYS_LEFT, SUPPLY, TURNS_FINISHED, HOUSES_BUILT, FEWEST_HOUSES_LEFT, FREE_COAST_PLACES = range(8, 15)


class SiteFeature(IntEnum):
    """What a set of places holds: a part of ``SideFeature`` and of ``OfferedFeature``."""

    SITES_COAST, SITES_FOREST, SITES_MEADOW, SITES_MOUNTAIN, SITES_DESERT = range(5)
    SITES_CARD, SITES_COIN, SITES_TWO_COINS, SITES_KEY, SITES_BONUS, SITES_GOODS = range(5, 11)
    OUTER_FIRST, OUTER_SECOND, INNER_FIRST, INNER_SECOND = range(11, 15)


class SideFeature(IntEnum):
    """Fields of each seat in block ``sides``."""

    LETTERS_OUTER, LETTERS_INNER, LETTERS_GOODS, LETTERS_RIVERS, LETTERS_QUARTERS = range(5)  # in the order of Source
    LETTERS, BONUS, TOTAL, LEAD, LEAD_TIMES_LEFT, NOW, COMING = range(5, 12)
    COINS, KEYS, HOUSES_LEFT, HAND, UNKNOWN, GOODS_CARDS, BONUS_CARDS = range(12, 19)
    IS_ACTOR, IS_FIRST, IS_BLOCKED, HAS_BID, TURNS_AFTER_FIRST = range(19, 24)
    KNOWN_COAST, KNOWN_FOREST, KNOWN_MEADOW, KNOWN_MOUNTAIN, KNOWN_DESERT = range(24, 29)
    GOOD_POTTERY, GOOD_WINE, GOOD_CLOTH, GOOD_SPICES = range(29, 33)
    COASTS, SUBURBS, OUTER, INNER = range(33, 37)
    INLAND_FOREST, INLAND_MEADOW, INLAND_MOUNTAIN, INLAND_DESERT = range(37, 41)
    HOUSES_RIVER_N, HOUSES_RIVER_E, HOUSES_RIVER_S, HOUSES_RIVER_W = range(41, 45)
    HOUSES_QUARTER_FOREST, HOUSES_QUARTER_MEADOW, HOUSES_QUARTER_MOUNTAIN, HOUSES_QUARTER_DESERT = range(45, 49)
    LEAD_RIVER_N, LEAD_RIVER_E, LEAD_RIVER_S, LEAD_RIVER_W = range(49, 53)
    LEAD_QUARTER_FOREST, LEAD_QUARTER_MEADOW, LEAD_QUARTER_MOUNTAIN, LEAD_QUARTER_DESERT = range(53, 57)
    SITES_COAST, SITES_FOREST, SITES_MEADOW, SITES_MOUNTAIN, SITES_DESERT = range(57, 62)  # from here on a SiteFeature row
    SITES_CARD, SITES_COIN, SITES_TWO_COINS, SITES_KEY, SITES_BONUS, SITES_GOODS = range(62, 68)
    OUTER_FIRST, OUTER_SECOND, INNER_FIRST, INNER_SECOND = range(68, 72)
    NEXT_GOODS, NEXT_BONUS, NEXT_KEY, NEXT_OUTER_FIRST, NEXT_INNER_FIRST = range(72, 77)


class HandFeature(IntEnum):
    """Rows of block ``hand``."""

    CARDS, UNITS, UNKNOWN_TO_OTHERS = range(3)


class LandscapeFeature(IntEnum):
    """Rows of block ``landscapes``."""

    DISCARD_PILE, UNSEEN = range(2)


class PairFeature(IntEnum):
    """Fields of each pair in block ``pairs``."""

    COAST, FOREST, MEADOW, MOUNTAIN, DESERT, IS_FREE, IS_OWN = range(7)


class GoodsFeature(IntEnum):
    """Fields of block ``goods``."""

    DISPLAY_POTTERY, DISPLAY_WINE, DISPLAY_CLOTH, DISPLAY_SPICES = range(4)
    STACK_POTTERY, STACK_WINE, STACK_CLOTH, STACK_SPICES = range(4, 8)


class ScoringFeature(IntEnum):
    """Rows of block ``scoring``."""

    NOW, TO_COME = range(2)


class BonusFeature(IntEnum):
    """Rows of block ``bonus``."""

    OWN, OWN_TIMES_WORTH, LEFT = range(3)


class DistrictFeature(IntEnum):
    """Fields of each district in block ``districts``."""

    IS_OWN, OTHERS = range(2)


class OfferedFeature(IntEnum):
    """Fields of block ``offered``."""

    PLACES = 0
    SITES_COAST, SITES_FOREST, SITES_MEADOW, SITES_MOUNTAIN, SITES_DESERT = range(1, 6)  # from here on a SiteFeature row
    SITES_CARD, SITES_COIN, SITES_TWO_COINS, SITES_KEY, SITES_BONUS, SITES_GOODS = range(6, 12)
    OUTER_FIRST, OUTER_SECOND, INNER_FIRST, INNER_SECOND = range(12, 16)


GAME, SIDES, HAND, LANDSCAPES = map(field_names, (GameFeature, SideFeature, HandFeature, LandscapeFeature))
PAIRS, GOODS, SCORING, BONUS = map(field_names, (PairFeature, GoodsFeature, ScoringFeature, BonusFeature))
DISTRICTS, OFFERED = map(field_names, (DistrictFeature, OfferedFeature))


def features_layout(players: int) -> Layout:
    """Return the blocks of the features for this number of players."""

    def block(name: str, shape: tuple[int, ...], meaning: str, seen_by: str = "all") -> Block:
        return Block(name, shape, meaning, -MANY, MANY, seen_by)

    decisions = ", ".join(stage.name.lower() for stage in Stage if stage < Stage.OVER)
    return Layout(
        [
            block("decision", (N_DECISIONS,), f"kind of decision awaited: {decisions}"),
            block("game", (len(GAME),), f"{', '.join(GAME)}; share_left: of the game, 1 to 0, by rounds and houses"),
            block(
                "sides",
                (players, len(SIDES)),
                f"for each seat: {', '.join(SIDES)} (bonus: what bonus cards count now, others' on average; now, coming: letters"
                " that the scoring card of the round, and those to come, would bring now; lead: over the best other;"
                " sites: without inner districts that lack a key; next: two houses away)",
                "self: own bonus cards; all: the others",
            ),
            block(
                "coming",
                (players, N_THINGS),
                "for each seat: what cards to come would bring now, by good, river, quarter",
            ),
            block("counts", (players, N_BONUS), "for each seat: what each bonus card would count"),
            block("hand", (len(HAND), N_LANDSCAPES), f"own cards by landscape: {', '.join(HAND)} (units: with jokers)", "self"),
            block(
                "landscapes",
                (len(LANDSCAPES), N_LANDSCAPES),
                f"by landscape: {', '.join(LANDSCAPES)} (cards in the deck or in others' hands)",
                "self",
            ),
            block("pairs", (MAX_PAIRS, len(PAIRS)), f"for each pair: {', '.join(PAIRS)}"),
            block("goods", (len(GOODS),), ", ".join(GOODS)),
            block("scoring", (len(SCORING), N_THINGS), "scoring cards by good, river, quarter: of the round, to come"),
            block("bonus", (len(BONUS), N_BONUS), f"{', '.join(BONUS)} (after the viewer's last take)", "self"),
            block("districts", (N_DISTRICTS, len(DISTRICTS)), f"for each district: {', '.join(DISTRICTS)}"),
            block("offered", (len(OFFERED),), f"of what the own hand can pay: {', '.join(OFFERED)}", "self"),
        ]
    )
