"""The layout of compact features: a second, shorter view for learners, in numbers that players count (``features``).

Raw counts and points as float32, seats relative to the viewer as in observations. Ids are frozen by
``tests/ginkgopolis/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum

from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.ginkgopolis.constants import (
    HAND_SIZE,
    MAX_HAND,
    N_ALL_CARDS,
    N_COLORS,
    N_EVENTS,
    N_EXPERTS,
    N_MODULES,
    N_SOURCES,
    Action,
    Color,
    Endgame,
    EventTile,
    Item,
    Module,
    Source,
    Stage,
)

MANY, POINTS = 512, 4096  # bounds: of what is counted, and of points
N_DISTRICTS = 4  # that are shown


class F(IntEnum):
    """Blocks of the features in their order; from EXPANSION_SIDES on only with modules."""

    DECISION = 0
    GAME = 1
    SIDES = 2
    DISTRICTS = 3
    HAND = 4
    HAND_IDS = 5
    OWN_TILES = 6
    UNSEEN_TILES = 7
    UNSEEN_CARDS = 8
    EXPANSION_SIDES = 9
    EXPANSION_GAME = 10


def _of(what: str, names: type[IntEnum], n: int) -> tuple[str, ...]:
    return tuple(f"{what}_{member.name.lower()}" for member in tuple(names)[:n])


GAME = (
    *("share_left", "round", "rounds_left", "end_triggered", "exhaustions", "supply_tiles", "deck_cards", "discard_cards"),
    *("draft_pick", "buildings", "districts", "lone_buildings", "unowned_red", "unowned_blue", "unowned_yellow"),
)
SIDES = (
    *("total", "lead", "lead_times_left"),
    *("resources", "supply_resources", "tiles", "known_tiles", "new_hands", "cards", "is_first"),
    *(f"{action.name.lower()}_{item.name.lower()}" for action in Action for item in Item),
    *(f"{action.name.lower()}_{item.name.lower()}_times_left" for action in Action for item in Item),
    *_of("cards", Action, N_COLORS),
    *_of("cards", Color, N_COLORS),
    *_of("endgame", Endgame, len(Endgame))[1:],
    *_of("buildings", Color, N_COLORS),
    *_of("floors", Color, N_COLORS),
    *("high_buildings", "numbers", "districts_first", "districts_second"),
)
"""For each seat; the points by source come after them."""
DISTRICTS = ("buildings", "resources", "mine", "best_other", "first", "second")
HAND = (
    *("card", "letter", "mine", "theirs", "unowned", "red", "blue", "yellow", "number", "floors"),
    *_of("bonus", Action, N_COLORS),
    *_of("bonus", Item, N_COLORS),
    *("endgame", "endgame_points", "floors_beside_red", "floors_beside_blue", "floors_beside_yellow", "own_beside"),
)
HAND_IDS = ("card", "bonus_action", "endgame")
OWN_TILES = ("tiles", "highest", "sum")
UNSEEN_TILES = ("tiles", "sum")
UNSEEN_CARDS = ("letters", "mine", "theirs", "unowned", "endgame")
EXPANSION_SIDES = ("events", "events_played", "lower_tiles", "green_spaces")
EXPANSION_GAME = (
    *_of("module", Module, N_MODULES),
    *("hand_size", "new_buildings", "green_spaces", "own_new_buildings", "own_prestige", "own_green_spaces"),
    *_of("own", EventTile, N_EVENTS),
)


def features_layout(sides: int, *, modules: bool = False) -> Layout:
    """The blocks of the features with this number of sides (alone: two), without or with any modules."""
    decisions = [stage.name.lower() for stage in Stage if stage < (Stage.DEAL if modules else Stage.OVER) and stage != Stage.OVER]
    sources = [source.name.lower() for source in Source if modules or source < N_SOURCES]
    hand = MAX_HAND if modules else HAND_SIZE
    blocks = [
        Block("decision", (len(decisions),), f"kind of decision awaited: {', '.join(decisions)}"),
        Block("game", (len(GAME),), f"{', '.join(GAME)}; share_left: of the game, 1 to 0, by what runs out first", 0, MANY),
        Block(
            "sides",
            (sides, len(SIDES) + len(sources)),
            f"for each seat: {', '.join(SIDES)}; then points as they stand from {', '.join(sources)}",
            -POINTS,
            POINTS,
        ),
        Block("districts", (N_DISTRICTS, len(DISTRICTS)), f"those with the most resources: {', '.join(DISTRICTS)}", 0, MANY),
        Block(
            "hand",
            (hand, len(HAND)),
            f"for each card in hand, by its place: {', '.join(HAND)} (of the building or token that it names;"
            " endgame_points: what it would count now)",
            0,
            MANY,
            "self",
        ),
        Block(
            "hand_ids",
            (hand, len(HAND_IDS)),
            "ids for embeddings, 1 more than in the rules, 0: none: card; action of its"
            " permanent bonus; how it counts at the end",
            0,
            N_ALL_CARDS,
            "self",
        ),
        Block(
            "own_tiles", (len(OWN_TILES), N_COLORS), f"behind the own screen, by color: {', '.join(OWN_TILES)}", 0, MANY, "self"
        ),
        Block(
            "unseen_tiles",
            (len(UNSEEN_TILES), N_COLORS),
            f"tiles of value I whose place the seat does not know, by color: {', '.join(UNSEEN_TILES)}",
            0,
            MANY,
            "self",
        ),
        Block(
            "unseen_cards",
            (len(UNSEEN_CARDS),),
            f"cards that may be in the deck or in others' hands: {', '.join(UNSEEN_CARDS)} (by the building named)",
            0,
            MANY,
            "self",
        ),
    ]
    if modules:
        blocks += [
            Block(
                "expansion_sides",
                (sides, len(EXPANSION_SIDES) + N_EXPERTS),
                f"for each seat: {', '.join(EXPANSION_SIDES)}; then its expert; others' after the draft",
                0,
                MANY,
            ),
            Block("expansion_game", (len(EXPANSION_GAME),), ", ".join(EXPANSION_GAME), 0, MANY, "self: own; all: the others"),
        ]
    return Layout(blocks)
