"""What Python calls: the loops that the core makes from the scalar kernels of rules and knowledge."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.loops import Scalars, make_loops
from ginkgo_env.core.masks import ENDED, RUNNING
from ginkgo_env.games.golden_city.constants import Stage
from ginkgo_env.games.golden_city.knowledge.features import features_one
from ginkgo_env.games.golden_city.knowledge.observe import observe_one
from ginkgo_env.games.golden_city.knowledge.playout import playout_one
from ginkgo_env.games.golden_city.knowledge.resample import resample_one
from ginkgo_env.games.golden_city.rules.machine import legal_one, run_on, step_one
from ginkgo_env.games.golden_city.rules.scoring import score_one, standing_one
from ginkgo_env.games.golden_city.rules.setup import reset_one
from ginkgo_env.games.golden_city.rules.sites import offered_places, sites_with_keys
from ginkgo_env.games.golden_city.state import State


@kernel
def reset(g: State, tables: Any, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Set up and run on to the first decision."""
    reset_one(g, tables[0], seed, log)
    run_on(g, tables[0], mask, log)


@kernel
def step(g: State, tables: Any, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Play an action, and tell whether the game is over; nothing is ever truncated (G8.2)."""
    step_one(g, tables[0], action, mask, log)
    return ENDED if g.stage == Stage.OVER else RUNNING


@kernel
def legal(g: State, tables: Any, mask: np.ndarray) -> None:
    """Write the mask."""
    legal_one(g, tables[0], mask)


@kernel
def observe(g: State, tables: Any, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write what a seat knows."""
    observe_one(g, tables[0], seat, out, offsets)


@kernel
def score(g: State, tables: Any, out: np.ndarray) -> None:
    """Write the score by source."""
    score_one(g, tables[0], out)


@kernel
def standing(g: State, tables: Any, points: np.ndarray, out: np.ndarray) -> None:
    """Write what ranks the players (G9.5)."""
    standing_one(g, tables[0], points, out)


@kernel
def resample(g: State, tables: Any, seat: int, word: np.uint64) -> None:
    """Deal anew what a seat cannot know (G10.6)."""
    resample_one(g, tables[0], seat, word)


@kernel
def features(g: State, tables: Any, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write the features of what a seat knows."""
    features_one(g, tables[0], seat, out, offsets)


@kernel
def round_of(g: State, tables: Any) -> int:
    """The round's number (G3)."""
    return int(g.rounds)


@kernel
def playout(g: State, tables: Any, seat: int, mask: np.ndarray, word: np.uint64) -> int:
    """The action with which lookahead goes on."""
    return playout_one(g, tables[0], mask, word)


KERNELS = make_loops(
    Scalars(
        *(reset, step, legal, observe, score, standing),
        resample=resample,
        features=features,
        round_of=round_of,
        playout=playout,
    ),
    home=__name__,
)
"""The loops of the game, on any board."""


@entry
def list_sites(states: Any, tables: Any, sites: Any, offers: Any) -> None:
    """Write where each player of the first game can build, and which of these places he can pay for: sets of places.

    sites (P,) uint64: as G5.2 says, inner districts only with a key (G5.9); offers (P,) uint64: as G5.5 says.
    """
    g = states[0]
    for p in range(g.players):
        sites[p] = sites_with_keys(g, tables[0], p)
        offers[p] = offered_places(g, tables[0], p)
