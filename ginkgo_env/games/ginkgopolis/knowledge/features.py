"""Compact features of what a seat may know (R10): scores, districts, cards, and what is still to come.

The blocks are declared in ``features_layout``. They contain public and own information only, as observations do.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, count, highest, lowest, popcount
from ginkgo_env.core.compile.intrinsics import increment, scratch, scratch_scores, scratch_sets
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.seats import from_viewer, seat_at
from ginkgo_env.games.ginkgopolis.constants import (
    FEW_PLAYERS,
    GREEN_SPACE,
    MAX_BUILDINGS,
    MAX_PLAYERS,
    N_COLORS,
    N_LETTERS,
    N_NUMBERS,
    N_SOURCES,
    N_START,
    N_TILES,
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
    N_DISTRICTS,
    SIDES,
    DistrictFeature,
    FeatureBlock,
    GameFeature,
    OwnTilesRow,
    SideFeature,
    UnseenCardsFeature,
    UnseenTilesRow,
)
from ginkgo_env.games.ginkgopolis.knowledge.observe import cards_shown, tiles_shown, write_decision
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.scoring import (
    HIGH_FLOORS,
    measure_districts,
    player_of,
    rank_district,
    resources_of,
    score_all_but_districts,
    share_of,
)
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_ENDGAME,
    CHARACTER_ACTION,
    CHARACTER_COLOR,
    HAS_CARD,
    TILE_COLOR,
    TILE_NUMBER,
)

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
_OWNERS = MAX_PLAYERS + 1  # whose buildings are counted
_COUNT, _SUM = 8, 12  # bits of a number of buildings, and of a sum over buildings
_HIGH, _HIDDEN, _ENDGAMES = (_COUNT * (N_COLORS + i) for i in range(3))  # after a number for each color
_NUMBERS = _SUM * N_COLORS
_BITS = 64  # of a word
_BASE_TILES, _ONE_COLOR = np.uint64((1 << N_TILES) - 1), np.uint64((1 << N_NUMBERS) - 1)
_LETTERS_0, _LETTERS_1 = (np.uint64((((1 << N_LETTERS) - 1) << N_TILES >> start) & (2**_BITS - 1)) for start in (0, _BITS))
# Tiles of one color (bit 0 is number 1) in which a binary digit of number - 1 is set: sums of numbers are a few popcounts.
_DIGITS = np.array([sum(1 << n for n in range(N_NUMBERS) if n >> j & 1) for j in range(N_NUMBERS.bit_length())], np.uint64)


@kernel
def features(g: State, t: None, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write the features for a seat into out (n,) float32; `at` (blocks + 1,) holds the offsets."""
    for i in range(out.shape[0]):
        out[i] = 0
    write_decision(g, seat, out[at[FeatureBlock.DECISION] :])
    left = share_left(g)
    n_sources = _N_SOURCES if EXPANSION else N_SOURCES
    width = _N_SIDES + n_sources
    points = scratch_scores(MAX_PLAYERS, _N_SOURCES)
    score_all_but_districts(g, points)
    write_districts(g, seat, out, at, width, points)
    totals = scratch(MAX_PLAYERS)
    for p in range(g.players):
        totals[p] = 0
        for source in range(n_sources):
            totals[p] += points[p, source]
    for k in range(g.players):
        p = seat_at(g, seat, k)
        side = out[at[FeatureBlock.SIDES] + k * width :]
        best = -MANY
        for q in range(g.players):
            if q != p:
                best = max(best, totals[q])
        side[SideFeature.TOTAL] = totals[p]
        side[SideFeature.LEAD] = totals[p] - best
        side[SideFeature.LEAD_TIMES_LEFT] = (totals[p] - best) * left
        for source in range(n_sources):
            side[_N_SIDES + source] = points[p, source]
        write_side(g, p, k, left, side)
        if EXPANSION:
            write_expansion_side(g, p, k, out, at)
    write_buildings(g, seat, out, at, width)
    write_game(g, left, out[at[FeatureBlock.GAME] :])
    write_hand(g, seat, out, at)
    if EXPANSION:
        write_expansion_game(g, seat, out[at[FeatureBlock.EXPANSION_GAME] :])


