"""The features about places where players can build."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.golden_city.constants import N_LANDSCAPES, N_REWARDS, Reward
from ginkgo_env.games.golden_city.knowledge.features_layout import SideFeature, SiteFeature
from ginkgo_env.games.golden_city.tables import Tables

_MANY, _FEW = 0.1, 0.25  # factors that scale numbers of places by landscape, and smaller ones


@kernel
def write_sites(t: Tables, sites: np.uint64, free: np.uint64, single: np.uint64, out: np.ndarray) -> None:
    """Write what a set of places holds into out, a row of SiteFeature.

    free, single : the sets of places with no house, and with exactly one
    """
    for landscape in range(N_LANDSCAPES):
        out[SiteFeature.SITES_COAST + landscape] = _MANY * popcount(sites & t.of_landscape[landscape])
    for kind in range(N_REWARDS):
        out[SiteFeature.SITES_CARD + kind] = _FEW * popcount(sites & t.of_reward[kind])
    # G6.5: in a district the first and the second house bring letters, later ones nothing
    outer, inner = sites & t.districts & ~t.inner, sites & t.inner
    out[SiteFeature.OUTER_FIRST] = _FEW * popcount(outer & free)
    out[SiteFeature.OUTER_SECOND] = _FEW * popcount(outer & single)
    out[SiteFeature.INNER_FIRST] = _FEW * popcount(inner & free)
    out[SiteFeature.INNER_SECOND] = _FEW * popcount(inner & single)


@kernel
def write_next(t: Tables, sites: np.uint64, free: np.uint64, out: np.ndarray) -> None:
    """Write what lies two houses away from a player's network into out, a row of SideFeature.

    These are the neighbors of inland sites that are no sites themselves.
    """
    rest, neighbors = sites & ~t.coasts, ZERO  # G5.2: free coast places are sites for everybody, always
    while rest != ZERO:
        neighbors |= t.roads[lowest(rest)]
        rest &= rest - ONE
    neighbors &= free & ~sites
    out[SideFeature.NEXT_GOODS] = _FEW * popcount(neighbors & t.of_reward[Reward.GOODS])
    out[SideFeature.NEXT_BONUS] = _FEW * popcount(neighbors & t.of_reward[Reward.BONUS])
    out[SideFeature.NEXT_KEY] = _FEW * popcount(neighbors & t.of_reward[Reward.KEY])
    out[SideFeature.NEXT_OUTER_FIRST] = _FEW * popcount(neighbors & t.districts & ~t.inner)
    out[SideFeature.NEXT_INNER_FIRST] = _FEW * popcount(neighbors & t.inner)
