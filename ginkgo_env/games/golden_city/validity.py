"""Whether a record of any content is sound: the one check of states that do not come from play.

Every component is in one place, and what a record derives from others is as counting gives it. Whether the bidding and the houses
could have come about is not asked.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.state import Flaws
from ginkgo_env.games.golden_city.actions import ACTIONS
from ginkgo_env.games.golden_city.constants import (
    BACKS,
    COINS,
    COPIES,
    DISPLAYED,
    HAND_LIMIT,
    HOUSES,
    HOUSES_A_TURN,
    KEYS,
    MAX_PAIRS,
    MAX_PLAYERS,
    MOST_GOODS,
    N_BONUS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_PLACES,
    N_SCORING,
    NOBODY,
    NONE,
    SHARE,
    Ending,
    Kind,
    Reward,
    Source,
    Stage,
)
from ginkgo_env.games.golden_city.rules.building import offered_places
from ginkgo_env.games.golden_city.rules.cards import cards_in_hand
from ginkgo_env.games.golden_city.rules.machine import legal
from ginkgo_env.games.golden_city.rules.scoring import goods_cards
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

_HOUSES = np.array(HOUSES, np.int64)
_BACK = np.array([back for back, n in enumerate(BACKS) for _ in range(n)], np.int64)  # of each scoring card, and of each round
_N_ACTIONS = ACTIONS.size
_PAIR = 2  # cards


class Flaw(Flaws):
    """What can be wrong with a record."""

    PLAYERS = "the number of players is not possible"
    STATUS = "the decision, the actor, the first player, the round and the turn do not fit together"
    TURN = "the houses built, the place or the last discard of the turn do not fit the decision"
    HOUSES = "outside of districts a place has room for one house, and the houses of a player are limited"
    CARDS = "each landscape card must be in one place: the deck, the discard pile, a pair or a hand"
    HAND = "a hand has more cards than it can have at this moment, or fewer than are known"
    PAIRS = "while bidding there are pairs in ascending order with at most one hand of each player, and none of the actor's"
    GOODS = "each goods card must be in one place, three of them in the display as long as the stack holds any"
    OWN_GOODS = "players have at most 4 goods cards, and 5 while one is to be put out of the game"
    BONUS = "each bonus card is taken once, by a player"
    SCORING = "the scoring cards must be different, and in the order of their backs with one for each round"
    COINS = "supply and players must have 35 coins together, and the supply what this bidding has cost"
    KEYS = "stack, players and houses in inner districts, which cost one each, must be 6 keys"
    LETTERS = "a player has more letters than houses and scoring cards can have brought"
    ENDING = "the ending must be the first trigger in time, in a turn of this round"
    DECISION = "the decision has no legal action, or is about a place where it cannot be taken"


@kernel
def sound(g: State, t: Tables) -> int:
    """Return the number of the first flaw of a record, 0 if it is sound."""
    if g.players < 2 or g.players > MAX_PLAYERS:
        return Flaw.PLAYERS
    flaw = flaw_of_moment(g)
    if flaw == 0:
        flaw = flaw_of_houses(g, t)
    if flaw == 0:
        flaw = flaw_of_cards(g)
    if flaw == 0:
        flaw = flaw_of_piles(g, t)
    if flaw == 0 and not are_letters_possible(g, t):
        flaw = Flaw.LETTERS
    if flaw == 0 and (g.ending < 0 or g.ending != ending_of(g)):
        flaw = Flaw.ENDING
    if flaw == 0:
        if g.stage == Stage.OVER:
            return Flaw.STATUS if g.ending == Ending.NONE else 0
        if not is_decision_possible(g, t):
            return Flaw.DECISION
    return flaw


@kernel
def within(value: int, low: int, high: int) -> bool:
    """Whether a number lies in a range."""
    return low <= value <= high


@kernel
def flaw_of_moment(g: State) -> int:
    """Return the first flaw of where the game stands, 0 if there is none."""
    bidding, over = g.stage == Stage.BID, g.stage == Stage.OVER
    rewarding = g.stage == Stage.GOODS or g.stage == Stage.BOX or g.stage == Stage.BONUS
    if not within(g.stage, 0, Stage.OVER) or not within(g.first, 0, g.players - 1) or not within(g.rounds, 1, N_SCORING):
        return Flaw.STATUS
    if bidding or over:
        least = most = 0
        if g.turns != (g.players if over else 0) or not (g.actor == NOBODY if over else within(g.actor, 0, g.players - 1)):
            return Flaw.STATUS
    else:
        least = 1 if rewarding else 0
        most = HOUSES_A_TURN if rewarding or g.stage == Stage.DISCARD else HOUSES_A_TURN - 1
        if not within(g.turns, 0, g.players - 1) or g.actor != (g.first + g.turns) % g.players:
            return Flaw.STATUS
    has_place = rewarding or g.stage == Stage.PAY
    if not within(g.built, least, most) or not within(g.place, 0 if has_place else NONE, N_PLACES - 1 if has_place else NONE):
        return Flaw.TURN
    return 0 if within(g.discarded, NONE, N_LANDSCAPES - 1 if g.stage == Stage.DISCARD else NONE) else Flaw.TURN


@kernel
def flaw_of_houses(g: State, t: Tables) -> int:
    """Return the first flaw of houses, keys and coins, 0 if there is none."""
    taken, keys, coins = ZERO, int(g.key_stack), int(g.supply)
    for p in range(g.players):
        houses, reach, rest = g.houses[p], ZERO, g.houses[p]
        if houses >> np.uint64(N_PLACES) != ZERO or (houses & taken & ~t.districts) != ZERO:  # G5.2
            return Flaw.HOUSES
        taken |= houses
        while rest != ZERO:
            reach |= t.roads[lowest(rest)]
            rest &= rest - ONE
        if g.reach[p] != reach or g.houses_left[p] < 0 or g.houses_left[p] != _HOUSES[g.players] - popcount(houses):
            return Flaw.HOUSES
        if g.coins[p] < 0:
            return Flaw.COINS
        if g.keys[p] < 0:
            return Flaw.KEYS
        keys += int(g.keys[p]) + popcount(houses & t.inner)  # G5.6
        coins += int(g.coins[p])
    if g.key_stack < 0 or keys != KEYS:
        return Flaw.KEYS
    if not within(g.displacements, 0, COINS if g.stage == Stage.BID else 0):
        return Flaw.PAIRS
    paid = g.displacements * (g.displacements + 1) // 2  # G4.2, G4.3: 1 coin for the first one, 2 for the second, and so on
    return 0 if coins == COINS and g.supply >= paid else Flaw.COINS


@kernel
def flaw_of_cards(g: State) -> int:
    """Return the first flaw of landscape cards, 0 if there is none."""
    lying, last = ZERO, 0
    for i in range(MAX_PAIRS):
        a, b, p = int(g.pairs[i, 0]), int(g.pairs[i, 1]), int(g.pair_seat[i])
        if g.stage != Stage.BID or i >= g.players:
            if a != NONE or b != NONE or p != NOBODY:
                return Flaw.PAIRS
            continue
        # G4.1: the lower card first, and pairs in ascending order
        rank = a * N_LANDSCAPES + b
        if not 0 <= a <= b < N_LANDSCAPES or rank < last or not within(p, NOBODY, g.players - 1) or p == g.actor:
            return Flaw.PAIRS
        last = rank
        if p != NOBODY:
            if (lying & bit(p)) != ZERO:
                return Flaw.PAIRS
            lying |= bit(p)
    if not is_pile(g.deck, g.deck_size, N_LANDSCAPES):
        return Flaw.CARDS
    for landscape in range(N_LANDSCAPES):
        n = int(g.discard[landscape]) + number_of(g.deck, landscape)
        for i in range(MAX_PAIRS):
            n += (1 if g.pairs[i, 0] == landscape else 0) + (1 if g.pairs[i, 1] == landscape else 0)
        for p in range(g.players):
            if not within(g.known[p, landscape], 0, g.hand[p, landscape]):
                return Flaw.HAND
            n += int(g.hand[p, landscape])
        if g.discard[landscape] < 0 or n != COPIES:
            return Flaw.CARDS
    for k in range(g.players):
        # G4.5, G5.8: the two cards of a pair are held from the end of the bidding to that of the own turn
        most = HAND_LIMIT + (_PAIR if g.stage != Stage.BID and k >= g.turns else 0)
        if cards_in_hand(g, (g.first + k) % g.players) > most:
            return Flaw.HAND
    return 0


@kernel
def is_pile(cards: np.ndarray, size: int, kinds: int) -> bool:
    """Whether the first cards of a pile are of these kinds, and nothing lies above them."""
    n = 0
    for i in range(cards.shape[0]):
        n += 1 if within(cards[i], 0 if i < size else NONE, kinds - 1 if i < size else NONE) else 0
    return n == cards.shape[0] and 0 <= size <= n


@kernel
def number_of(cards: np.ndarray, kind: int) -> int:
    """Return how many cards of a pile are of a kind."""
    n = 0
    for i in range(cards.shape[0]):
        n += 1 if cards[i] == kind else 0
    return n


@kernel
def flaw_of_piles(g: State, t: Tables) -> int:
    """Return the first flaw of goods, bonus and scoring cards, 0 if there is none."""
    if not is_pile(g.goods_stack, g.goods_size, N_GOODS_KINDS):
        return Flaw.GOODS
    displayed = 0
    for kind in range(N_GOODS_KINDS):
        n = int(g.display[kind]) + int(g.boxed[kind]) + number_of(g.goods_stack, kind)
        for p in range(g.players):
            if g.goods[p, kind] < 0:
                return Flaw.OWN_GOODS
            n += int(g.goods[p, kind])
        if g.display[kind] < 0 or g.boxed[kind] < 0 or n != t.copies[kind]:
            return Flaw.GOODS
        displayed += int(g.display[kind])
    if displayed > DISPLAYED or (displayed < DISPLAYED and g.goods_size > 0):
        return Flaw.GOODS
    for p in range(g.players):
        boxing, n = g.stage == Stage.BOX and g.actor == p, goods_cards(g, p)
        if n > MOST_GOODS + (1 if boxing else 0) or (boxing and n <= MOST_GOODS):  # G6.3
            return Flaw.OWN_GOODS
    if not is_pile(g.bonus_card, g.n_bonus, N_BONUS) or not is_pile(g.bonus_seat, g.n_bonus, g.players):
        return Flaw.BONUS
    for card in range(N_BONUS):
        if number_of(g.bonus_card, card) > 1:
            return Flaw.BONUS
    if g.n_scoring != N_SCORING - g.rounds or not is_pile(g.scoring_stack, g.n_scoring, N_SCORING):
        return Flaw.SCORING
    if not within(g.scoring, 0, N_SCORING - 1) or number_of(g.scoring_stack, g.scoring) > 0:
        return Flaw.SCORING
    for i in range(g.n_scoring + 1):  # G2.3: from the card of the last round to that of this one
        card = int(g.scoring if i == g.n_scoring else g.scoring_stack[i])
        if _BACK[card] != _BACK[N_SCORING - 1 - i] or number_of(g.scoring_stack, card) > 1:
            return Flaw.SCORING
    return 0


@kernel
def are_letters_possible(g: State, t: Tables) -> bool:
    """Whether letters are within what houses in districts (G6.5) and scored cards (G7) bring at most."""
    # Play from here raises the bounds at least as much as the letters.
    scored = int(g.rounds) - (0 if g.stage == Stage.OVER else 1)
    for p in range(g.players):
        outer = inner = 0
        rest = g.houses[p] & t.districts
        while rest != ZERO:
            place = lowest(rest)
            rest &= rest - ONE
            letters = max(int(t.letters_first[place]), int(t.letters_second[place]))
            outer += letters if t.kind[place] == Kind.OUTER else 0
            inner += letters if t.kind[place] == Kind.INNER else 0
        if not within(g.letters[p, Source.OUTER], 0, outer) or not within(g.letters[p, Source.INNER], 0, inner):
            return False
        for source in range(Source.GOODS, Source.QUARTERS + 1):
            if not within(g.letters[p, source], 0, 2 * SHARE * scored):
                return False
    return True


@kernel
def ending_of(g: State) -> int:
    """Return the first trigger of the end in time (G8.1); NONE if one came before its turn."""
    ending = Ending.CARDS if g.stage == Stage.OVER and g.rounds == N_SCORING else Ending.NONE
    for k in range(g.players - 1, -1, -1):
        p = (g.first + k) % g.players
        if not within(g.blocked[p], 0, 1):
            return NONE
        if g.houses_left[p] == 0 or g.blocked[p] == 1:
            if g.stage == Stage.BID or k > g.turns:
                return NONE
            ending = Ending.HOUSES if g.houses_left[p] == 0 else Ending.BLOCKED
    return ending


@kernel
def is_decision_possible(g: State, t: Tables) -> bool:
    """Whether the actor can pay (G5.5) or is rewarded (G6) for the place, and any action is legal."""
    if g.stage == Stage.PAY and (offered_places(g, t, g.actor) & bit(g.place)) == ZERO:
        return False
    if g.stage == Stage.GOODS or g.stage == Stage.BOX or g.stage == Stage.BONUS:
        wanted = Reward.BONUS if g.stage == Stage.BONUS else Reward.GOODS
        if (g.houses[g.actor] & bit(g.place)) == ZERO or t.reward[g.place] != wanted:
            return False
    return legal(g, t, np.empty(_N_ACTIONS, np.int8)) > 0
