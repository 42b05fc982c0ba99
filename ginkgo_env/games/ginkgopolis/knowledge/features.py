"""Compact features of what a seat may know (R10): scores, districts, cards, and what is still to come.

The blocks are declared in ``features_layout``. They contain public and own information only, as observations do.
"""

from __future__ import annotations

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
from ginkgo_env.core.seats import seat_at
from ginkgo_env.games.ginkgopolis.constants import (
    FEW_PLAYERS,
    FIRST_PRESTIGE,
    MAX_BUILDINGS,
    MAX_PLAYERS,
    N_COLORS,
    N_LETTERS,
    N_NUMBERS,
    N_SOURCES,
    N_START,
    N_TILES,
    NEW_HAND_POINTS,
    NOBODY,
    NONE,
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
from ginkgo_env.games.ginkgopolis.knowledge.features_expansion import write_expansion_game, write_expansion_side
from ginkgo_env.games.ginkgopolis.knowledge.features_hand import write_hand
from ginkgo_env.games.ginkgopolis.knowledge.features_layout import (
    DISTRICTS,
    MANY,
    N_BLOCKS,
    N_DISTRICTS,
    N_EXPANSION_BLOCKS,
    SIDES,
    DistrictFeature,
    FeatureBlock,
    GameFeature,
    OwnTilesRow,
    SideFeature,
    UnseenCardsFeature,
    UnseenTilesRow,
)
from ginkgo_env.games.ginkgopolis.knowledge.observe import cards_shown, tiles_shown, write_configuration, write_decision
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
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
)
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CARD_ENDGAME, GREEN, TILE_NUMBER

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
    points, first, second = write_districts(g, seat, out, at, colors)
    totals, expansion_points = scratch(MAX_PLAYERS), scratch_scores(MAX_PLAYERS, _N_SOURCES)
    if EXPANSION:
        for p in range(g.players):
            expansion_points[p, Source.PARKS] = expansion_points[p, Source.EXPERT] = 0
        score_expansion(g, expansion_points)
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
            write_expansion_side(g, p, k, out, at)
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
        for w in range(WORDS):
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
    for w in range(WORDS if EXPANSION else 1):
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
def write_districts(g: State, seat: int, out: np.ndarray, at: np.ndarray, colors: np.ndarray) -> tuple[int, int, int]:
    """Write block districts, and the sets of slots by color into colors (kinds, words).

    Returns the points from districts (R8.3), in how many a player is first, and in how many second, each for all players: see
    :func:`field`.
    """
    roots, members, resources = scratch_sets(1, WORDS), scratch_sets(MAX_BUILDINGS, WORDS), scratch(MAX_BUILDINGS)
    measure_districts(g, colors, roots[0], members, resources)
    leads, root = scratch(_MAX_DISTRICTS), scratch(_MAX_DISTRICTS)
    points = firsts = seconds = n = 0
    top = (0, 0, 0, 0)  # the largest weights in order
    lone = int(g.n_buildings)
    for w in range(WORDS if EXPANSION else 1):
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
    return points, firsts, seconds


@kernel
def inserted(number: int, top: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
    """Return the four largest of four numbers in descending order and a further one, without branches."""
    a, b, c, d = top
    a, number = max(a, number), min(a, number)
    b, number = max(b, number), min(b, number)
    c, number = max(c, number), min(c, number)
    return a, b, c, max(d, number)