@kernel
def share_left(g: State) -> float:
    """Estimate the share of the game still ahead, 1 to 0, by what runs out first (R8.1)."""
    tiles = N_TILES - N_START
    if g.players <= FEW_PLAYERS:  # R2.3
        tiles -= REMOVED_TILES
    if EXPANSION:
        for module in range(Module.EVENTS):  # R2.3 with modules 1 to 3, which have tiles of their own
            tiles -= REMOVED_FOR_MODULE * int(g.modules[module])
    left = float(g.supply_size / tiles)
    for p in range(g.players):
        left = min(left, float((g.resources[p] + g.supply_resources[p]) / _RESOURCES[g.players]))
    return left


@kernel
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


@kernel
def write_side(g: State, p: int, k: int, left: float, out: np.ndarray) -> None:
    """Write resources, bonuses and cards of player p, the k-th to the left, into a row of block sides."""
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
    if k == 0 or g.stage != Stage.DRAFT:  # R10.2: others' characters are hidden during the draft
        for c in range(g.characters.shape[1]):
            n = int(g.characters[p, c])
            out[SideFeature.CARDS_EXPLOIT + CHARACTER_ACTION[c]] += n
            out[SideFeature.CARDS_RED + CHARACTER_COLOR[c]] += n
    for w in range(WORDS):
        rest = g.tableau[p, w]
        while rest != ZERO:
            card = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if CARD_ACTION[card] != NONE:
                out[SideFeature.CARDS_EXPLOIT + CARD_ACTION[card]] += 1
            out[SideFeature.CARDS_RED + TILE_COLOR[card]] += 1
            if _ENDGAME_FEATURE[card] != NONE:
                out[_ENDGAME_FEATURE[card]] += 1


@kernel
def write_buildings(g: State, seat: int, out: np.ndarray, at: np.ndarray, width: int) -> None:
    """Write what everybody has built, and the tiles and cards that the seat has not seen."""
    unseen = _BASE_TILES & ~seen_tiles(g, seat)
    cards_0, cards_1 = seen_cards(g, seat, 0), seen_cards(g, seat, 1)
    # By owner + 1, so that buildings without owner have a row as well: no branches that the processor could mispredict.
    counts, sums = scratch(_OWNERS), scratch(_OWNERS)  # several small numbers in each
    for owner in range(g.players + 1):
        counts[owner] = sums[owner] = 0
    s = NONE
    while s < g.n_buildings - 1:
        s = increment(s)
        tile = int(g.top[s])
        if EXPANSION and tile == GREEN_SPACE:  # X3.1: no building
            continue
        if not EXPANSION or tile < N_TILES:
            unseen &= ~(ONE << np.uint64(tile))
        color, owner, floors = TILE_COLOR[tile], int(g.owner[s]) + 1, int(g.floors[s])
        known = ((cards_0 if tile < _BITS else cards_1) >> np.uint64(tile & (_BITS - 1))) & ONE
        hidden = (g.pawn[s] == 0) & (known == ZERO) & HAS_CARD[tile]  # R5.4: with a pawn its card is not in the deck
        endgame = hidden & (CARD_ENDGAME[tile] != Endgame.NONE)
        counts[owner] += (1 << _COUNT * color) + ((floors >= HIGH_FLOORS) << _HIGH) + (hidden << _HIDDEN) + (endgame << _ENDGAMES)
        sums[owner] += (floors << _SUM * color) + (TILE_NUMBER[tile] << _NUMBERS)
    unseen_cards = at[FeatureBlock.UNSEEN_CARDS]
    for owner in range(g.players + 1):
        k = from_viewer(g, owner - 1, seat)
        side = at[FeatureBlock.SIDES] + k * width
        if owner > 0:
            for color in range(N_COLORS):
                out[side + SideFeature.BUILDINGS_RED + color] = small(counts[owner], _COUNT * color, _COUNT)
                out[side + SideFeature.FLOORS_RED + color] = small(sums[owner], _SUM * color, _SUM)
            out[side + SideFeature.HIGH_BUILDINGS] = small(counts[owner], _HIGH, _COUNT)
            out[side + SideFeature.NUMBERS] = sums[owner] >> _NUMBERS
        whose = UnseenCardsFeature.MINE if k == 0 else UnseenCardsFeature.THEIRS
        whose = UnseenCardsFeature.UNOWNED if owner == 0 else whose
        out[unseen_cards + whose] += small(counts[owner], _HIDDEN, _COUNT)
        out[unseen_cards + UnseenCardsFeature.ENDGAME] += counts[owner] >> _ENDGAMES
    for color in range(N_COLORS):
        out[at[FeatureBlock.GAME] + GameFeature.UNOWNED_RED + color] = small(counts[0], _COUNT * color, _COUNT)
    letters = popcount(~cards_0 & _LETTERS_0) + popcount(~cards_1 & _LETTERS_1)
    out[unseen_cards + UnseenCardsFeature.LETTERS] = letters
    for color in range(N_COLORS):
        column = out[at[FeatureBlock.UNSEEN_TILES] + color :]
        column[UnseenTilesRow.TILES * N_COLORS], column[UnseenTilesRow.SUM * N_COLORS] = count_and_sum(unseen, color)
        column = out[at[FeatureBlock.OWN_TILES] + color :]
        tiles = g.tiles[seat, 0] & _BASE_TILES
        column[OwnTilesRow.TILES * N_COLORS], column[OwnTilesRow.SUM * N_COLORS] = count_and_sum(tiles, color)
        own = (tiles >> np.uint64(N_NUMBERS * color)) & _ONE_COLOR
        column[OwnTilesRow.HIGHEST * N_COLORS] = highest(own) + 1


