"""Deal anew what a seat cannot know, consistent with what it does know (R10): for search by determinization."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, add, clear, count, has, list_into, lowest, popcount, remove
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.rng import below, mix, shuffle
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    MAX_PLAYERS,
    N_ALL_CARDS,
    N_ALL_TILES,
    N_TILES,
    NONE,
    WORDS,
    Stage,
)
from ginkgo_env.games.ginkgopolis.knowledge.resample_choices import (
    UNSEEN,
    mend_hand,
    resample_aside,
    resample_commitment,
    resample_events,
    resample_kept,
    resample_on_card,
    stop_choosing,
)
from ginkgo_env.games.ginkgopolis.knowledge.resample_draft import resample_draft
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.tiles import put_behind, take_from_behind
from ginkgo_env.games.ginkgopolis.state import State

_FRESH, _RETURNED, _NEW = 0, 1, 2  # kinds of tiles that nobody takes for one another


@kernel
def resample_one(g: State, seat: int, word: np.uint64) -> None:
    """Replace everything hidden from the seat, in place; `word` seeds both the deal and the game's further chance."""
    g.rng = mix(word)
    g.seed = word
    if g.stage == Stage.OVER:
        return
    if g.stage == Stage.DRAFT:
        resample_draft(g, seat)
    if EXPANSION:
        stop_choosing(g, seat)
        resample_events(g, seat)
    on_card = np.zeros(MAX_PLAYERS, np.int64)  # tiles that everybody sees on a hidden card
    event_on_card = np.zeros(MAX_PLAYERS, np.int64)
    for q in range(g.players):
        if not is_hidden(g, q, seat):
            continue
        on_card[q] = 1 if g.tile[q] != NONE else 0
        if EXPANSION:
            on_card[q] += 1 if g.lower[q] != NONE else 0
            event_on_card[q] = 1 if g.event[q] != NONE else 0
        if g.stage == Stage.COMMIT:
            on_card[q], event_on_card[q] = UNSEEN, UNSEEN
    resample_tiles(g, seat)
    resample_cards(g, seat)
    if EXPANSION:
        for q in range(g.players):
            if is_hidden(g, q, seat):
                mend_hand(g, q, seat, on_card[q], event_on_card[q])
    for q in range(g.players):
        if is_hidden(g, q, seat) and not g.solo:
            resample_commitment(g, q, on_card[q], event_on_card[q])
            if EXPANSION:
                resample_on_card(g, q, on_card[q], event_on_card[q])
        if EXPANSION and q != seat:
            resample_kept(g, q)
        if q != seat and g.stage == Stage.RETURN:
            resample_aside(g, q)  # of what is left behind the screen
    for q in range(g.players):
        left = (q + 1) % g.players
        if q != seat and left != seat:
            resample_passed(g, q, left)


@kernel
def is_hidden(g: State, q: int, seat: int) -> bool:
    """Whether q has a card out that the seat has not seen."""
    return q != seat and g.card[q] != NONE and g.player != q


# --- tiles ---------------------------------------------------------------------------------------------------------------------


@kernel
def resample_tiles(g: State, seat: int) -> None:
    """Tiles behind the other screens, in the supply and out of the game.

    Tiles returned by R7.1 are known as a set, and everybody counts how many of them each player has drawn since; the same with
    tiles of value II. So there are pools of returned tiles, of others of value I and of value II, and each player gets as many of
    each as before. Prestige tiles and green spaces are taken openly: where it is not known any more which a player still has,
    because he is the architect, they are somewhere among his tiles.
    """
    under = np.zeros(MAX_PLAYERS, np.int64)
    if EXPANSION:
        for q in range(g.players):
            if q != seat:
                under[q] = gather_lower_tiles(g, q)
    for kind in range(3 if EXPANSION else 2):
        pool = np.zeros(WORDS, np.uint64)
        need = np.zeros(MAX_PLAYERS, np.int64)
        for q in range(g.players):
            if q != seat:
                take_hidden_tiles(g, q, seat, kind, pool, need)
        collect_tiles(g, kind, pool)
        items = np.empty(N_TILES, np.int64)
        n = list_into(pool, items)
        shuffle(g, items, n)
        for q in range(g.players):
            for _ in range(need[q]):
                n -= 1
                add(g.tiles[q], items[n])
        lay_back(g, kind, items, n)
    if EXPANSION:
        for q in range(g.players):
            if q != seat:
                lay_under_again(g, q, seat, under[q])


@kernel
def kind_of(g: State, tile: int) -> int:
    """Whether a tile of value I was returned by R7.1, or is one of value II."""
    if EXPANSION and tile >= FIRST_NEW_BUILDING:
        return _NEW if tile < FIRST_PRESTIGE else NONE
    return _RETURNED if has(g.returned, tile) else _FRESH


