"""Compact features of what a seat may know (G10): letters, possessions, sites, cards to come.

The blocks are declared in ``features_layout``. All features are made of public information and the seat's own cards, as in
observations.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, popcount
from ginkgo_env.core.compile.intrinsics import scratch, scratch_table
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.seats import from_viewer, seat_at
from ginkgo_env.games.golden_city.constants import (
    COINS,
    COPIES,
    FIRST_DISTRICT,
    HAND_LIMIT,
    HOUSES,
    HOUSES_A_TURN,
    KEYS,
    MAX_PLAYERS,
    N_BONUS,
    N_CARDS,
    N_GOODS,
    N_GOODS_CARDS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_RIVERS,
    N_SCORING,
    NOBODY,
    NONE,
    SHARE,
    SUBURBS_OF_RIVER,
    Ending,
    Landscape,
    Stage,
)
from ginkgo_env.games.golden_city.knowledge.features_bonus import TENTHS, expect_bonuses, write_bonus
from ginkgo_env.games.golden_city.knowledge.features_layout import (
    DISTRICTS,
    N_AREAS,
    N_DISTRICTS,
    N_THINGS,
    PAIRS,
    SIDES,
    DistrictFeature,
    FeatureBlock,
    GameFeature,
    GoodsFeature,
    HandFeature,
    LandscapeFeature,
    OfferedFeature,
    PairFeature,
    ScoringFeature,
    SideFeature,
)
from ginkgo_env.games.golden_city.knowledge.features_sites import write_next, write_sites
from ginkgo_env.games.golden_city.rules.sites import built_on, offered_places, sites_with_keys, units
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

_HOUSES = np.array(HOUSES, np.float64)
_INLAND = np.array([Landscape.FOREST, Landscape.MEADOW, Landscape.MOUNTAIN, Landscape.DESERT], np.int64)
_SIDE, _PAIR, _DISTRICT = len(SIDES), len(PAIRS), len(DISTRICTS)
_LETTERS, _FEW, _COUNT = 0.01, 0.25, 0.1  # factors that scale letters, small numbers and numbers of places to about 0 to 1
_HALF = 0.5
_ONE_CARD = 8  # letters that one scoring card brings a player at most: a good and an area, both alone (G7)


@kernel
def features(g: State, t: Tables, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write the features of what a seat may know into out (n,) float32.

    offsets : (blocks + 1,) of the layout
    """
    for i in range(out.shape[0]):
        out[i] = 0
    if g.stage < Stage.OVER:
        out[offsets[FeatureBlock.DECISION] + g.stage] = 1
    left = share_left(g)
    write_game(g, t, left, out[offsets[FeatureBlock.GAME] :])
    things, now = scratch(N_THINGS), scratch(N_THINGS)
    write_scoring(g, t, things, now, out[offsets[FeatureBlock.SCORING] :])
    worth, bonus = scratch_table(MAX_PLAYERS, N_BONUS), scratch(MAX_PLAYERS)
    expect_bonuses(g, t, seat, worth, bonus)
    value, lead = scratch_table(MAX_PLAYERS, N_THINGS), scratch_table(MAX_PLAYERS, N_AREAS)
    measure(g, t, value, lead)
    for k in range(g.players):
        p = seat_at(g, seat, k)
        side = out[offsets[FeatureBlock.SIDES] + k * _SIDE :]
        write_letters(g, p, bonus, left, side)
        write_side(g, t, p, side)
        write_known(g, p, side)
        write_houses(g, t, p, lead[p], side)
        write_coming(value[p], things, now, side, out[offsets[FeatureBlock.COMING] + k * N_THINGS :])
        for card in range(N_BONUS):
            out[offsets[FeatureBlock.COUNTS] + k * N_BONUS + card] = _COUNT * worth[p, card]
    write_bonus(g, seat, worth[seat], out[offsets[FeatureBlock.BONUS] :])
    write_hand(g, seat, out, offsets)
    write_all_sites(g, t, seat, out, offsets)
    write_districts(g, seat, out[offsets[FeatureBlock.DISTRICTS] :])
    write_goods(g, t, out[offsets[FeatureBlock.GOODS] :])
    if g.stage == Stage.BID:
        write_pairs(g, seat, out, offsets)


@kernel
def share_left(g: State) -> float:
    """Return the share of the game still ahead, from 1 to 0.

    It follows what runs out first: the scoring cards, or a player's houses (G8.1).
    """
    if g.ending != Ending.NONE:
        return 0.0  # G8.1: the round is finished, and no further one is played
    left = float(g.n_scoring / N_SCORING)
    for p in range(g.players):
        left = min(left, float(g.houses_left[p] / _HOUSES[g.players]))
    return left


