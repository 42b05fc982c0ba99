"""Compact features of what a seat may know (G10): letters, means, sites and what is still to come.

The blocks are declared in ``features_layout``. Everything in them is public or the seat's own, as in observations.
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
    HOUSES,
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
    Ending,
    Stage,
)
from ginkgo_env.games.golden_city.knowledge.features_bonus import expect_bonuses, write_bonus
from ginkgo_env.games.golden_city.knowledge.features_layout import DISTRICTS, GOODS, N_DISTRICTS, N_THINGS, PAIRS, SIDES, F
from ginkgo_env.games.golden_city.knowledge.features_sites import write_next, write_sites
from ginkgo_env.games.golden_city.rules.sites import built_on, offered, sites_with_keys, units
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

_HOUSES = np.array(HOUSES, np.float64)
_SIDE, _PAIR, _DISTRICT = len(SIDES), len(PAIRS), len(DISTRICTS)
_N_AREAS = N_THINGS - N_GOODS
_TOTAL, _COINS, _ACTOR, _KNOWN, _GOOD, _KINDS, _AREAS, _SITES, _NEXT = (
    SIDES.index(name)
    for name in (
        *("letters", "coins", "is_actor", "known_coast", "good_pottery", "coasts", "houses_river_n", "sites_coast"),
        "next_goods",
    )
)
_STACK = GOODS.index("stack_pottery")
_LETTERS, _FEW, _COUNT = 0.01, 0.25, 0.1  # factors that bring letters, small numbers and numbers of places near 0 to 1


@kernel
def features_one(g: State, t: Tables, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write the features of what the seat may know into out (n,) float32; `at` are the offsets of the blocks."""
    for i in range(out.shape[0]):
        out[i] = 0
    if g.stage < Stage.OVER:
        out[at[F.DECISION] + g.stage] = 1
    left = share_left(g)
    write_game(g, t, left, out[at[F.GAME] :])
    things, now = scratch(N_THINGS), scratch(N_THINGS)
    write_scoring(g, t, things, now, out[at[F.SCORING] :])
    worth, bonus = scratch_table(MAX_PLAYERS, N_BONUS), scratch(MAX_PLAYERS)
    expect_bonuses(g, t, seat, worth, bonus)
    value, lead = scratch_table(MAX_PLAYERS, N_THINGS), scratch_table(MAX_PLAYERS, _N_AREAS)
    measure(g, t, value, lead)
    for k in range(g.players):
        p = seat_at(g, seat, k)
        side = out[at[F.SIDES] + k * _SIDE :]
        write_letters(g, p, bonus, left, side)
        write_side(g, t, p, side)
        write_known(g, p, side)
        write_houses(g, t, p, lead[p], side)
        write_coming(value[p], things, now, side, out[at[F.COMING] + k * N_THINGS :])
        for card in range(N_BONUS):
            out[at[F.COUNTS] + k * N_BONUS + card] = _COUNT * worth[p, card]
    write_bonus(g, seat, worth[seat], out[at[F.BONUS] :])
    write_hand(g, seat, out, at)
    write_all_sites(g, t, seat, out, at)
    write_districts(g, seat, out[at[F.DISTRICTS] :])
    write_goods(g, t, out[at[F.GOODS] :])
    if g.stage == Stage.BID:
        write_pairs(g, seat, out, at)


@kernel
def share_left(g: State) -> float:
    """The share of the game still ahead, 1 to 0, by what runs out first: scoring cards, or a player's houses (G8.1)."""
    if g.ending != Ending.NONE:
        return 0.0
    left = float(g.n_scoring / N_SCORING)
    for p in range(g.players):
        left = min(left, float(g.houses_left[p] / _HOUSES[g.players]))
    return left


@kernel
def write_game(g: State, t: Tables, left: float, out: np.ndarray) -> None:
    """Block game."""
    taken, fewest, pile = ZERO, COPIES * COPIES, 0
    for p in range(g.players):
        taken |= g.houses[p]
        fewest = min(fewest, int(g.houses_left[p]))
    for landscape in range(N_LANDSCAPES):
        pile += g.discard[landscape]
    out[0] = left
    out[1] = g.rounds / N_SCORING
    out[2] = g.n_scoring / N_SCORING
    out[3] = 1 if g.ending != Ending.NONE else 0
    out[4] = _FEW * (g.displacements + 1) if g.stage == Stage.BID else 0.0
    out[5] = g.deck_size / N_CARDS
    out[6] = pile / N_CARDS
    out[7] = g.goods_size / N_GOODS_CARDS
    out[8] = (N_BONUS - g.n_bonus) / N_BONUS
    out[9] = g.key_stack / KEYS
    out[10] = g.supply / COINS
    out[11] = _FEW * g.turns
    out[12] = g.built / 2
    out[13] = _COUNT * fewest
    out[14] = _COUNT * popcount(t.coasts & ~taken)


