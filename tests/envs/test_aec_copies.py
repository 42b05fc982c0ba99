"""Copies of an environment go on as the original would, and apart from it."""

from __future__ import annotations

import copy
import pickle
import random
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis

COPIERS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


OPTIONS = [
    *({"players": 1}, {"players": 3, "reward": "score"}, {"players": 2, "max_rounds": 3}),
    {"players": 2, "modules": Ginkgopolis.modules.keys(), "hand_size": 5},
]


def play_on(env: Any, rng: random.Random) -> list[Any]:
    """Play to the end and into the next game; returns everything that was seen."""
    seen: list[Any] = []
    for _ in range(2):
        for agent in env.agent_iter():
            observation, *rest, info = env.last()
            seen += [agent, *(a.tobytes() for a in (*observation.values(), *info.values())), *rest]
            over = rest[1] or rest[2]
            env.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"])))
        env.reset()
    return seen


def begun(make: Any, steps: int, **options: Any) -> Any:
    env, rng = make(**options), random.Random(0)
    env.reset(seed=1)
    for _ in range(steps):
        env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
    return env


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("make", [ginkgo_env.env, ginkgo_env.raw_env])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_copy_goes_on_identically(options: dict[str, Any], make: Any, copier: str) -> None:
    env = begun(make, 15, **options)
    twin = COPIERS[copier](env)
    before = env.last()[0]["observation"].tobytes()
    theirs = play_on(twin, random.Random(5))
    assert env.last()[0]["observation"].tobytes() == before
    assert play_on(env, random.Random(5)) == theirs


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_of_a_finished_game(copier: str) -> None:
    env = begun(ginkgo_env.raw_env, 5, players=2, max_rounds=1, reward="margin")
    while not any(env.truncations.values()):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    env.step(None)
    twin = COPIERS[copier](env)
    assert twin.agents == env.agents and twin.last()[1:4] == env.last()[1:4]
    assert play_on(twin, random.Random(1)) == play_on(env, random.Random(1))


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_before_reset(copier: str) -> None:
    twin = COPIERS[copier](ginkgo_env.env(players=4, render_mode="ansi", reward="margin"))
    assert twin.possible_agents[-1] == "player_3"
    assert twin.unwrapped.render_mode == "ansi" and twin.unwrapped.reward == "margin"
    twin.reset(seed=3)
    other = ginkgo_env.env(players=4)
    other.reset(seed=3)
    assert np.array_equal(twin.last()[0]["observation"], other.last()[0]["observation"])


@pytest.mark.parametrize("copier", COPIERS)
def test_sampling_of_actions_goes_on_identically(copier: str) -> None:
    env = begun(ginkgo_env.raw_env, 3)
    agent = env.agent_selection
    env.action_space(agent).seed(4)
    env.action_space(agent).sample()
    twin = COPIERS[copier](env)
    assert twin.action_space(agent) is twin.action_spaces[agent] is not env.action_space(agent)
    assert [twin.action_space(agent).sample() for _ in range(9)] == [env.action_space(agent).sample() for _ in range(9)]


def test_deepcopy_shares_what_never_changes() -> None:
    env = begun(ginkgo_env.raw_env, 3, players=3)
    twin = copy.deepcopy(env)
    assert twin.game is env.game
    assert twin.observation_space("player_1") is env.observation_space("player_1")
