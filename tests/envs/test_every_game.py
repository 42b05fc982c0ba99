"""All front ends, by name, with every other game than the default one: what was built for one must serve the next."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, seed_test
from pettingzoo.utils import turn_based_aec_to_parallel

import ginkgo_env
from ginkgo_env.envs.registration import gymnasium_ids, pettingzoo_id, register_gymnasium
from ginkgo_env.registry import DEFAULT_GAME, OWN_GAMES, game_class

GAMES = [name for name in OWN_GAMES if name != DEFAULT_GAME]
CASES = [
    pytest.param(game, config, id=f"{game} {config}", marks=[pytest.mark.full] * (number > 0))
    for game in GAMES
    for number, config in enumerate(game_class(game).configurations())
]

known = pytest.mark.filterwarnings(
    "error",
    "ignore:Observation space for each agent probably should be:UserWarning",  # Dict spaces, as in PettingZoo's own games
    "ignore:Observation is not a NumPy array:UserWarning",
    "ignore:.* has no reset options.*ignored. options:UserWarning",  # the suite passes an unknown option
)


@known
@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize(("game", "config"), CASES)
def test_pettingzoo(game: str, config: dict[str, Any], reward: Any) -> None:
    if reward != "score" and ginkgo_env.make_game(game, **config).sides == 1:
        with pytest.raises(ginkgo_env.ConfigError, match=f"reward '{reward}' compares sides"):
            ginkgo_env.env(game, reward=reward, **config)
        return
    api_test(ginkgo_env.env(game, reward=reward, **config))


@known
@pytest.mark.parametrize("game", GAMES)
def test_pettingzoo_seeds_and_parallel_form(game: str) -> None:
    seed_test(lambda: ginkgo_env.env(game), num_cycles=60)
    parallel = turn_based_aec_to_parallel
    parallel_api_test(parallel(ginkgo_env.env(game)), num_cycles=60)
    parallel_seed_test(lambda: parallel(ginkgo_env.env(game)), num_cycles=60)
    assert pettingzoo_id(game) == f"ginkgo_env/{game}-v{game_class(game).version}"


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("observation", ["blocks", "features", "dict"])
@pytest.mark.parametrize("game", GAMES)
def test_gymnasium(game: str, observation: str) -> None:
    register_gymnasium()
    for identifier in gymnasium_ids(game):
        env = gymnasium.make(identifier, observation=observation)
        check_env(env.unwrapped)
        env.reset(seed=3)
        env.step(env.action_space.sample())


def test_ids() -> None:
    assert list(gymnasium_ids("golden_city")) == ["ginkgo_env/GoldenCity-v0"]
    assert list(gymnasium_ids("my_city")) == ["ginkgo_env/MyCity-v0", "ginkgo_env/MyCitySolo-v0"]


@pytest.mark.parametrize(("game", "config"), CASES)
def test_vector_equals_single(game: str, config: dict[str, Any]) -> None:
    """The native VectorEnv and Gymnasium's SyncVectorEnv of the single env, step by step."""
    register_gymnasium()
    identifier, *_ = gymnasium_ids(game)
    native = gymnasium.make_vec(identifier, num_envs=3, vectorization_mode="vector_entry_point", **config)
    plain = gymnasium.make_vec(identifier, num_envs=3, vectorization_mode="sync", **config)
    (one, info), (two, other) = native.reset(seed=5), plain.reset(seed=5)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(90):
        np.testing.assert_array_equal(one, two)
        np.testing.assert_array_equal(info["action_mask"], np.stack(list(other["action_mask"])))
        actions = np.array([rng.choice(np.flatnonzero(mask)) for mask in info["action_mask"]])
        one, reward, terminated, _, info = native.step(actions)
        two, paid, over, _, other = plain.step(actions)
        np.testing.assert_allclose(reward, paid)
        np.testing.assert_array_equal(terminated, over)
        ended += int(terminated.sum())
    assert ended


@pytest.mark.parametrize("game", GAMES)
def test_stable_baselines(game: str) -> None:
    pytest.importorskip("stable_baselines3")
    from ginkgo_env.envs.sb3 import GinkgoVecEnv

    env = GinkgoVecEnv(game, num_envs=4)
    env.seed(1)
    env.reset()
    rng, ended = np.random.default_rng(0), 0
    for _ in range(120):
        masks = np.stack(env.env_method("action_masks"))
        _, _, done, infos = env.step(np.array([rng.choice(np.flatnonzero(mask)) for mask in masks]))
        ended += int(done.sum())
        assert all("terminal_observation" in info for info, over in zip(infos, done, strict=True) if over)
    assert ended
