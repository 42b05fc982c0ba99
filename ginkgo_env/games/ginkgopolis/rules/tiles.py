"""Tiles behind screens and what all know of them (R10.3); draws from the supply (R7, X0).

A set holds green spaces, which are all alike, as one member; a counter beside it says how many there are.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add, clear, count, has, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.ginkgopolis.actions import SPLIT, first
from ginkgo_env.games.ginkgopolis.components import SPLIT_COST, TILE_VALUE
from ginkgo_env.games.ginkgopolis.constants import FIRST_PRESTIGE, GREEN_SPACE, N_COLORS, NONE, Ending, Event, Phase, Split, Stage
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.effects import trigger_end
from ginkgo_env.games.ginkgopolis.state import State

# --- behind screens ----------------------------------------------------------------------------------------------------------


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


# --- draws from the supply, and their split over the stacks of the expansion -------------------------------------------------


_PRESTIGE_A_COLOR = 2


@kernel
def draw_tile(g: State, p: int, log: np.ndarray) -> int:
    """Take the next tile of a supply that is not empty; count its exhaustions (R7, R9.5)."""
    g.supply_size -= 1
    tile = int(g.supply[g.supply_size])
    g.supply[g.supply_size] = NONE
    emit(log, Event.DRAW, p, tile, 0)
    if g.supply_size == 0:
        g.exhaustions += 1
        emit(log, Event.EXHAUSTED, g.exhaustions, 0, 0)
        if g.exhaustions == 2 or g.solo:  # R7.3; alone the first one (R9.5)
            trigger_end(g, Ending.TILES, log)
    return tile


@kernel
def draw_tiles(g: State, log: np.ndarray) -> None:
    """Draw the tiles that an action brought (R4.3)."""
    if EXPANSION and g.is_split == 0 and g.draws > 0 and g.supply_size > 0:  # X0.1: settled before any tile is seen
        g.stage = Stage.SPLIT
        return
    while g.draws > 0:
        if g.supply_size == 0:  # R7.3: tiles still owed are not given
            g.draws = 0
            break
        add(g.tiles[g.player], draw_tile(g, int(g.player), log))
        g.draws -= 1
        if g.supply_size == 0 and g.exhaustions == 1 and not g.solo:  # R7.1 interrupts at once; the rest is drawn later
            g.stage = Stage.RETURN
            g.returner = 0
            return
    g.stage = Stage.FINISH
    if EXPANSION:
        g.is_split = 0
        if g.phase != Phase.ACTION:  # X4.4: the draw of a design competition
            g.stage = Stage.END_EVENT


# --- splitting (X0) ----------------------------------------------------------------------------------------------------------


@kernel
def next_prestige(g: State, color: int, taken: int) -> int:
    """Return the tile of a color's stack of value III below `taken` others, or NONE (X0.2)."""
    first = FIRST_PRESTIGE + _PRESTIGE_A_COLOR * color
    for tile in range(first, first + _PRESTIGE_A_COLOR):
        if has(g.prestige, tile):
            if taken == 0:
                return tile
            taken -= 1
    return NONE


@kernel
def can_split(g: State, choice: int) -> bool:
    """Whether the rights left can be spent this way (X0.1, X0.2)."""
    for later in range(choice + 1, Split.DONE):  # asked in order: value III by color, value II, green space
        if g.split[later] > 0:
            return False
    if choice == Split.GREEN_SPACE:  # X3.1: at most one in a turn
        return g.draws > 0 and g.green_drawn == 0 and g.split[choice] == 0 and g.green_stack > 0
    if choice == Split.NEW_BUILDING:
        return g.draws >= SPLIT_COST[choice] and g.n_new_buildings > g.split[choice]
    return g.draws >= SPLIT_COST[choice] and next_prestige(g, choice, int(g.split[choice])) != NONE


@kernel
def legal_splits(g: State, mask: np.ndarray) -> int:
    """Allow each way to spend the rights left, and done (X0.1)."""
    start = first(SPLIT)
    mask[start + Split.DONE] = 1
    n = 1
    for choice in range(Split.DONE):
        if can_split(g, choice):
            mask[start + choice] = 1
            n += 1
    return n


@kernel
def split_draw(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Spend rights on one tile, or draw all that was chosen, value I last (X0.1)."""
    choice = action - first(SPLIT)
    if choice != Split.DONE:
        g.split[choice] += 1
        g.draws -= SPLIT_COST[choice]
        return
    for color in range(N_COLORS):
        for _ in range(g.split[color]):
            tile = next_prestige(g, color, 0)
            remove(g.prestige, tile)
            take_special(g, p, tile, log)
            add(g.known_tiles[p], tile)  # X7.4: taken face up
    for _ in range(g.split[Split.NEW_BUILDING]):
        g.n_new_buildings -= 1
        top = g.n_new_buildings
        take_special(g, p, int(g.new_buildings[top]), log)
        g.new_buildings[top] = NONE
    if g.split[Split.GREEN_SPACE] > 0:
        g.green_stack -= 1
        g.green_drawn = 1
        take_special(g, p, GREEN_SPACE, log)
        know_greens(g, p, int(g.green_known[p]) + 1)  # X7.4
    g.split[:] = 0
    g.is_split = 1  # the rights left are tiles of value I
    g.stage = Stage.DRAW


@kernel
def take_special(g: State, p: int, tile: int, log: np.ndarray) -> None:
    """Put a tile from a stack of the expansion behind the screen."""
    put_behind(g, p, tile)
    emit(log, Event.DRAW, p, tile, TILE_VALUE[tile])
