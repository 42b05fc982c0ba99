"""Layout of compact features, a shorter alternative to observations (``features``).

Counts and points as float32, seats relative to the viewer as in observations. Ids are frozen by
``tests/ginkgopolis/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum
from functools import partial

from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.ginkgopolis.constants import (
    HAND_SIZE,
    MAX_HAND,
    MAX_PLAYERS,
    N_ALL_CARDS,
    N_COLORS,
    N_EXPERTS,
    N_SOURCES,
    Source,
)
from ginkgo_env.games.ginkgopolis.knowledge.layout import configuration_block, decision_names

MANY, POINTS = 512, 4096  # upper bounds of counts and of points
N_DISTRICTS = 4  # in block districts


class FeatureBlock(IntEnum):
    """Blocks of the features, in order; from EXPANSION_SIDES on only with modules."""

    DECISION, GAME, SIDES, DISTRICTS, HAND, HAND_IDS, OWN_TILES, UNSEEN_TILES, UNSEEN_CARDS = range(9)
    EXPANSION_SIDES, EXPANSION_GAME = range(9, 11)


class GameFeature(IntEnum):
    """Features of block game."""

    SHARE_LEFT, ROUND, ROUNDS_LEFT, END_TRIGGERED, EXHAUSTIONS, SUPPLY_TILES, DECK_CARDS, DISCARD_CARDS, DRAFT_PICK = range(9)
    BUILDINGS, DISTRICTS, LONE_BUILDINGS, UNOWNED_RED, UNOWNED_BLUE, UNOWNED_YELLOW = range(9, 15)


class SideFeature(IntEnum):
    """Features of block sides, for each seat; its points by source come after them."""

    TOTAL, LEAD, LEAD_TIMES_LEFT, RESOURCES, SUPPLY_RESOURCES, TILES, KNOWN_TILES, NEW_HANDS, CARDS, IS_FIRST = range(10)
    EXPLOIT_RESOURCE, EXPLOIT_TILE, EXPLOIT_POINT = range(10, 13)
    URBANIZE_RESOURCE, URBANIZE_TILE, URBANIZE_POINT = range(13, 16)
    CONSTRUCT_RESOURCE, CONSTRUCT_TILE, CONSTRUCT_POINT = range(16, 19)
    EXPLOIT_RESOURCE_TIMES_LEFT, EXPLOIT_TILE_TIMES_LEFT, EXPLOIT_POINT_TIMES_LEFT = range(19, 22)
    URBANIZE_RESOURCE_TIMES_LEFT, URBANIZE_TILE_TIMES_LEFT, URBANIZE_POINT_TIMES_LEFT = range(22, 25)
    CONSTRUCT_RESOURCE_TIMES_LEFT, CONSTRUCT_TILE_TIMES_LEFT, CONSTRUCT_POINT_TIMES_LEFT = range(25, 28)
    CARDS_EXPLOIT, CARDS_URBANIZE, CARDS_CONSTRUCT, CARDS_RED, CARDS_BLUE, CARDS_YELLOW = range(28, 34)
    ENDGAME_RESOURCES_ON_COLOR, ENDGAME_LOW_BUILDINGS, ENDGAME_HIGH_BUILDINGS, ENDGAME_EXPLOIT_CARDS = range(34, 38)
    ENDGAME_URBANIZE_CARDS, ENDGAME_CONSTRUCT_CARDS, ENDGAME_COLOR_CARDS, ENDGAME_FIXED = range(38, 42)
    ENDGAME_PERMANENT_CARDS, ENDGAME_ACTION_SETS, ENDGAME_COLOR_SETS = range(42, 45)
    BUILDINGS_RED, BUILDINGS_BLUE, BUILDINGS_YELLOW, FLOORS_RED, FLOORS_BLUE, FLOORS_YELLOW = range(45, 51)
    HIGH_BUILDINGS, NUMBERS, DISTRICTS_FIRST, DISTRICTS_SECOND = range(51, 55)


class DistrictFeature(IntEnum):
    """Features of block districts, for each of them."""

    BUILDINGS, RESOURCES, MINE, BEST_OTHER, FIRST, SECOND = range(6)


class HandFeature(IntEnum):
    """Features of block hand, for each card."""

    CARD, LETTER, MINE, THEIRS, UNOWNED, RED, BLUE, YELLOW, NUMBER, FLOORS = range(10)
    BONUS_EXPLOIT, BONUS_URBANIZE, BONUS_CONSTRUCT, BONUS_RESOURCE, BONUS_TILE, BONUS_POINT = range(10, 16)
    ENDGAME, ENDGAME_POINTS, FLOORS_BESIDE_RED, FLOORS_BESIDE_BLUE, FLOORS_BESIDE_YELLOW, OWN_BESIDE = range(16, 22)


class HandId(IntEnum):
    """Ids of block hand_ids, for each card."""

    CARD, BONUS_ACTION, ENDGAME = range(3)


class OwnTilesRow(IntEnum):
    """Rows of block own_tiles."""

    TILES, HIGHEST, SUM = range(3)


class UnseenTilesRow(IntEnum):
    """Rows of block unseen_tiles."""

    TILES, SUM = range(2)


class UnseenCardsFeature(IntEnum):
    """Features of block unseen_cards."""

    LETTERS, MINE, THEIRS, UNOWNED, ENDGAME = range(5)


class ExpansionSideFeature(IntEnum):
    """Features of block expansion_sides, for each seat; its expert comes after them."""

    EVENTS, EVENTS_PLAYED, LOWER_TILES, GREEN_SPACES = range(4)


class ExpansionGameFeature(IntEnum):
    """Features of block expansion_game."""

    MODULE_NEW_BUILDINGS, MODULE_PRESTIGE, MODULE_GREEN_SPACES, MODULE_EVENTS, MODULE_KEEP_CARD, MODULE_EXPERTS = range(6)
    HAND_SIZE, NEW_BUILDINGS, GREEN_SPACES, OWN_NEW_BUILDINGS, OWN_PRESTIGE, OWN_GREEN_SPACES = range(6, 12)
    OWN_DESIGN, OWN_PRESS, OWN_EXPROPRIATION, OWN_CONTROL = range(12, 16)


N_BLOCKS, N_EXPANSION_BLOCKS = FeatureBlock.UNSEEN_CARDS + 1, len(FeatureBlock)
"""Numbers of blocks before block configuration: without modules, with modules."""
GAME, SIDES, DISTRICTS = field_names(GameFeature), field_names(SideFeature), field_names(DistrictFeature)
HAND, HAND_IDS = field_names(HandFeature), field_names(HandId)
OWN_TILES, UNSEEN_TILES = field_names(OwnTilesRow), field_names(UnseenTilesRow)
UNSEEN_CARDS = field_names(UnseenCardsFeature)
EXPANSION_SIDES, EXPANSION_GAME = field_names(ExpansionSideFeature), field_names(ExpansionGameFeature)


def features_layout(sides: int, *, modules: bool = False, padded: bool = False) -> Layout:
    """Return the layout of features; arguments as for the layout of observations."""
    sides = MAX_PLAYERS if padded else sides
    decisions = decision_names(modules)
    sources = [source.name.lower() for source in Source if modules or source < N_SOURCES]
    hand = MAX_HAND if modules else HAND_SIZE
    block = partial(Block, high=MANY)
    blocks = [
        Block("decision", (len(decisions),), f"kind of decision awaited: {', '.join(decisions)}"),
        block("game", (len(GAME),), f"{', '.join(GAME)}; share_left: of the game, 1 to 0, by what runs out first"),
        block(
            "sides",
            (sides, len(SIDES) + len(sources)),
            f"for each seat: {', '.join(SIDES)}; then points as they stand from {', '.join(sources)}",
            low=-POINTS,
            high=POINTS,
        ),
        block("districts", (N_DISTRICTS, len(DISTRICTS)), f"those with the most resources: {', '.join(DISTRICTS)}"),
        block(
            "hand",
            (hand, len(HAND)),
            f"for each card in hand, by its place: {', '.join(HAND)} (of the building or token that it names;"
            " endgame_points: what it would count now)",
            seen_by="self",
        ),
        block(
            "hand_ids",
            (hand, len(HAND_IDS)),
            "ids for embeddings, 1 more than in the rules, 0: none: card; action of its"
            " permanent bonus; how it counts at the end",
            high=N_ALL_CARDS,
            seen_by="self",
        ),
        block(
            "own_tiles", (len(OWN_TILES), N_COLORS), f"behind the own screen, by color: {', '.join(OWN_TILES)}", seen_by="self"
        ),
        block(
            "unseen_tiles",
            (len(UNSEEN_TILES), N_COLORS),
            f"tiles of value I whose place the seat does not know, by color: {', '.join(UNSEEN_TILES)}",
            seen_by="self",
        ),
        block(
            "unseen_cards",
            (len(UNSEEN_CARDS),),
            f"cards that may be in the deck or in others' hands: {', '.join(UNSEEN_CARDS)} (by the building named)",
            seen_by="self",
        ),
    ]
    if modules:
        blocks += [
            block(
                "expansion_sides",
                (sides, len(EXPANSION_SIDES) + N_EXPERTS),
                f"for each seat: {', '.join(EXPANSION_SIDES)}; then its expert; others' after the draft",
            ),
            block("expansion_game", (len(EXPANSION_GAME),), ", ".join(EXPANSION_GAME), seen_by="self: own; all: the others"),
        ]
    return Layout([*blocks, *([configuration_block()] if padded else [])])
