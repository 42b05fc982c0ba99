"""The first exhaustion of the supply: tiles given back become the new supply (R7.1, R7.2, X0.4)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, add, clear, has, list_into, lowest, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.core.kernels import stack_up
from ginkgo_env.games.ginkgopolis.actions import RETURN, first, n_tiles, tile_at, tile_index
from ginkgo_env.games.ginkgopolis.components import RANK
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    NONE,
    WORDS,
    Ending,
    Event,
    Expert,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, is_expert
from ginkgo_env.games.ginkgopolis.rules.effects import gain_points, trigger_end
from ginkgo_env.games.ginkgopolis.rules.round import in_turn_order
from ginkgo_env.games.ginkgopolis.rules.tiles import count_tiles, know_greens, take_from_behind
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def returner(g: State) -> int:
    """Return the seat that sets tiles aside next, in turn order (R7.1)."""
    return in_turn_order(g, int(g.returner))


@kernel
def legal_returns(g: State, mask: np.ndarray) -> int:
    """Allow the tiles above those already set aside, and done (R7.1)."""
    p = int(g.actor)
    start = first(RETURN)
    mask[start + n_tiles()] = 1
    n = 1
    highest = NONE
    for w in range(WORDS):
        rest = g.aside[p, w]
        while rest != ZERO:
            highest = max(highest, RANK[(w << 6) + lowest(rest)])
            rest &= rest - ONE
    for w in range(WORDS):
        rest = g.tiles[p, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if RANK[tile] >= highest:  # ascending order; equal are only green spaces (X0.4)
                mask[start + tile_index(tile)] = 1
                n += 1
    return n


@kernel
def choose_return(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Set one tile aside, or finish (R7.1); tiles are returned once all have finished."""
    index = action - first(RETURN)
    if index != n_tiles():
        set_aside(g, p, tile_at(index))
        return
    g.returner += 1
    if g.returner == g.players:
        g.returner = 0
        return_tiles(g, log)


@kernel
def set_aside(g: State, p: int, tile: int) -> None:
    """Set a tile aside, to be returned when all have chosen (R7.1)."""
    take_from_behind(g, p, tile)
    add(g.aside[p], tile)
    if EXPANSION and tile == GREEN_SPACE:
        g.green_aside[p] += 1


@kernel
def return_tiles(g: State, log: np.ndarray) -> None:
    """Return the tiles set aside for SP and make the new supply (R7.1, R7.2, X0.4)."""
    clear(g.returned)
    for p in range(g.players):
        n = count_tiles(g.aside[p], int(g.green_aside[p]))
        if n > 0:
            emit(log, Event.GIVE_BACK, p, n, 0)
            gain_points(g, p, 2 * n if is_expert(g, p, Expert.ENGINEER) else n, log)  # X6.2
        if EXPANSION:
            know_greens(g, p, int(g.green_known[p]) - int(g.green_aside[p]))  # X7.4: they were shown
            g.green_stack += g.green_aside[p]
            g.green_aside[p] = 0
            remove(g.aside[p], GREEN_SPACE)
        for w in range(WORDS):
            g.returned[w] |= g.aside[p, w]
            g.known_tiles[p, w] &= ~g.aside[p, w]
            g.aside[p, w] = ZERO
    came_back = EXPANSION and return_special(g)
    g.supply_size = list_into(g.returned, g.supply)  # X0.4: base tiles only
    g.stage = Stage.DRAW
    if g.supply_size == 0:  # R7.2: this already is the second exhaustion
        g.exhaustions = 2
        emit(log, Event.EXHAUSTED, 2, 0, 0)
        trigger_end(g, Ending.TILES, log)
    else:
        stack_up(g, g.supply, int(g.supply_size), Shuffle.RETURNED_TILES, log)
    if came_back:  # X7.5: shuffled after the supply
        stack_up(g, g.new_buildings, int(g.n_new_buildings), Shuffle.NEW_BUILDINGS, log)


@kernel
def return_special(g: State) -> bool:
    """Put returned tiles of value II and III on their stacks (X0.4); return whether any was of value II."""
    for tile in range(FIRST_PRESTIGE, GREEN_SPACE):
        if has(g.returned, tile):
            remove(g.returned, tile)
            add(g.prestige, tile)
    stack = np.zeros(WORDS, np.uint64)
    came_back = False
    for i in range(g.n_new_buildings):
        add(stack, g.new_buildings[i])
    for tile in range(FIRST_NEW_BUILDING, FIRST_PRESTIGE):
        if has(g.returned, tile):
            remove(g.returned, tile)
            add(stack, tile)
            came_back = True
    if came_back:
        g.n_new_buildings = list_into(stack, g.new_buildings)
    return came_back
