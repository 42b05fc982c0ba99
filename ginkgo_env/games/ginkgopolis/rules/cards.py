"""The deck, hands, and cards in front of screens (R3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, add, clear, count, has, list_into, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.core.kernels import stack_up
from ginkgo_env.games.ginkgopolis.components import CARD_ACTION, CARD_GAIN, CARD_ORDER
from ginkgo_env.games.ginkgopolis.constants import DISCARDED_CARDS, FEW_PLAYERS, NONE, WORDS, Event, Shuffle
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def rebuild_deck(g: State, need: int, log: np.ndarray) -> None:
    """Rebuild the deck from the discard pile (R3.6); the draw under way still needs `need` cards."""
    for s in range(g.n_buildings):
        if g.pawn[s]:  # R3.6 step 1: the card of the top tile joins the pile
            add(g.discard, g.top[s])
            g.pawn[s] = 0
    size = list_cards(g.discard, g.deck)
    if size == 0:  # tried again at the next draw
        return
    clear(g.discard)
    stack_up(g, g.deck, size, Shuffle.DECK, log)
    g.deck_size = size
    if g.players <= FEW_PLAYERS:  # R3.6 step 3; it leaves enough cards to finish the draw under way
        discard_from_deck(g, max(0, min(DISCARDED_CARDS, size - need)))


@kernel
def list_cards(words: np.ndarray, out: np.ndarray) -> int:
    """Write a set of cards in the order of R11.1 into out; return their number."""
    if not EXPANSION:  # ids of the base game are in that order
        return list_into(words, out)
    n = 0
    for i in range(CARD_ORDER.size):
        if has(words, CARD_ORDER[i]):
            out[n] = CARD_ORDER[i]
            n += 1
    return n


@kernel
def pop_card(g: State) -> int:
    """Take the next card off a deck that is not empty."""
    g.deck_size -= 1
    card = int(g.deck[g.deck_size])
    g.deck[g.deck_size] = NONE
    return card


@kernel
def discard_from_deck(g: State, n: int) -> None:
    """Put the top n cards of the deck on the discard pile (R2.4)."""
    for _ in range(n):
        add(g.discard, pop_card(g))


@kernel
def draw_card(g: State, more: int, log: np.ndarray) -> int:
    """Draw a card, NONE if no card is left anywhere; `more` cards follow in the same draw (R3.6)."""
    if g.deck_size == 0:
        rebuild_deck(g, more + 1, log)
        if g.deck_size == 0:
            return NONE
    card = pop_card(g)
    if g.deck_size == 0:  # a new deck is made at once, even if nobody needs a card
        rebuild_deck(g, more, log)
    return card


@kernel
def draw_hand(g: State, p: int, n: int, later: int, log: np.ndarray) -> None:
    """Draw n cards for a player; `later` further cards belong to the same draw (William's)."""
    for i in range(n):
        card = draw_card(g, n - 1 - i + later, log)
        if card != NONE:
            add(g.hand[p], card)


@kernel
def discard_hand(g: State, p: int) -> None:
    """Put the whole hand on the discard pile."""
    for w in range(WORDS):
        g.discard[w] |= g.hand[p, w]
        g.hand[p, w] = ZERO


@kernel
def right_of(g: State, p: int) -> int:
    """Return the right-hand neighbor, who passed cards to p (R3.5)."""
    return p - 1 if p > 0 else g.players - 1


@kernel
def new_hand(g: State, p: int, log: np.ndarray) -> None:
    """Spend a New Hand token to exchange the whole hand (R3.2)."""
    n = count(g.hand[p])
    g.new_hands[p] -= 1
    emit(log, Event.NEW_HAND, p, n, 0)
    discard_hand(g, p)  # before drawing: the old hand is shuffled in if the deck runs out
    clear(g.passed[right_of(g, p)])  # R10.3: nobody knows any card of the new hand
    draw_hand(g, p, n, 0, log)


@kernel
def reveal(g: State, p: int, log: np.ndarray) -> None:
    """Show the committed card and tile (R3.4)."""
    emit(log, Event.REVEAL, p, g.card[p], g.tile[p])
    remove(g.passed[right_of(g, p)], g.card[p])  # R10.3: known only until it is played


@kernel
def keep_card(g: State, p: int, card: int, log: np.ndarray) -> None:
    """Put a building card in front of the screen (R5.6)."""
    add(g.tableau[p], card)
    emit(log, Event.KEEP_CARD, p, card, 0)


@kernel
def count_bonus(g: State, p: int, card: int) -> None:
    """Count the items of a card with a permanent bonus from now on (R1.5)."""
    action = CARD_ACTION[card]
    if action != NONE:
        for item in range(CARD_GAIN.shape[1]):
            g.bonus[p, action, item] += CARD_GAIN[card, item]
