"""Environments with one game go back to earlier states."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.errors import BatchError
from ginkgo_env.envs.one_game import EnvState

MADE: dict[str, Callable[[], Any]] = {
    "env": lambda: ginkgo_env.env(players=3, reward="score"),
    "raw_env": lambda: ginkgo_env.raw_env("golden_city", players=3, observation="features"),
    "parallel_env": lambda: ginkgo_env.parallel_env("my_city", players=3),
    "GinkgoEnv": lambda: ginkgo_env.GinkgoEnv(players=2, seat="random", reward="score", opponents="greedy"),
    "GinkgoEnv, dict": lambda: ginkgo_env.GinkgoEnv("my_city", players=1, observation="dict"),
    "text_env": lambda: ginkgo_env.text_env("my_city", players=2),
    "text_env, all seats": lambda: ginkgo_env.text_env("golden_city", players=2, seat="all"),
}


def step(env: Any, rng: np.random.Generator) -> Any:
    """Play a random legal action for whoever decides; return everything that the environment says."""
    unwrapped = env.unwrapped if hasattr(env, "unwrapped") else env
    if isinstance(unwrapped, ginkgo_env.parallel_env):
        return env.step({agent: int(rng.choice(np.flatnonzero(env._masks[agent]))) for agent in env.agents})
    if isinstance(unwrapped, ginkgo_env.raw_env):
        observation, *rest = env.last()
        over = rest[1] or rest[2]
        env.step(None if over else int(rng.choice(np.flatnonzero(rest[3]["action_mask"]))))
        return observation, *rest, env.agents[:], dict(env.unwrapped.rewards)
    if isinstance(unwrapped, ginkgo_env.text_env):
        return env.step(str(rng.choice(env._reader.texts)))
    return env.step(int(rng.choice(np.flatnonzero(env.action_masks()))))


def is_over(env: Any) -> bool:
    unwrapped = env.unwrapped if hasattr(env, "unwrapped") else env
    if isinstance(unwrapped, ginkgo_env.GinkgoEnv):
        return bool(env.learner.over[0])
    return env._over if isinstance(unwrapped, ginkgo_env.text_env) else not env.agents


def played(env: Any, seed: int, steps: int = 10_000) -> list[Any]:
    """What the environment says until its game is over, or for some steps."""
    rng, found = np.random.default_rng(seed), []
    while not is_over(env) and len(found) < steps:
        found.append(step(env, rng))
    return found


@pytest.mark.parametrize("name", MADE)
def test_a_state_is_played_on_as_before(name: str) -> None:
    env, other = MADE[name](), MADE[name]()
    env.reset(seed=7)
    played(env, 1, 2)
    state = env.get_state()
    rest = played(env, 2)
    assert rest
    env.set_state(state)
    np.testing.assert_equal(played(env, 2), rest)
    env.set_state(state)  # once more, after a game was ended
    played(env, 3, 5)
    other.set_state(pickle.loads(pickle.dumps(state)))  # in an environment that has no game
    np.testing.assert_equal(played(other, 2), rest)


def test_a_game_ended_by_an_illegal_action_is_played_on() -> None:
    env = ginkgo_env.env("my_city")
    env.reset(seed=7)
    state = env.get_state()
    env.step(int(env.last()[0]["action_mask"].argmin()))
    assert all(env.terminations.values())
    env.set_state(state)
    assert played(env, 1)[-1][2:4] == (True, False)


@pytest.mark.parametrize("name", MADE)
def test_other_values_are_refused(name: str) -> None:
    env = MADE[name]()
    env.reset(seed=7)
    before = env.get_state()
    strange = ginkgo_env.raw_env(players=2)
    strange.reset(seed=1)
    for value in (None, 7, (), strange.get_state()):
        with pytest.raises(BatchError, match="invalid state"):
            env.set_state(value)
    env.set_state(before)
    assert isinstance(strange.get_state(), EnvState)
