"""RLlib: the example, and its own wrapper of PettingZoo environments with one policy for all seats."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

torch = pytest.importorskip("torch")
ray = pytest.importorskip("ray")
pytest.importorskip("ray.rllib")

from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.tune.registry import register_env

import ginkgo_env

from .loading import example


@pytest.fixture(scope="module", autouse=True)
def one_ray() -> Iterator[None]:
    torch.set_num_threads(1)
    ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    yield
    ray.shutdown()


def test_example() -> None:
    """The environment would raise an error for an illegal action."""
    result = example("rllib_ppo").main(["--iterations", "1", "--batch", "256", "--games", "4", "--evaluate", "4"])
    assert result["decisions"] >= 256 and 0 <= result["win_rate"] <= 1


def test_pettingzoo_env() -> None:
    """PPO in self-play: no illegal action, which would be an error, and each game pays all of its seats."""
    register_env("ginkgopolis_aec", lambda config: PettingZooEnv(ginkgo_env.raw_env(players=2)))
    module = RLModuleSpec(module_class=example("rllib_ppo").MaskedModule)
    config = PPOConfig().environment("ginkgopolis_aec", disable_env_checking=True)  # the check plays without masks
    config.multi_agent(policies={"seat"}, policy_mapping_fn=lambda agent, episode, **_: "seat")
    config.rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"seat": module}))
    config.env_runners(num_env_runners=0).training(train_batch_size_per_learner=600, minibatch_size=128, num_epochs=1)
    algorithm = config.debugging(seed=1, log_level="ERROR").build_algo()
    played = algorithm.train()["env_runners"]
    algorithm.stop()
    assert played["num_episodes"] > 0
    returns = played["agent_episode_returns_mean"]
    assert set(returns) == {"player_0", "player_1"}
    assert abs(sum(returns.values())) < 1e-6 and (played["num_episodes"] != 1 or all(returns.values()))
