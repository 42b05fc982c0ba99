"""Deal anew what a seat cannot know, consistent with what it does know (R10): for search by determinization."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, add, clear, count, has, list_into, lowest, popcount, remove
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.rng import below, mix, shuffle
from ginkgo_env.games.ginkgopolis.constants import (
    MAX_PLAYERS,
    N_CARDS,
    N_CHARACTERS,
    N_TILES,
    NONE,
    WORDS,
    Stage,
)
from ginkgo_env.games.ginkgopolis.effects import can_pay
from ginkgo_env.games.ginkgopolis.tables import CHARACTER_COPIES


@kernel
def resample_one(g: Any, seat: int, word: np.uint64) -> None:
    """Replace everything hidden from the seat, in place; `word` seeds both the deal and the game's further chance."""
    g.rng = mix(word)
    g.seed = word
    if g.stage == Stage.OVER:
        return
    if g.stage == Stage.DRAFT:
        resample_draft(g, seat)
    with_tile = np.zeros(MAX_PLAYERS, np.int64)  # 1: a tile lies on the hidden card, and everybody sees it
    for q in range(g.players):
        if is_hidden(g, q, seat) and g.stage != Stage.COMMIT and g.tile[q] != NONE:
            with_tile[q] = 1
    resample_tiles(g, seat)
    resample_cards(g, seat)
    for q in range(g.players):
        if is_hidden(g, q, seat) and not g.solo:
            resample_commitment(g, q, with_tile[q])
        if q != seat and g.stage == Stage.RETURN:
            resample_aside(g, q)  # of what is left behind the screen
    for q in range(g.players):
        left = (q + 1) % g.players
        if q != seat and left != seat:
            resample_passed(g, q, left)


@kernel
def is_hidden(g: Any, q: int, seat: int) -> bool:
    """Whether q has a card out that the seat has not seen."""
    return q != seat and g.card[q] != NONE and g.player != q


@kernel
def resample_draft(g: Any, seat: int) -> None:
    """Packets and kept characters of the others, out of all that the seat does not have itself."""
    pool = np.empty(N_CHARACTERS * MAX_PLAYERS * 2, np.int64)
    n = 0
    for c in range(N_CHARACTERS):
        for _ in range(CHARACTER_COPIES[c] - g.characters[seat, c] - g.packet[seat, c]):
            pool[n] = c
            n += 1
    while True:
        shuffle(g, pool, n)
        left = n
        for q in range(g.players):
            if q != seat:
                left = deal_characters(g.characters[q], pool, left)
                left = deal_characters(g.packet[q], pool, left)
        if has_choice(g.packet[g.actor]):
            return


@kernel
def has_choice(packet: np.ndarray) -> bool:
    """Whether a packet holds different characters: everybody sees that its owner was asked."""
    kinds = 0
    for c in range(N_CHARACTERS):
        kinds += 1 if packet[c] > 0 else 0
    return kinds > 1


@kernel
def deal_characters(counts: np.ndarray, pool: np.ndarray, n: int) -> int:
    """Replace the characters counted by as many from the end of the pool; return what is left of it."""
    size = 0
    for c in range(N_CHARACTERS):
        size += int(counts[c])
        counts[c] = 0
    for _ in range(size):
        n -= 1
        counts[pool[n]] += 1
    return n


@kernel
def resample_tiles(g: Any, seat: int) -> None:
    """Tiles behind the other screens, in the supply and out of the game.

    Tiles returned by R7.1 are known as a set, and everybody counts how many of them each player has drawn since.
    So there are two pools, of tiles that were returned and of tiles that were not, and each place gets as many of each as before.
    """
    for kind in range(2):
        pool = np.zeros(WORDS, np.uint64)
        need = np.zeros(MAX_PLAYERS, np.int64)
        for q in range(g.players):
            if q != seat:
                take_hidden_tiles(g, q, kind, pool, need)
        collect_tiles(g, kind, pool)
        items = np.empty(N_TILES, np.int64)
        n = list_into(pool, items)
        shuffle(g, items, n)
        for q in range(g.players):
            for _ in range(need[q]):
                n -= 1
                add(g.tiles[q], items[n])
        lay_back(g, kind, items, n)


@kernel
def kind_of(g: Any, tile: int) -> int:
    """1 for a tile returned by R7.1, else 0."""
    return 1 if has(g.returned, tile) else 0


