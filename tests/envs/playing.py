"""Ways to play that tests of environments share."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_env.envs.learner import Learner
from ginkgo_env.registry import OWN_GAMES, game_class


def plain(text: Any) -> str:
    """Text without the escape sequences of colors."""
    return re.sub(r"\x1b\[[0-9;]*m", "", str(text))


def first_legal(observations: Any, masks: np.ndarray) -> np.ndarray:
    return masks.argmax(axis=1)


def choose(masks: np.ndarray, rng: np.random.Generator, illegal: float = 0.0) -> np.ndarray:
    """A random legal action for each row; with some probability an illegal one."""
    actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in masks])
    wrong = rng.random(len(masks)) < illegal
    actions[wrong] = masks[wrong].argmin(axis=1)
    return actions


def rng_of(seed: int) -> np.random.Generator:
    return np.random.default_rng(seed)


def played(learner: Learner, steps: int, seed: int = 0) -> list[bytes]:
    """Play with autoreset; what was seen."""
    rng, seen = rng_of(seed), []
    for _ in range(steps):
        learner.step(choose(learner.masks(), rng))
        seen += [learner.observe().tobytes(), learner.rewards.tobytes(), learner.seats.tobytes(), learner.over.tobytes()]  # type: ignore[union-attr]
        learner.reset(rows=np.flatnonzero(learner.over))
    return seen


# --- games in which all choose at once ---------------------------------------------------------------------------------------


GAMES = [name for name in OWN_GAMES if game_class(name).simultaneous]
GAME = GAMES[0]


def made(players: int = 3, game: str = GAME, **options: Any) -> ginkgo_env.parallel_env:
    return ginkgo_env.parallel_env(game, players=players, **options)


def chosen(infos: dict[str, Any], rng: np.random.Generator) -> dict[str, int]:
    """A random legal action of each agent."""
    return {agent: int(rng.choice(np.flatnonzero(info["action_mask"]))) for agent, info in infos.items()}


def stay(mask: np.ndarray) -> np.ndarray:
    """The mask without ``end``, which comes last, unless there is nothing else."""
    return np.append(mask[:-1], mask[-1] * (mask.sum() == 1))


def parts(seen: Any) -> list[np.ndarray]:
    return list(seen.values()) if isinstance(seen, dict) else [seen]


def same(one: Any, two: Any) -> bool:
    return all(a.dtype == b.dtype and np.array_equal(a, b) for a, b in zip(parts(one), parts(two), strict=True))
