"""The PettingZoo environment with observations that are one vector: the mask is in the info alone."""

from __future__ import annotations

import copy
import pickle
import random
from typing import Any

import numpy as np
import pytest
from pettingzoo.test import api_test, seed_test

import ginkgo_env
from ginkgo_env import Batch, ConfigError, make_game

KINDS = ["blocks", "features", "both"]


def seen_in_batch(batch: Batch, seat: int, kind: str) -> Any:
    observed, features = batch.observe(seat)[0], batch.features(seat)[0]
    return {"blocks": observed, "features": features, "both": np.concatenate([observed, features])}[kind]


@pytest.mark.filterwarnings("error", "ignore:ginkgopolis_v0 has no reset options.*ignored. options:UserWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_api(kind: str) -> None:
    """Not one of the warnings that observations with a mask get."""
    api_test(ginkgo_env.env(players=3, observation=kind))
    seed_test(lambda: ginkgo_env.env(players=3, observation=kind))


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_batch_shows(kind: str) -> None:
    env, batch, rng = ginkgo_env.env(players=3, observation=kind), Batch(make_game(players=3), 1), random.Random(1)
    env.reset(seed=5)
    batch.reset(seed=[5])
    for _ in range(40):
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert np.array_equal(seen, seen_in_batch(batch, seat, kind))
            assert env.observation_space(agent).contains(seen)
        assert env.unwrapped.state_space.contains(env.state())
        mask = env.last()[4]["action_mask"]
        assert np.array_equal(mask, batch.mask[0])
        action = rng.choice(np.flatnonzero(mask))
        env.step(action)
        batch.step([action])


@pytest.mark.parametrize("kind", KINDS)
def test_an_illegal_action_ends_the_game(kind: str) -> None:
    """The wrapper finds the mask in the info."""
    env = ginkgo_env.env(players=2, observation=kind)
    env.reset(seed=5)
    agent = env.agent_selection
    env.step(int(env.last()[4]["action_mask"].argmax()))
    env.reset(seed=5)
    env.step(int(env.last()[4]["action_mask"].argmin()))
    assert all(env.terminations.values())
    assert env.rewards == {name: -1.0 if name == agent else 0 for name in env.possible_agents}
    assert not any(info["action_mask"].any() for info in env.infos.values())


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_a_copy_shows_the_same(copier: Any) -> None:
    env = ginkgo_env.env(players=2, observation="features")
    env.reset(seed=5)
    twin = copier(env)
    assert np.array_equal(twin.observe("player_1"), env.observe("player_1"))
    assert twin.observation_space("player_1") == env.observation_space("player_1")


@pytest.mark.parametrize("kind", ["flat", None, 3, []])
def test_kinds_that_are_none(kind: Any) -> None:
    with pytest.raises(ConfigError, match="observation"):
        ginkgo_env.env(observation=kind)
