"""Parks: connected green spaces (X3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE, MAX_BUILDINGS, N_DIRECTIONS, NONE, PARK_POINTS, Log
from ginkgo_env.games.ginkgopolis.rules.gains import gain_points
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def find_parks(g: State, without: int, park: np.ndarray) -> int:
    """Number the parks (X3.2) in the order of their first tiles; return how many there are.

    Writes the park of each slot into park (slots,), NONE for buildings. The slot `without` counts as a building.
    """
    stack = np.empty(MAX_BUILDINGS, np.int64)
    for s in range(g.n_buildings):
        park[s] = NONE
    n = 0  # flood fill from each green space not reached yet
    for start in range(g.n_buildings):
        if g.top[start] != GREEN_SPACE or park[start] != NONE or start == without:
            continue
        park[start] = n
        stack[0] = start
        waiting = 1
        while waiting > 0:
            waiting -= 1
            s = stack[waiting]
            for d in range(N_DIRECTIONS):
                other = int(g.adjacent[s, d])
                if other != NONE and other != without and g.top[other] == GREEN_SPACE and park[other] == NONE:
                    park[other] = n
                    stack[waiting] = other
                    waiting += 1
        n += 1
    return n


@kernel
def gain_for_parks(g: State, p: int, slot: int, log: np.ndarray) -> None:
    """Gain SP for urbanizing beside parks (X3.2)."""
    beside = False
    for d in range(N_DIRECTIONS):
        other = int(g.adjacent[slot, d])
        beside = beside or (other != NONE and g.top[other] == GREEN_SPACE)
    if not beside:  # nearly always: parks need not be searched
        return
    park = np.empty(MAX_BUILDINGS, np.int64)
    size = np.zeros(MAX_BUILDINGS, np.int64)
    find_parks(g, slot, park)  # X3.2: parks as they were before the new tile
    for s in range(g.n_buildings):
        if park[s] != NONE:
            size[park[s]] += 1
    for d in range(N_DIRECTIONS):
        other = int(g.adjacent[slot, d])
        if other != NONE and park[other] != NONE and size[park[other]] > 0:
            n = size[park[other]]
            size[park[other]] = 0  # X3.2: a park touched on several sides pays once
            emit(log, Log.PARK, p, n, PARK_POINTS * n)
            gain_points(g, p, PARK_POINTS * n, log)
