"""A quick and sensible way to play a round to its end, for lookahead in resampled states.

It never displaces a hand, builds on the most valuable place that can be paid for, and pays with jokers as a last resort. Values
are small numbers without a unit; the random key orders equal ones.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.masks import draw_legal
from ginkgo_env.core.rng import mix
from ginkgo_env.games.golden_city.actions import (
    BID,
    BONUS,
    BOX,
    BUILD,
    DISCARD,
    DONE,
    GOODS,
    PAY_ONE,
    PAY_TWO,
    SOURCES_OF_TWO,
    STACK,
)
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import (
    JOKER,
    MOST_GOODS,
    N_BONUS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_SOURCES_OF_TWO,
    NOBODY,
    NONE,
    Kind,
    Landscape,
    Reward,
    Stage,
)
from ginkgo_env.games.golden_city.rules.building import built_on, cards_of, offered_places, sites_with_keys
from ginkgo_env.games.golden_city.rules.scoring import bonus_letters, goods_cards, has_good
from ginkgo_env.games.golden_city.state import State

# Values of things
_LETTER = 4
_REWARDS = np.array([3, 2, 4, 4, 16, 20])  # by Reward, as long as there is something left
_FIRST_KEY = 8  # more than any further key: it opens inner districts (G5.3)
_SCORED = 8  # the first house where the scoring card of the round counts (G7.2, G7.3)
_NEAR, _FAR = 6, 1  # a free district, and any other free place, that comes into reach
_CARD = 3  # a card that is saved
_STACK_GOODS = 2  # the top card of the stack; a card of the display counts 2 for each new good on it
_TIES = 256  # values of the random key, which orders equal values
_BYTE = np.uint64(_TIES - 1)


@kernel
def playout(g: State, t: Components, seat: int, mask: np.ndarray, key: np.uint64) -> int:
    """Return a sensible legal action of the actor; mask (A,) is the current one."""
    p = int(g.actor)
    if g.stage == Stage.BID:
        return choose_pair(g, t, p, mask, key)
    if g.stage == Stage.BUILD:
        return choose_place(g, t, p, key)
    if g.stage == Stage.PAY:
        return choose_payment(g, t, p, mask, key)
    if g.stage == Stage.GOODS:
        return choose_goods(g, t, p, mask, key)
    if g.stage == Stage.BOX:
        return choose_box(g, t, p, mask, key)
    if g.stage == Stage.BONUS:
        return choose_bonus(g, t, p, mask, key)
    if g.stage == Stage.DISCARD:
        return choose_discard(g, t, p, mask, key)
    return draw_legal(mask, mix(key))


@kernel
def ranked(value: int, action: int, key: np.uint64) -> int:
    """Return a number that orders actions by value, and actions of equal value by the random key."""
    return int(value) * _TIES + int(mix(key ^ np.uint64(action)) & _BYTE)


# --- bidding (G4) --------------------------------------------------------------------------------------------------------------


@kernel
def choose_pair(g: State, t: Components, p: int, mask: np.ndarray, key: np.uint64) -> int:
    """Choose the free pair that is of most use with the hand; there always is one (G4.3)."""
    places = sites_with_keys(g, t, p)
    best, action = NONE, NONE
    for i in range(g.players):
        if mask[BID + i] == 0 or g.pair_seat[i] != NOBODY:
            continue
        a, b = g.pairs[i, 0], g.pairs[i, 1]
        value = value_of_cards(g, t, p, a, 2 if a == b else 1, places)
        if a != b:
            value += value_of_cards(g, t, p, b, 1, places)
        rank = ranked(value, BID + i, key)
        if rank > best:
            best, action = rank, BID + i
    return action


@kernel
def value_of_cards(g: State, t: Components, p: int, landscape: int, n: int, places: np.uint64) -> int:
    """Return the use of n more cards of a landscape: to pay for sites among the places, and as jokers."""
    before = int(g.hand[p, landscape])
    value = (before + n) // JOKER - before // JOKER  # G5.4: pairs that can stand for another card
    if places & t.of_landscape[landscape] != ZERO:
        needed = 1 if landscape == Landscape.COAST else 2
        value += n
        # G5.3: most of all, cards that make a site payable
        if before < needed <= before + n:
            value += 2 * needed
    return value


# --- building and paying (G5) --------------------------------------------------------------------------------------------------


@kernel
def choose_place(g: State, t: Components, p: int, key: np.uint64) -> int:
    """Choose the most valuable place that is offered."""
    once, twice = built_on(g)
    scored = t.area[g.scoring]
    if g.houses[p] & scored != ZERO:  # G7.2, G7.3: the first house there brings the share, more only the majority
        scored = ZERO
    best, action = NONE, DONE
    rest = offered_places(g, t, p)
    while rest != ZERO:
        place = lowest(rest)
        rest &= rest - ONE
        one = bit(place)
        value = int(value_of_reward(g, t, p, place, once & one != ZERO, twice & one != ZERO))
        if scored & one != ZERO:
            value += _SCORED
        opened = t.roads[place] & ~g.reach[p] & ~once
        value += _NEAR * popcount(opened & t.districts) + _FAR * popcount(opened & t.suburbs)
        # G5.4: cards of the landscape itself spare the second card of a joker.
        landscape = t.landscape[place]
        value += _CARD * min(g.hand[p, landscape], 1 if t.kind[place] == Kind.COAST else 2)
        rank = ranked(value, place, key)
        if rank > best:
            best, action = rank, BUILD + place
    return action


@kernel
def value_of_reward(g: State, t: Components, p: int, place: int, second: bool, later: bool) -> int:
    """Return the value of what a house brings at once (G6)."""
    kind = t.reward[place]
    if kind == NONE:  # a district (G6.5)
        if later:
            return 0
        if second:
            return _LETTER * t.letters_second[place]
        return _LETTER * t.letters_first[place] + _REWARDS[Reward.COIN] * t.coins_first[place] + _CARD * t.cards_first[place]
    value = int(_REWARDS[kind])
    if kind == Reward.KEY:
        if g.key_stack == 0:  # G6.1
            return 0
        return value + (_FIRST_KEY if g.keys[p] == 0 else 0)
    if kind == Reward.BONUS and g.n_bonus == N_BONUS:  # G6.4
        return 0
    if kind == Reward.GOODS and goods_cards(g, p) == MOST_GOODS:  # G6.3: a fifth card costs another one
        return 0
    return value


@kernel
def choose_payment(g: State, t: Components, p: int, mask: np.ndarray, key: np.uint64) -> int:
    """Pay with as few cards as possible; of equal ways with cards of which the hand has most."""
    landscape, best, action = t.landscape[g.place], NONE, NONE
    many = 2 * JOKER  # cards that a payment takes at most (G5.5)
    if t.kind[g.place] == Kind.COAST:
        for source in range(N_LANDSCAPES):
            if mask[PAY_ONE + source] != 0:
                value = _TIES * (many - cards_of(source, landscape)) + int(g.hand[p, source])
                rank = ranked(value, PAY_ONE + source, key)
                if rank > best:
                    best, action = rank, PAY_ONE + source
        return action
    for pair in range(N_SOURCES_OF_TWO):
        if mask[PAY_TWO + pair] != 0:
            a, b = SOURCES_OF_TWO[pair, 0], SOURCES_OF_TWO[pair, 1]
            cards = cards_of(a, landscape) + cards_of(b, landscape)
            value = _TIES * (many - cards) + int(g.hand[p, a]) + int(g.hand[p, b])
            rank = ranked(value, PAY_TWO + pair, key)
            if rank > best:
                best, action = rank, PAY_TWO + pair
    return action


@kernel
def choose_discard(g: State, t: Components, p: int, mask: np.ndarray, key: np.uint64) -> int:
    """Discard a card of a landscape without sites, and preferably not half of a joker."""
    places = sites_with_keys(g, t, p)
    best, action = NONE, NONE
    for landscape in range(N_LANDSCAPES):
        if mask[DISCARD + landscape] != 0:
            value = int(g.hand[p, landscape]) % JOKER
            if places & t.of_landscape[landscape] == ZERO:
                value += JOKER
            rank = ranked(value, DISCARD + landscape, key)
            if rank > best:
                best, action = rank, DISCARD + landscape
    return action


# --- rewards (G6) --------------------------------------------------------------------------------------------------------------


@kernel
def choose_goods(g: State, t: Components, p: int, mask: np.ndarray, key: np.uint64) -> int:
    """Take the card with most goods that the player lacks, above all the good scored in this round (G7.1)."""
    best, action = NONE, NONE
    if mask[STACK] != 0:
        best, action = ranked(_STACK_GOODS, STACK, key), STACK
    for kind in range(N_GOODS_KINDS):
        if mask[GOODS + kind] != 0:
            value = 0
            for side in range(t.shown.shape[1]):
                good = t.shown[kind, side]
                if not has_good(g, t, p, good):
                    value += 2
                    if good == t.scoring_good[g.scoring]:
                        value += 2
            rank = ranked(value, GOODS + kind, key)
            if rank > best:
                best, action = rank, GOODS + kind
    return action


@kernel
def choose_box(g: State, t: Components, p: int, mask: np.ndarray, key: np.uint64) -> int:
    """Put the card out of the game whose goods the player's other cards show as well (G6.3)."""
    best, action = NONE, NONE
    for kind in range(N_GOODS_KINDS):
        if mask[BOX + kind] != 0:
            value = 0
            g.goods[p, kind] -= 1
            for side in range(t.shown.shape[1]):
                if has_good(g, t, p, t.shown[kind, side]):
                    value += 1
            g.goods[p, kind] += 1
            rank = ranked(value, BOX + kind, key)
            if rank > best:
                best, action = rank, BOX + kind
    return action


@kernel
def choose_bonus(g: State, t: Components, p: int, mask: np.ndarray, key: np.uint64) -> int:
    """Take the bonus card that counts most as things stand (G9.1)."""
    best, action = -_TIES * _TIES * _TIES, NONE
    for card in range(N_BONUS):
        if mask[BONUS + card] != 0:
            rank = ranked(bonus_letters(g, t, p, card), BONUS + card, key)
            if rank > best:
                best, action = rank, BONUS + card
    return action
