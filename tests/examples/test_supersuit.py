"""Wrappers of SuperSuit on the PettingZoo environment: what works on which kind of observation, as docs/libraries.md says."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

supersuit = pytest.importorskip("supersuit")

import ginkgo_env

Wrapper = Callable[[Any], Any]

ANY_KIND: dict[str, Wrapper] = {
    "action_lambda": lambda env: supersuit.action_lambda_v1(env, lambda action, space: action, lambda space: space),
    "clip_reward": supersuit.clip_reward_v0,
    "nan_random": supersuit.nan_random_v0,
    "nan_zeros": supersuit.nan_zeros_v0,
    "pad_action_space": supersuit.pad_action_space_v0,
    "reward_lambda": lambda env: supersuit.reward_lambda_v0(env, lambda reward: 2 * reward),
}
FLAT: dict[str, Wrapper] = {
    "dtype": lambda env: supersuit.dtype_v0(env, np.float32),
    "flatten": supersuit.flatten_v0,
    "frame_stack_v1": lambda env: supersuit.frame_stack_v1(env, 4),
    "frame_stack_v2": lambda env: supersuit.frame_stack_v2(env, 4),
    "max_observation": lambda env: supersuit.max_observation_v0(env, 2),
    "normalize_obs": lambda env: supersuit.normalize_obs_v0(supersuit.dtype_v0(env, np.float32)),
    "observation_lambda": lambda env: supersuit.observation_lambda_v0(env, lambda seen, space: seen),
    "pad_observations": supersuit.pad_observations_v0,
    "agent_indicator": supersuit.agent_indicator_v0,
    "delay_observations": lambda env: supersuit.delay_observations_v0(env, 2),
}
"""Need one vector. ``delay_observations`` delays a mask that is in the observation, too."""
OUTSIDE_ITS_SPACE = ["agent_indicator"]  # writes the largest bound of all numbers, where its space allows 1


def play(env: Any, strict: bool = True) -> bool:
    """Play a game at random by the masks; whether it ended by the rules, not by an illegal action."""
    rng = random.Random(0)
    env.reset(seed=1)
    for agent in env.agent_iter():
        seen, _, terminated, truncated, info = env.last()
        assert not strict or env.observation_space(agent).contains(seen)
        if terminated or truncated:
            return not (terminated and truncated)  # an illegal action sets both
        mask = seen["action_mask"] if isinstance(seen, dict) else info["action_mask"]
        env.step(rng.choice(np.flatnonzero(mask)))
    raise AssertionError("a game without an end")


@pytest.mark.parametrize("kind", ["dict", "blocks", "features"])
@pytest.mark.parametrize("name", ANY_KIND)
def test_on_any_kind(name: str, kind: str) -> None:
    assert play(ANY_KIND[name](ginkgo_env.env(players=3, observation=kind)))


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("kind", ["blocks", "features"])
@pytest.mark.parametrize("name", FLAT)
def test_on_one_vector(name: str, kind: str) -> None:
    assert play(FLAT[name](ginkgo_env.env(players=3, observation=kind)), strict=name not in OUTSIDE_ITS_SPACE)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", FLAT)
def test_not_on_observations_with_a_mask(name: str) -> None:
    """Why there are the other kinds. If one of these works one day, docs/libraries.md has to say so."""
    try:
        good = play(FLAT[name](ginkgo_env.env(players=3)))
    except (AssertionError, AttributeError):
        return
    assert not good


def test_sticky_actions_break_the_rules() -> None:
    """An action that is repeated may be illegal: such wrappers fit no game with masks."""
    assert not play(supersuit.sticky_actions_v0(ginkgo_env.env(players=3, observation="blocks"), 0.5))