@kernel
def write_game(g: State, t: Tables, left: float, out: np.ndarray) -> None:
    """Write block ``game``."""
    taken, fewest, pile = ZERO, COPIES * COPIES, 0
    for p in range(g.players):
        taken |= g.houses[p]
        fewest = min(fewest, int(g.houses_left[p]))
    for landscape in range(N_LANDSCAPES):
        pile += g.discard[landscape]
    out[GameFeature.SHARE_LEFT] = left
    out[GameFeature.ROUND] = g.rounds / N_SCORING
    out[GameFeature.SCORING_CARDS_TO_COME] = g.n_scoring / N_SCORING
    out[GameFeature.END_TRIGGERED] = 1 if g.ending != Ending.NONE else 0
    out[GameFeature.PRICE] = _FEW * (g.displacements + 1) if g.stage == Stage.BID else 0.0  # G4.3
    out[GameFeature.DECK] = g.deck_size / N_CARDS
    out[GameFeature.DISCARD_PILE] = pile / N_CARDS
    out[GameFeature.GOODS_STACK] = g.goods_size / N_GOODS_CARDS
    out[GameFeature.BONUS_CARDS_LEFT] = (N_BONUS - g.n_bonus) / N_BONUS
    out[GameFeature.KEYS_LEFT] = g.key_stack / KEYS
    out[GameFeature.SUPPLY] = g.supply / COINS
    out[GameFeature.TURNS_FINISHED] = _FEW * g.turns
    out[GameFeature.HOUSES_BUILT] = g.built / HOUSES_A_TURN
    out[GameFeature.FEWEST_HOUSES_LEFT] = _COUNT * fewest
    out[GameFeature.FREE_COAST_PLACES] = _COUNT * popcount(t.coasts & ~taken)


@kernel
def write_scoring(g: State, t: Tables, things: np.ndarray, now: np.ndarray, out: np.ndarray) -> None:
    """Write block ``scoring``.

    Also count what scoring cards show, by good, river and quarter: the cards to come into things (12,), the card of this round
    into now (12,).
    """
    for i in range(N_THINGS):
        things[i] = now[i] = 0
    # G8.1: the card of the last round stays on the table when the game is over, but is scored already
    if g.scoring != NONE and g.stage != Stage.OVER:
        now[t.scoring_good[g.scoring]] = now[N_GOODS + t.scoring_area[g.scoring]] = 1
    # G10.1: which cards are to come is public; their order is not, so counts are all that may be used
    for i in range(g.n_scoring):
        card = g.scoring_stack[i]
        things[t.scoring_good[card]] += 1
        things[N_GOODS + t.scoring_area[card]] += 1
    for i in range(N_THINGS):
        out[ScoringFeature.NOW * N_THINGS + i] = now[i]
        out[ScoringFeature.TO_COME * N_THINGS + i] = _FEW * things[i]


@kernel
def measure(g: State, t: Tables, value: np.ndarray, lead: np.ndarray) -> None:
    """Count what scoring each thing now would bring each player (G7).

    Writes the letters for each good, river and quarter into value (P, 12), and each player's lead in houses over the best other
    player into lead (P, 8).
    """
    owners = scratch(N_GOODS)
    for good in range(N_GOODS):
        owners[good] = 0
    for p in range(g.players):
        for good in range(N_GOODS):
            value[p, good] = 0
        for kind in range(N_GOODS_KINDS):
            if g.goods[p, kind] > 0:
                value[p, t.shown[kind, 0]] = value[p, t.shown[kind, 1]] = SHARE
        for good in range(N_GOODS):
            owners[good] += value[p, good]
    for p in range(g.players):
        for good in range(N_GOODS):
            if owners[good] == SHARE:  # G7.1: the only owner gets the share twice
                value[p, good] *= 2
    for area in range(N_AREAS):
        places = t.at_river[area] if area < N_RIVERS else t.in_quarter[area - N_RIVERS]
        most = second = 0
        for p in range(g.players):
            n = popcount(g.houses[p] & places)
            lead[p, area] = n
            second = max(second, min(most, n))
            most = max(most, n)
        for p in range(g.players):
            n = lead[p, area]
            ahead = n - second if n == most else n - most
            lead[p, area] = ahead
            # G7.2, G7.3: a share for a house, another for more houses than every other player
            value[p, N_GOODS + area] = (SHARE if n > 0 else 0) + (SHARE if ahead > 0 else 0)


