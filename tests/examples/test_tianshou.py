"""Tianshou: the example, and its own wrapper of PettingZoo environments."""

from __future__ import annotations

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("tianshou")

from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector, CollectStats, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.env.pettingzoo_env import PettingZooEnv

import ginkgo_env

from .loading import example


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_example() -> None:
    """The environment would raise an error for an illegal action."""
    result = example("tianshou_dqn").main(["--steps", "512", "--games", "4", "--batch", "64", "--evaluate", "4"])
    assert result["decisions"] >= 512 and 0 <= result["win_rate"] <= 1


def test_pettingzoo_env() -> None:
    """Masked random play of all seats: games end by the rules, and everyone is paid."""
    env = PettingZooEnv(ginkgo_env.env(players=2))
    random = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in env.agents]
    algorithm = MultiAgentOffPolicyAlgorithm(algorithms=random, env=env)
    envs = DummyVectorEnv([lambda: PettingZooEnv(ginkgo_env.env(players=2)) for _ in range(2)])
    buffer = VectorReplayBuffer(2000, 2)
    collector = Collector[CollectStats](algorithm, envs, buffer)
    collector.reset()
    result = collector.collect(n_episode=4)
    assert result.returns.shape == (4, 2)
    won = np.abs(result.returns[:, 0])  # 0 in the rare game that both win: neither the wrapper nor the play has a seed
    assert np.isin(won, (0, 1)).all() and won.any() and not result.returns.sum(axis=1).any()
    assert not buffer.truncated[: len(buffer)].any()  # an illegal action would truncate
