"""What the declarations of a state cannot say of states that do not come from play.

What a record derives from others is as counting gives it, and the decision fits what is on the table. Whether the bidding and the
houses could have come about is not asked.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.state import Flaws
from ginkgo_env.games.golden_city.actions import ACTIONS
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import (
    BACKS,
    DISPLAYED,
    HAND_LIMIT,
    HOUSES,
    HOUSES_A_TURN,
    KEYS,
    MAX_PAIRS,
    MOST_GOODS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
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

_HOUSES = np.array(HOUSES, np.int64)
_BACK = np.array([back for back, n in enumerate(BACKS) for _ in range(n)], np.int64)  # of each scoring card, and of each round
_N_ACTIONS = ACTIONS.size
_PAIR = 2  # cards


class Flaw(Flaws):
    """What can be wrong with a record."""

    STATUS = "the decision, the actor, the first player, the round and the turn do not fit together"
    TURN = "the houses built, the place or the last discard of the turn do not fit the decision"
    HOUSES = "outside of districts a place has room for one house, and the houses of a player are limited"
    HAND = "a hand has more cards than it can have at this moment, or fewer than are known"
    PAIRS = "while bidding there are pairs in ascending order with at most one hand of each player, and none of the actor's"
    GOODS = "three goods cards lie in the display as long as the stack holds any"
    OWN_GOODS = "players have at most 4 goods cards, and 5 while one is to be put out of the game"
    SCORING = "the scoring cards must be in the order of their backs with one for each round"
    COINS = "the supply must have the coins that this bidding has cost"
    KEYS = "stack, players and houses in inner districts, which cost one each, must be 6 keys"
    LETTERS = "a player has more letters than houses and scoring cards can have brought"
    ENDING = "the ending must be the first trigger in time, in a turn of this round"
    DECISION = "the decision has no legal action, or is about a place where it cannot be taken"


@kernel
def find_flaw(g: State, t: Components) -> int:
    """Return the number of the first flaw of a record, 0 if it is valid."""
    flaw = flaw_of_moment(g)
    if flaw == 0:
        flaw = flaw_of_houses(g, t)
    if flaw == 0:
        flaw = flaw_of_cards(g)
    if flaw == 0:
        flaw = flaw_of_piles(g)
    if flaw == 0 and not are_letters_possible(g, t):
        flaw = Flaw.LETTERS
    if flaw == 0 and g.ending != ending_of(g):
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
    if bidding or over:
        least = most = 0
        if g.turns != (g.players if over else 0) or (g.actor == NOBODY) != over:
            return Flaw.STATUS
    else:
        least = 1 if rewarding else 0
        most = HOUSES_A_TURN if rewarding or g.stage == Stage.DISCARD else HOUSES_A_TURN - 1
        if g.turns == g.players or g.actor != (g.first + g.turns) % g.players:
            return Flaw.STATUS
    has_place = rewarding or g.stage == Stage.PAY
    if not within(g.built, least, most) or (g.place != NONE) != has_place:
        return Flaw.TURN
    return 0 if g.discarded == NONE or g.stage == Stage.DISCARD else Flaw.TURN


@kernel
def flaw_of_houses(g: State, t: Components) -> int:
    """Return the first flaw of houses, keys and coins, 0 if there is none."""
    taken, keys = ZERO, int(g.key_stack)
    for p in range(g.players):
        houses, reach, rest = g.houses[p], ZERO, g.houses[p]
        if (houses & taken & ~t.districts) != ZERO:  # G5.2
            return Flaw.HOUSES
        taken |= houses
        while rest != ZERO:
            reach |= t.roads[lowest(rest)]
            rest &= rest - ONE
        if g.reach[p] != reach or g.houses_left[p] != _HOUSES[g.players] - popcount(houses):
            return Flaw.HOUSES
        keys += int(g.keys[p]) + popcount(houses & t.inner)  # G5.6
    if keys != KEYS:
        return Flaw.KEYS
    if g.displacements > 0 and g.stage != Stage.BID:
        return Flaw.PAIRS
    paid = g.displacements * (g.displacements + 1) // 2  # G4.2, G4.3: 1 coin for the first one, 2 for the second, and so on
    return 0 if g.supply >= paid else Flaw.COINS


@kernel
def flaw_of_cards(g: State) -> int:
    """Return the first flaw of pairs and hands, 0 if there is none."""
    lying, last = ZERO, 0
    for i in range(MAX_PAIRS):
        a, b, p = int(g.pairs[i, 0]), int(g.pairs[i, 1]), int(g.pair_seat[i])
        if g.stage != Stage.BID or i >= g.players:
            if a != NONE or b != NONE or p != NOBODY:
                return Flaw.PAIRS
            continue
        # G4.1: the lower card first, and pairs in ascending order
        rank = a * N_LANDSCAPES + b
        if a == NONE or b < a or rank < last or p == g.actor:
            return Flaw.PAIRS
        last = rank
        if p != NOBODY:
            if (lying & bit(p)) != ZERO:
                return Flaw.PAIRS
            lying |= bit(p)
    for p in range(g.players):
        for landscape in range(N_LANDSCAPES):
            if g.known[p, landscape] > g.hand[p, landscape]:
                return Flaw.HAND
    for k in range(g.players):
        # G4.5, G5.8: the two cards of a pair are held from the end of the bidding to that of the own turn
        most = HAND_LIMIT + (_PAIR if g.stage != Stage.BID and k >= g.turns else 0)
        if cards_in_hand(g, (g.first + k) % g.players) > most:
            return Flaw.HAND
    return 0


@kernel
def flaw_of_piles(g: State) -> int:
    """Return the first flaw of goods and scoring cards, 0 if there is none."""
    displayed = 0
    for kind in range(N_GOODS_KINDS):
        displayed += int(g.display[kind])
    if displayed > DISPLAYED or (displayed < DISPLAYED and g.goods_size > 0):
        return Flaw.GOODS
    for p in range(g.players):
        boxing, n = g.stage == Stage.BOX and g.actor == p, goods_cards(g, p)
        if n > MOST_GOODS + (1 if boxing else 0) or (boxing and n <= MOST_GOODS):  # G6.3
            return Flaw.OWN_GOODS
    if g.n_scoring != N_SCORING - g.rounds:
        return Flaw.SCORING
    for i in range(g.n_scoring + 1):  # G2.3: from the card of the last round to that of this one
        card = int(g.scoring if i == g.n_scoring else g.scoring_stack[i])
        if _BACK[card] != _BACK[N_SCORING - 1 - i]:
            return Flaw.SCORING
    return 0


@kernel
def are_letters_possible(g: State, t: Components) -> bool:
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
        if g.houses_left[p] == 0 or g.blocked[p] == 1:
            if g.stage == Stage.BID or k > g.turns:
                return NONE
            ending = Ending.HOUSES if g.houses_left[p] == 0 else Ending.BLOCKED
    return ending


@kernel
def is_decision_possible(g: State, t: Components) -> bool:
    """Whether the actor can pay (G5.5) or is rewarded (G6) for the place, and any action is legal."""
    if g.stage == Stage.PAY and (offered_places(g, t, g.actor) & bit(g.place)) == ZERO:
        return False
    if g.stage == Stage.GOODS or g.stage == Stage.BOX or g.stage == Stage.BONUS:
        wanted = Reward.BONUS if g.stage == Stage.BONUS else Reward.GOODS
        if (g.houses[g.actor] & bit(g.place)) == ZERO or t.reward[g.place] != wanted:
            return False
    return legal(g, t, np.empty(_N_ACTIONS, np.int8)) > 0