@kernel
def take_hidden_tiles(g: Any, q: int, kind: int, pool: np.ndarray, need: np.ndarray) -> None:
    """Gather q's tiles in one place; those of this kind that are not known go into the pool."""
    for w in range(WORDS):
        g.tiles[q, w] |= g.aside[q, w]
        g.aside[q, w] = ZERO
    if g.tile[q] != NONE:
        add(g.tiles[q], g.tile[q])
        g.tile[q] = NONE
    for w in range(WORDS):
        hidden = g.tiles[q, w] & ~g.known_tiles[q, w]
        hidden &= g.returned[w] if kind == 1 else ~g.returned[w]
        pool[w] |= hidden
        g.tiles[q, w] &= ~hidden
        need[q] += popcount(hidden)


@kernel
def collect_tiles(g: Any, kind: int, pool: np.ndarray) -> None:
    """Tiles of this kind in the supply and among those out of the game go into the pool."""
    for i in range(g.supply_size):
        if kind_of(g, int(g.supply[i])) == kind:
            add(pool, g.supply[i])
    if kind == 0:
        for w in range(WORDS):
            pool[w] |= g.removed[w]


@kernel
def lay_back(g: Any, kind: int, items: np.ndarray, n: int) -> None:
    """The rest of the pool: first the supply's places, then those out of the game."""
    old = g.supply.copy()
    for i in range(g.supply_size):
        if kind_of(g, int(old[i])) == kind:
            n -= 1
            g.supply[i] = items[n]
    if kind == 0:
        clear(g.removed)
        for i in range(n):
            add(g.removed, items[i])


@kernel
def resample_cards(g: Any, seat: int) -> None:
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
        for w in range(WORDS):
            hidden = g.hand[q, w]
            if q == left:
                hidden &= ~g.passed[seat, w]
            pool[w] |= hidden
            g.hand[q, w] &= ~hidden
            need[q] += popcount(hidden)
    items = np.empty(N_CARDS, np.int64)
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
def resample_aside(g: Any, q: int) -> None:
    """R7.1: who has chosen may have set aside any tiles; who is choosing is taken to stand at the beginning."""
    position = (q + g.players - g.first) % g.players
    if position >= g.returner:
        return
    for w in range(WORDS):
        rest = g.tiles[q, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if below(g, 2) == 1:
                remove(g.tiles[q], tile)
                add(g.aside[q], tile)


@kernel
def resample_commitment(g: Any, q: int, with_tile: int) -> None:
    """A hidden commitment, uniform among those that the player could have made; a tile seen on the card stays one."""
    cards, tiles = np.empty(N_CARDS, np.int64), np.empty(N_TILES + 1, np.int64)
    n_cards = list_into(g.hand[q], cards)
    n_tiles = list_into(g.tiles[q], tiles)
    if g.stage == Stage.COMMIT:  # not seen yet whether there is one
        tiles[n_tiles] = NONE
        n_tiles += 1
    elif with_tile == 0:
        tiles[0] = NONE
        n_tiles = 1
    pairs = np.empty(n_cards * n_tiles, np.int64)
    n = 0
    for i in range(n_cards):
        for j in range(n_tiles):
            if not g.strict or tiles[j] == NONE or can_pay(g, q, int(cards[i]), int(tiles[j])):
                pairs[n] = i * n_tiles + j
                n += 1
    if n == 0:  # payable when it was chosen, not with what was dealt now
        pairs[0] = below(g, n_cards * n_tiles)
        n = 1
    chosen = pairs[below(g, n)]
    g.card[q] = cards[chosen // n_tiles]
    remove(g.hand[q], g.card[q])
    g.tile[q] = tiles[chosen % n_tiles]
    if g.tile[q] != NONE:
        remove(g.tiles[q], g.tile[q])


@kernel
def resample_passed(g: Any, q: int, left: int) -> None:
    """What q knows of the left neighbor's cards: as many of them, any ones."""
    items = np.empty(N_CARDS, np.int64)
    known = count(g.passed[q])
    clear(g.passed[q])
    n = list_into(g.hand[left], items)
    if g.card[left] != NONE and g.player != left:
        items[n] = g.card[left]
        n += 1
    shuffle(g, items, n)
    for i in range(min(known, n)):
        add(g.passed[q], items[i])
