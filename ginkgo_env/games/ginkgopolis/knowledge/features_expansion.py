"""Features of games with modules."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import (
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    GREEN_SPACE,
    N_EVENTS,
    N_EXPERTS,
    N_MODULES,
    NONE,
    Stage,
)
from ginkgo_env.games.ginkgopolis.knowledge.features_layout import (
    EXPANSION_SIDES,
    ExpansionGameFeature,
    ExpansionSideFeature,
    FeatureBlock,
)
from ginkgo_env.games.ginkgopolis.knowledge.observe import is_committing
from ginkgo_env.games.ginkgopolis.rules.tiles import count_tiles
from ginkgo_env.games.ginkgopolis.state import State

HIGH_WORD = FIRST_NEW_BUILDING // 64
"""The word of a set with the tiles of value II and III."""
NEW_BUILDINGS = np.uint64(sum(1 << (t - 64 * HIGH_WORD) for t in range(FIRST_NEW_BUILDING, FIRST_PRESTIGE)))
PRESTIGE = np.uint64(sum(1 << (t - 64 * HIGH_WORD) for t in range(FIRST_PRESTIGE, GREEN_SPACE)))
"""The tiles of value II, and of value III, in that word."""
_FIRST_EXPERT = len(EXPANSION_SIDES)
_WIDTH = _FIRST_EXPERT + N_EXPERTS


@kernel
def write_expansion_side(g: State, p: int, k: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write a row of block expansion_sides: player p, the k-th to the left."""
    row = out[at[FeatureBlock.EXPANSION_SIDES] + k * _WIDTH :]
    row[ExpansionSideFeature.EVENTS] = 1 if g.event[p] != NONE and is_committing(g) else 0  # R10.1: committed ones count
    for kind in range(N_EVENTS):
        row[ExpansionSideFeature.EVENTS] += g.events[p] >> kind & 1
        row[ExpansionSideFeature.EVENTS_PLAYED] += g.events_played[p] >> kind & 1
    row[ExpansionSideFeature.LOWER_TILES] = count_tiles(g.lower_tiles[p], int(g.green_lower[p]))
    for s in range(g.n_buildings):
        if g.top[s] == GREEN_SPACE and g.owner[s] == p:
            row[ExpansionSideFeature.GREEN_SPACES] += 1
    if g.expert[p] != NONE and (k == 0 or g.stage != Stage.DRAFT):  # X6.1: others' are shown after the draft
        row[_FIRST_EXPERT + g.expert[p]] = 1


@kernel
def write_expansion_game(g: State, seat: int, out: np.ndarray) -> None:
    """Write block expansion_game."""
    for module in range(N_MODULES):
        out[ExpansionGameFeature.MODULE_NEW_BUILDINGS + module] = g.modules[module]
    out[ExpansionGameFeature.HAND_SIZE] = g.hand_size
    out[ExpansionGameFeature.NEW_BUILDINGS] = g.n_new_buildings
    out[ExpansionGameFeature.GREEN_SPACES] = g.green_stack
    out[ExpansionGameFeature.OWN_NEW_BUILDINGS] = popcount(g.tiles[seat, HIGH_WORD] & NEW_BUILDINGS)
    out[ExpansionGameFeature.OWN_PRESTIGE] = popcount(g.tiles[seat, HIGH_WORD] & PRESTIGE)
    out[ExpansionGameFeature.OWN_GREEN_SPACES] = g.green[seat]
    for kind in range(N_EVENTS):
        out[ExpansionGameFeature.OWN_DESIGN + kind] = g.events[seat] >> kind & 1
