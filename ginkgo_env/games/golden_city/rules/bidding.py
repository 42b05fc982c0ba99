"""The start of a round, and the bidding for pairs of landscape cards (G3, G4)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.golden_city.actions import BID
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import N_LANDSCAPES, NOBODY, NONE, Event, Stage
from ginkgo_env.games.golden_city.rules.cards import draw_card, take_known
from ginkgo_env.games.golden_city.state import State


@kernel
def open_round(g: State, t: Components, log: np.ndarray) -> None:
    """Reveal the next scoring card and lay out pairs (G3, G4.1)."""
    g.rounds += 1
    g.n_scoring -= 1
    g.scoring = g.scoring_stack[g.n_scoring]
    g.scoring_stack[g.n_scoring] = NONE
    emit(log, Event.ROUND, g.rounds, g.first, g.scoring)
    lay_out_pairs(g, log)
    g.displacements = 0  # G4.3: in each round the price starts at 1 again
    g.turns = 0
    g.actor = g.first
    g.stage = Stage.BID


@kernel
def lay_out_pairs(g: State, log: np.ndarray) -> None:
    """Draw the pairs and lay them out in ascending order (G4.1)."""
    n = g.players
    # G4.1: pair i is made of the i-th and the (n + i)-th card drawn
    for place in range(2):
        for i in range(n):
            g.pairs[i, place] = draw_card(g, log)
    for i in range(n):
        a, b = min(g.pairs[i, 0], g.pairs[i, 1]), max(g.pairs[i, 0], g.pairs[i, 1])
        k = i  # insert the pair among those before it, which are in order
        while k > 0 and _rank(g, k - 1) > a * N_LANDSCAPES + b:
            g.pairs[k, 0], g.pairs[k, 1] = g.pairs[k - 1, 0], g.pairs[k - 1, 1]
            k -= 1
        g.pairs[k, 0], g.pairs[k, 1] = a, b
    for i in range(n):
        emit(log, Event.PAIR, i, g.pairs[i, 0], g.pairs[i, 1])


@kernel
def _rank(g: State, i: int) -> int:
    """Return a number that orders pairs; it is the same for equal pairs (G4.1)."""
    return g.pairs[i, 0] * N_LANDSCAPES + g.pairs[i, 1]


@kernel
def price(g: State) -> int:
    """Return the price of the next displacement (G4.3)."""
    return g.displacements + 1


@kernel
def legal_bids(g: State, t: Components, mask: np.ndarray) -> int:
    """Allow free pairs, and pairs with a hand if the price can be paid (G4.2 to G4.4)."""
    n = 0
    can_pay = g.coins[g.actor] >= price(g)
    for i in range(g.players):
        is_legal = can_pay  # G4.3: displacing the hand that lies here costs the price
        if g.pair_seat[i] == NOBODY:
            is_legal = True
            for k in range(i):  # G4.4: equal free pairs are one choice; equal pairs with hands on them are not
                if g.pair_seat[k] == NOBODY and _rank(g, k) == _rank(g, i):
                    is_legal = False
        if is_legal:
            mask[BID + i] = 1
            n += 1
    return n


@kernel
def bid(g: State, t: Components, p: int, action: int, log: np.ndarray) -> None:
    """Lay the bidding hand on a pair, displacing the hand that lies there (G4.2)."""
    i = action - BID
    emit(log, Event.BID, p, i, g.pair_seat[i])
    if g.pair_seat[i] != NOBODY:
        cost = price(g)
        g.coins[p] -= cost
        g.supply += cost  # G4.2: the price goes to the supply, not to the displaced player
        g.displacements += 1
        emit(log, Event.PRICE, p, cost, 0)
    g.pair_seat[i] = p
    # G4.2: the next seat clockwise without a hand on a pair, which may be the one just displaced
    for ahead in range(1, g.players):
        seat = (p + ahead) % g.players
        if not _has_bid(g, seat):
            g.actor = seat
            return
    g.stage = Stage.TAKE_PAIRS  # G4.5: a hand lies on every pair


@kernel
def _has_bid(g: State, p: int) -> bool:
    """Whether a player's hand lies on a pair."""
    n = 0
    for i in range(g.players):
        if g.pair_seat[i] == p:
            n += 1
    return n > 0


@kernel
def take_pairs(g: State, t: Components, log: np.ndarray) -> None:
    """Give each player the cards of the pair with that player's hand (G4.5); the building turns begin."""
    for i in range(g.players):
        p = g.pair_seat[i]
        for place in range(2):
            take_known(g, p, g.pairs[i, place])  # G10.3 (a): all have seen the cards of a pair
        emit(log, Event.TAKE_PAIR, p, g.pairs[i, 0], g.pairs[i, 1])
        g.pairs[i, 0] = g.pairs[i, 1] = NONE
        g.pair_seat[i] = NOBODY
    g.displacements = 0
    g.stage = Stage.BEGIN_TURN
