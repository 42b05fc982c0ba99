"""The deck of landscape cards, hands and their known parts (G4.6, G10.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.core.kernels import stack_up
from ginkgo_env.games.golden_city.constants import N_LANDSCAPES, NONE, Event, Shuffle
from ginkgo_env.games.golden_city.state import State


@kernel
def rebuild_deck(g: State, log: np.ndarray) -> None:
    """Shuffle the discard pile, which becomes the deck (G4.6)."""
    n = 0  # G11.2: before the shuffle the cards are in the order of landscapes
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
    """Draw the next landscape card; NONE if there is none at all (G4.6)."""
    if g.deck_size == 0:  # G4.6: only when a card is needed, and not before
        rebuild_deck(g, log)
        if g.deck_size == 0:  # ruled out by the components: no player ever holds more than 7 cards
            return NONE
    g.deck_size -= 1
    card = int(g.deck[g.deck_size])
    g.deck[g.deck_size] = NONE  # records of equal games are equal byte by byte
    return card


@kernel
def draw_unseen(g: State, p: int, log: np.ndarray) -> None:
    """Draw a card that the others do not see (G2.1, G6.1)."""
    card = draw_card(g, log)
    if card != NONE:
        g.hand[p, card] += 1
        emit(log, Event.DRAW, p, card, 0)


@kernel
def take_known(g: State, p: int, card: int) -> None:
    """Take a card that everybody sees into a hand (G10.3 (a))."""
    g.hand[p, card] += 1
    g.known[p, card] += 1


@kernel
def put_away(g: State, p: int, card: int, n: int) -> None:
    """Put n cards of a landscape on the discard pile (G5.6, G5.8)."""
    g.hand[p, card] -= n
    g.known[p, card] = max(0, g.known[p, card] - n)  # G10.3 (a): the known part goes first
    g.discard[card] += n


@kernel
def cards_in_hand(g: State, p: int) -> int:
    """Return the number of cards in a hand."""
    n = 0
    for landscape in range(N_LANDSCAPES):
        n += g.hand[p, landscape]
    return n


@kernel
def gain_coins(g: State, p: int, n: int, log: np.ndarray) -> None:
    """Give a player coins from the supply (G1.5)."""
    gained = min(n, g.supply)  # G1.5: coins beyond the supply are lost
    g.coins[p] += gained
    g.supply -= gained
    emit(log, Event.COINS, p, gained, 0)
