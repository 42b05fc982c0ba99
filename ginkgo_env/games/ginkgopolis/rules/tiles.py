"""Tiles behind screens: drawing (X0), running out and returning (R7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.bits import ZERO, add, clear, count, has, list_into, remove
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_COLORS,
    NONE,
    WORDS,
    Ending,
    Event,
    Expert,
    Phase,
    Shuffle,
    Split,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import extended, is_expert, of_expansion
from ginkgo_env.games.ginkgopolis.rules.cards import stack_up
from ginkgo_env.games.ginkgopolis.rules.gains import gain_points, trigger_end
from ginkgo_env.games.ginkgopolis.tables import SPLIT_COST, TILE_VALUE

_PRESTIGE_A_COLOR = 2

# --- behind the screen: equal tiles are counted beside the sets ----------------------------------------------------------------


@kernel
def put_behind(g: Any, p: int, tile: int) -> None:
    """A tile goes behind the screen."""
    add(g.tiles[p], tile)
    if extended(g) and tile == GREEN_SPACE:
        g.green[p] += 1


@kernel
def take_from_behind(g: Any, p: int, tile: int) -> None:
    """A tile leaves the screen."""
    if extended(g) and tile == GREEN_SPACE:
        g.green[p] -= 1
        if g.green[p] > 0:
            return
    remove(g.tiles[p], tile)


@kernel
def count_tiles(g: Any, words: np.ndarray, green: int) -> int:
    """How many tiles a set holds, `green` of them green spaces."""
    return count(words) + (green - 1 if green > 0 else 0)


@kernel
def tiles_behind(g: Any, p: int) -> int:
    """How many tiles lie behind a screen."""
    return count_tiles(g, g.tiles[p], int(g.green[p])) if extended(g) else count(g.tiles[p])


@kernel
def see_behind(g: Any, p: int, tile: int) -> None:
    """Everybody sees a tile go back behind the screen (R5.7, R10.3)."""
    add(g.known_tiles[p], tile)
    if extended(g) and tile == GREEN_SPACE:
        g.green_known[p] = max(1, int(g.green_known[p]))


@kernel
def see_played(g: Any, p: int, tile: int) -> None:
    """Everybody sees a tile in the city that was behind the screen (R10.3)."""
    if extended(g) and tile == GREEN_SPACE:
        know_greens(g, p, int(g.green_known[p]) - 1)
    else:
        remove(g.known_tiles[p], tile)


@of_expansion
def know_greens(g: Any, p: int, n: int) -> None:
    """So many green spaces are known to be behind the screen; below zero means none."""
    g.green_known[p] = max(0, n)
    if n > 0:
        add(g.known_tiles[p], GREEN_SPACE)
    else:
        remove(g.known_tiles[p], GREEN_SPACE)


@of_expansion
def forget_tiles(g: Any, p: int) -> None:
    """Nobody can tell any more which tiles are behind the screen (X7.4)."""
    clear(g.known_tiles[p])
    g.green_known[p] = 0


# --- drawing -------------------------------------------------------------------------------------------------------------------


@kernel
def draw_tile(g: Any, p: int, log: np.ndarray) -> int:
    """Take the next tile of a supply that is not empty; an emptied supply is counted (R7, R9.5)."""
    g.supply_size -= 1
    tile = int(g.supply[g.supply_size])
    g.supply[g.supply_size] = NONE
    emit(log, Event.DRAW, p, tile, 0)
    if g.supply_size == 0:
        g.exhaustions += 1
        emit(log, Event.EXHAUSTED, g.exhaustions, 0, 0)
        if g.exhaustions == 2 or g.solo:
            trigger_end(g, Ending.TILES, log)
    return tile


@kernel
def draw_tiles(g: Any, log: np.ndarray) -> None:
    """Draw what the action brought; the first exhaustion interrupts at once (R7.1), later draws give nothing (R7.3)."""
    if extended(g) and g.is_split[0] == 0 and g.draws > 0 and g.supply_size > 0:
        g.stage = Stage.SPLIT
        return
    while g.draws > 0:
        if g.supply_size == 0:
            g.draws = 0
            break
        add(g.tiles[g.player], draw_tile(g, int(g.player), log))
        g.draws -= 1
        if g.supply_size == 0 and g.exhaustions == 1 and not g.solo:
            g.stage = Stage.RETURN
            g.returner = 0
            return
    g.stage = Stage.FINISH
    if extended(g):
        g.is_split[0] = 0
        if g.phase[0] != Phase.ACTION:
            g.stage = Stage.END_EVENT


@kernel
def next_prestige(g: Any, color: int, taken: int) -> int:
    """The tile of a color's stack of value III after `taken` others, or NONE (X0.2)."""
    first = FIRST_PRESTIGE + _PRESTIGE_A_COLOR * color
    for tile in range(first, first + _PRESTIGE_A_COLOR):
        if has(g.prestige, tile):
            if taken == 0:
                return tile
            taken -= 1
    return NONE


