"""Layouts of observations: named blocks of one flat vector, without and with modules.

Seats are relative to the viewer: 0 is the viewer, 1 the left neighbor, and so on; alone, 1 is William. Cells are counted from
the city's north-west corner (x, y >= 0), so that a city looks the same wherever it has grown. Ids are frozen by
``tests/ginkgopolis/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.ginkgopolis.constants import (
    HAND_SIZE,
    MAX_BUILDINGS,
    MAX_HAND,
    MAX_PLAYERS,
    N_ALL_CARDS,
    N_ALL_TILES,
    N_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_EVENTS,
    N_EXPERTS,
    N_GREEN_SPACES,
    N_LETTERS,
    N_MODULES,
    N_TILES,
    NONE,
    Stage,
)

OBSERVATION_DTYPE = np.uint8
TOP = 255  # larger numbers are clipped to this; only SP and rounds can reach it
CITY_SLOTS = N_TILES  # the most buildings of a city in the base game


class ObsBlock(IntEnum):
    """Blocks of an observation, in order; from MODULES on only with modules."""

    DECISION, STATUS, TURN, PLAYERS, BONUS, CHARACTERS, PACKET, HAND, TOKENS, CARDS, TILES, CITY = range(12)
    MODULES, EXPERT, PACKET_EXPERTS, EVENTS, PENDING = range(12, 17)


class ConfigurationField(IntEnum):
    """Fields of block configuration, the last one of padded views: seats that are played, then options."""

    SEAT_0, SEAT_1, SEAT_2, SEAT_3, SEAT_4, SOLO, ADVANCED, DRAFT, STRICT = range(9)


class StatusField(IntEnum):
    """Fields of block status; the last two, tiles left in these stacks, only with modules."""

    ROUND, ROUNDS_LEFT, END_TRIGGERED, EXHAUSTIONS, SUPPLY_TILES, DECK_CARDS, DISCARD_CARDS, DRAFT_PICK, DRAWS_DUE = range(9)
    NEW_BUILDINGS, GREEN_SPACES = range(9, 11)


class TurnField(IntEnum):
    """Fields of block turn, for each seat; the last two only with modules."""

    IS_ACTOR, IS_FIRST, IS_RESOLVING, HAS_CARD_OUT, HAS_TILE_OUT = range(5)
    HAS_LOWER_OUT, HAS_EVENT_OUT = range(5, 7)


class PlayerField(IntEnum):
    """Fields of block players, for each seat; the last two only with modules."""

    POINTS, RESOURCES, SUPPLY_RESOURCES, NEW_HANDS, TILES, CARDS = range(6)
    EVENTS, LOWER_TILES = range(6, 8)


class HandField(IntEnum):
    """Fields of block hand, for each card."""

    CARD, LETTER, RED, BLUE, YELLOW, NUMBER, FLOORS, MINE, THEIRS, X, Y = range(11)


class TokenPlane(IntEnum):
    """Planes of block tokens."""

    PLACED, X, Y = range(3)


class CardPlane(IntEnum):
    """Planes of block cards before the tableau of each seat; the last one only with modules."""

    HAND, COMMITTED, LEFT_HAS, RIGHT_KNOWS, DISCARD, RESOLVING, KEPT = range(7)


class TilePlane(IntEnum):
    """Planes of block tiles before the known tiles of each seat; from LOWER on only with modules."""

    SCREEN, COMMITTED, ASIDE, RETURNED, BURIED, LOWER, RESOLVING, STACKS, OWN_LOWER = range(9)


class CityPlane(IntEnum):
    """Planes of block city before an owner flag for each seat; the last one only with modules."""

    FLOORS, X, Y, RED, BLUE, YELLOW, NUMBER, PAWN, GREEN = range(9)


class EventPlane(IntEnum):
    """Planes of block events before those known to be held by each seat, then those played by each seat."""

    SCREEN, COMMITTED = range(2)


class PendingField(IntEnum):
    """Fields of block pending: phase of the turn (all 0 in the action), timing, event, zone, split."""

    TIMING, BEFORE_ACTION, AFTER_ACTION, CHOSE_BEFORE, CHOSE_AFTER, DESIGN, PRESS, EXPROPRIATION, CONTROL = range(9)
    ZONE_X, ZONE_Y, ZONE_CENTER, SPLIT_RED, SPLIT_BLUE, SPLIT_YELLOW, SPLIT_NEW_BUILDING, SPLIT_GREEN_SPACE = range(9, 17)
    GREEN_DRAWN, RECEIVED = range(17, 19)


def _split(fields: type[IntEnum], n: int) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the names of the first n fields, which all games have, and of those that modules add."""
    return field_names(fields)[:n], field_names(fields)[n:]


