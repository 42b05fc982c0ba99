"""The city: buildings with coordinates, their neighbors, and places of tokens (R6.1 to R6.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.ginkgopolis.components import DX, DY
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    MAX_BUILDINGS,
    N_DIRECTIONS,
    N_LETTERS,
    NOBODY,
    NONE,
    NOWHERE,
    Event,
    Expert,
    Side,
)
from ginkgo_env.games.ginkgopolis.modules import is_expert
from ginkgo_env.games.ginkgopolis.state import State

_MAX_EDGE = N_DIRECTIONS * MAX_BUILDINGS  # R6.3: each cell of the edge lies at a side of a building
_EAST = 1


@kernel
def building_at(g: State, x: int, y: int) -> int:
    """Return the slot of the building on a cell, or NONE."""
    for s in range(g.n_buildings):
        if g.x[s] == x and g.y[s] == y:
            return s
    return NONE


@kernel
def token_at(g: State, x: int, y: int) -> int:
    """Return the letter of the token on a cell, or NONE."""
    for letter in range(N_LETTERS):
        if g.token_x[letter] == x and g.token_y[letter] == y:
            return letter
    return NONE


@kernel
def add_building(g: State, x: int, y: int, tile: int, owner: int, pawn: int) -> int:
    """Add a building of one floor on an empty cell; return its slot."""
    s = int(g.n_buildings)
    for d in range(N_DIRECTIONS):
        other = building_at(g, x + DX[d], y + DY[d])
        g.adjacent[s, d] = other
        if other != NONE:
            g.adjacent[other, (d + 2) % N_DIRECTIONS] = s  # the opposite side
    g.x[s], g.y[s], g.top[s], g.floors[s], g.owner[s], g.pawn[s] = x, y, tile, 1, owner, pawn
    if tile != GREEN_SPACE:  # X3.1: no card names it, and there may be several
        g.slot[tile] = s
    g.n_buildings = s + 1
    g.west, g.north = min(g.west, x), min(g.north, y)
    return s


@kernel
def replace_token(g: State, letter: int, tile: int, owner: int) -> int:
    """Replace a token by a new building (R6.1); return its slot. The token is then in hand."""
    slot = add_building(g, int(g.token_x[letter]), int(g.token_y[letter]), tile, owner, 1)
    g.token_x[letter] = NOWHERE
    g.token_y[letter] = NOWHERE
    g.building = slot
    return slot


@kernel
def is_free(g: State, slot: int, side: int) -> bool:
    """Whether the cell at a side of a building holds neither a tile nor a token (R6.2)."""
    if g.adjacent[slot, side] != NONE:
        return False
    return token_at(g, g.x[slot] + DX[side], g.y[slot] + DY[side]) == NONE


@kernel
def put_token(g: State, letter: int, x: int, y: int, log: np.ndarray) -> None:
    """Lay a token on a cell."""
    g.token_x[letter], g.token_y[letter] = x, y
    emit(log, Event.TOKEN, letter, x, y)


@kernel
def place_token(g: State, letter: int, side: int, log: np.ndarray) -> None:
    """Put the token in hand where the player chose (R6.2, R6.3)."""
    if side < Side.AFTER:
        put_token(g, letter, g.x[g.building] + DX[side], g.y[g.building] + DY[side], log)
    else:
        place_on_edge(g, letter, 1 if side == Side.AFTER else -1, log)
    g.building = NONE


@kernel
def edge_cells(g: State, cells: np.ndarray) -> int:
    """Write the edge of the city (R6.3) into cells (``_MAX_EDGE``, 2) as (x, y); return their number.

    The walk is clockwise and starts above the leftmost building of the topmost row.
    """
    start = 0
    for s in range(1, g.n_buildings):
        if g.y[s] < g.y[start] or (g.y[s] == g.y[start] and g.x[s] < g.x[start]):
            start = s
    x0, y0 = int(g.x[start]), g.y[start] - 1
    x, y, heading, n = x0, y0, _EAST, 0
    while True:
        right = (heading + 1) % N_DIRECTIONS
        wall_right = building_at(g, x + DX[right], y + DY[right]) != NONE
        wall_ahead = building_at(g, x + DX[heading], y + DY[heading]) != NONE
        if wall_right or wall_ahead:  # R6.3: only cells with a building at the right or ahead are listed
            known = False  # a narrow bay is walked twice
            for i in range(n):
                known = known or (cells[i, 0] == x and cells[i, 1] == y)
            if not known:
                cells[n, 0], cells[n, 1] = x, y
                n += 1
        if not wall_right:
            heading = right  # the city stays at the right hand
        if wall_right and wall_ahead:
            heading = (heading + 3) % N_DIRECTIONS  # turn left on the spot
        else:
            x, y = x + DX[heading], y + DY[heading]
        if x == x0 and y == y0 and heading == _EAST:
            return n


@kernel
def place_on_edge(g: State, letter: int, step: int, log: np.ndarray) -> None:
    """Put a token on the edge: after the previous letter (step 1), or before the next letter (-1), R6.3."""
    cells = np.empty((_MAX_EDGE, 2), np.int64)
    n = edge_cells(g, cells)
    at = np.full(n, NONE, np.int64)  # letter of the token on each edge cell
    place = np.full(N_LETTERS, NONE, np.int64)  # edge cell of each token, NONE for one in a hole
    for i in range(n):
        other = token_at(g, int(cells[i, 0]), int(cells[i, 1]))
        at[i] = other
        if other != NONE:
            place[other] = i
    neighbor = letter  # the closest letter whose token lies on the edge: those in holes are passed over
    for k in range(1, N_LETTERS):
        neighbor = (letter - step * k) % N_LETTERS
        if place[neighbor] != NONE:
            break
    here = place[neighbor]
    if here == NONE:  # every other token lies in a hole: the list begins or ends here
        here = -1 if step > 0 else 0
    i = (here + step) % n
    moving = letter
    while True:  # making room: each token in the way moves on by one cell
        pushed = at[i]
        put_token(g, moving, int(cells[i, 0]), int(cells[i, 1]), log)
        if pushed == NONE:
            return
        moving = pushed
        i = (i + step) % n


@kernel
def release(g: State, slot: int, builder: int, log: np.ndarray) -> None:
    """Give the resources on a building back to their owner, who gets SP if another player builds (R5.1)."""
    owner = int(g.owner[slot])
    if owner == NOBODY:
        return
    n = int(g.floors[slot])
    each = 2 if is_expert(g, owner, Expert.LAWYER) else 1  # X6.2
    paid = 0 if owner == builder else each * n
    g.resources[owner] += n
    g.points[owner] += paid
    emit(log, Event.RETURN_RESOURCES, owner, n, paid)