@kernel
def small(word: int, start: int, bits: int) -> int:
    """Extract a small number from a word."""
    return (word >> start) & ((1 << bits) - 1)


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


@kernel
def write_districts(g: State, seat: int, out: np.ndarray, at: np.ndarray, width: int, points: np.ndarray) -> None:
    """Write block districts and how many each player leads; add their points (R8.3) to points (P, S)."""
    roots, members, resources = scratch_sets(1, WORDS), scratch_sets(MAX_BUILDINGS, WORDS), scratch(MAX_BUILDINGS)
    measure_districts(g, roots[0], members, resources)
    weight, leads, root = scratch(_MAX_DISTRICTS), scratch(_MAX_DISTRICTS), scratch(_MAX_DISTRICTS)
    n, lone = 0, int(g.n_buildings)
    for w in range(WORDS if EXPANSION else 1):
        rest = roots[0, w]
        while rest != ZERO:
            root[n] = (w << 6) + lowest(rest)
            rest &= rest - ONE
            first, second, total = rank_district(g, resources[root[n]], members[root[n]])
            size = count(members[root[n]]) if EXPANSION else popcount(members[root[n], 0])
            lone -= size
            leader, runner_up, owned = player_of(first), player_of(second), total > 0
            weight[n] = (((total << _SHIFT) + size) << _SHIFT) + MANY - 1 - n  # then order of arrival
            leads[n] = ((leader == seat) | (runner_up == seat) << 1) * owned  # bit 0: first, bit 1: second
            points[leader, Source.DISTRICTS] += total
            points[runner_up, Source.DISTRICTS] += resources_of(second)
            out[at[FeatureBlock.SIDES] + from_viewer(g, leader, seat) * width + SideFeature.DISTRICTS_FIRST] += owned
            out[at[FeatureBlock.SIDES] + from_viewer(g, runner_up, seat) * width + SideFeature.DISTRICTS_SECOND] += owned
            n += 1
    if EXPANSION:  # green spaces are no lone buildings
        for s in range(g.n_buildings):
            lone -= g.top[s] == GREEN_SPACE
    out[at[FeatureBlock.GAME] + GameFeature.DISTRICTS] = n
    out[at[FeatureBlock.GAME] + GameFeature.LONE_BUILDINGS] = lone
    for i in range(min(n, N_DISTRICTS)):
        top = 0
        for k in range(n):
            top = max(top, weight[k])
        k, row = MANY - 1 - (top & (MANY - 1)), at[FeatureBlock.DISTRICTS] + i * _DISTRICT_WIDTH
        weight[k] = 0
        best = 0
        for p in range(g.players):
            best = max(best, share_of(resources[root[k]], p) * (p != seat))
        out[row + DistrictFeature.BUILDINGS] = (top >> _SHIFT) & (MANY - 1)
        out[row + DistrictFeature.RESOURCES] = top >> (2 * _SHIFT)
        out[row + DistrictFeature.MINE] = share_of(resources[root[k]], seat)
        out[row + DistrictFeature.BEST_OTHER] = best
        out[row + DistrictFeature.FIRST] = leads[k] & 1
        out[row + DistrictFeature.SECOND] = leads[k] >> 1