STATUS_FIELDS, EXPANSION_STATUS_FIELDS = _split(StatusField, StatusField.NEW_BUILDINGS)
TURN_FIELDS, EXPANSION_TURN_FIELDS = _split(TurnField, TurnField.HAS_LOWER_OUT)
PLAYER_FIELDS, EXPANSION_PLAYER_FIELDS = _split(PlayerField, PlayerField.EVENTS)
CARD_PLANES, EXPANSION_CARD_PLANES = _split(CardPlane, CardPlane.KEPT)
TILE_PLANES, EXPANSION_TILE_PLANES = _split(TilePlane, TilePlane.LOWER)
CITY_PLANES, EXPANSION_CITY_PLANES = _split(CityPlane, CityPlane.GREEN)
HAND_FIELDS, TOKEN_PLANES = field_names(HandField), field_names(TokenPlane)
CONFIGURATION_FIELDS = field_names(ConfigurationField)
EVENT_PLANES, PENDING_FIELDS = field_names(EventPlane), field_names(PendingField)

_DECISIONS = [stage for stage in Stage if stage < Stage.DEAL and stage != Stage.OVER]
DECISION_COLUMN = np.full(max(Stage) + 1, NONE)
DECISION_COLUMN[_DECISIONS] = range(len(_DECISIONS))
"""Column of block decision by Stage; NONE for stages that ask for no decision."""


class Size(IntEnum):
    """Columns of :data:`SIZES`."""

    TURN, PLAYER, CARD_PLANES, TILE_PLANES, CITY_PLANES, CARDS, TILES, BUILDINGS = range(8)


SIZES = np.array(
    [
        [
            *(TurnField.HAS_LOWER_OUT, PlayerField.EVENTS, CardPlane.KEPT, TilePlane.LOWER, CityPlane.GREEN),
            *(N_CARDS, N_TILES, CITY_SLOTS),
        ],
        [
            *(len(TurnField), len(PlayerField), len(CardPlane), len(TilePlane), len(CityPlane)),
            *(N_ALL_CARDS, N_ALL_TILES, MAX_BUILDINGS),
        ],
    ]
)
"""Numbers of fields, planes and columns by Size: row 0 without modules, row 1 with modules."""


def observation_layout(sides: int, *, modules: bool = False, padded: bool = False) -> Layout:
    """Return the layout of observations.

    sides : 2 when playing alone
    padded : whether it is that of five seats, whatever sides, with block configuration
    """
    sides = MAX_PLAYERS if padded else sides
    expansion = _expansion_blocks(sides) if modules else []
    return Layout([*_blocks(sides, modules=modules), *expansion, *([configuration_block()] if padded else [])])


def configuration_block() -> Block:
    """Return the block that padded layouts add."""
    return Block("configuration", (len(ConfigurationField),), f"1 for what there is: {', '.join(CONFIGURATION_FIELDS)}")


N_BLOCKS, N_EXPANSION_BLOCKS = ObsBlock.CITY + 1, len(ObsBlock)
"""Numbers of blocks before block configuration: without modules, with modules."""


def decision_names(modules: bool) -> list[str]:
    """Return the kinds of decisions in the order of block decision."""
    return [stage.name.lower() for stage in _DECISIONS if modules or stage < Stage.OVER]