@kernel
def write_scoring(g: State, t: Tables, things: np.ndarray, now: np.ndarray, out: np.ndarray) -> None:
    """Block scoring; numbers of cards to come by good, river and quarter into things (12,), of this round's card into now."""
    for i in range(N_THINGS):
        things[i] = now[i] = 0
    if g.scoring != NONE and g.stage != Stage.OVER:
        now[t.scoring_good[g.scoring]] = now[N_GOODS + t.scoring_area[g.scoring]] = 1
    for i in range(g.n_scoring):
        card = g.scoring_stack[i]
        things[t.scoring_good[card]] += 1
        things[N_GOODS + t.scoring_area[card]] += 1
    for i in range(N_THINGS):
        out[i] = now[i]
        out[N_THINGS + i] = _FEW * things[i]


@kernel
def measure(g: State, t: Tables, value: np.ndarray, lead: np.ndarray) -> None:
    """What each good, river and quarter would bring each player now (G7), and leads over the best other in areas."""
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
            if owners[good] == SHARE:
                value[p, good] *= 2
    for area in range(_N_AREAS):
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
            value[p, N_GOODS + area] = (SHARE if n > 0 else 0) + (SHARE if ahead > 0 else 0)


@kernel
def write_letters(g: State, p: int, bonus: np.ndarray, left: float, out: np.ndarray) -> None:
    """Letters of player p by source, with bonus cards (tenths of letters), and the lead over the best other."""
    total = best = 0
    for k in range(g.players):
        q, n = seat_at(g, p, k), 0
        for source in range(g.letters.shape[1]):
            n += int(g.letters[q, source])
        if k == 0:
            total = n
        else:
            other = 10 * n + bonus[q]
            best = other if k == 1 else max(best, other)
    for source in range(g.letters.shape[1]):
        out[source] = 2 * _LETTERS * g.letters[p, source]
    everything = 10 * total + bonus[p]
    out[_TOTAL] = _LETTERS * total
    out[_TOTAL + 1] = _LETTERS * bonus[p] / 5
    out[_TOTAL + 2] = _LETTERS * everything / 10
    out[_TOTAL + 3] = _LETTERS * (everything - best) / 5
    out[_TOTAL + 4] = out[_TOTAL + 3] * left


@kernel
def write_side(g: State, t: Tables, p: int, out: np.ndarray) -> None:
    """What player p has, and its place in the order of turns."""
    hand = known = cards = taken = lies = 0
    for landscape in range(N_LANDSCAPES):
        hand += g.hand[p, landscape]
        known += g.known[p, landscape]
    for kind in range(N_GOODS_KINDS):
        cards += g.goods[p, kind]
    for i in range(g.n_bonus):
        taken += g.bonus_seat[i] == p
    for i in range(g.players):
        lies += g.pair_seat[i] == p
    out[_COINS] = _COUNT * g.coins[p]
    out[_COINS + 1] = 0.5 * g.keys[p]
    out[_COINS + 2] = _COUNT * g.houses_left[p]
    out[_COINS + 3] = hand / 5
    out[_COINS + 4] = hand / 5 - known / 5
    out[_COINS + 5] = _FEW * cards
    out[_COINS + 6] = _FEW * taken
    out[_ACTOR] = 1 if g.actor == p else 0
    out[_ACTOR + 1] = 1 if g.first == p else 0
    out[_ACTOR + 2] = g.blocked[p]
    out[_ACTOR + 3] = lies
    if g.first != NOBODY:
        out[_ACTOR + 4] = _FEW * from_viewer(g, p, int(g.first))


@kernel
def write_known(g: State, p: int, out: np.ndarray) -> None:
    """The known part of the hand by landscape."""
    for landscape in range(N_LANDSCAPES):
        out[_KNOWN + landscape] = _FEW * g.known[p, landscape]


