"""The layouts of observations: named blocks of one flat vector, without and with modules.

Seats are relative to the viewer: 0 is oneself, 1 the left neighbor, and so on; alone, 1 is William. Cells are counted from
the city's north-west corner (x, y >= 0), so that a city looks the same wherever it has grown. Ids are frozen by
``tests/ginkgopolis/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.ginkgopolis.constants import (
    HAND_SIZE,
    MAX_BUILDINGS,
    MAX_HAND,
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
    EventTile,
    Split,
    Stage,
)

OBSERVATION_DTYPE = np.uint8
TOP = 255  # numbers above are shown as this (only SP and rounds could ever be)
CITY_SLOTS = N_TILES  # no city of the base game can hold more buildings


class O(IntEnum):  # noqa: E742 -- the short name keeps kernels readable
    """Blocks of an observation in their order."""

    DECISION = 0
    STATUS = 1
    TURN = 2
    PLAYERS = 3
    BONUS = 4
    CHARACTERS = 5
    PACKET = 6
    HAND = 7
    TOKENS = 8
    CARDS = 9
    TILES = 10
    CITY = 11
    MODULES = 12  # from here on with modules only
    EXPERT = 13
    PACKET_EXPERTS = 14
    EVENTS = 15
    PENDING = 16


STATUS_FIELDS = (
    *("round", "rounds_left", "end_triggered", "exhaustions", "supply_tiles", "deck_cards", "discard_cards"),
    *("draft_pick", "draws_due"),
)
TURN_FIELDS = ("is_actor", "is_first", "is_resolving", "has_card_out", "has_tile_out")
PLAYER_FIELDS = ("points", "resources", "supply_resources", "new_hands", "tiles", "cards")
HAND_FIELDS = ("card", "letter", "red", "blue", "yellow", "number", "floors", "mine", "theirs", "x", "y")
TOKEN_PLANES = ("placed", "x", "y")
CARD_PLANES = ("hand", "committed", "left_has", "right_knows", "discard", "resolving")  # then a tableau for each seat
TILE_PLANES = ("screen", "committed", "aside", "returned", "buried")  # then the known tiles of each seat
CITY_PLANES = ("floors", "x", "y", "red", "blue", "yellow", "number", "pawn")  # then an owner flag for each seat

# With modules the following come after those above.
EXPANSION_STATUS_FIELDS = ("new_buildings", "green_spaces")  # tiles left in these stacks; after the others
EXPANSION_TURN_FIELDS = ("has_lower_out", "has_event_out")
EXPANSION_PLAYER_FIELDS = ("events", "lower_tiles")
EXPANSION_CARD_PLANES = ("kept",)
EXPANSION_TILE_PLANES = ("lower", "resolving", "stacks", "own_lower")
EXPANSION_CITY_PLANES = ("green",)
EVENT_PLANES = ("screen", "committed")  # then those known to be held by each seat, then those played by each seat
PENDING_FIELDS = (
    *("timing", "before_action", "after_action"),  # phase of the turn; all 0: the action
    *("chose_before", "chose_after"),
    *(kind.name.lower() for kind in EventTile),  # the event shown
    *("zone_x", "zone_y", "zone_center"),
    *(f"split_{choice.name.lower()}" for choice in Split if choice < Split.DONE),
    *("green_drawn", "received"),
)

_N_HAND = len(HAND_FIELDS)


def observation_layout(sides: int) -> Layout:
    """The blocks of an observation with this number of sides (alone: two), without modules."""
    return Layout(_blocks(sides))


def expansion_layout(sides: int) -> Layout:
    """The blocks of an observation with this number of sides, with any modules."""
    return Layout([*_blocks(sides, modules=True), *_expansion_blocks(sides)])


def _blocks(sides: int, *, modules: bool = False) -> list[Block]:
    """The blocks that all observations have."""
    fields = {
        "status": STATUS_FIELDS + (EXPANSION_STATUS_FIELDS if modules else ()),
        "turn": TURN_FIELDS + (EXPANSION_TURN_FIELDS if modules else ()),
        "players": PLAYER_FIELDS + (EXPANSION_PLAYER_FIELDS if modules else ()),
        "cards": CARD_PLANES + (EXPANSION_CARD_PLANES if modules else ()),
        "tiles": TILE_PLANES + (EXPANSION_TILE_PLANES if modules else ()),
        "city": CITY_PLANES + (EXPANSION_CITY_PLANES if modules else ()),
    }
    named = {block: ", ".join(names) for block, names in fields.items()}
    decisions = [stage.name.lower() for stage in Stage if stage < (Stage.DEAL if modules else Stage.OVER) and stage != Stage.OVER]
    own_cards = "hand, committed, left_has, right_knows" + (", kept" if modules else "")
    own_tiles = "screen, committed, aside" + (", lower, own_lower" if modules else "")
    columns = "; the last column counts green spaces" if modules else ""
    return [
        Block("decision", (len(decisions),), f"kind of decision awaited: {', '.join(decisions)}"),
        Block("status", (len(fields["status"]),), named["status"], high=TOP),
        Block("turn", (sides, len(fields["turn"])), f"for each seat: {named['turn']}"),
        Block("players", (sides, len(fields["players"])), f"for each seat: {named['players']}", high=TOP),
        Block("bonus", (sides, N_COLORS, N_COLORS), "for each seat: what an action brings, [action, item]", high=TOP),
        Block("characters", (sides, N_CHARACTERS), "for each seat: how many of each; others' after the draft", high=4),
        Block("packet", (N_CHARACTERS,), "draft: characters to choose from", high=4, seen_by="self"),
        Block(
            "hand",
            (MAX_HAND if modules else HAND_SIZE, _N_HAND),
            f"for each card in hand, by its place: {', '.join(HAND_FIELDS)} (floors, mine, theirs, x, y of the building"
            " it names; x, y of the token)",
            high=TOP,
            seen_by="self",
        ),
        Block("tokens", (len(TOKEN_PLANES), N_LETTERS), f"{', '.join(TOKEN_PLANES)} of each letter", high=TOP),
        Block(
            "cards",
            (len(fields["cards"]) + sides, N_ALL_CARDS if modules else N_CARDS),
            f"sets of cards: {named['cards']}, then the tableau of each seat",
            seen_by=f"self: {own_cards}; all: the others",
        ),
        Block(
            "tiles",
            (len(fields["tiles"]) + sides, N_ALL_TILES if modules else N_TILES),
            f"sets of tiles: {named['tiles']}, then those known to be behind each seat's screen{columns}",
            high=N_GREEN_SPACES if modules else 1,
            seen_by=f"self: {own_tiles}; all: the others",
        ),
        Block(
            "city",
            (len(fields["city"]) + sides, MAX_BUILDINGS if modules else CITY_SLOTS),
            f"{named['city']}, then for each seat whether it is the owner, of each building in order of arrival;"
            " floors 0: no building",
            high=TOP,
        ),
    ]


def _expansion_blocks(sides: int) -> list[Block]:
    """The blocks that only observations with modules have."""
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