@kernel
def take_hidden_tiles(g: State, q: int, seat: int, kind: int, pool: np.ndarray, need: np.ndarray) -> None:
    """Gather q's tiles in one place; those of this kind that are not known go into the pool."""
    for w in range(WORDS):
        g.tiles[q, w] |= g.aside[q, w]
        g.aside[q, w] = ZERO
    if g.tile[q] != NONE and is_hidden(g, q, seat):
        put_behind(g, q, int(g.tile[q]))
        g.tile[q] = NONE
    for w in range(WORDS):
        rest = g.tiles[q, w] & ~g.known_tiles[q, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if kind_of(g, tile) == kind:
                add(pool, tile)
                remove(g.tiles[q], tile)
                need[q] += 1


@kernel
def collect_tiles(g: State, kind: int, pool: np.ndarray) -> None:
    """Tiles of this kind in the supply or stack and among those out of the game go into the pool."""
    if kind == _NEW:
        if EXPANSION:
            for i in range(g.n_new_buildings):
                add(pool, g.new_buildings[i])
        return
    for i in range(g.supply_size):
        if kind_of(g, int(g.supply[i])) == kind:
            add(pool, g.supply[i])
    if kind == _FRESH:
        for w in range(WORDS):
            pool[w] |= g.removed[w]


@kernel
def lay_back(g: State, kind: int, items: np.ndarray, n: int) -> None:
    """The rest of the pool: first the places of the supply or stack, then those out of the game."""
    if kind == _NEW:
        if EXPANSION:
            for i in range(n):
                g.new_buildings[i] = items[i]
        return
    old = g.supply.copy()
    for i in range(g.supply_size):
        if kind_of(g, int(old[i])) == kind:
            n -= 1
            g.supply[i] = items[n]
    if kind == _FRESH:
        clear(g.removed)
        for i in range(n):
            add(g.removed, items[i])


@kernel
def gather_lower_tiles(g: State, q: int) -> int:
    """Green spaces set aside and lower tiles, on the card and in the city, go behind the screen; how many lay in the city."""
    g.green[q] += g.green_aside[q]
    g.green_aside[q] = 0
    if g.lower[q] != NONE:
        put_behind(g, q, int(g.lower[q]))
    n = 0
    for w in range(WORDS):
        rest = g.lower_tiles[q, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            copies = int(g.green_lower[q]) if tile == GREEN_SPACE else 1
            for _ in range(copies):
                put_behind(g, q, tile)
                n += 1
    clear(g.lower_tiles[q])
    g.green_lower[q] = 0
    return n


@kernel
def lay_under_again(g: State, q: int, seat: int, n: int) -> None:
    """N tiles that are not known to be behind the screen lie in the city again, and one on a card that is shown.

    Tiles returned by R7.1 are taken last: they cannot lie under what was built before.
    """
    tiles = np.empty(N_ALL_TILES + MAX_PLAYERS + MAX_PLAYERS, np.int64)
    for kind in range(2):
        found = 0
        for w in range(WORDS):
            rest = g.tiles[q, w] & ~g.known_tiles[q, w]
            while rest != ZERO:
                tile = (w << 6) + lowest(rest)
                rest &= rest - ONE
                if has(g.returned, tile) == (kind == 1) and tile != GREEN_SPACE:
                    tiles[found] = tile
                    found += 1
        for _ in range(g.green[q] - g.green_known[q] if kind == 0 else 0):
            tiles[found] = GREEN_SPACE
            found += 1
        shuffle(g, tiles, found)
        for i in range(min(n, found)):
            take_from_behind(g, q, tiles[i])
            add(g.lower_tiles[q], tiles[i])
            g.green_lower[q] += 1 if tiles[i] == GREEN_SPACE else 0
        n -= min(n, found)
    if g.lower[q] != NONE and not is_hidden(g, q, seat):
        found = list_into(g.tiles[q], tiles)
        g.lower[q] = tiles[below(g, found)]
        take_from_behind(g, q, int(g.lower[q]))


# --- cards ---------------------------------------------------------------------------------------------------------------------


@kernel
def resample_cards(g: State, seat: int) -> None:
    """Other hands beyond the cards that the seat passed, the deck's order, and alone William's card."""
    pool = np.zeros(WORDS, np.uint64)
    need = np.zeros(MAX_PLAYERS, np.int64)
    for i in range(g.deck_size):
        add(pool, g.deck[i])
    left = (seat + 1) % g.players
    for q in range(g.players):
        if q == seat:
            continue
        if is_hidden(g, q, seat):
            add(g.hand[q], g.card[q])
        if EXPANSION and g.kept[q] != NONE:
            add(g.hand[q], g.kept[q])
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
    if g.solo and is_hidden(g, left, seat):  # his only card
        list_into(g.hand[left], items)
        g.card[left] = items[0]
        clear(g.hand[left])


@kernel
def resample_passed(g: State, q: int, left: int) -> None:
    """What q knows of the left neighbor's cards: as many of them, any ones."""
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
    shuffle(g, items, n)
    for i in range(min(known, n)):
        add(g.passed[q], items[i])
