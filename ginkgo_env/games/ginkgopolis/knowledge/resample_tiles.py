"""Resample tiles: behind screens, in the supply, under buildings, out of the game (R10.4, X7.4)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, add, clear, has, list_into, lowest, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import shuffle
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    MAX_PLAYERS,
    N_ALL_TILES,
    N_TILES,
    NONE,
    WORDS,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.tiles import put_behind, take_from_behind
from ginkgo_env.games.ginkgopolis.state import State

_FRESH, _RETURNED, _NEW = 0, 1, 2  # kinds of tiles that everybody can tell apart


@kernel
def resample_tiles(g: State, seat: int) -> None:
    """Deal the tiles behind other screens again; committed ones must have been put back there.

    Tiles returned by R7.1 are known as a set, and it is known how many of them each player has drawn since; the same holds for
    tiles of value II. So there are pools of returned tiles, of others of value I and of value II, and each player gets as many of
    each as before. Prestige tiles and green spaces are taken openly; an architect's may lie behind the screen or in the city.
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
                need[q] = take_unknown(g, q, kind, pool)
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
                lay_under_again(g, q, under[q])


@kernel
def kind_of(g: State, tile: int) -> int:
    """Return the kind of a tile, NONE for prestige tiles and green spaces."""
    if EXPANSION and tile >= FIRST_NEW_BUILDING:
        return _NEW if tile < FIRST_PRESTIGE else NONE  # X7.4: taken openly
    return _RETURNED if has(g.returned, tile) else _FRESH  # R10.3


@kernel
def take_unknown(g: State, q: int, kind: int, pool: np.ndarray) -> int:
    """Move unknown tiles of a kind from behind q's screen to the pool; return their number."""
    n = 0
    for w in range(WORDS):
        rest = g.tiles[q, w] & ~g.known_tiles[q, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if kind_of(g, tile) == kind:
                add(pool, tile)
                remove(g.tiles[q], tile)
                n += 1
    return n


@kernel
def collect_tiles(g: State, kind: int, pool: np.ndarray) -> None:
    """Add the tiles of a kind in the supply or stack, and of those out of the game, to the pool."""
    if kind == _NEW:
        if EXPANSION:
            for i in range(g.n_new_buildings):
                add(pool, g.new_buildings[i])
        return
    for i in range(g.supply_size):
        if kind_of(g, int(g.supply[i])) == kind:
            add(pool, g.supply[i])
    if kind == _FRESH:  # R2.3: removed unseen
        for w in range(WORDS):
            pool[w] |= g.removed[w]


@kernel
def lay_back(g: State, kind: int, items: np.ndarray, n: int) -> None:
    """Lay the rest of the pool back: into the supply or stack first, then out of the game."""
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
    """Put the lower tiles of q in the city back behind the screen (X6.4); return their number."""
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
def lay_under_again(g: State, q: int, n: int) -> None:
    """Put n tiles back under buildings: any that are not known to be behind the screen.

    Tiles returned by R7.1 are taken last: they cannot lie under older buildings, and the record does not say which are newer.
    """
    tiles = np.empty(N_ALL_TILES + MAX_PLAYERS + MAX_PLAYERS, np.int64)
    for kind in range(2):
        n_tiles = 0
        for w in range(WORDS):
            rest = g.tiles[q, w] & ~g.known_tiles[q, w]
            while rest != ZERO:
                tile = (w << 6) + lowest(rest)
                rest &= rest - ONE
                if has(g.returned, tile) == (kind == 1) and tile != GREEN_SPACE:
                    tiles[n_tiles] = tile
                    n_tiles += 1
        for _ in range(g.green[q] - g.green_known[q] if kind == 0 else 0):
            tiles[n_tiles] = GREEN_SPACE
            n_tiles += 1
        shuffle(g, tiles, n_tiles)
        for i in range(min(n, n_tiles)):
            take_from_behind(g, q, tiles[i])
            add(g.lower_tiles[q], tiles[i])
            g.green_lower[q] += 1 if tiles[i] == GREEN_SPACE else 0
        n -= min(n, n_tiles)
