"""The state of one game: a single numpy record. A batch is an array of them.

Wide fields come first, so that the record has no gaps; piles and fields used only by setup come last. What a seat cannot see
reaches it only through ``observe``. Seats include William.

Numbers are signed throughout, as Numba turns arithmetic that mixes signed and unsigned 64-bit integers into floats.
A *set* holds cards or tiles by id (``core.compile.bits``). Ids: tile and building card = 20 x color + number - 1; letter = 60 +
letter; those of the expansion follow (``components``).

One dtype serves all configurations. Fields of The Experts keep their empty values without modules.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.state import (
    IN_PART,
    NO_SEAT,
    OWNER,
    Array,
    Axis,
    Record,
    Things,
    byte,
    counts,
    flag,
    item,
    number,
    one_of,
    pile,
    record_dtype,
    seat,
    set_of,
    uint64,
)
from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    MAX_BUILDINGS,
    MAX_HAND,
    MAX_PLAYERS,
    MAX_ROUNDS,
    MOST_DRAWS,
    MOST_POINTS,
    MOST_RECEIVED,
    N_ALL_CARDS,
    N_CARDS,
    N_CHARACTER_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_DIRECTIONS,
    N_EVENTS,
    N_EXPERTS,
    N_GREEN_SPACES,
    N_IDS,
    N_LETTERS,
    N_MODULES,
    N_NEW_BUILDINGS,
    N_TILES,
    NEW_HANDS,
    NONE,
    RESOURCES,
    Action,
    Ending,
    EventTile,
    Phase,
    Split,
    Stage,
    Timing,
)

P, C = Axis(MAX_PLAYERS, "players"), Axis(MAX_BUILDINGS, "n_buildings")
_SPARE_CARDS = 9  # of the expansion, so that a deck of it fits as well
_ALL_EVENTS = (1 << N_EVENTS) - 1

TILE = Things("tile", N_IDS)
CARD = Things("card", N_ALL_CARDS, all_in_places=False)  # those of tiles not in play are in the box (R5.4)
CHARACTER = Things("character", N_CHARACTERS, all_in_places=False)
EXPERT = Things("expert", N_EXPERTS, all_in_places=False)
SLOT = Things("building", MAX_BUILDINGS)


class State(Record):
    """The fields of a game's record, from which its dtype is made; also the type of ``g`` in kernels."""

    # words
    rng: np.uint64 = uint64("state of the generator", seen_by=NO_SEAT)
    seed: np.uint64 = uint64("seed of this game", seen_by=NO_SEAT)
    hand: Array = set_of("cards without the committed one", CARD, P, seen_by=OWNER)
    tiles: Array = set_of("tiles behind the screen; their number is public", TILE, P, seen_by=OWNER)
    passed: Array = set_of(
        "cards that both know to be in the left neighbor's hand (R10.3)", CARD, P, is_place=False, seen_by=IN_PART
    )
    discard: Array = set_of("the discard pile (R3.6)", CARD)
    known_tiles: Array = set_of("tiles known by all to be behind this screen or committed (R10.3)", TILE, P, is_place=False)
    tableau: Array = set_of("building cards in front of the screen", CARD, P)
    buried: Array = set_of("tiles covered by others", TILE, high=FIRST_PRESTIGE - 1)
    aside: Array = set_of("tiles set aside in R7.1, until all have chosen", TILE, P, seen_by=OWNER)
    returned: Array = set_of("tiles returned by R7.1", TILE, high=N_TILES - 1, is_place=False)
    removed: Array = set_of("tiles out of the game (R2.3)", TILE, high=N_TILES - 1, seen_by=NO_SEAT)
    lower_tiles: Array = set_of("lower tiles in the city by who placed them (X6)", TILE, P, seen_by=OWNER)
    prestige: Array = set_of("tiles in the three stacks of value III", TILE, low=FIRST_PRESTIGE, high=GREEN_SPACE - 1)

    # short numbers
    points: Array = number("SP behind the screen (R10.1)", P, high=MOST_POINTS)
    rounds: int = number("the round's number, 0 before the first choice", high="max_rounds", dtype=np.int16)
    max_rounds: int = number("the game is truncated after this round (R8.4); configuration", low=1, high=MAX_ROUNDS)
    draws: int = number("tiles still to be drawn by the action under way", high=MOST_DRAWS)
    packet_experts: Array = set_of("draft: experts to choose from", EXPERT, P, dtype=np.uint16, seen_by=OWNER)

    # configuration
    players: int = number("sides that score; alone 2, the second is William; configuration", low=2, high=MAX_PLAYERS)
    solo: int = flag("1 alone against William (R9); configuration")
    advanced: int = flag("1 at William's advanced level (R9.4); configuration")
    draft: int = flag("1 if characters are drafted, 0 for introductory sets (R2.7); configuration")
    strict: int = flag("1 if the mask hides what cannot be paid (R3.3); configuration")
    # where the game stands
    stage: int = one_of("the kind of decision awaited", Stage, high=Stage.PAY)
    actor: int = seat("who decides; nobody when over")
    first: int = seat("first player; nobody before it is picked")
    cursor: int = number("how many have chosen / been resolved in this phase, in turn order", below="players")
    returner: int = number("how many have finished returning tiles (R7.1), in turn order", below="players")
    pick: int = number("draft: which of the picks, from 0", high=DRAFT_PICKS)
    ending: int = one_of("what triggered the end first", Ending)
    exhaustions: int = number("how often the tile supply ran out (R7)", high=2)
    # the action under way
    player: int = seat("whose action is resolved")
    action: int = one_of("what the action turned out to be", Action)
    building: int = item("the building just urbanized, while its token is to be placed", SLOT)
    # what players have
    resources: Array = number("behind the screen", P, high=max(RESOURCES))
    supply_resources: Array = number("own ones in the general supply", P, high=max(RESOURCES))
    new_hands: Array = number("tokens left", P, high=NEW_HANDS)
    card: Array = item("committed card, hidden until revealed", CARD, P, seen_by=IN_PART)
    tile: Array = item("committed tile, hidden until revealed", TILE, P, seen_by=IN_PART)
    bonus: Array = number("[seat, action, item]: what an own action brings (R1.5)", P, N_COLORS, N_COLORS, high=127)
    # the city
    supply_size: int = number("tiles left in the supply", high=N_TILES)
    deck_size: int = number("cards left in the deck", high=N_ALL_CARDS)
    n_buildings: int = number("buildings of the city", low=1, high=MAX_BUILDINGS)
    west: int = byte("lowest x of a building")
    north: int = byte("lowest y of a building")
    token_x: Array = byte("column of each token; NOWHERE for the one in hand", N_LETTERS)
    token_y: Array = byte("row of each token; NOWHERE for the one in hand", N_LETTERS)
    x: Array = byte("column of each building", C)
    y: Array = byte("row of each building", C)
    top: Array = item("tile on top", TILE, C, low=0)
    floors: Array = number("also the number of resources on it, if it is owned", C, low=1, high=MAX_BUILDINGS)
    owner: Array = seat("owner of each building", C)
    pawn: Array = flag("1 with a construction-site pawn: its card is not in the deck yet", C)
    slot: Array = item("the building with this tile on top", SLOT, N_IDS)
    adjacent: Array = item("the neighbors N E S W of a building", SLOT, C, N_DIRECTIONS)
    # piles and characters
    supply: Array = pile("the next one last", TILE, N_TILES, size="supply_size", below=N_TILES, seen_by=NO_SEAT)
    deck: Array = pile("the next one last", CARD, N_CARDS + _SPARE_CARDS, size="deck_size", seen_by=NO_SEAT)
    characters: Array = counts("how many of each; secret in the draft", CHARACTER, P, high=N_CHARACTER_CARDS, seen_by=IN_PART)
    packet: Array = counts("draft: characters to choose from", CHARACTER, P, high=N_CHARACTER_CARDS, seen_by=OWNER)

    # The Experts: empty without modules
    expansion: int = flag("1 if the game is played with any module; configuration")
    modules: Array = flag("by Module; configuration", N_MODULES)
    hand_size: int = number("cards in a full hand (R2.9, R9.2, X5); configuration", low=1, high=MAX_HAND)
    # where the turn stands
    phase: int = one_of("the phase of the turn", Phase)
    timing: int = one_of("when the event under way takes effect, NONE before the choice", Timing, low=NONE, empty=NONE)
    zone: Array = byte("x, y, and 1 if that cell belongs to the zone itself (X4.3)", 3)
    payer: int = number("quality control: how many have paid, clockwise", below="players")
    received: int = number("quality control: SP received so far", high=MOST_RECEIVED)
    split: Array = number("what has been chosen of the split under way, by Split", len(Split) - 1, high=N_NEW_BUILDINGS)
    is_split: int = flag("1 from when the draws under way are split until they are done")
    green_drawn: int = flag("1 if a green space was drawn in this turn (X3.1)")
    # what players have
    expert: Array = item("the expert of a player; secret in the draft", EXPERT, P, seen_by=IN_PART)
    events: Array = number(
        "bits of the event tiles behind the screen; public with experts (X4.1)", P, high=_ALL_EVENTS, seen_by=IN_PART
    )
    events_known: Array = number("bits of those known by all to be behind this screen or committed (X4.4)", P, high=_ALL_EVENTS)
    events_played: Array = number("bits of those that have taken effect", P, high=_ALL_EVENTS)
    event: Array = one_of("committed event tile, hidden until revealed", EventTile, P, low=NONE, empty=NONE, seen_by=IN_PART)
    lower: Array = item("committed lower tile, hidden from others for good", TILE, P, seen_by=OWNER)
    kept: Array = item("card kept (X5)", CARD, P, seen_by=OWNER)
    # how many green spaces: equal tiles, in sets only as one member if there are any
    green: Array = number(
        "green spaces in `tiles`", P, high=N_GREEN_SPACES, of=TILE, thing=GREEN_SPACE, among="tiles", seen_by=OWNER
    )
    green_aside: Array = number(
        "green spaces in `aside`", P, high=N_GREEN_SPACES, of=TILE, thing=GREEN_SPACE, among="aside", seen_by=OWNER
    )
    green_known: Array = number(
        "green spaces in `known_tiles`", P, high=N_GREEN_SPACES, of=TILE, thing=GREEN_SPACE, among="known_tiles", is_place=False
    )
    green_lower: Array = number(
        "green spaces in `lower_tiles`", P, high=N_GREEN_SPACES, of=TILE, thing=GREEN_SPACE, among="lower_tiles", seen_by=OWNER
    )
    # stacks
    green_stack: int = number("green spaces left", high=N_GREEN_SPACES, of=TILE, thing=GREEN_SPACE)
    n_new_buildings: int = number("tiles of value II left", high=N_NEW_BUILDINGS)
    new_buildings: Array = pile(
        "the next one last",
        TILE,
        N_NEW_BUILDINGS,
        size="n_new_buildings",
        low=FIRST_NEW_BUILDING,
        below=FIRST_PRESTIGE,
        seen_by=NO_SEAT,
    )


RECORD = record_dtype(State)
"""The dtype of a game's state, at most 2 KB. One object for all: Numba recognizes a dtype by identity."""
