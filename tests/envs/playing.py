"""Ways to play that tests of environments for one learner share."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from ginkgo_env.envs.learner import Learner


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
