"""What Python calls: the loops that the core makes from the scalar kernels of rules and knowledge."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.intrinsics import clear
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.loops import Scalars, make_loops
from ginkgo_env.core.masks import ENDED, RUNNING
from ginkgo_env.games.my_city.constants import Stage
from ginkgo_env.games.my_city.knowledge.features import features_one
from ginkgo_env.games.my_city.knowledge.observe import observe_one
from ginkgo_env.games.my_city.knowledge.playout import playout_one
from ginkgo_env.games.my_city.knowledge.resample import resample_one
from ginkgo_env.games.my_city.rules.machine import open_one, reset_one, step_one
from ginkgo_env.games.my_city.rules.placing import legal_one
from ginkgo_env.games.my_city.rules.scoring import score_one, standing_one
from ginkgo_env.games.my_city.state import State


@kernel
def reset(g: State, tables: Any, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Set up and run on to the first decision."""
    reset_one(g, tables[0], seed, mask, log)


@kernel(inline=True)
def step(g: State, tables: Any, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Play an action, and tell whether the game is over; nothing is ever truncated (M7.3)."""
    step_one(g, tables[0], action, mask, log)
    return ENDED if g.stage == Stage.OVER else RUNNING


@kernel
def legal(g: State, tables: Any, mask: np.ndarray) -> None:
    """Write the mask."""
    clear(mask)
    if g.stage != Stage.OVER:
        legal_one(g, tables[0], int(g.actor), mask)


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
    """Write what ranks the players (M8.8)."""
    standing_one(g, tables[0], points, out)


@kernel
def resample(g: State, tables: Any, seat: int, word: np.uint64) -> None:
    """Deal anew what a seat cannot know (M10.4)."""
    resample_one(g, tables[0], seat, word)


@kernel
def features(g: State, tables: Any, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write the features of what a seat knows."""
    features_one(g, tables[0], seat, out, offsets)


@kernel
def score_version(g: State, tables: Any) -> int:
    """Scores change only when the choices of a round take effect, after which a card is turned up or the game ends."""
    return 2 * int(g.drawn) + int(g.stage)


@kernel
def round_of(g: State, tables: Any) -> int:
    """The round's number (M3.5)."""
    return int(g.rounds)


@kernel
def playout(g: State, tables: Any, seat: int, mask: np.ndarray, word: np.uint64) -> int:
    """The action with which lookahead goes on."""
    return playout_one(tables[0], mask, word)


KERNELS = make_loops(
    Scalars(
        *(reset, step, legal, observe, score, standing),
        resample=resample,
        features=features,
        score_version=score_version,
        round_of=round_of,
        playout=playout,
    ),
    home=__name__,
)
"""The loops of the game, with any board and buildings."""


@entry
def open_game(states: Any, tables: Any, mask: Any, log: Any) -> None:
    """Go on to the first decision of one game whose deck lies ready in a blank record: states (1,), mask (A,) int8."""
    open_one(states[0], tables[0], mask, log)
