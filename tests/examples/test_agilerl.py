"""AgileRL: DQN with masks on the vector environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("agilerl")

from agilerl.algorithms import DQN, IPPO
from agilerl.components.data import Transition
from agilerl.components.replay_buffer import ReplayBuffer

import ginkgo_env

SMALL: dict[str, Any] = {"encoder_config": {"hidden_size": [16]}, "head_config": {"hidden_size": [16]}}
pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_dqn() -> None:
    """The environment would raise an error for an illegal action."""
    envs = ginkgo_env.GinkgoVectorEnv("my_city", num_envs=4, players=1, observation="features", illegal_action="raise")
    agent = DQN(envs.single_observation_space, envs.single_action_space, net_config=SMALL, batch_size=16)
    memory = ReplayBuffer(max_size=200)
    observations, infos = envs.reset(seed=1)
    for _ in range(40):
        actions = agent.get_action(observations, epsilon=0.5, action_mask=infos["action_mask"])
        following, rewards, terminations, _, infos = envs.step(actions)
        transition = Transition(
            obs=observations, action=actions, reward=rewards, next_obs=following, done=terminations, batch_size=[4]
        )
        memory.add(transition.to_tensordict())
        observations = following
    assert np.isfinite(agent.learn(memory.sample(16)))


def test_ippo_fails_on_masks() -> None:
    """On those of any environment: it looks for None in a list of arrays. When this is mended, this test is to be as well."""
    env = ginkgo_env.parallel_env("my_city", players=2, observation="features")
    spaces = [[space(agent) for agent in env.possible_agents] for space in (env.observation_space, env.action_space)]
    agent = IPPO(*spaces, agent_ids=env.possible_agents, net_config=SMALL, batch_size=16)
    with pytest.raises(ValueError, match="truth value of an array"):
        agent.get_action(*env.reset(seed=1))
