"""Resample hidden information, consistently with what a seat knows (G10.6), for search.

Every deal starts from sorted sets, never from the true order. So the result depends only on what the seat knows and on the random
key, and two states that the seat cannot tell apart are resampled alike.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest
from ginkgo_env.core.compile.intrinsics import copy, scratch
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import mix, shuffle
from ginkgo_env.games.golden_city.actions import ACTIONS
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import (
    BACKS,
    MAX_PLAYERS,
    N_BONUS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_SCORING,
    NONE,
    Stage,
)
from ginkgo_env.games.golden_city.rules.machine import legal
from ginkgo_env.games.golden_city.state import State

_ATTEMPTS = 10_000
"""The most deals that are tried. A decision needs at most four cards of a hand, so in play a few deals are enough."""
_BACKS = np.array(BACKS, np.int64)
_N_ACTIONS = ACTIONS.size
_ALL_BONUS = np.uint64(2**N_BONUS - 1)


@kernel
def resample(g: State, t: Components, seat: int, key: np.uint64) -> None:
    """Resample what is hidden from the seat, in place.

    key : seeds both the deal and the game's further chance
    """
    if g.stage == Stage.OVER:  # G10.6: in a game that is over nothing changes
        return
    # G10.6: the copy gets random numbers of its own, so nothing of the true game's chance can be read off it
    g.rng = mix(key)
    g.seed = key
    resample_goods(g)
    resample_scoring(g)
    resample_bonus(g, seat)
    resample_landscapes(g, t, seat)


@kernel
def resample_goods(g: State) -> None:
    """Shuffle the goods stack."""
    count = scratch(N_GOODS_KINDS)  # G10.1: which cards the stack consists of is public
    for kind in range(N_GOODS_KINDS):
        count[kind] = 0
    for i in range(g.goods_size):
        count[g.goods_stack[i]] += 1
    n = 0
    for kind in range(N_GOODS_KINDS):
        for _ in range(count[kind]):
            g.goods_stack[n] = kind
            n += 1
    shuffle(g, g.goods_stack, n)  # G10.5: their order is hidden


@kernel
def resample_scoring(g: State) -> None:
    """Shuffle the scoring cards to come within each back."""
    end = N_SCORING  # G2.3: back 1 is drawn first, and what is drawn first lies last
    for back in range(_BACKS.size):
        begin, stop = end - _BACKS[back], min(end, int(g.n_scoring))
        end = begin
        if begin >= stop:
            continue
        rest = ZERO
        for i in range(begin, stop):
            rest |= bit(g.scoring_stack[i])
        for i in range(begin, stop):
            g.scoring_stack[i] = lowest(rest)
            rest &= rest - ONE
        shuffle(g, g.scoring_stack[begin:stop], stop - begin)


@kernel
def resample_bonus(g: State, seat: int) -> None:
    """Exchange others' bonus cards within the blocks of takes between two looks of the seat (G10.6)."""
    looks = g.stage == Stage.BONUS and g.actor == seat  # G10.2: who chooses a bonus card sees those that are left
    left = _ALL_BONUS  # the cards that were left at the last look
    start = 0
    for i in range(g.n_bonus + 1):
        if i < g.n_bonus and g.bonus_seat[i] != seat:
            continue
        taken = ZERO
        for k in range(start, i):
            taken |= bit(g.bonus_card[k])
        # G10.6: takes before a look exchange their cards; those after the last look may be any of the cards left then
        deal_bonus(g, taken if i < g.n_bonus or looks else left, start, i)
        if i < g.n_bonus:
            left &= ~(taken | bit(g.bonus_card[i]))
        start = i + 1


@kernel
def deal_bonus(g: State, cards: np.uint64, start: int, stop: int) -> None:
    """Deal some of these cards to the takes from start to stop - 1; there are cards enough."""
    if start >= stop:
        return
    items, n = scratch(N_BONUS), 0
    while cards != ZERO:
        items[n] = lowest(cards)
        cards &= cards - ONE
        n += 1
    shuffle(g, items, n)
    for k in range(start, stop):
        g.bonus_card[k] = items[k - start]


@kernel
def resample_landscapes(g: State, t: Components, seat: int) -> None:
    """Deal the deck and the unknown parts of other hands such that the decision has a legal action.

    All such deals are equally likely. The true deal is one of them; it is restored if no other is met within the attempts, which
    can happen in positions made by hand.
    """
    pool, unknown = scratch(N_LANDSCAPES), scratch(MAX_PLAYERS)
    for landscape in range(N_LANDSCAPES):
        pool[landscape] = 0
    for i in range(g.deck_size):
        pool[g.deck[i]] += 1
    for p in range(g.players):
        unknown[p] = 0
        for landscape in range(N_LANDSCAPES if p != seat else 0):  # G10.5: hidden beyond the known part
            n = g.hand[p, landscape] - g.known[p, landscape]
            unknown[p] += n
            pool[landscape] += n
    # Bidding, goods and bonus cards can be chosen with any hand; the other decisions need cards of it.
    depends = g.stage == Stage.BUILD or g.stage == Stage.PAY or g.stage == Stage.DISCARD
    if g.actor == seat or not depends:
        deal(g, pool, unknown, seat)
        return
    hand, deck, mask = g.hand.copy(), g.deck.copy(), np.empty(_N_ACTIONS, np.int8)
    for _ in range(_ATTEMPTS):
        deal(g, pool, unknown, seat)
        if legal(g, t, mask) > 0:  # G10.6: a single legal action is enough
            return
    copy(g.deck, deck)
    for p in range(g.players):
        copy(g.hand[p], hand[p])


@kernel
def deal(g: State, pool: np.ndarray, unknown: np.ndarray, seat: int) -> None:
    """Deal the unknown parts of other hands from a pool of cards; the rest becomes the deck.

    pool : numbers of cards by landscape, (5,)
    unknown : numbers of unknown cards in hands, (P,)
    """
    n = 0
    for landscape in range(N_LANDSCAPES):
        for _ in range(pool[landscape]):
            g.deck[n] = landscape
            n += 1
    shuffle(g, g.deck, n)
    for p in range(g.players):
        if p == seat:
            continue
        for landscape in range(N_LANDSCAPES):
            g.hand[p, landscape] = g.known[p, landscape]
        for _ in range(unknown[p]):
            n -= 1
            g.hand[p, g.deck[n]] += 1
            g.deck[n] = NONE