@kernel
def write_letters(g: State, p: int, bonus: np.ndarray, left: float, out: np.ndarray) -> None:
    """Write a player's letters by source and in total, and the lead over the best other player.

    bonus : letters of bonus cards of each player, in tenths, (P,)
    """
    total = best = 0
    for k in range(g.players):
        q, n = seat_at(g, p, k), 0
        for source in range(g.letters.shape[1]):
            n += int(g.letters[q, source])
        if k == 0:
            total = n
        else:
            other = TENTHS * n + bonus[q]
            best = other if k == 1 else max(best, other)
    for source in range(g.letters.shape[1]):
        out[SideFeature.LETTERS_OUTER + source] = 2 * _LETTERS * g.letters[p, source]
    everything = TENTHS * total + bonus[p]
    out[SideFeature.LETTERS] = _LETTERS * total
    out[SideFeature.BONUS] = _LETTERS * bonus[p] / 5
    out[SideFeature.TOTAL] = _LETTERS * everything / TENTHS
    out[SideFeature.LEAD] = _LETTERS * (everything - best) / 5
    out[SideFeature.LEAD_TIMES_LEFT] = out[SideFeature.LEAD] * left


@kernel
def write_side(g: State, t: Tables, p: int, out: np.ndarray) -> None:
    """Write what a player has, and the place in turn order."""
    hand = known = cards = taken = has_bid = 0
    for landscape in range(N_LANDSCAPES):
        hand += g.hand[p, landscape]
        known += g.known[p, landscape]
    for kind in range(N_GOODS_KINDS):
        cards += g.goods[p, kind]
    for i in range(g.n_bonus):
        taken += g.bonus_seat[i] == p
    for i in range(g.players):
        has_bid += g.pair_seat[i] == p
    out[SideFeature.COINS] = _COUNT * g.coins[p]
    out[SideFeature.KEYS] = _HALF * g.keys[p]
    out[SideFeature.HOUSES_LEFT] = _COUNT * g.houses_left[p]
    # G10.1: of a hand the number of cards is public, so the number of unknown ones is too
    out[SideFeature.HAND] = hand / HAND_LIMIT
    out[SideFeature.UNKNOWN] = hand / HAND_LIMIT - known / HAND_LIMIT
    out[SideFeature.GOODS_CARDS] = _FEW * cards
    out[SideFeature.BONUS_CARDS] = _FEW * taken
    out[SideFeature.IS_ACTOR] = 1 if g.actor == p else 0
    out[SideFeature.IS_FIRST] = 1 if g.first == p else 0
    out[SideFeature.IS_BLOCKED] = g.blocked[p]
    out[SideFeature.HAS_BID] = has_bid
    if g.first != NOBODY:
        out[SideFeature.TURNS_AFTER_FIRST] = _FEW * from_viewer(g, p, int(g.first))


@kernel
def write_known(g: State, p: int, out: np.ndarray) -> None:
    """Write the known part of a player's hand by landscape (G10.3)."""
    for landscape in range(N_LANDSCAPES):
        out[SideFeature.KNOWN_COAST + landscape] = _FEW * g.known[p, landscape]


@kernel
def write_houses(g: State, t: Tables, p: int, lead: np.ndarray, out: np.ndarray) -> None:
    """Write a player's goods cards by good, houses by kind, landscape and area, and leads in areas."""
    for kind in range(N_GOODS_KINDS):
        if g.goods[p, kind] > 0:
            out[SideFeature.GOOD_POTTERY + t.shown[kind, 0]] += _HALF * g.goods[p, kind]
            out[SideFeature.GOOD_POTTERY + t.shown[kind, 1]] += _HALF * g.goods[p, kind]
    houses = g.houses[p]
    out[SideFeature.COASTS] = _COUNT * popcount(houses & t.coasts)
    out[SideFeature.SUBURBS] = _COUNT * popcount(houses & t.suburbs)
    out[SideFeature.OUTER] = _COUNT * popcount(houses & t.districts & ~t.inner)
    out[SideFeature.INNER] = _FEW * popcount(houses & t.inner)
    for i in range(len(_INLAND)):
        out[SideFeature.INLAND_FOREST + i] = _COUNT * popcount(houses & t.inland[_INLAND[i]])
    for area in range(N_AREAS):
        places = t.at_river[area] if area < N_RIVERS else t.in_quarter[area - N_RIVERS]
        out[SideFeature.HOUSES_RIVER_N + area] = popcount(houses & places) / SUBURBS_OF_RIVER
        out[SideFeature.LEAD_RIVER_N + area] = lead[area] / SUBURBS_OF_RIVER


