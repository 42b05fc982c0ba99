"""Resampling (determinization): replace what a seat cannot know, given what it knows (R10).

There are three steps: everything hidden from the seat goes back to where it was chosen from; tiles, cards and event tiles are
dealt again; then the hidden choices of others are made again. The distribution:

* Deals are uniform over the places that the seat cannot look into, among the deals that allow everything that lies visibly on
  committed cards (one tile, two, an event).
* Commitments, cards kept and tiles set aside are those of a player who chooses uniformly at each decision (X7.3, R7.1): each way
  that agrees with what everybody sees has the product of 1 / number of legal actions as its weight.
* What could be paid now stands for what could be paid when it was chosen (R3.3), unless nothing could.

A player who is choosing is put back to the beginning of the choice, as the others see it (X7.3). The result depends only on
what the seat knows and on the random word: two states that the seat cannot tell apart are resampled alike.
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
"""Deals to try. The rarest condition is that one of some 40 cards is in a hand: so many are hardly ever needed."""


@kernel
def resample(g: State, t: None, seat: int, word: np.uint64) -> None:
    """Replace everything hidden from a seat, in place; `word` seeds the deal and later chance."""
    g.rng = mix(word)
    g.seed = word
    if g.stage == Stage.OVER:  # nothing hidden matters any more
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
        left = (q + 1) % g.players  # R11.2
        if q != seat and left != seat:
            resample_passed(g, q, left, choosing)


@kernel
def deal_possible(g: State, seat: int, choosing: bool, seen: np.ndarray) -> None:
    """Deal until everything that the seat sees is possible, which is uniform among such deals.

    The true deal is restored if no such deal comes up, as may happen in positions made by hand.
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
    """Make the hidden choices of the others again, seat by seat."""
    for q in range(g.players):
        if q == seat:
            continue
        if seen[q, CARD] == 1:
            if g.solo:  # R9.2: William has one card
                commit_only_card(g, q)
            else:
                commit(g, q, seen[q])
        if EXPANSION:
            resample_rest(g, q, seen[q])
        if g.stage == Stage.RETURN:
            resample_aside(g, q)  # last: out of what is left behind the screen
    if EXPANSION and choosing and g.actor != seat:
        restart_choice(g)


@kernel
def resample_cards(g: State, seat: int) -> None:
    """Deal other hands and the order of the deck again (R10.4)."""
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
            if q == left:  # R10.3: cards that the seat passed stay
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
    """Choose again which cards of the left neighbor q knows (R10.3).

    Their number stays until the neighbor's card is revealed, which may have been one of them or not.
    """
    items = np.empty(N_ALL_CARDS, np.int64)
    known = count(g.passed[q])
    clear(g.passed[q])
    n = list_into(g.hand[left], items)
    if g.card[left] != NONE and g.player != left:  # not revealed yet
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