def _blocks(sides: int, *, modules: bool = False) -> list[Block]:
    """Return the blocks that all observations have."""
    fields = {
        "status": STATUS_FIELDS + (EXPANSION_STATUS_FIELDS if modules else ()),
        "turn": TURN_FIELDS + (EXPANSION_TURN_FIELDS if modules else ()),
        "players": PLAYER_FIELDS + (EXPANSION_PLAYER_FIELDS if modules else ()),
        "cards": CARD_PLANES + (EXPANSION_CARD_PLANES if modules else ()),
        "tiles": TILE_PLANES + (EXPANSION_TILE_PLANES if modules else ()),
        "city": CITY_PLANES + (EXPANSION_CITY_PLANES if modules else ()),
    }
    named = {block: ", ".join(names) for block, names in fields.items()}
    decisions = decision_names(modules)
    sizes = SIZES[int(modules)].tolist()
    own_cards = "hand, committed, left_has, right_knows" + (", kept" if modules else "")
    own_tiles = "screen, committed, aside" + (", lower, own_lower" if modules else "")
    columns = "; the last column counts green spaces" if modules else ""
    return [
        Block("decision", (len(decisions),), f"kind of decision awaited: {', '.join(decisions)}"),
        Block("status", (len(fields["status"]),), named["status"], high=TOP),
        Block("turn", (sides, sizes[Size.TURN]), f"for each seat: {named['turn']}"),
        Block("players", (sides, sizes[Size.PLAYER]), f"for each seat: {named['players']}", high=TOP),
        Block("bonus", (sides, N_COLORS, N_COLORS), "for each seat: what an action brings, [action, item]", high=TOP),
        Block("characters", (sides, N_CHARACTERS), "for each seat: how many of each; others' after the draft", high=4),
        Block("packet", (N_CHARACTERS,), "draft: characters to choose from", high=4, seen_by="self"),
        Block(
            "hand",
            (MAX_HAND if modules else HAND_SIZE, len(HAND_FIELDS)),
            f"for each card in hand, by its place: {', '.join(HAND_FIELDS)} (floors, mine, theirs, x, y of the building"
            " it names; x, y of the token)",
            high=TOP,
            seen_by="self",
        ),
        Block("tokens", (len(TOKEN_PLANES), N_LETTERS), f"{', '.join(TOKEN_PLANES)} of each letter", high=TOP),
        Block(
            "cards",
            (sizes[Size.CARD_PLANES] + sides, sizes[Size.CARDS]),
            f"sets of cards: {named['cards']}, then the tableau of each seat",
            seen_by=f"self: {own_cards}; all: the others",
        ),
        Block(
            "tiles",
            (sizes[Size.TILE_PLANES] + sides, sizes[Size.TILES]),
            f"sets of tiles: {named['tiles']}, then those known to be behind each seat's screen{columns}",
            high=N_GREEN_SPACES if modules else 1,
            seen_by=f"self: {own_tiles}; all: the others",
        ),
        Block(
            "city",
            (sizes[Size.CITY_PLANES] + sides, sizes[Size.BUILDINGS]),
            f"{named['city']}, then for each seat whether it is the owner, of each building in order of arrival;"
            " floors 0: no building",
            high=TOP,
        ),
    ]


def _expansion_blocks(sides: int) -> list[Block]:
    """Return the blocks that only observations with modules have."""
    return [
        Block("modules", (N_MODULES + 1,), "which modules are played; cards in a full hand", high=MAX_HAND),
        Block("expert", (sides, N_EXPERTS), "for each seat: its expert; others' after the draft"),
        Block("packet_experts", (N_EXPERTS,), "draft: experts to choose from", seen_by="self"),
        Block(
            "events",
            (len(EVENT_PLANES) + 2 * sides, N_EVENTS),
            f"event tiles: {', '.join(EVENT_PLANES)}, then what each seat is known to hold, then what each has played",
            seen_by="self: screen, committed; all: the others",
        ),
        Block("pending", (len(PENDING_FIELDS),), f"the turn under way: {', '.join(PENDING_FIELDS)}", high=TOP),
    ]
