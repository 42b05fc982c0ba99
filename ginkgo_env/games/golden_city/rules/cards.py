"""The deck of landscape cards, hands and their known parts (G4.6, G10.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.core.piles import stack_up
from ginkgo_env.games.golden_city.constants import N_LANDSCAPES, NONE, Log, Shuffle
from ginkgo_env.games.golden_city.state import State


@kernel
def rebuild_deck(g: State, log: np.ndarray) -> None:
    """The discard pile is shuffled and becomes the deck (G4.6)."""
    n = 0
    for landscape in range(N_LANDSCAPES):
        for _ in range(g.discard[landscape]):
            g.deck[n] = landscape
            n += 1
        g.discard[landscape] = 0
    if n > 0:
        stack_up(g, g.deck, n, Shuffle.LANDSCAPES, log)
        g.deck_size = n


@kernel
def draw_card(g: State, log: np.ndarray) -> int:
    """The next landscape card; NONE if there is none at all, which these components rule out (G4.6)."""
    if g.deck_size == 0:
        rebuild_deck(g, log)
        if g.deck_size == 0:
            return NONE
    g.deck_size -= 1
    card = int(g.deck[g.deck_size])
    g.deck[g.deck_size] = NONE
    return card


@kernel
def draw_unseen(g: State, p: int, log: np.ndarray) -> None:
    """A player draws a card that the others do not see."""
    card = draw_card(g, log)
    if card != NONE:
        g.hand[p, card] += 1
        emit(log, Log.DRAW, p, card, 0)


@kernel
def take_known(g: State, p: int, card: int) -> None:
    """A player takes a card that everybody sees (G10.3)."""
    g.hand[p, card] += 1
    g.known[p, card] += 1


@kernel
def put_away(g: State, p: int, card: int, n: int) -> None:
    """N cards of a landscape go to the discard pile, those from the known part first (G10.3)."""
    g.hand[p, card] -= n
    g.known[p, card] = max(0, g.known[p, card] - n)
    g.discard[card] += n


@kernel
def cards_in_hand(g: State, p: int) -> int:
    """How many cards a player holds."""
    n = 0
    for landscape in range(N_LANDSCAPES):
        n += g.hand[p, landscape]
    return n


@kernel
def gain_coins(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Coins from the supply; what it does not hold is lost (G1.5)."""
    gained = min(n, g.supply)
    g.coins[p] += gained
    g.supply -= gained
    emit(log, Log.COINS, p, gained, 0)
