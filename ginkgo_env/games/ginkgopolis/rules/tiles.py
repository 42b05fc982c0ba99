"""Tiles behind screens, and what everybody knows of them (R10.3).

A set holds green spaces, which are all alike, as one member; a counter beside it says how many there are.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add, clear, count, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def put_behind(g: State, p: int, tile: int) -> None:
    """Put a tile behind the screen."""
    add(g.tiles[p], tile)
    if EXPANSION and tile == GREEN_SPACE:
        g.green[p] += 1


@kernel
def take_from_behind(g: State, p: int, tile: int) -> None:
    """Take a tile from behind the screen."""
    if EXPANSION and tile == GREEN_SPACE:
        g.green[p] -= 1
        if g.green[p] > 0:  # the set keeps its member for the others
            return
    remove(g.tiles[p], tile)


@kernel
def count_tiles(words: np.ndarray, green: int) -> int:
    """Count the tiles of a set, `green` of them green spaces."""
    return count(words) + (green - 1 if green > 0 else 0)


@kernel
def tiles_behind(g: State, p: int) -> int:
    """Count the tiles behind a screen."""
    return count_tiles(g.tiles[p], int(g.green[p])) if EXPANSION else count(g.tiles[p])


# --- what everybody knows ----------------------------------------------------------------------------------------------------


@kernel
def see_behind(g: State, p: int, tile: int) -> None:
    """Record that a tile was seen to go back behind the screen (R5.7, R10.3)."""
    add(g.known_tiles[p], tile)
    if EXPANSION and tile == GREEN_SPACE:
        g.green_known[p] = max(1, int(g.green_known[p]))  # X7.4: it may be one that was known already


@kernel
def see_played(g: State, p: int, tile: int) -> None:
    """Record that a tile from behind the screen was seen in the city (R10.3)."""
    if EXPANSION and tile == GREEN_SPACE:
        know_greens(g, p, int(g.green_known[p]) - 1)
    else:
        remove(g.known_tiles[p], tile)


@kernel
def know_greens(g: State, p: int, n: int) -> None:
    """Set how many green spaces are known to be behind the screen (X7.4); below zero means none."""
    g.green_known[p] = max(0, n)
    if n > 0:
        add(g.known_tiles[p], GREEN_SPACE)
    else:
        remove(g.known_tiles[p], GREEN_SPACE)


@kernel
def forget_tiles(g: State, p: int) -> None:
    """Forget all that is known about tiles behind the screen (X7.4)."""
    clear(g.known_tiles[p])
    g.green_known[p] = 0
