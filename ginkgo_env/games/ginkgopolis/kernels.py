"""What Python calls: the loops that the core makes from the scalar kernels of rules and knowledge, and one entry more."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.compile.specialize import variant
from ginkgo_env.core.loops import Scalars, make_loops
from ginkgo_env.core.masks import ENDED, RUNNING, TRUNCATED
from ginkgo_env.games.ginkgopolis.constants import Ending, Stage
from ginkgo_env.games.ginkgopolis.knowledge.features import features_one
from ginkgo_env.games.ginkgopolis.knowledge.observe import observe_one
from ginkgo_env.games.ginkgopolis.knowledge.playout import playout
from ginkgo_env.games.ginkgopolis.knowledge.resample import resample_one
from ginkgo_env.games.ginkgopolis.rules.machine import legal_one, run_on, step_one
from ginkgo_env.games.ginkgopolis.rules.scoring import score_cards, score_each_district, score_each_park, score_one, score_version
from ginkgo_env.games.ginkgopolis.rules.setup import reset_one
from ginkgo_env.games.ginkgopolis.state import State

# The game has no tables beside its constants: all kernels here leave that argument alone.


@kernel
def reset(g: State, tables: Any, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Set up and run on to the first decision."""
    reset_one(g, seed, log)
    run_on(g, mask, log)


@kernel
def step(g: State, tables: Any, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Play an action, and tell whether the game is over; cut off by ``max_rounds`` it has no real end (R8.4)."""
    step_one(g, action, mask, log)
    if g.stage != Stage.OVER:
        return RUNNING
    return TRUNCATED if g.ending == Ending.MAX_ROUNDS else ENDED


@kernel
def legal(g: State, tables: Any, mask: np.ndarray) -> None:
    """Write the mask."""
    legal_one(g, mask)


@kernel
def observe(g: State, tables: Any, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write what a seat knows."""
    observe_one(g, seat, out, offsets)


@kernel
def score(g: State, tables: Any, out: np.ndarray) -> None:
    """Write the score by source."""
    score_one(g, out)


@kernel
def resample(g: State, tables: Any, seat: int, word: np.uint64) -> None:
    """Deal anew what a seat cannot know."""
    resample_one(g, seat, word)


@kernel
def features(g: State, tables: Any, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write the features of what a seat knows."""
    features_one(g, seat, out, offsets)


@kernel
def score_version_of(g: State, tables: Any) -> int:
    """What has changed when the score has."""
    return score_version(g)


@kernel
def round_of(g: State, tables: Any) -> int:
    """The round's number (R3); setup and draft are round 0."""
    return int(g.rounds)


# R8.4 breaks no ties: the standing is the score.
_SCALARS = Scalars(
    *(reset, step, legal, observe, score),
    resample=resample,
    features=features,
    score_version=score_version_of,
    round_of=round_of,
    playout=playout,
)


def scalars_for(expansion: bool) -> Scalars:
    """The scalar kernels for games with any module, or without."""
    made = Scalars._make(scalar and variant(scalar, EXPANSION=expansion) for scalar in _SCALARS)
    return made._replace(advance=variant(made.step, BLIND=True))


KERNELS = {expansion: make_loops(scalars_for(expansion), home=__name__) for expansion in (False, True)}
"""The loops by whether a game is played with any module (``g.expansion``): layouts differ, and what can be left out."""


@entry
def breakdown_one(states: Any, cards: Any, districts: Any, parks: Any) -> tuple[int, int]:
    """Points of the first game by card, by district and by park.

    cards (P, ids) int32 gets the points of each endgame card in front of a player, -1 where there is none; districts (n, P) int32
    those of each district, parks (n, P) int32 those of each park (X3.4), in the order of their first tiles. Returns how many
    districts and how many parks there are.
    """
    g = states[0]
    score_cards(g, cards)
    return score_each_district(g, districts), score_each_park(g, parks)
