"""Resampling (determinization): replace what a seat cannot know, consistently with what it does know (R10), for search.

In three steps: everything hidden from the seat goes back to where it was chosen from; tiles, cards and event tiles are dealt
anew; then what others have chosen unseen is chosen anew. The distribution that is meant:

* Deals are uniform over the places that the seat cannot look into: among those deals with which everything that lies visibly
  on the cards out (one tile, two, an event) can have been put there.
* A commitment is uniform among those that the player could have made with what was dealt: every card, upper tile, lower tile
  and event together, as one path of X7.3. Then any card left is the one kept, and any set of tiles is the one set aside (R7.1).
* What could be paid now is taken for what could be paid at the choice (R3.3), unless nothing could.

A player who is just choosing stands at the beginning of the choice, where all others see him (X7.3). What comes out depends on
nothing but what the seat knows, and on the random word: two states that the seat cannot tell apart are resampled alike.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add, clear, count, list_into, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import mix, reduce, shuffle
from ginkgo_env.games.ginkgopolis.constants import MAX_PLAYERS, N_ALL_CARDS, NONE, WORDS, Module, Stage
from ginkgo_env.games.ginkgopolis.knowledge.observe import is_committing
from ginkgo_env.games.ginkgopolis.knowledge.resample_choices import (
    CARD,
    N_SEEN,
    commit,
    commit_only_card,
    is_possible,
    resample_aside,
    resample_events,
    resample_rest,
    restart_choice,
    take_back,
)
from ginkgo_env.games.ginkgopolis.knowledge.resample_draft import resample_draft
from ginkgo_env.games.ginkgopolis.knowledge.resample_tiles import resample_tiles
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module
from ginkgo_env.games.ginkgopolis.state import State

_ATTEMPTS = 10_000
"""Deals that are tried. The rarest condition is that one of some 40 cards is in a hand: this many are hardly ever needed."""


@kernel
def resample_one(g: State, seat: int, word: np.uint64) -> None:
    """Replace everything hidden from the seat, in place; `word` seeds both the deal and the game's further chance."""
    g.rng = mix(word)
    g.seed = word
    if g.stage == Stage.OVER:
        return
    if g.stage == Stage.DRAFT:
        resample_draft(g, seat)
    seen = np.zeros((MAX_PLAYERS, N_SEEN), np.int64)
    choosing = is_committing(g)
    for q in range(g.players):
        if q != seat:
            take_back(g, q, choosing, seen[q])
    if EXPANSION:
        deal_possible(g, seat, choosing, seen)
    else:
        resample_tiles(g, seat)
        resample_cards(g, seat)
    choose(g, seat, choosing, seen)
    for q in range(g.players):
        left = (q + 1) % g.players
        if q != seat and left != seat:
            resample_passed(g, q, left, choosing)


@kernel
def deal_possible(g: State, seat: int, choosing: bool, seen: np.ndarray) -> None:
    """Deal until everything that the seat sees is possible: uniform among such deals.

    The true deal is one of them. It comes back should no other be found, as may happen in positions made by hand.
    """
    hand, deck, events, new_buildings = g.hand.copy(), g.deck.copy(), g.events.copy(), g.new_buildings.copy()
    tiles, supply, removed = g.tiles.copy(), g.supply.copy(), g.removed.copy()
    lower_tiles, green, green_lower = g.lower_tiles.copy(), g.green.copy(), g.green_lower.copy()
    for _ in range(_ATTEMPTS):
        resample_events(g, seat)
        resample_tiles(g, seat)
        resample_cards(g, seat)
        if is_possible(g, seat, choosing, seen):
            return
    g.hand[:], g.deck[:], g.events[:], g.new_buildings[:] = hand, deck, events, new_buildings
    g.tiles[:], g.supply[:], g.removed[:] = tiles, supply, removed
    g.lower_tiles[:], g.green[:], g.green_lower[:] = lower_tiles, green, green_lower


@kernel
def choose(g: State, seat: int, choosing: bool, seen: np.ndarray) -> None:
    """What the others have chosen unseen, seat by seat."""
    for q in range(g.players):
        if q == seat:
            continue
        if seen[q, CARD] == 1:
            if g.solo:
                commit_only_card(g, q)
            else:
                commit(g, q, seen[q])
        if EXPANSION:
            resample_rest(g, q, seen[q])
        if g.stage == Stage.RETURN:
            resample_aside(g, q)  # of what is left behind the screen
    if EXPANSION and choosing and g.actor != seat:
        restart_choice(g)


@kernel
def resample_cards(g: State, seat: int) -> None:
    """Other hands beyond the cards that the seat passed, and the deck's order."""
    pool = np.zeros(WORDS, np.uint64)
    need = np.zeros(MAX_PLAYERS, np.int64)
    for i in range(g.deck_size):
        add(pool, g.deck[i])
    left = (seat + 1) % g.players
    for q in range(g.players):
        if q == seat:
            continue
        for w in range(WORDS):
            hidden = g.hand[q, w]
            if q == left:
                hidden &= ~g.passed[seat, w]
            pool[w] |= hidden
            g.hand[q, w] &= ~hidden
            need[q] += popcount(hidden)
    items = np.empty(N_ALL_CARDS, np.int64)
    n = list_into(pool, items)
    shuffle(g, items, n)
    for q in range(g.players):
        for _ in range(need[q]):
            n -= 1
            add(g.hand[q], items[n])
    for i in range(n):
        g.deck[i] = items[i]


@kernel
def resample_passed(g: State, q: int, left: int, choosing: bool) -> None:
    """What q knows of the left neighbor's cards (R10.3): any ones.

    As many as before, which the hands tell, until the neighbor's card is shown: it may have been one of them or not.
    """
    items = np.empty(N_ALL_CARDS, np.int64)
    known = count(g.passed[q])
    clear(g.passed[q])
    n = list_into(g.hand[left], items)
    if g.card[left] != NONE and g.player != left:
        items[n] = g.card[left]
        n += 1
    if EXPANSION and g.kept[left] != NONE:
        items[n] = g.kept[left]
        n += 1
    if known > 0 and not choosing and (g.card[left] == NONE or g.player == left):
        passed = n - 1 if has_module(g, Module.KEEP_CARD) else n  # besides what was drawn, and kept from the last round
        shown = reduce(mix(g.seed + np.uint64(q + 1)), n + 1) < passed
        known = max(0, passed - 1 if shown or passed == 1 else passed)
    shuffle(g, items, n)
    for i in range(min(known, n)):
        add(g.passed[q], items[i])
