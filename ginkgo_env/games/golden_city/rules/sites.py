"""The places where a player can build (G5.2, G5.5)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, bit
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.golden_city.constants import JOKER, N_LANDSCAPES, Landscape
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables


@kernel
def built_on(g: State) -> tuple[np.uint64, np.uint64]:
    """Return the sets of places with at least one house, and with at least two."""
    once = twice = ZERO
    for p in range(g.players):
        twice |= once & g.houses[p]
        once |= g.houses[p]
    return once, twice


@kernel
def sites(g: State, t: Tables, p: int) -> np.uint64:
    """Return the set of a player's sites, regardless of cards and keys (G5.2)."""
    taken, _ = built_on(g)
    # G5.2: on the coast and in suburbs there is room for one house; in a district only the own one matters
    return (t.coasts & ~taken) | (g.reach[p] & ((t.suburbs & ~taken) | (t.districts & ~g.houses[p])))


@kernel
def sites_with_keys(g: State, t: Tables, p: int) -> np.uint64:
    """Return the set of a player's sites, inner districts only with a key card (G5.5, G5.9)."""
    places = sites(g, t, p)
    return places if g.keys[p] > 0 else places & ~t.inner  # G5.3


@kernel
def units(g: State, p: int, landscape: int) -> int:
    """Return how many cards of a landscape the hand can stand for, jokers included (G5.4)."""
    n = int(g.hand[p, landscape])  # G5.4: two cards of another landscape stand for one; the coast is no exception
    for other in range(N_LANDSCAPES):
        if other != landscape:
            n += g.hand[p, other] // JOKER
    return n


@kernel
def offered_places(g: State, t: Tables, p: int) -> np.uint64:
    """Return the set of places that are offered to a player: sites that the player can pay for (G5.5)."""
    if g.houses_left[p] == 0:  # G5.5
        return ZERO
    affordable = ZERO
    for landscape in range(N_LANDSCAPES):
        # G5.3, G5.4: no card is part of two jokers, so the place can be paid for if there are units enough
        if units(g, p, landscape) >= (1 if landscape == Landscape.COAST else 2):
            affordable |= t.of_landscape[landscape]
    return sites_with_keys(g, t, p) & affordable


@kernel
def put_house(g: State, t: Tables, p: int, place: int) -> None:
    """Put a house on a place; the player then reaches its neighbors (G5.2)."""
    g.houses[p] |= bit(place)
    # Houses are never taken away, so the set of places reached only grows.
    g.reach[p] |= t.roads[place]
    g.houses_left[p] -= 1