@kernel
def write_coming(value: np.ndarray, things: np.ndarray, now: np.ndarray, side: np.ndarray, out: np.ndarray) -> None:
    """Write what the scoring card of the round and those to come would bring a player now."""
    this = total = 0
    for i in range(N_THINGS):
        this += now[i] * value[i]
        total += things[i] * value[i]
        out[i] = _COUNT * things[i] * value[i]
    side[SideFeature.NOW] = this / _ONE_CARD
    side[SideFeature.COMING] = _LETTERS * total


@kernel
def write_all_sites(g: State, t: Tables, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write where players can build, and what the viewer's hand can pay for (block ``offered``)."""
    once, twice = built_on(g)
    free, single = ~once, once & ~twice
    for k in range(g.players):
        p = seat_at(g, seat, k)
        side = out[offsets[FeatureBlock.SIDES] + k * _SIDE :]
        # G10.5: hands of others are hidden, so sites disregard them
        sites = sites_with_keys(g, t, p)
        write_sites(t, sites, free, single, side[SideFeature.SITES_COAST :])
        write_next(t, sites, free, side)
    payable, row = offered_places(g, t, seat), offsets[FeatureBlock.OFFERED]
    out[row + OfferedFeature.PLACES] = _COUNT * popcount(payable)
    write_sites(t, payable, free, single, out[row + OfferedFeature.SITES_COAST :])


@kernel
def write_hand(g: State, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write blocks ``hand`` and ``landscapes``."""
    hand, row = offsets[FeatureBlock.HAND], offsets[FeatureBlock.LANDSCAPES]
    for landscape in range(N_LANDSCAPES):
        # G10.1, G10.3: what the viewer sees of a landscape; the other copies are in the deck or in the unknown parts of hands
        seen = g.hand[seat, landscape] - g.known[seat, landscape] + g.discard[landscape]
        for p in range(g.players):
            seen += g.known[p, landscape]
            seen += g.pairs[p, 0] == landscape
            seen += g.pairs[p, 1] == landscape
        unknown = g.hand[seat, landscape] - g.known[seat, landscape]
        out[hand + HandFeature.CARDS * N_LANDSCAPES + landscape] = _FEW * g.hand[seat, landscape]
        out[hand + HandFeature.UNITS * N_LANDSCAPES + landscape] = _FEW * units(g, seat, landscape)
        out[hand + HandFeature.UNKNOWN_TO_OTHERS * N_LANDSCAPES + landscape] = _FEW * unknown
        out[row + LandscapeFeature.DISCARD_PILE * N_LANDSCAPES + landscape] = g.discard[landscape] / COPIES
        out[row + LandscapeFeature.UNSEEN * N_LANDSCAPES + landscape] = (COPIES - seen) / COPIES


@kernel
def write_pairs(g: State, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write block ``pairs``."""
    for i in range(g.players):
        row = offsets[FeatureBlock.PAIRS] + i * _PAIR
        out[row + g.pairs[i, 0]] += _HALF
        out[row + g.pairs[i, 1]] += _HALF
        out[row + PairFeature.IS_FREE] = 1 if g.pair_seat[i] == NOBODY else 0
        out[row + PairFeature.IS_OWN] = 1 if g.pair_seat[i] == seat else 0


@kernel
def write_districts(g: State, seat: int, out: np.ndarray) -> None:
    """Write block ``districts``."""
    for k in range(g.players):
        houses = g.houses[seat_at(g, seat, k)] >> np.uint64(FIRST_DISTRICT)
        column, share = (DistrictFeature.IS_OWN, 1.0) if k == 0 else (DistrictFeature.OTHERS, _HALF)
        for i in range(N_DISTRICTS):
            out[i * _DISTRICT + column] += share * np.int64((houses >> np.uint64(i)) & ONE)


@kernel
def write_goods(g: State, t: Tables, out: np.ndarray) -> None:
    """Write block ``goods``."""
    for kind in range(N_GOODS_KINDS):
        if g.display[kind] > 0:
            out[GoodsFeature.DISPLAY_POTTERY + t.shown[kind, 0]] += _FEW * g.display[kind]
            out[GoodsFeature.DISPLAY_POTTERY + t.shown[kind, 1]] += _FEW * g.display[kind]
    # G10.1: which cards the stack consists of is public, their order is not
    for i in range(g.goods_size):
        kind = g.goods_stack[i]
        out[GoodsFeature.STACK_POTTERY + t.shown[kind, 0]] += _FEW
        out[GoodsFeature.STACK_POTTERY + t.shown[kind, 1]] += _FEW
