"""Compact features of what a seat may know (R10): scores, districts, cards, and what is still to come.

They are a shorter alternative to observations: counts and points as float32, with seats relative to the viewer as there. They
contain public and own information only. Ids are frozen by ``tests/ginkgopolis/frozen_ids.json``.
"""

from __future__ import annotations

from enum import IntEnum
from functools import partial

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, count, highest, lowest, popcount
from ginkgo_env.core.compile.intrinsics import (
    clear,
    equal_bits,
    increment,
    read_bits,
    scratch,
    scratch_scores,
    scratch_sets,
    scratch_table,
    sum_where,
)
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.kernels import seat_at
from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.ginkgopolis.components import (
    CARD_ACTION,
    CARD_ENDGAME,
    CARD_GAIN,
    GREEN,
    TILE_COLOR,
    TILE_NUMBER,
    is_letter,
)
from ginkgo_env.games.ginkgopolis.constants import (
    FEW_PLAYERS,
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    HAND_SIZE,
    MAX_BUILDINGS,
    MAX_HAND,
    MAX_PLAYERS,
    N_ALL_CARDS,
    N_COLORS,
    N_EVENTS,
    N_EXPERTS,
    N_LETTERS,
    N_MODULES,
    N_NUMBERS,
    N_SOURCES,
    N_START,
    N_TILES,
    NEW_HAND_POINTS,
    NOBODY,
    NONE,
    NOWHERE,
    REMOVED_FOR_MODULE,
    REMOVED_TILES,
    RESOURCES,
    WORDS,
    Endgame,
    Ending,
    Module,
    Source,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.observe import (
    cards_shown,
    configuration_block,
    decision_names,
    is_committing,
    tiles_shown,
    write_configuration,
    write_decision,
)
from ginkgo_env.games.ginkgopolis.rules.scoring import (
    ENDGAME_CARDS,
    LAST_SHIFT,
    LAST_SLOTS,
    N_FACTS,
    N_KINDS,
    Fact,
    card_points,
    cards_with,
    count_characters,
    count_facts,
    measure_districts,
    player_of,
    rank_district,
    resources_of,
    score_expansion,
    share_of,
    slots_of,
    words_of_slots,
)
from ginkgo_env.games.ginkgopolis.rules.tiles import count_tiles
from ginkgo_env.games.ginkgopolis.state import State

# --- layout ------------------------------------------------------------------------------------------------------------------


MANY, POINTS = 512, 4096  # upper bounds of counts and of points
N_DISTRICTS = 4  # in block districts


FeatureBlock = IntEnum(
    "FeatureBlock",
    """
    DECISION GAME SIDES DISTRICTS HAND HAND_IDS OWN_TILES UNSEEN_TILES UNSEEN_CARDS
    EXPANSION_SIDES EXPANSION_GAME
    """,
    start=0,
)
"""Blocks of the features, in order; from EXPANSION_SIDES on only with modules."""


GameFeature = IntEnum(
    "GameFeature",
    """
    SHARE_LEFT ROUND ROUNDS_LEFT END_TRIGGERED EXHAUSTIONS SUPPLY_TILES DECK_CARDS DISCARD_CARDS DRAFT_PICK
    BUILDINGS DISTRICTS LONE_BUILDINGS UNOWNED_RED UNOWNED_BLUE UNOWNED_YELLOW
    """,
    start=0,
)
"""Features of block game."""


SideFeature = IntEnum(
    "SideFeature",
    """
    TOTAL LEAD LEAD_TIMES_LEFT RESOURCES SUPPLY_RESOURCES TILES KNOWN_TILES NEW_HANDS CARDS IS_FIRST
    EXPLOIT_RESOURCE EXPLOIT_TILE EXPLOIT_POINT
    URBANIZE_RESOURCE URBANIZE_TILE URBANIZE_POINT
    CONSTRUCT_RESOURCE CONSTRUCT_TILE CONSTRUCT_POINT
    EXPLOIT_RESOURCE_TIMES_LEFT EXPLOIT_TILE_TIMES_LEFT EXPLOIT_POINT_TIMES_LEFT
    URBANIZE_RESOURCE_TIMES_LEFT URBANIZE_TILE_TIMES_LEFT URBANIZE_POINT_TIMES_LEFT
    CONSTRUCT_RESOURCE_TIMES_LEFT CONSTRUCT_TILE_TIMES_LEFT CONSTRUCT_POINT_TIMES_LEFT
    CARDS_EXPLOIT CARDS_URBANIZE CARDS_CONSTRUCT CARDS_RED CARDS_BLUE CARDS_YELLOW
    ENDGAME_RESOURCES_ON_COLOR ENDGAME_LOW_BUILDINGS ENDGAME_HIGH_BUILDINGS ENDGAME_EXPLOIT_CARDS
    ENDGAME_URBANIZE_CARDS ENDGAME_CONSTRUCT_CARDS ENDGAME_COLOR_CARDS ENDGAME_FIXED
    ENDGAME_PERMANENT_CARDS ENDGAME_ACTION_SETS ENDGAME_COLOR_SETS
    BUILDINGS_RED BUILDINGS_BLUE BUILDINGS_YELLOW FLOORS_RED FLOORS_BLUE FLOORS_YELLOW
    HIGH_BUILDINGS NUMBERS DISTRICTS_FIRST DISTRICTS_SECOND
    """,
    start=0,
)
"""Features of block sides, for each seat; its points by source come after them."""


class DistrictFeature(IntEnum):
    """Features of block districts, for each of them."""

    BUILDINGS, RESOURCES, MINE, BEST_OTHER, FIRST, SECOND = range(6)


HandFeature = IntEnum(
    "HandFeature",
    """
    CARD LETTER MINE THEIRS UNOWNED RED BLUE YELLOW NUMBER FLOORS
    BONUS_EXPLOIT BONUS_URBANIZE BONUS_CONSTRUCT BONUS_RESOURCE BONUS_TILE BONUS_POINT
    ENDGAME ENDGAME_POINTS FLOORS_BESIDE_RED FLOORS_BESIDE_BLUE FLOORS_BESIDE_YELLOW OWN_BESIDE
    """,
    start=0,
)
"""Features of block hand, for each card."""


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


ExpansionGameFeature = IntEnum(
    "ExpansionGameFeature",
    """
    MODULE_NEW_BUILDINGS MODULE_PRESTIGE MODULE_GREEN_SPACES MODULE_EVENTS MODULE_KEEP_CARD MODULE_EXPERTS
    HAND_SIZE NEW_BUILDINGS GREEN_SPACES OWN_NEW_BUILDINGS OWN_PRESTIGE OWN_GREEN_SPACES
    OWN_DESIGN OWN_PRESS OWN_EXPROPRIATION OWN_CONTROL
    """,
    start=0,
)
"""Features of block expansion_game."""


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


# --- the own hand, card by card ----------------------------------------------------------------------------------------------


_N_HAND, _N_IDS = len(HAND), len(HAND_IDS)


@kernel(inline=True)
def write_hand(g: State, seat: int, facts: np.ndarray, out: np.ndarray, at: np.ndarray) -> None:
    """Write blocks hand and hand_ids: the cards in the order that actions use; facts are the seat's."""
    k, ids = at[FeatureBlock.HAND], at[FeatureBlock.HAND_IDS]
    for w in range(WORDS):
        rest = g.hand[seat, w]
        while rest != ZERO:
            card = (w << 6) + lowest(rest)
            rest &= rest - ONE
            out[k + HandFeature.CARD] = 1
            out[ids + HandId.CARD] = card + 1  # 0: no card
            if is_letter(card):
                write_letter(g, seat, card - N_TILES, out[k:])
            else:
                write_building_card(g, seat, card, facts, out[k:])
                out[ids + HandId.BONUS_ACTION] = CARD_ACTION[card] + 1
                out[ids + HandId.ENDGAME] = CARD_ENDGAME[card]
            k += _N_HAND
            ids += _N_IDS


@kernel(inline=True)
def write_letter(g: State, seat: int, letter: int, out: np.ndarray) -> None:
    """Write the features of an urbanization card: what would work beside its token (R6.4)."""
    out[HandFeature.LETTER] = 1
    if g.token_x[letter] == NOWHERE:  # in hand while it is being placed (R6.2)
        return
    for w in range(words_of_slots(g)):
        rest = slots_beside(g, int(g.token_x[letter]), int(g.token_y[letter]), w)
        while rest != ZERO:
            s = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if EXPANSION and g.top[s] == GREEN_SPACE:  # X3.1: yields nothing
                continue
            out[HandFeature.FLOORS_BESIDE_RED + TILE_COLOR[g.top[s]]] += g.floors[s]
            out[HandFeature.OWN_BESIDE] += g.owner[s] == seat


@kernel(inline=True)
def slots_beside(g: State, x: int, y: int, w: int) -> np.uint64:
    """Return the places in the city beside a cell, as word w of a set."""
    n = int(g.n_buildings) - (w << 6)
    if n <= 0:
        return ZERO
    start = LAST_SLOTS if w > 0 else 0
    beside = equal_bits(g.x, start, x) & (equal_bits(g.y, start, y - 1) | equal_bits(g.y, start, y + 1))
    beside |= equal_bits(g.y, start, y) & (equal_bits(g.x, start, x - 1) | equal_bits(g.x, start, x + 1))
    if w > 0:
        beside >>= LAST_SHIFT
    return beside & ~((~ZERO << ONE) << np.uint64(min(n, 64) - 1))  # a shift by 64 is undefined


@kernel(inline=True)
def write_building_card(g: State, seat: int, card: int, facts: np.ndarray, out: np.ndarray) -> None:
    """Write the features of a building card: its building (R4.2, R5) and its bonus (R1.5)."""
    s = int(g.slot[card])
    owner = int(g.owner[s])
    if owner == NOBODY:
        out[HandFeature.UNOWNED] = 1
    else:
        out[HandFeature.MINE if owner == seat else HandFeature.THEIRS] = 1
    out[HandFeature.RED + TILE_COLOR[card]] = 1
    out[HandFeature.NUMBER] = TILE_NUMBER[card]
    out[HandFeature.FLOORS] = g.floors[s]
    if CARD_ACTION[card] != NONE:
        out[HandFeature.BONUS_EXPLOIT + CARD_ACTION[card]] = 1
        for item in range(N_COLORS):
            out[HandFeature.BONUS_RESOURCE + item] = CARD_GAIN[card, item]
    if CARD_ENDGAME[card] != Endgame.NONE:  # R1.5: what it would count now
        out[HandFeature.ENDGAME] = 1
        out[HandFeature.ENDGAME_POINTS] = card_points(card, facts)


# --- games with modules ------------------------------------------------------------------------------------------------------


HIGH_WORD = FIRST_NEW_BUILDING // 64
"""The word of a set with the tiles of value II and III."""
NEW_BUILDINGS = np.uint64(sum(1 << (t - 64 * HIGH_WORD) for t in range(FIRST_NEW_BUILDING, FIRST_PRESTIGE)))
PRESTIGE = np.uint64(sum(1 << (t - 64 * HIGH_WORD) for t in range(FIRST_PRESTIGE, GREEN_SPACE)))
"""The tiles of value II, and of value III, in that word."""
_FIRST_EXPERT = len(EXPANSION_SIDES)
_WIDTH = _FIRST_EXPERT + N_EXPERTS


@kernel(inline=True)
def write_expansion_side(g: State, p: int, k: int, colors: np.ndarray, out: np.ndarray, at: np.ndarray) -> None:
    """Write a row of block expansion_sides: player p, the k-th to the left."""
    row = out[at[FeatureBlock.EXPANSION_SIDES] + k * _WIDTH :]
    committed = 1 if g.event[p] != NONE and is_committing(g) else 0  # R10.1: counts as held
    row[ExpansionSideFeature.EVENTS] = committed + popcount(np.uint64(g.events[p]))
    row[ExpansionSideFeature.EVENTS_PLAYED] = popcount(np.uint64(g.events_played[p]))
    row[ExpansionSideFeature.LOWER_TILES] = count_tiles(g.lower_tiles[p], int(g.green_lower[p]))
    for w in range(words_of_slots(g)):
        row[ExpansionSideFeature.GREEN_SPACES] += popcount(colors[GREEN, w] & slots_of(g, p, w))
    if g.expert[p] != NONE and (k == 0 or g.stage != Stage.DRAFT):  # X6.1: others' are shown after the draft
        row[_FIRST_EXPERT + g.expert[p]] = 1


@kernel(inline=True)
def write_expansion_game(g: State, seat: int, out: np.ndarray) -> None:
    """Write block expansion_game."""
    for module in range(N_MODULES):
        out[ExpansionGameFeature.MODULE_NEW_BUILDINGS + module] = g.modules[module]
    out[ExpansionGameFeature.HAND_SIZE] = g.hand_size
    out[ExpansionGameFeature.NEW_BUILDINGS] = g.n_new_buildings
    out[ExpansionGameFeature.GREEN_SPACES] = g.green_stack
    out[ExpansionGameFeature.OWN_NEW_BUILDINGS] = popcount(g.tiles[seat, HIGH_WORD] & NEW_BUILDINGS)
    out[ExpansionGameFeature.OWN_PRESTIGE] = popcount(g.tiles[seat, HIGH_WORD] & PRESTIGE)
    out[ExpansionGameFeature.OWN_GREEN_SPACES] = g.green[seat]
    for kind in range(N_EVENTS):
        out[ExpansionGameFeature.OWN_DESIGN + kind] = g.events[seat] >> kind & 1


# --- the features ------------------------------------------------------------------------------------------------------------


_RESOURCES = np.array(RESOURCES, np.float64)
_N_SIDES = len(SIDES)
_N_SOURCES = len(Source)
# Feature of block sides by card: the kind of its endgame bonus (R1.5), NONE without one.
_ENDGAME_FEATURE = np.array(
    [NONE if kind == Endgame.NONE else SIDES.index(f"endgame_{Endgame(int(kind)).name.lower()}") for kind in CARD_ENDGAME]
)
_DISTRICT_WIDTH = len(DISTRICTS)
_SHIFT = MANY.bit_length() - 1
_MAX_DISTRICTS = MAX_BUILDINGS // 2
_FIELD = 12  # bits of a number of a player, among those of all players
_BITS = 64  # of a word
_BASE_TILES, _ONE_COLOR = np.uint64((1 << N_TILES) - 1), np.uint64((1 << N_NUMBERS) - 1)
_LETTERS_0, _LETTERS_1 = (np.uint64((((1 << N_LETTERS) - 1) << N_TILES >> start) & (2**_BITS - 1)) for start in (0, _BITS))
# Tiles that have a building card (X2, X3), in the second word of a set; in the first one all have.
_WITH_CARD_1 = np.uint64((1 << FIRST_PRESTIGE - _BITS) - 1)
# Tiles of one color (bit 0 is number 1) in which a binary digit of number - 1 is set: sums of numbers are a few popcounts.
_DIGITS = np.array([sum(1 << n for n in range(N_NUMBERS) if n >> j & 1) for j in range(N_NUMBERS.bit_length())], np.uint64)


@kernel
def features(g: State, t: None, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write the features for a seat into out (n,) float32; `at` (blocks + 1,) holds the offsets."""
    clear(out)
    if seat >= g.players:  # an absent seat sees nothing
        return
    write_decision(g, seat, out[at[FeatureBlock.DECISION] :])
    left = share_left(g)
    n_sources = _N_SOURCES if EXPANSION else N_SOURCES
    width = _N_SIDES + n_sources
    colors, facts = scratch_sets(N_KINDS, WORDS), scratch_table(MAX_PLAYERS, N_FACTS)
    points, first, second, districts = write_districts(g, seat, out, at, colors)
    totals, expansion_points = scratch(MAX_PLAYERS), scratch_scores(MAX_PLAYERS, _N_SOURCES)
    if EXPANSION:
        for p in range(g.players):
            expansion_points[p, Source.PARKS] = expansion_points[p, Source.EXPERT] = 0
        score_expansion(g, colors, districts, expansion_points)
    for k in range(g.players):
        p = seat_at(g, seat, k)
        side = out[at[FeatureBlock.SIDES] + k * width :]
        count_facts(g, p, colors, facts[k])
        write_side(g, p, k, left, facts[k], side)
        write_buildings(g, p, colors, facts[k], side)
        side[SideFeature.DISTRICTS_FIRST], side[SideFeature.DISTRICTS_SECOND] = field(first, p), field(second, p)
        from_cards = write_cards(g, p, k, facts[k], side)
        from_hands, from_districts = NEW_HAND_POINTS * int(g.new_hands[p]), field(points, p)
        side[_N_SIDES + Source.POINTS], side[_N_SIDES + Source.NEW_HANDS] = g.points[p], from_hands
        side[_N_SIDES + Source.CARDS], side[_N_SIDES + Source.DISTRICTS] = from_cards, from_districts
        totals[k] = int(g.points[p]) + from_hands + from_cards + from_districts
        if EXPANSION:
            for source in range(N_SOURCES, _N_SOURCES):
                side[_N_SIDES + source] = expansion_points[p, source]
                totals[k] += expansion_points[p, source]
            write_expansion_side(g, p, k, colors, out, at)
    for k in range(g.players):
        best = -MANY
        for q in range(g.players):
            best = max(best, totals[q] if q != k else -MANY)
        side = out[at[FeatureBlock.SIDES] + k * width :]
        side[SideFeature.TOTAL] = totals[k]
        side[SideFeature.LEAD] = totals[k] - best
        side[SideFeature.LEAD_TIMES_LEFT] = (totals[k] - best) * left
    write_unseen(g, seat, colors, out, at)
    write_game(g, left, out[at[FeatureBlock.GAME] :])
    write_hand(g, seat, facts[0], out, at)
    if EXPANSION:
        write_expansion_game(g, seat, out[at[FeatureBlock.EXPANSION_GAME] :])
    n_blocks = N_EXPANSION_BLOCKS if EXPANSION else N_BLOCKS
    if at.size > n_blocks + 1:  # padded
        write_configuration(g, out[at[n_blocks] :])


@kernel
def share_left(g: State) -> float:
    """Estimate the share of the game still ahead, 1 to 0, by what runs out first (R8.1)."""
    tiles = N_TILES - N_START
    if g.players <= FEW_PLAYERS:  # R2.3
        tiles -= REMOVED_TILES
    if EXPANSION:
        for module in range(Module.EVENTS):  # R2.3 with modules 1 to 3, which have tiles of their own
            tiles -= REMOVED_FOR_MODULE * int(g.modules[module])
    resources = MANY
    for p in range(g.players):
        resources = min(resources, g.resources[p] + g.supply_resources[p])
    return min(float(g.supply_size / tiles), float(resources / _RESOURCES[g.players]))


@kernel(inline=True)
def write_game(g: State, left: float, out: np.ndarray) -> None:
    """Write block game, except for districts and unowned buildings."""
    out[GameFeature.SHARE_LEFT] = left
    out[GameFeature.ROUND] = min(MANY, int(g.rounds))
    out[GameFeature.ROUNDS_LEFT] = min(MANY, int(g.max_rounds) - int(g.rounds))
    out[GameFeature.END_TRIGGERED] = 1 if g.ending != Ending.NONE else 0
    out[GameFeature.EXHAUSTIONS] = g.exhaustions
    out[GameFeature.SUPPLY_TILES] = g.supply_size
    out[GameFeature.DECK_CARDS] = g.deck_size
    out[GameFeature.DISCARD_CARDS] = count(g.discard)
    out[GameFeature.DRAFT_PICK] = g.pick
    out[GameFeature.BUILDINGS] = g.n_buildings


@kernel(inline=True)
def write_side(g: State, p: int, k: int, left: float, facts: np.ndarray, out: np.ndarray) -> None:
    """Write resources and bonuses of player p, the k-th to the left, into a row of block sides."""
    out[SideFeature.RESOURCES] = g.resources[p]
    out[SideFeature.SUPPLY_RESOURCES] = g.supply_resources[p]
    out[SideFeature.TILES] = tiles_shown(g, p)
    out[SideFeature.KNOWN_TILES] = count(g.known_tiles[p])
    out[SideFeature.NEW_HANDS] = g.new_hands[p]
    out[SideFeature.CARDS] = cards_shown(g, p)
    out[SideFeature.IS_FIRST] = 1 if g.first == p else 0
    for action in range(N_COLORS):
        for item in range(N_COLORS):
            place = action * N_COLORS + item
            out[SideFeature.EXPLOIT_RESOURCE + place] = g.bonus[p, action, item]
            out[SideFeature.EXPLOIT_RESOURCE_TIMES_LEFT + place] = left * g.bonus[p, action, item]


@kernel(inline=True)
def write_buildings(g: State, p: int, colors: np.ndarray, facts: np.ndarray, out: np.ndarray) -> None:
    """Write what player p has built into a row of block sides."""
    for color in range(N_COLORS):
        out[SideFeature.BUILDINGS_RED + color] = facts[Fact.BUILDINGS_RED + color]
        out[SideFeature.FLOORS_RED + color] = facts[Fact.FLOORS_RED + color]
    out[SideFeature.HIGH_BUILDINGS] = facts[Fact.HIGH_BUILDINGS]
    if EXPANSION:
        numbers = 0
        for w in range(words_of_slots(g)):
            rest = slots_of(g, p, w) & (colors[0, w] | colors[1, w] | colors[2, w])
            while rest != ZERO:
                numbers += TILE_NUMBER[g.top[(w << 6) + lowest(rest)]]
                rest &= rest - ONE
    else:  # a tile is 20 x color + number - 1
        numbers = sum_where(g.top, 0, slots_of(g, p, 0))
        for color in range(N_COLORS):
            numbers += facts[Fact.BUILDINGS_RED + color] * (1 - N_NUMBERS * color)
    out[SideFeature.NUMBERS] = numbers


@kernel(inline=True)
def write_cards(g: State, p: int, k: int, facts: np.ndarray, out: np.ndarray) -> int:
    """Write the cards of player p, the k-th to the left, into a row of block sides; return their points."""
    # R10.2: others' characters are hidden during the draft.
    hidden = count_characters(g, p) if k > 0 and g.stage == Stage.DRAFT else 0
    for i in range(N_COLORS):
        out[SideFeature.CARDS_EXPLOIT + i] = facts[Fact.EXPLOIT_CARDS + i] - cards_with(hidden, i)
        out[SideFeature.CARDS_RED + i] = facts[Fact.RED_CARDS + i] - cards_with(hidden, N_COLORS + i)
    points = 0
    for w in range(WORDS if EXPANSION else 1):
        rest = g.tableau[p, w] & ENDGAME_CARDS[w]
        while rest != ZERO:
            card = (w << 6) + lowest(rest)
            rest &= rest - ONE
            out[_ENDGAME_FEATURE[card]] += 1
            points += card_points(card, facts)
    return points


@kernel
def field(word: int, p: int) -> int:
    """Extract a player's number from the word that holds those of all players."""
    return (word >> (_FIELD * p)) & ((1 << _FIELD) - 1)


@kernel(inline=True)
def write_unseen(g: State, seat: int, colors: np.ndarray, out: np.ndarray, at: np.ndarray) -> None:
    """Write blocks own_tiles, unseen_tiles and unseen_cards, and the buildings without owner."""
    unseen = _BASE_TILES & ~seen_tiles(g, seat) & equal_bits(g.slot, 0, NONE)
    cards_0, cards_1 = ~seen_cards(g, seat, 0), ~seen_cards(g, seat, 1)
    hidden = endgame = mine = unowned = 0
    for w in range(words_of_slots(g)):
        with_card, with_endgame = slots_with(g, cards_0, cards_1 & _WITH_CARD_1, w)
        if w == 0:  # R5.4: with a pawn its card is not in the deck
            with_pawn = read_bits(g.pawn, 0)
        else:
            with_pawn = read_bits(g.pawn, LAST_SLOTS) >> LAST_SHIFT
        hidden += popcount(with_card & ~with_pawn)
        endgame += popcount(with_endgame & ~with_pawn)
        mine += popcount(with_card & ~with_pawn & slots_of(g, seat, w))
        unowned += popcount(with_card & ~with_pawn & slots_of(g, NOBODY, w))
        for color in range(N_COLORS):
            n = popcount(colors[color, w] & slots_of(g, NOBODY, w))
            out[at[FeatureBlock.GAME] + GameFeature.UNOWNED_RED + color] += n
    cards = out[at[FeatureBlock.UNSEEN_CARDS] :]
    cards[UnseenCardsFeature.LETTERS] = popcount(cards_0 & _LETTERS_0) + popcount(cards_1 & _LETTERS_1)
    cards[UnseenCardsFeature.MINE] = mine
    cards[UnseenCardsFeature.THEIRS] = hidden - mine - unowned
    cards[UnseenCardsFeature.UNOWNED] = unowned
    cards[UnseenCardsFeature.ENDGAME] = endgame
    tiles = g.tiles[seat, 0] & _BASE_TILES
    for color in range(N_COLORS):
        column = out[at[FeatureBlock.UNSEEN_TILES] + color :]
        column[UnseenTilesRow.TILES * N_COLORS], column[UnseenTilesRow.SUM * N_COLORS] = count_and_sum(unseen, color)
        column = out[at[FeatureBlock.OWN_TILES] + color :]
        column[OwnTilesRow.TILES * N_COLORS], column[OwnTilesRow.SUM * N_COLORS] = count_and_sum(tiles, color)
        own = (tiles >> np.uint64(N_NUMBERS * color)) & _ONE_COLOR
        column[OwnTilesRow.HIGHEST * N_COLORS] = highest(own) + 1


@kernel
def slots_with(g: State, low: np.uint64, high: np.uint64, w: int) -> tuple[np.uint64, np.uint64]:
    """Return the slots whose tile is in a set of two words, as word w; then those with endgame cards."""
    slots = endgame = ZERO
    s, stop = w << 6, min(int(g.n_buildings), (w + 1) << 6)
    while s < stop:
        tile = int(g.top[s])
        word, bit = low, np.uint64(tile & (_BITS - 1))
        cards = ENDGAME_CARDS[0]
        if EXPANSION:
            word, cards = (low, cards) if tile < _BITS else (high, ENDGAME_CARDS[1])
        found, place = (word >> bit) & ONE, np.uint64(s & (_BITS - 1))
        slots |= found << place
        endgame |= (found & (cards >> bit)) << place
        s = increment(s)
    return slots, endgame


@kernel
def seen_tiles(g: State, seat: int) -> np.uint64:
    """Return the tiles of value I outside the city whose place the seat knows, as the first word of a set."""
    seen = g.buried[0] | g.tiles[seat, 0] | g.aside[seat, 0]
    for p in range(g.players):  # R10.3
        seen |= g.known_tiles[p, 0]
    if g.tile[seat] != NONE and g.tile[seat] < _BITS:
        seen |= ONE << np.uint64(g.tile[seat])
    if g.player != NOBODY and g.tile[g.player] != NONE and g.tile[g.player] < _BITS:  # R3.4: revealed
        seen |= ONE << np.uint64(g.tile[g.player])
    return seen


@kernel
def seen_cards(g: State, seat: int, w: int) -> np.uint64:
    """Return the cards whose place the seat knows, as word w of a set."""
    seen = g.hand[seat, w] | g.discard[w] | g.passed[seat, w]  # R10.1 to R10.3
    for p in range(g.players):
        seen |= g.tableau[p, w]
    if g.card[seat] != NONE and g.card[seat] >> 6 == w:
        seen |= ONE << np.uint64(g.card[seat] & (_BITS - 1))
    if g.player != NOBODY and g.card[g.player] != NONE and g.card[g.player] >> 6 == w:  # revealed
        seen |= ONE << np.uint64(g.card[g.player] & (_BITS - 1))
    if EXPANSION and g.kept[seat] != NONE and g.kept[seat] >> 6 == w:
        seen |= ONE << np.uint64(g.kept[seat] & (_BITS - 1))
    return seen


@kernel
def count_and_sum(tiles: np.uint64, color: int) -> tuple[int, int]:
    """Return the number of tiles of a color in a word, and the sum of their numbers."""
    word = (tiles >> np.uint64(N_NUMBERS * color)) & _ONE_COLOR
    n = popcount(word)
    total = n
    for j in range(_DIGITS.size):
        total += popcount(word & _DIGITS[j]) << j
    return n, total


@kernel(inline=True)
def write_districts(g: State, seat: int, out: np.ndarray, at: np.ndarray, colors: np.ndarray) -> tuple[int, int, int, int]:
    """Write block districts, and the sets of slots by color into colors (kinds, words).

    Returns the points from districts (R8.3), in how many a player is first, and in how many second, each for all players: see
    :func:`field`. Then the number of districts.
    """
    roots, members, resources = scratch_sets(1, WORDS), scratch_sets(MAX_BUILDINGS, WORDS), scratch(MAX_BUILDINGS)
    measure_districts(g, colors, roots[0], members, resources)
    leads, root = scratch(_MAX_DISTRICTS), scratch(_MAX_DISTRICTS)
    points = firsts = seconds = n = 0
    top = (0, 0, 0, 0)  # the largest weights in order
    lone = int(g.n_buildings)
    for w in range(words_of_slots(g)):
        rest = roots[0, w]
        while rest != ZERO:
            root[n] = (w << 6) + lowest(rest)
            rest &= rest - ONE
            first, second, total = rank_district(g, resources[root[n]], members[root[n]])
            size = count(members[root[n]]) if EXPANSION else popcount(members[root[n], 0])
            lone -= size
            leader, runner_up, owned = player_of(first), player_of(second), int(total > 0)
            leads[n] = ((leader == seat) | (runner_up == seat) << 1) * owned  # bit 0: first, bit 1: second
            points += (total << _FIELD * leader) + (resources_of(second) << _FIELD * runner_up)
            firsts += owned << _FIELD * leader
            seconds += owned << _FIELD * runner_up
            top = inserted((((total << _SHIFT) + size) << _SHIFT) + MANY - 1 - n, top)  # then order of arrival
            n += 1
    if EXPANSION:  # green spaces are no lone buildings
        lone -= count(colors[GREEN])
    out[at[FeatureBlock.GAME] + GameFeature.DISTRICTS] = n
    out[at[FeatureBlock.GAME] + GameFeature.LONE_BUILDINGS] = lone
    for i in range(min(n, N_DISTRICTS)):
        k, row = MANY - 1 - (top[i] & (MANY - 1)), at[FeatureBlock.DISTRICTS] + i * _DISTRICT_WIDTH
        best = 0
        for p in range(g.players):
            best = max(best, share_of(resources[root[k]], p) * (p != seat))
        out[row + DistrictFeature.BUILDINGS] = (top[i] >> _SHIFT) & (MANY - 1)
        out[row + DistrictFeature.RESOURCES] = top[i] >> (2 * _SHIFT)
        out[row + DistrictFeature.MINE] = share_of(resources[root[k]], seat)
        out[row + DistrictFeature.BEST_OTHER] = best
        out[row + DistrictFeature.FIRST] = leads[k] & 1
        out[row + DistrictFeature.SECOND] = leads[k] >> 1
    return points, firsts, seconds, n


@kernel
def inserted(number: int, top: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Return the four largest of four numbers in descending order and a further one, without branches."""
    a, b, c, d = top
    a, number = max(a, number), min(a, number)
    b, number = max(b, number), min(b, number)
    c, number = max(c, number), min(c, number)
    return a, b, c, max(d, number)
