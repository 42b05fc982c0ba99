"""The features about where players can build."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.golden_city.constants import N_LANDSCAPES, N_REWARDS, Reward
from ginkgo_env.games.golden_city.tables import Tables

_MANY, _FEW = 0.1, 0.25


@kernel
def write_sites(t: Tables, found: np.uint64, free: np.uint64, single: np.uint64, out: np.ndarray) -> None:
    """What a set of places holds: by landscape, by reward, districts where one would be the first or the second (G6.5)."""
    for landscape in range(N_LANDSCAPES):
        out[landscape] = _MANY * popcount(found & t.of_landscape[landscape])
    for kind in range(N_REWARDS):
        out[N_LANDSCAPES + kind] = _FEW * popcount(found & t.of_reward[kind])
    k, outer, inner = N_LANDSCAPES + N_REWARDS, found & t.districts & ~t.inner, found & t.inner
    out[k] = _FEW * popcount(outer & free)
    out[k + 1] = _FEW * popcount(outer & single)
    out[k + 2] = _FEW * popcount(inner & free)
    out[k + 3] = _FEW * popcount(inner & single)


@kernel
def write_next(t: Tables, found: np.uint64, free: np.uint64, out: np.ndarray) -> None:
    """What lies two houses away from the network: neighbors of inland sites that are none themselves."""
    rest, neighbors = found & ~t.coasts, ZERO
    while rest != ZERO:
        neighbors |= t.roads[lowest(rest)]
        rest &= rest - ONE
    neighbors &= free & ~found
    out[0] = _FEW * popcount(neighbors & t.of_reward[Reward.GOODS])
    out[1] = _FEW * popcount(neighbors & t.of_reward[Reward.BONUS])
    out[2] = _FEW * popcount(neighbors & t.of_reward[Reward.KEY])
    out[3] = _FEW * popcount(neighbors & t.districts & ~t.inner)
    out[4] = _FEW * popcount(neighbors & t.inner)
