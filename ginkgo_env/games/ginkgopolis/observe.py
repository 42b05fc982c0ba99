"""What a seat may know (R10), as one flat vector of named blocks, and its city as planes.

Seats are relative to the viewer: 0 is the viewer, 1 the left neighbor, and so on; alone, 1 is William. Cells are counted from
the city's north-west corner (x, y >= 0), so that a city looks the same wherever it has grown. Ids are frozen by
``tests/ginkgopolis/frozen_ids.json``. :func:`observe` is the only way from hidden fields to output.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.checks import integer, shaped
from ginkgo_env.core.compile.bits import ONE, ZERO, count, has, lowest, popcount
from ginkgo_env.core.compile.intrinsics import clear, equal_bits, greater_bits, replace_items, write_bits, write_items
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.kernels import seat_at
from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.ginkgopolis.actions import high_indices, low_indices, tile_index
from ginkgo_env.games.ginkgopolis.components import TILE_COLOR, TILE_NUMBER, is_letter
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
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
    N_NEW_BUILDINGS,
    N_NUMBERS,
    N_PRESTIGE,
    N_TILES,
    NOBODY,
    NONE,
    NOWHERE,
    PLAYER,
    WORDS,
    Ending,
    Module,
    Phase,
    Split,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module
from ginkgo_env.games.ginkgopolis.rules.cards import right_of
from ginkgo_env.games.ginkgopolis.rules.tiles import count_tiles, tiles_behind
from ginkgo_env.games.ginkgopolis.state import State

# --- layout ------------------------------------------------------------------------------------------------------------------


OBSERVATION_DTYPE = np.uint8
TOP = 255  # larger numbers are clipped to this; only SP and rounds can reach it
CITY_SLOTS = N_TILES  # the most buildings of a city in the base game


ObsBlock = IntEnum(
    "ObsBlock",
    """
    DECISION STATUS TURN PLAYERS BONUS CHARACTERS PACKET HAND TOKENS CARDS TILES CITY
    MODULES EXPERT PACKET_EXPERTS EVENTS PENDING
    """,
    start=0,
)
"""Blocks of an observation, in order; from MODULES on only with modules."""


class ConfigurationField(IntEnum):
    """Fields of block configuration, the last one of padded views: seats that are played, then options."""

    SEAT_0, SEAT_1, SEAT_2, SEAT_3, SEAT_4, SOLO, ADVANCED, DRAFT, STRICT = range(9)


StatusField = IntEnum(
    "StatusField",
    """
    ROUND ROUNDS_LEFT END_TRIGGERED EXHAUSTIONS SUPPLY_TILES DECK_CARDS DISCARD_CARDS DRAFT_PICK DRAWS_DUE
    NEW_BUILDINGS GREEN_SPACES
    """,
    start=0,
)
"""Fields of block status; the last two, tiles left in these stacks, only with modules."""


TurnField = IntEnum(
    "TurnField",
    """
    IS_ACTOR IS_FIRST IS_RESOLVING HAS_CARD_OUT HAS_TILE_OUT
    HAS_LOWER_OUT HAS_EVENT_OUT
    """,
    start=0,
)
"""Fields of block turn, for each seat; the last two only with modules."""


PlayerField = IntEnum(
    "PlayerField",
    """
    POINTS RESOURCES SUPPLY_RESOURCES NEW_HANDS TILES CARDS
    EVENTS LOWER_TILES
    """,
    start=0,
)
"""Fields of block players, for each seat; the last two only with modules."""


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


PendingField = IntEnum(
    "PendingField",
    """
    TIMING BEFORE_ACTION AFTER_ACTION CHOSE_BEFORE CHOSE_AFTER DESIGN PRESS EXPROPRIATION CONTROL
    ZONE_X ZONE_Y ZONE_CENTER SPLIT_RED SPLIT_BLUE SPLIT_YELLOW SPLIT_NEW_BUILDING SPLIT_GREEN_SPACE
    GREEN_DRAWN RECEIVED
    """,
    start=0,
)
"""Fields of block pending: phase of the turn (all 0 in the action), timing, event, zone, split."""


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


# --- games with modules (X7.3, X7.4) -----------------------------------------------------------------------------------------


_N_EVENT_PLANES = len(EVENT_PLANES)
# Field of block pending by Phase.
_PHASE_FIELD = np.array([NONE, PendingField.TIMING, PendingField.BEFORE_ACTION, PendingField.AFTER_ACTION])


@kernel
def is_in_sequence(g: State, p: int) -> bool:
    """Whether a player has committed a card and is still choosing, which nobody else may see (X7.3)."""
    return g.actor == p and (g.stage == Stage.LOWER or g.stage == Stage.EVENT or g.stage == Stage.KEEP)


@kernel(inline=True)
def write_modules(g: State, out: np.ndarray) -> None:
    """Write block modules."""
    for module in range(N_MODULES):
        out[module] = g.modules[module]
    out[N_MODULES] = g.hand_size


@kernel(inline=True)
def write_turn(g: State, p: int, choosing: bool, out: np.ndarray) -> None:
    """Write the fields of block turn that modules add."""
    out[TurnField.HAS_LOWER_OUT] = 1 if g.lower[p] != NONE and not choosing else 0
    out[TurnField.HAS_EVENT_OUT] = 1 if g.event[p] != NONE and not choosing else 0


@kernel(inline=True)
def write_counts(g: State, p: int, choosing: bool, out: np.ndarray) -> None:
    """Write the fields of block players that modules add."""
    committed = 1 if choosing and g.event[p] != NONE else 0  # R10.1: counts as held
    out[PlayerField.EVENTS] = committed + popcount(np.uint64(g.events[p]))
    out[PlayerField.LOWER_TILES] = count_tiles(g.lower_tiles[p], int(g.green_lower[p]))


@kernel(inline=True)
def write_expert(g: State, p: int, out: np.ndarray) -> None:
    """Write a row of block expert (X6.1)."""
    if g.expert[p] != NONE:
        out[g.expert[p]] = 1


@kernel(inline=True)
def write_packet(g: State, seat: int, out: np.ndarray) -> None:
    """Write block packet_experts (X6.1)."""
    for expert in range(N_EXPERTS):
        if has(g.packet_experts[seat], expert):
            out[expert] = 1


@kernel(inline=True)
def write_events(g: State, seat: int, k: int, p: int, out: np.ndarray) -> None:
    """Write what block events has of player p, the k-th to the left."""
    held = int(g.events[p])
    if k == 0:  # X7.4: event tiles are private
        for kind in range(N_EVENTS):
            out[EventPlane.SCREEN * N_EVENTS + kind] = held >> kind & 1
        if g.event[p] != NONE:
            out[EventPlane.COMMITTED * N_EVENTS + g.event[p]] = 1
    if g.event[p] != NONE and g.player != p:  # X4.2: face down, so still known to be held
        held |= 1 << g.event[p]
    if not has_module(g, Module.EXPERTS):  # X4.1: with experts they are public
        held &= int(g.events_known[p])
    row, seats = _N_EVENT_PLANES + k, (out.shape[0] // N_EVENTS - _N_EVENT_PLANES) // 2  # absent ones of a padded block included
    for kind in range(N_EVENTS):
        out[row * N_EVENTS + kind] = held >> kind & 1
        out[(row + seats) * N_EVENTS + kind] = g.events_played[p] >> kind & 1


@kernel(inline=True)
def write_pending(g: State, out: np.ndarray) -> None:
    """Write block pending: the turn under way, as everybody sees it."""
    if g.player == NOBODY:
        return
    if g.phase != Phase.ACTION:
        out[_PHASE_FIELD[g.phase]] = 1
    if g.timing != NONE:
        out[PendingField.CHOSE_BEFORE + g.timing] = 1
    if g.event[g.player] != NONE:  # shown, with its zone (X4.3)
        out[PendingField.DESIGN + g.event[g.player]] = 1
        out[PendingField.ZONE_X] = g.zone[0] - g.west + 1
        out[PendingField.ZONE_Y] = g.zone[1] - g.north + 1
        out[PendingField.ZONE_CENTER] = g.zone[2]
    for choice in range(Split.DONE):
        out[PendingField.SPLIT_RED + choice] = g.split[choice]
    out[PendingField.GREEN_DRAWN] = g.green_drawn
    out[PendingField.RECEIVED] = g.received


@kernel(inline=True)
def write_greens(g: State, seat: int, out: np.ndarray, width: int, first_known: int) -> None:
    """Write the numbers of green spaces in block tiles, where a set only says whether there are any."""
    column = tile_index(GREEN_SPACE)
    out[TilePlane.SCREEN * width + column] = g.green[seat]
    out[TilePlane.ASIDE * width + column] = g.green_aside[seat]
    out[TilePlane.OWN_LOWER * width + column] = g.green_lower[seat]
    for k in range(g.players):
        p = seat + k if seat + k < g.players else seat + k - g.players
        out[(first_known + k) * width + column] = g.green_known[p]


# --- the observation ---------------------------------------------------------------------------------------------------------


_N_HAND = len(HAND_FIELDS)
_WORD, _HALF, _BYTE = (np.iinfo(kind).bits for kind in (np.uint64, np.uint32, np.uint8))
_NINE = N_CHARACTERS  # = N_COLORS * N_COLORS
_ALL_BYTES = np.uint8(255)  # of eight
_N_NEW, _N_PRESTIGE = N_NEW_BUILDINGS // N_COLORS, N_PRESTIGE // N_COLORS  # tiles of each color
_NEW_NUMBER, _PRESTIGE_NUMBER = N_NUMBERS + 1, N_NUMBERS + 1 + _N_NEW  # the lowest numbers on these tiles


@kernel
def size_of(size: int) -> int:
    """Return a number of fields, planes or columns; `size` is a Size."""
    return SIZES[1, size] if EXPANSION else SIZES[0, size]


@kernel
def observe(g: State, t: None, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write what a seat may know into out (n,) uint8; `at` (blocks + 1,) holds the offsets (R10)."""
    if seat >= g.players:  # an absent seat sees nothing
        clear(out)
        return
    clear(out[: at[ObsBlock.CARDS]])
    clear(out[at[ObsBlock.CITY + 1] :])
    write_status(g, seat, out, at)
    for k in range(g.players):
        write_player(g, seat, k, out, at)
    write_tokens(g, out[at[ObsBlock.TOKENS] :])
    write_hand(g, seat, out, at)
    write_cards(g, seat, out[at[ObsBlock.CARDS] : at[ObsBlock.TILES]])
    write_tiles(g, seat, out[at[ObsBlock.TILES] : at[ObsBlock.CITY]])
    write_city(g, seat, out[at[ObsBlock.CITY] : at[ObsBlock.CITY + 1]])
    if g.stage == Stage.DRAFT:  # R10.2: the own packet only
        for c in range(N_CHARACTERS):
            out[at[ObsBlock.PACKET] + c] = g.packet[seat, c]
    if EXPANSION:
        write_modules(g, out[at[ObsBlock.MODULES] :])
        write_pending(g, out[at[ObsBlock.PENDING] :])
        if g.stage == Stage.DRAFT:
            write_packet(g, seat, out[at[ObsBlock.PACKET_EXPERTS] :])
    n_blocks = N_EXPANSION_BLOCKS if EXPANSION else N_BLOCKS
    if at.size > n_blocks + 1:  # padded
        write_configuration(g, out[at[n_blocks] :])


