"""The deck, hands, and cards in front of screens (R3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, add, clear, count, has, list_into, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.core.piles import stack_up
from ginkgo_env.games.ginkgopolis.constants import DISCARDED_CARDS, FEW_PLAYERS, NONE, WORDS, Log, Shuffle
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CARD_ACTION, CARD_GAIN, CARD_ORDER


@kernel
def rebuild_deck(g: State, need: int, log: np.ndarray) -> None:
    """Reconstitute the deck (R3.6); `need` cards are still to be drawn in the draw under way."""
    for s in range(g.n_buildings):
        if g.pawn[s]:
            add(g.discard, g.top[s])
            g.pawn[s] = 0
    size = list_cards(g.discard, g.deck)
    if size == 0:
        return
    clear(g.discard)
    stack_up(g, g.deck, size, Shuffle.DECK, log)
    g.deck_size = size
    if g.players <= FEW_PLAYERS:
        discard_from_deck(g, max(0, min(DISCARDED_CARDS, size - need)))


@kernel
def list_cards(words: np.ndarray, out: np.ndarray) -> int:
    """Write a set of cards in order (R11.1) into out; return how many there are. Ids are in order but for the expansion's."""
    if not EXPANSION:
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
    """The top n cards go to the discard pile, face up (R2.4)."""
    for _ in range(n):
        add(g.discard, pop_card(g))


@kernel
def draw_card(g: State, more: int, log: np.ndarray) -> int:
    """The next card, or NONE if there is none at all; `more` cards are to be drawn after it in the same draw (R3.6)."""
    if g.deck_size == 0:
        rebuild_deck(g, more + 1, log)
        if g.deck_size == 0:
            return NONE
    card = pop_card(g)
    if g.deck_size == 0:
        rebuild_deck(g, more, log)
    return card


@kernel
def draw_hand(g: State, p: int, n: int, later: int, log: np.ndarray) -> None:
    """A player draws n cards in one draw; `later` further cards belong to the same draw (alone: William's)."""
    for i in range(n):
        card = draw_card(g, n - 1 - i + later, log)
        if card != NONE:
            add(g.hand[p], card)


@kernel
def discard_hand(g: State, p: int) -> None:
    """The whole hand goes to the discard pile."""
    for w in range(WORDS):
        g.discard[w] |= g.hand[p, w]
        g.hand[p, w] = ZERO


@kernel
def right_of(g: State, p: int) -> int:
    """The right-hand neighbor, who passed cards to p (R3.5)."""
    return p - 1 if p > 0 else g.players - 1


@kernel
def new_hand(g: State, p: int, log: np.ndarray) -> None:
    """Spend a New Hand token (R3.2); nobody knows any card of the new hand."""
    n = count(g.hand[p])
    g.new_hands[p] -= 1
    emit(log, Log.NEW_HAND, p, n, 0)
    discard_hand(g, p)
    clear(g.passed[right_of(g, p)])
    draw_hand(g, p, n, 0, log)


@kernel
def reveal(g: State, p: int, log: np.ndarray) -> None:
    """The committed card and tile are shown (R3.4)."""
    emit(log, Log.REVEAL, p, g.card[p], g.tile[p])
    remove(g.passed[right_of(g, p)], g.card[p])


@kernel
def keep_card(g: State, p: int, card: int, log: np.ndarray) -> None:
    """A building card stays in front of the screen (R5.6)."""
    add(g.tableau[p], card)
    emit(log, Log.KEEP_CARD, p, card, 0)


@kernel
def count_bonus(g: State, p: int, card: int) -> None:
    """From now on a permanent bonus card brings its items (R1.5)."""
    action = CARD_ACTION[card]
    if action != NONE:
        for item in range(CARD_GAIN.shape[1]):
            g.bonus[p, action, item] += CARD_GAIN[card, item]
