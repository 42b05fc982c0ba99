"""How a round is played to its end where only a quick, sensible continuation matters: in resampled states, by lookahead.

No pair is ever taken from another hand; the most valuable place that can be paid for is built on; jokers are a last resort.
Values are small numbers without a unit; equal ones are ordered by the random word.
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
from ginkgo_env.games.golden_city.rules.building import cards_of
from ginkgo_env.games.golden_city.rules.scoring import bonus_letters, goods_cards, has_good
from ginkgo_env.games.golden_city.rules.sites import built_on, offered, sites_with_keys
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

_LETTER = 4  # value of a letter
_REWARDS = np.array([3, 2, 4, 4, 16, 20])  # by Reward, as long as there is something left
_FIRST_KEY = 8  # a key is worth more to who has none
_SCORED = 8  # a house where the round's scoring card counts, the first one there
_NEAR, _FAR = 6, 1  # a free district, another free place, that comes into reach
_CARD = 3  # value of a card that is saved
_STACK_GOODS = 2  # the top card of the stack, beside the number of new goods on a card twice
_TIES = 256
_BYTE = np.uint64(_TIES - 1)


@kernel
def playout_one(g: State, t: Tables, mask: np.ndarray, word: np.uint64) -> int:
    """A sensible legal action of the actor; the mask (A,) is the current one."""
    p = int(g.actor)
    if g.stage == Stage.BID:
        return choose_pair(g, t, p, mask, word)
    if g.stage == Stage.BUILD:
        return choose_place(g, t, p, word)
    if g.stage == Stage.PAY:
        return choose_payment(g, t, p, mask, word)
    if g.stage == Stage.GOODS:
        return choose_goods(g, t, p, mask, word)
    if g.stage == Stage.BOX:
        return choose_box(g, t, p, mask, word)
    if g.stage == Stage.BONUS:
        return choose_bonus(g, t, p, mask, word)
    if g.stage == Stage.DISCARD:
        return choose_discard(g, t, p, mask, word)
    return draw_legal(mask, mix(word))


@kernel
def ranked(value: int, action: int, word: np.uint64) -> int:
    """A number that orders actions by their value, and those of one value by the random word."""
    return int(value) * _TIES + int(mix(word ^ np.uint64(action)) & _BYTE)


# --- bidding (G4) --------------------------------------------------------------------------------------------------------------


@kernel
def choose_pair(g: State, t: Tables, p: int, mask: np.ndarray, word: np.uint64) -> int:
    """The free pair that is of most use with the hand; one is always free."""
    found = sites_with_keys(g, t, p)
    best, action = NONE, NONE
    for i in range(g.players):
        if mask[BID + i] == 0 or g.pair_seat[i] != NOBODY:
            continue
        a, b = g.pairs[i, 0], g.pairs[i, 1]
        value = use(g, t, p, a, 2 if a == b else 1, found)
        if a != b:
            value += use(g, t, p, b, 1, found)
        rank = ranked(value, BID + i, word)
        if rank > best:
            best, action = rank, BID + i
    return action


@kernel
def use(g: State, t: Tables, p: int, landscape: int, n: int, found: np.uint64) -> int:
    """The use of n more cards of a landscape: for sites of it, if they can be paid, and as jokers."""
    before = int(g.hand[p, landscape])
    value = (before + n) // JOKER - before // JOKER
    if found & t.of_landscape[landscape] != ZERO:
        needed = 1 if landscape == Landscape.COAST else 2
        value += n
        if before < needed <= before + n:
            value += 2 * needed
    return value


# --- building and paying (G5) --------------------------------------------------------------------------------------------------


@kernel
def choose_place(g: State, t: Tables, p: int, word: np.uint64) -> int:
    """The most valuable place that is offered."""
    once, twice = built_on(g)
    scored = t.area[g.scoring]
    if g.houses[p] & scored != ZERO:
        scored = ZERO
    best, action = NONE, DONE
    rest = offered(g, t, p)
    while rest != ZERO:
        place = lowest(rest)
        rest &= rest - ONE
        one = bit(place)
        value = int(prize(g, t, p, place, once & one != ZERO, twice & one != ZERO))
        if scored & one != ZERO:
            value += _SCORED
        opened = t.roads[place] & ~g.reach[p] & ~once
        value += _NEAR * popcount(opened & t.districts) + _FAR * popcount(opened & t.suburbs)
        landscape = t.landscape[place]
        value += _CARD * min(g.hand[p, landscape], 1 if t.kind[place] == Kind.COAST else 2)
        rank = ranked(value, place, word)
        if rank > best:
            best, action = rank, BUILD + place
    return action


@kernel
def prize(g: State, t: Tables, p: int, place: int, second: bool, later: bool) -> int:
    """The value of what a house brings at once (G6)."""
    kind = t.reward[place]
    if kind == NONE:
        if later:
            return 0
        if second:
            return _LETTER * t.letters_second[place]
        return _LETTER * t.letters_first[place] + _REWARDS[Reward.COIN] * t.coins_first[place] + _CARD * t.cards_first[place]
    value = int(_REWARDS[kind])
    if kind == Reward.KEY:
        if g.key_stack == 0:
            return 0
        return value + (_FIRST_KEY if g.keys[p] == 0 else 0)
    if kind == Reward.BONUS and g.n_bonus == N_BONUS:
        return 0
    if kind == Reward.GOODS and goods_cards(g, p) == MOST_GOODS:
        return 0
    return value


@kernel
def choose_payment(g: State, t: Tables, p: int, mask: np.ndarray, word: np.uint64) -> int:
    """As few cards as possible; of equal ones those of which the hand has most."""
    landscape, best, action = t.landscape[g.place], NONE, NONE
    many = 2 * JOKER  # cards
    if t.kind[g.place] == Kind.COAST:
        for source in range(N_LANDSCAPES):
            if mask[PAY_ONE + source] != 0:
                value = _TIES * (many - cards_of(source, landscape)) + int(g.hand[p, source])
                rank = ranked(value, PAY_ONE + source, word)
                if rank > best:
                    best, action = rank, PAY_ONE + source
        return action
    for pair in range(N_SOURCES_OF_TWO):
        if mask[PAY_TWO + pair] != 0:
            a, b = SOURCES_OF_TWO[pair, 0], SOURCES_OF_TWO[pair, 1]
            cards = cards_of(a, landscape) + cards_of(b, landscape)
            value = _TIES * (many - cards) + int(g.hand[p, a]) + int(g.hand[p, b])
            rank = ranked(value, PAY_TWO + pair, word)
            if rank > best:
                best, action = rank, PAY_TWO + pair
    return action


@kernel
def choose_discard(g: State, t: Tables, p: int, mask: np.ndarray, word: np.uint64) -> int:
    """A card without sites of its landscape, and not half of a joker, if possible."""
    found = sites_with_keys(g, t, p)
    best, action = NONE, NONE
    for landscape in range(N_LANDSCAPES):
        if mask[DISCARD + landscape] != 0:
            value = int(g.hand[p, landscape]) % JOKER
            if found & t.of_landscape[landscape] == ZERO:
                value += JOKER
            rank = ranked(value, DISCARD + landscape, word)
            if rank > best:
                best, action = rank, DISCARD + landscape
    return action


# --- rewards (G6) --------------------------------------------------------------------------------------------------------------


@kernel
def choose_goods(g: State, t: Tables, p: int, mask: np.ndarray, word: np.uint64) -> int:
    """The card with most goods that the player lacks, the round's above all."""
    best, action = NONE, NONE
    if mask[STACK] != 0:
        best, action = ranked(_STACK_GOODS, STACK, word), STACK
    for kind in range(N_GOODS_KINDS):
        if mask[GOODS + kind] != 0:
            value = 0
            for side in range(t.shown.shape[1]):
                good = t.shown[kind, side]
                if not has_good(g, t, p, good):
                    value += 2
                    if good == t.scoring_good[g.scoring]:
                        value += 2
            rank = ranked(value, GOODS + kind, word)
            if rank > best:
                best, action = rank, GOODS + kind
    return action


@kernel
def choose_box(g: State, t: Tables, p: int, mask: np.ndarray, word: np.uint64) -> int:
    """The card whose goods the others show as well."""
    best, action = NONE, NONE
    for kind in range(N_GOODS_KINDS):
        if mask[BOX + kind] != 0:
            value = 0
            g.goods[p, kind] -= 1
            for side in range(t.shown.shape[1]):
                if has_good(g, t, p, t.shown[kind, side]):
                    value += 1
            g.goods[p, kind] += 1
            rank = ranked(value, BOX + kind, word)
            if rank > best:
                best, action = rank, BOX + kind
    return action


@kernel
def choose_bonus(g: State, t: Tables, p: int, mask: np.ndarray, word: np.uint64) -> int:
    """The card that counts most now."""
    best, action = -_TIES * _TIES * _TIES, NONE
    for card in range(N_BONUS):
        if mask[BONUS + card] != 0:
            rank = ranked(bonus_letters(g, t, p, card), BONUS + card, word)
            if rank > best:
                best, action = rank, BONUS + card
    return action