@kernel
def can_split(g: Any, choice: int) -> bool:
    """Whether rights that are left can be spent so (X0.1, X0.2). The order is prestige by color, value II, green space."""
    for later in range(choice + 1, Split.DONE):
        if g.split[later] > 0:
            return False
    if choice == Split.GREEN_SPACE:
        return g.draws > 0 and g.green_drawn[0] == 0 and g.split[choice] == 0 and g.green_stack[0] > 0
    if choice == Split.NEW_BUILDING:
        return g.draws >= SPLIT_COST[choice] and g.n_new_buildings[0] > g.split[choice]
    return g.draws >= SPLIT_COST[choice] and next_prestige(g, choice, int(g.split[choice])) != NONE


@kernel
def split_draw(g: Any, choice: int, log: np.ndarray) -> None:
    """Spend rights on one tile, or draw what has been chosen: prestige, value II, green space; value I comes last (X0.1)."""
    if choice != Split.DONE:
        g.split[choice] += 1
        g.draws -= SPLIT_COST[choice]
        return
    p = int(g.player)
    for color in range(N_COLORS):
        for _ in range(g.split[color]):
            tile = next_prestige(g, color, 0)
            remove(g.prestige, tile)
            take_special(g, p, tile, log)
            add(g.known_tiles[p], tile)
    for _ in range(g.split[Split.NEW_BUILDING]):
        g.n_new_buildings[0] -= 1
        top = g.n_new_buildings[0]
        take_special(g, p, int(g.new_buildings[top]), log)
        g.new_buildings[top] = NONE
    if g.split[Split.GREEN_SPACE] > 0:
        g.green_stack[0] -= 1
        g.green_drawn[0] = 1
        take_special(g, p, GREEN_SPACE, log)
        know_greens(g, p, int(g.green_known[p]) + 1)
    g.split[:] = 0
    g.is_split[0] = 1
    g.stage = Stage.DRAW


@kernel
def take_special(g: Any, p: int, tile: int, log: np.ndarray) -> None:
    """A tile from a stack of the expansion goes behind the screen."""
    put_behind(g, p, tile)
    emit(log, Event.DRAW, p, tile, TILE_VALUE[tile])


# --- returning (R7.1) ----------------------------------------------------------------------------------------------------------


@kernel
def set_aside(g: Any, p: int, tile: int) -> None:
    """A tile to be returned when all have chosen."""
    take_from_behind(g, p, tile)
    add(g.aside[p], tile)
    if extended(g) and tile == GREEN_SPACE:
        g.green_aside[p] += 1


@kernel
def return_tiles(g: Any, log: np.ndarray) -> None:
    """All have chosen: SP for the tiles set aside, which go to their stacks; value I becomes the supply (R7.1, R7.2, X0.4)."""
    clear(g.returned)
    for p in range(g.players):
        n = count_tiles(g, g.aside[p], int(g.green_aside[p])) if extended(g) else count(g.aside[p])
        if n > 0:
            emit(log, Event.GIVE_BACK, p, n, 0)
            gain_points(g, p, 2 * n if is_expert(g, p, Expert.ENGINEER) else n, log)
        if extended(g):
            know_greens(g, p, int(g.green_known[p]) - int(g.green_aside[p]))
            g.green_stack[0] += g.green_aside[p]
            g.green_aside[p] = 0
            remove(g.aside[p], GREEN_SPACE)
        for w in range(WORDS):
            g.returned[w] |= g.aside[p, w]
            g.known_tiles[p, w] &= ~g.aside[p, w]
            g.aside[p, w] = ZERO
    came_back = return_special(g) if extended(g) else False
    g.supply_size = list_into(g.returned, g.supply)
    g.stage = Stage.DRAW
    if g.supply_size == 0:
        g.exhaustions = 2
        emit(log, Event.EXHAUSTED, 2, 0, 0)
        trigger_end(g, Ending.TILES, log)
    else:
        stack_up(g, g.supply, int(g.supply_size), Shuffle.RETURNED_TILES, log)
    if came_back:
        stack_up(g, g.new_buildings, int(g.n_new_buildings[0]), Shuffle.NEW_BUILDINGS, log)


@of_expansion
def return_special(g: Any) -> bool:
    """Returned tiles of value II and III go to their stacks (X0.4); whether any of value II came back."""
    for tile in range(FIRST_PRESTIGE, GREEN_SPACE):
        if has(g.returned, tile):
            remove(g.returned, tile)
            add(g.prestige, tile)
    stack = np.zeros(WORDS, np.uint64)
    came_back = False
    for i in range(g.n_new_buildings[0]):
        add(stack, g.new_buildings[i])
    for tile in range(FIRST_NEW_BUILDING, FIRST_PRESTIGE):
        if has(g.returned, tile):
            remove(g.returned, tile)
            add(stack, tile)
            came_back = True
    if came_back:
        g.n_new_buildings[0] = list_into(stack, g.new_buildings)
    return came_back