@kernel(inline=True)
def write_configuration(g: State, out: np.ndarray) -> None:
    """Write block configuration."""
    for k in range(g.players):
        out[ConfigurationField.SEAT_0 + k] = 1
    out[ConfigurationField.SOLO] = g.solo
    out[ConfigurationField.ADVANCED] = g.advanced
    out[ConfigurationField.DRAFT] = g.draft
    out[ConfigurationField.STRICT] = g.strict


@kernel(inline=True)
def write_decision(g: State, seat: int, out: np.ndarray) -> None:
    """Write block decision."""
    if EXPANSION and g.actor != seat and is_in_sequence(g, int(g.actor)):  # X7.3: others only see that somebody is choosing
        out[DECISION_COLUMN[Stage.COMMIT]] = 1
    elif DECISION_COLUMN[g.stage] != NONE:
        out[DECISION_COLUMN[g.stage]] = 1


@kernel(inline=True)
def write_status(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write blocks decision and status (R10.1)."""
    write_decision(g, seat, out[at[ObsBlock.DECISION] :])
    status = out[at[ObsBlock.STATUS] :]
    status[StatusField.ROUND] = min(TOP, int(g.rounds))
    status[StatusField.ROUNDS_LEFT] = min(TOP, int(g.max_rounds) - int(g.rounds))
    status[StatusField.END_TRIGGERED] = 1 if g.ending != Ending.NONE else 0
    status[StatusField.EXHAUSTIONS] = g.exhaustions
    status[StatusField.SUPPLY_TILES] = g.supply_size
    status[StatusField.DECK_CARDS] = g.deck_size
    status[StatusField.DISCARD_CARDS] = count(g.discard)
    status[StatusField.DRAFT_PICK] = g.pick
    status[StatusField.DRAWS_DUE] = min(TOP, int(g.draws))
    if EXPANSION:
        status[StatusField.NEW_BUILDINGS] = g.n_new_buildings
        status[StatusField.GREEN_SPACES] = g.green_stack


@kernel(inline=True)
def is_committing(g: State) -> bool:
    """Whether players are choosing, so that nothing on a card is visible yet (R10.1, X7.3)."""
    return g.stage == Stage.COMMIT or (EXPANSION and is_in_sequence(g, int(g.actor)))


@kernel(inline=True)
def tiles_shown(g: State, p: int) -> int:
    """Count the tiles that a player seems to hold."""
    tiles = tiles_behind(g, p)
    if is_committing(g) or g.stage == Stage.RETURN:  # R10.1: what is committed or set aside in secret counts as held
        tiles += count_tiles(g.aside[p], int(g.green_aside[p])) if EXPANSION else count(g.aside[p])
        tiles += 1 if g.tile[p] != NONE else 0
        if EXPANSION:
            tiles += 1 if g.lower[p] != NONE else 0
    return tiles


@kernel(inline=True)
def cards_shown(g: State, p: int) -> int:
    """Count the cards that a player seems to hold."""
    cards = count(g.hand[p])
    if is_committing(g) and not (g.solo and p != PLAYER):  # R10.1: committed cards count as held; William has no hand
        cards += 1 if g.card[p] != NONE else 0
        if EXPANSION:
            cards += 1 if g.kept[p] != NONE else 0
    return cards


@kernel(inline=True)
def write_nine(array: np.ndarray, out: np.ndarray, start: int) -> None:
    """Write nine numbers: the bonuses or the characters of a player."""
    for first in (0, _NINE - _BYTE):  # bytes that overlap
        write_items(out, start + first, array, first, 0, _ALL_BYTES)


@kernel(inline=True)
def write_player(g: State, seat: int, k: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write rows of blocks turn, players, bonus and characters: of the k-th seat to the left."""
    p = seat_at(g, seat, k)
    # Read before anything is written: to the compiler, bytes that are written may be any field of the state.
    choosing, tiles, cards = is_committing(g), tiles_shown(g, p), cards_shown(g, p)
    turn = out[at[ObsBlock.TURN] + k * size_of(Size.TURN) :]
    turn[TurnField.IS_ACTOR] = 1 if g.actor == p else 0
    turn[TurnField.IS_FIRST] = 1 if g.first == p else 0
    turn[TurnField.IS_RESOLVING] = 1 if g.player == p else 0
    turn[TurnField.HAS_CARD_OUT] = 1 if g.card[p] != NONE else 0
    turn[TurnField.HAS_TILE_OUT] = 1 if g.tile[p] != NONE and not choosing else 0  # R3.1: visible once actions are resolved
    player = out[at[ObsBlock.PLAYERS] + k * size_of(Size.PLAYER) :]
    if EXPANSION:
        if k > 0 and is_in_sequence(g, p):  # X7.3: others see it when the next player chooses
            turn[TurnField.HAS_CARD_OUT] = 0
        write_turn(g, p, choosing, turn)
        write_counts(g, p, choosing, player)
        write_events(g, seat, k, p, out[at[ObsBlock.EVENTS] : at[ObsBlock.EVENTS + 1]])
    player[PlayerField.POINTS] = min(TOP, int(g.points[p]))
    player[PlayerField.RESOURCES] = g.resources[p]
    player[PlayerField.SUPPLY_RESOURCES] = g.supply_resources[p]
    player[PlayerField.NEW_HANDS] = g.new_hands[p]
    player[PlayerField.TILES], player[PlayerField.CARDS] = tiles, cards
    write_nine(g.bonus[p], out, at[ObsBlock.BONUS] + k * _NINE)
    if k == 0 or g.stage != Stage.DRAFT:  # R2.7: others' characters are shown at the end of the draft
        write_nine(g.characters[p], out, at[ObsBlock.CHARACTERS] + k * _NINE)
        if EXPANSION:
            write_expert(g, p, out[at[ObsBlock.EXPERT] + k * N_EXPERTS :])


@kernel(inline=True)
def write_tokens(g: State, out: np.ndarray) -> None:
    """Write block tokens."""
    placed = ZERO
    for letter in range(N_LETTERS):
        placed |= np.uint64(g.token_x[letter] != NOWHERE) << np.uint64(letter)
    x, y = 1 - int(g.west), 1 - int(g.north)  # R6.2, R6.3: at most one cell outside the buildings
    for first in (0, N_LETTERS - _BYTE):  # bytes that overlap
        byte = np.uint8(placed >> np.uint64(first))
        write_bits(out, TokenPlane.PLACED * N_LETTERS + first, byte)
        write_items(out, TokenPlane.X * N_LETTERS + first, g.token_x, first, x, byte)
        write_items(out, TokenPlane.Y * N_LETTERS + first, g.token_y, first, y, byte)


@kernel(inline=True)
def write_hand(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write block hand: the cards in the order that actions use, and what they name in the city."""
    k = at[ObsBlock.HAND]
    for w in range(WORDS):
        rest = g.hand[seat, w]
        while rest != ZERO:
            card = (w << 6) + lowest(rest)
            rest &= rest - ONE
            out[k + HandField.CARD] = 1
            if is_letter(card):
                letter = card - N_TILES
                out[k + HandField.LETTER] = 1
                if g.token_x[letter] != NOWHERE:  # else the token is in hand (R6.1)
                    out[k + HandField.X] = g.token_x[letter] - g.west + 1
                    out[k + HandField.Y] = g.token_y[letter] - g.north + 1
            else:
                slot = g.slot[card]
                owner = int(g.owner[slot])
                out[k + HandField.RED + TILE_COLOR[card]] = 1
                out[k + HandField.NUMBER] = TILE_NUMBER[card]
                out[k + HandField.FLOORS] = g.floors[slot]
                out[k + HandField.MINE] = 1 if owner == seat else 0
                out[k + HandField.THEIRS] = 1 if owner != seat and owner != NOBODY else 0
                out[k + HandField.X] = g.x[slot] - g.west + 1
                out[k + HandField.Y] = g.y[slot] - g.north + 1
            k += _N_HAND


@kernel(inline=True)
def write_set(low: np.uint64, high: np.uint64, out: np.ndarray, start: int, width: int) -> None:
    """Write ones where a set of two words has members and zeros elsewhere, into `width` items."""
    if width > _WORD:  # two words that overlap
        write_bits(out, start, low)
        write_bits(out, start + width - _WORD, low >> np.uint64(width - _WORD) | high << np.uint64(2 * _WORD - width))
    else:
        write_bits(out, start, np.uint32(low))
        write_bits(out, start + width - _HALF, np.uint32(low >> np.uint64(width - _HALF)))


@kernel(inline=True)
def write_tile_set(low: np.uint64, high: np.uint64, out: np.ndarray, start: int) -> None:
    """Write a set of tiles."""
    write_set(low_indices(low, high), high_indices(high), out, start, size_of(Size.TILES))


@kernel(inline=True)
def only(i: int, w: int) -> np.uint64:
    """Return word w of the set with member i only, or with none if i is NONE."""
    return ONE << np.uint64(i & (_WORD - 1)) if i >> 6 == w else ZERO


@kernel(inline=True)
def write_card(card: int, out: np.ndarray, plane: int) -> None:
    """Write a plane of block cards with one card, or none."""
    write_set(only(card, 0), only(card, 1), out, plane * size_of(Size.CARDS), size_of(Size.CARDS))


@kernel(inline=True)
def write_card_set(words: np.ndarray, out: np.ndarray, plane: int) -> None:
    """Write a plane of block cards."""
    write_set(words[0], words[1], out, plane * size_of(Size.CARDS), size_of(Size.CARDS))


@kernel(inline=True)
def write_cards(g: State, seat: int, out: np.ndarray) -> None:
    """Write block cards: those that the seat knows (R10.1 to R10.3), then tableaus."""
    first = size_of(Size.CARD_PLANES)
    write_card_set(g.hand[seat], out, CardPlane.HAND)
    write_card(int(g.card[seat]), out, CardPlane.COMMITTED)
    write_card_set(g.passed[seat], out, CardPlane.LEFT_HAS)  # R10.3
    write_card_set(g.passed[right_of(g, seat)], out, CardPlane.RIGHT_KNOWS)
    write_card_set(g.discard, out, CardPlane.DISCARD)
    write_card(NONE if g.player == NOBODY else int(g.card[g.player]), out, CardPlane.RESOLVING)  # R3.4: revealed
    if EXPANSION:
        write_card(int(g.kept[seat]), out, CardPlane.KEPT)
    for i in range(g.players):
        write_card_set(g.tableau[seat_at(g, seat, i)], out, first + i)
    clear(out[(first + g.players) * size_of(Size.CARDS) :])  # absent seats of a padded block


@kernel(inline=True)
def write_tile(tile: int, out: np.ndarray, plane: int) -> None:
    """Write a plane of block tiles with one tile, or none."""
    write_tile_set(only(tile, 0), only(tile, 1), out, plane * size_of(Size.TILES))


@kernel(inline=True)
def write_tile_plane(words: np.ndarray, out: np.ndarray, plane: int) -> None:
    """Write a plane of block tiles."""
    write_tile_set(words[0], words[1], out, plane * size_of(Size.TILES))


@kernel(inline=True)
def write_tiles(g: State, seat: int, out: np.ndarray) -> None:
    """Write block tiles: those that the seat knows (R10.1 to R10.3, X7.4)."""
    width, first_known = size_of(Size.TILES), size_of(Size.TILE_PLANES)
    write_tile_plane(g.tiles[seat], out, TilePlane.SCREEN)
    write_tile(int(g.tile[seat]), out, TilePlane.COMMITTED)
    write_tile_plane(g.aside[seat], out, TilePlane.ASIDE)
    write_tile_plane(g.returned, out, TilePlane.RETURNED)
    write_tile_plane(g.buried, out, TilePlane.BURIED)
    if EXPANSION:
        write_tile(int(g.lower[seat]), out, TilePlane.LOWER)
        write_tile(NONE if g.player == NOBODY else int(g.tile[g.player]), out, TilePlane.RESOLVING)  # X7.1: shown
        write_tile_plane(g.prestige, out, TilePlane.STACKS)
        write_tile_plane(g.lower_tiles[seat], out, TilePlane.OWN_LOWER)  # X7.4: known to who placed them
    for i in range(g.players):
        write_tile_plane(g.known_tiles[seat_at(g, seat, i)], out, first_known + i)
    clear(out[(first_known + g.players) * width :])  # absent seats of a padded block
    if EXPANSION:
        write_greens(g, seat, out, width, first_known)


@kernel(inline=True)
def write_flags(flags: np.uint64, out: np.ndarray, start: int) -> None:
    """Write ones and zeros for 64 slots, or for all of the base game."""
    if EXPANSION:
        write_bits(out, start, flags)
    else:
        write_set(flags, ZERO, out, start, size_of(Size.BUILDINGS))


@kernel(inline=True)
def write_numbers(array: np.ndarray, first: int, added: int, live: np.uint64, out: np.ndarray, start: int) -> None:
    """Write numbers of slots as :func:`write_flags` does, each plus a number, zeros where nothing is."""
    if EXPANSION:
        write_items(out, start, array, first, added, live)
    else:  # two halves that overlap
        rest = size_of(Size.BUILDINGS) - _HALF
        write_items(out, start, array, 0, added, np.uint32(live))
        write_items(out, start + rest, array, rest, added, np.uint32(live >> np.uint64(rest)))


@kernel(inline=True)
def write_range(g: State, first: int, live: np.uint64, least: int, n: int, number: int, out: np.ndarray, start: int) -> np.uint64:
    """Write the numbers of buildings that show one of n tiles from id `least` on; return which."""
    shown = live & greater_bits(g.top, first, least - 1) & ~greater_bits(g.top, first, least + n - 1)
    if EXPANSION:
        replace_items(out, start, g.top, first, number - least, shown)
    else:
        rest = size_of(Size.BUILDINGS) - _HALF
        replace_items(out, start, g.top, 0, number - least, np.uint32(shown))
        replace_items(out, start + rest, g.top, rest, number - least, np.uint32(shown >> np.uint64(rest)))
    return shown


@kernel(inline=True)
def write_slots(g: State, seat: int, first: int, out: np.ndarray) -> None:
    """Write block city for 64 slots from slot `first` on, or for all of the base game."""
    slots, n = size_of(Size.BUILDINGS), int(g.n_buildings) - first
    live = ZERO if n <= 0 else ~ZERO >> np.uint64(_WORD - min(n, _WORD))
    write_numbers(g.floors, first, 0, live, out, CityPlane.FLOORS * slots + first)
    x, y = 1 - int(g.west), 1 - int(g.north)
    write_numbers(g.x, first, x, live, out, CityPlane.X * slots + first)
    write_numbers(g.y, first, y, live, out, CityPlane.Y * slots + first)
    write_numbers(g.pawn, first, 0, live, out, CityPlane.PAWN * slots + first)
    numbers = CityPlane.NUMBER * slots + first
    write_flags(ZERO, out, numbers)
    for color in range(N_COLORS):
        shown = write_range(g, first, live, color * N_NUMBERS, N_NUMBERS, 1, out, numbers)
        if EXPANSION:
            least, prestige = FIRST_NEW_BUILDING + color * _N_NEW, FIRST_PRESTIGE + color * _N_PRESTIGE
            shown |= write_range(g, first, live, least, _N_NEW, _NEW_NUMBER, out, numbers)
            shown |= write_range(g, first, live, prestige, _N_PRESTIGE, _PRESTIGE_NUMBER, out, numbers)
        write_flags(shown, out, (CityPlane.RED + color) * slots + first)
    if EXPANSION:
        write_flags(equal_bits(g.top, first, GREEN_SPACE) & live, out, CityPlane.GREEN * slots + first)
    for i in range(g.players):
        owned = equal_bits(g.owner, first, seat_at(g, seat, i)) & live
        write_flags(owned, out, (size_of(Size.CITY_PLANES) + i) * slots + first)


@kernel(inline=True)
def write_city(g: State, seat: int, out: np.ndarray) -> None:
    """Write block city, many slots at a time."""
    slots = size_of(Size.BUILDINGS)
    for part in range(2 if EXPANSION else 1):  # with the expansion two that overlap
        write_slots(g, seat, part * (slots - _WORD), out)
    clear(out[(size_of(Size.CITY_PLANES) + g.players) * slots :])  # absent seats of a padded block


# --- planes ------------------------------------------------------------------------------------------------------------------


def plane_names(layout: Layout) -> tuple[str, ...]:
    """Return the names of the planes: features of buildings, their owners, then tokens.

    ``floors``, ``red``, ``blue``, ``yellow``, ``number`` and ``pawn`` are the planes of block ``city``, with modules also
    ``green``. ``owner_0`` is 1 where the viewer is the owner, ``owner_1`` where the left neighbor is, and so on. ``token`` is 1
    for the token A, 2 for B, up to 12.

    >>> from ginkgo_env import make_game
    >>> plane_names(make_game("ginkgopolis").observation)[:3]
    ('floors', 'red', 'blue')
    """
    features = CITY_PLANES + (EXPANSION_CITY_PLANES if "modules" in layout else ())  # the block exists only with modules
    owners = range(layout["city"].shape[0] - len(features))
    return (*(name for name in features if name not in ("x", "y")), *(f"owner_{k}" for k in owners), "token")


def city_planes(layout: Layout, observations: NDArray[np.uint8], window: int = 16) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Draw cities on a window of ``window`` x ``window`` cells from the city's north-west corner on.

    Cell (0, 0) is that corner. Tokens may lie one cell outside the buildings, so buildings start at (1, 1).

    layout : ``game.observation``
    observations : (B, n) as from ``Batch.observe``
    Returns planes (B, planes, window, window) uint8, indexed [row, plane, y, x] with y to the south and x to the east (names:
    :func:`plane_names`), and (B,) int64, the number of buildings and tokens that lie outside the window and are not drawn.
    Raises BatchError if the window is smaller than one cell, or if the observations have another layout.

    >>> import ginkgo_env
    >>> batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 3)
    >>> planes, outside = city_planes(batch.game.observation, batch.observe())
    >>> planes.shape, outside.tolist()
    ((3, 9, 16, 16), [0, 0, 0])
    """
    observations, window = shaped(observations, (None, layout.size), "observations"), integer(window, 1, 10_000, "window")
    city, tokens = layout.view(observations, "city"), layout.view(observations, "tokens")
    source = [plane for plane in range(layout["city"].shape[0]) if plane not in (CityPlane.X, CityPlane.Y)]
    planes = np.zeros((len(observations), len(source) + 1, window, window), np.uint8)
    row, slot = np.nonzero(city[:, CityPlane.FLOORS])  # floors 0: no building in this slot
    x, y = city[row, CityPlane.X, slot], city[row, CityPlane.Y, slot]
    inside = (x < window) & (y < window)
    for plane, feature in enumerate(source):
        planes[row[inside], plane, y[inside], x[inside]] = city[row[inside], feature, slot[inside]]
    outside = np.bincount(row[~inside], minlength=len(observations))
    row, letter = np.nonzero(tokens[:, TokenPlane.PLACED])
    x, y = tokens[row, TokenPlane.X, letter], tokens[row, TokenPlane.Y, letter]
    inside = (x < window) & (y < window)
    planes[row[inside], -1, y[inside], x[inside]] = letter[inside] + 1
    return planes, outside + np.bincount(row[~inside], minlength=len(observations))