@kernel
def write_houses(g: State, t: Tables, p: int, lead: np.ndarray, out: np.ndarray) -> None:
    """Goods cards by good; houses by kind of place, landscape and area; leads in areas."""
    for kind in range(N_GOODS_KINDS):
        if g.goods[p, kind] > 0:
            out[_GOOD + t.shown[kind, 0]] += 0.5 * g.goods[p, kind]
            out[_GOOD + t.shown[kind, 1]] += 0.5 * g.goods[p, kind]
    houses = g.houses[p]
    out[_KINDS] = _COUNT * popcount(houses & t.coasts)
    out[_KINDS + 1] = _COUNT * popcount(houses & t.suburbs)
    out[_KINDS + 2] = _COUNT * popcount(houses & t.districts & ~t.inner)
    out[_KINDS + 3] = _FEW * popcount(houses & t.inner)
    for landscape in range(1, N_LANDSCAPES):
        out[_KINDS + 3 + landscape] = _COUNT * popcount(houses & t.inland[landscape])
    for area in range(_N_AREAS):
        places = t.at_river[area] if area < N_RIVERS else t.in_quarter[area - N_RIVERS]
        out[_AREAS + area] = popcount(houses & places) / 3
        out[_AREAS + _N_AREAS + area] = lead[area] / 3


@kernel
def write_coming(value: np.ndarray, things: np.ndarray, now: np.ndarray, side: np.ndarray, out: np.ndarray) -> None:
    """What the round's scoring card, and those to come, would bring a player if they were scored now."""
    this = total = 0
    for i in range(N_THINGS):
        this += now[i] * value[i]
        total += things[i] * value[i]
        out[i] = _COUNT * things[i] * value[i]
    side[_TOTAL + 5] = this / 8
    side[_TOTAL + 6] = _LETTERS * total


@kernel
def write_all_sites(g: State, t: Tables, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Where players can build, and how the viewer could with the hand: in block sides, and block offered."""
    once, twice = built_on(g)
    free, single = ~once, once & ~twice
    for k in range(g.players):
        p = seat_at(g, seat, k)
        side = out[at[F.SIDES] + k * _SIDE :]
        found = sites_with_keys(g, t, p)
        write_sites(t, found, free, single, side[_SITES:])
        write_next(t, found, free, side[_NEXT:])
    found = offered(g, t, seat)
    out[at[F.OFFERED]] = _COUNT * popcount(found)
    write_sites(t, found, free, single, out[at[F.OFFERED] + 1 :])


@kernel
def write_hand(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Blocks hand and landscapes."""
    k, row = at[F.HAND], at[F.LANDSCAPES]
    for landscape in range(N_LANDSCAPES):
        seen = g.hand[seat, landscape] - g.known[seat, landscape] + g.discard[landscape]
        for p in range(g.players):
            seen += g.known[p, landscape]
            seen += g.pairs[p, 0] == landscape
            seen += g.pairs[p, 1] == landscape
        out[k + landscape] = _FEW * g.hand[seat, landscape]
        out[k + N_LANDSCAPES + landscape] = _FEW * units(g, seat, landscape)
        out[k + 2 * N_LANDSCAPES + landscape] = _FEW * (g.hand[seat, landscape] - g.known[seat, landscape])
        out[row + landscape] = g.discard[landscape] / COPIES
        out[row + N_LANDSCAPES + landscape] = (COPIES - seen) / COPIES


@kernel
def write_pairs(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Block pairs."""
    for i in range(g.players):
        row = at[F.PAIRS] + i * _PAIR
        out[row + g.pairs[i, 0]] += 0.5
        out[row + g.pairs[i, 1]] += 0.5
        out[row + N_LANDSCAPES] = 1 if g.pair_seat[i] == NOBODY else 0
        out[row + N_LANDSCAPES + 1] = 1 if g.pair_seat[i] == seat else 0


@kernel
def write_districts(g: State, seat: int, out: np.ndarray) -> None:
    """Block districts."""
    for k in range(g.players):
        houses = g.houses[seat_at(g, seat, k)] >> np.uint64(FIRST_DISTRICT)
        column, share = min(k, 1), 1.0 if k == 0 else 0.5
        for i in range(N_DISTRICTS):
            out[i * _DISTRICT + column] += share * np.int64((houses >> np.uint64(i)) & ONE)


@kernel
def write_goods(g: State, t: Tables, out: np.ndarray) -> None:
    """Block goods."""
    for kind in range(N_GOODS_KINDS):
        if g.display[kind] > 0:
            out[t.shown[kind, 0]] += _FEW * g.display[kind]
            out[t.shown[kind, 1]] += _FEW * g.display[kind]
    for i in range(g.goods_size):
        kind = g.goods_stack[i]
        out[_STACK + t.shown[kind, 0]] += _FEW
        out[_STACK + t.shown[kind, 1]] += _FEW
