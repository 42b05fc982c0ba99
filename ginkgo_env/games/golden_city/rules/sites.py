"""Where a player can build (G5.2, G5.5)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, bit
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.golden_city.constants import JOKER, N_LANDSCAPES, Landscape
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables


@kernel
def built_on(g: State) -> tuple[np.uint64, np.uint64]:
    """The sets of places with at least one house, and with at least two."""
    once = twice = ZERO
    for p in range(g.players):
        twice |= once & g.houses[p]
        once |= g.houses[p]
    return once, twice


@kernel
def sites(g: State, t: Tables, p: int) -> np.uint64:
    """The set of a player's sites, whatever cards and keys he holds (G5.2)."""
    taken, _ = built_on(g)
    return (t.coasts & ~taken) | (g.reach[p] & ((t.suburbs & ~taken) | (t.districts & ~g.houses[p])))


@kernel
def sites_with_keys(g: State, t: Tables, p: int) -> np.uint64:
    """The same without inner districts, if he holds no key card (G5.5, G5.9)."""
    found = sites(g, t, p)
    return found if g.keys[p] > 0 else found & ~t.inner


@kernel
def units(g: State, p: int, landscape: int) -> int:
    """How many cards of a landscape the hand can stand for, jokers included (G5.4); more than it can pay at once is possible."""
    n = int(g.hand[p, landscape])
    for other in range(N_LANDSCAPES):
        if other != landscape:
            n += g.hand[p, other] // JOKER
    return n


@kernel
def offered(g: State, t: Tables, p: int) -> np.uint64:
    """The set of places that are offered to a player: sites that he can pay for (G5.5)."""
    if g.houses_left[p] == 0:
        return ZERO
    affordable = ZERO
    for landscape in range(N_LANDSCAPES):
        if units(g, p, landscape) >= (1 if landscape == Landscape.COAST else 2):
            affordable |= t.of_landscape[landscape]
    return sites_with_keys(g, t, p) & affordable


@kernel
def put_house(g: State, t: Tables, p: int, place: int) -> None:
    """A house stands on a place, and reaches its neighbors."""
    g.houses[p] |= bit(place)
    g.reach[p] |= t.roads[place]
    g.houses_left[p] -= 1
