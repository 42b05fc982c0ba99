"""MaskablePPO in the way of PettingZoo's tutorial: all seats as one Gymnasium environment, each step seen by the next seat."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from pettingzoo.utils import BaseWrapper
from sb3_contrib import MaskablePPO
from sb3_contrib.common.wrappers import ActionMasker

import ginkgo_env


class AllSeats(BaseWrapper, gymnasium.Env):  # type: ignore[misc]
    """The agent to decide, whichever it is, as the only one. A loser never learns that it lost: use ``GinkgoVecEnv`` to train."""

    def __init__(self, env: Any) -> None:
        super().__init__(env)
        first = env.possible_agents[0]
        self.observation_space = env.observation_space(first)["observation"]  # type: ignore[assignment]
        self.action_space = env.action_space(first)  # type: ignore[assignment]

    def reset(self, seed: int | None = None, options: Any = None) -> Any:  # type: ignore[override]
        super().reset(seed, options)
        return self.observe(self.agent_selection), {}

    def step(self, action: Any) -> Any:  # type: ignore[override]
        mover = self.agent_selection
        super().step(int(action))
        over = self.terminations[mover], self.truncations[mover]
        return self.observe(self.agent_selection), self._cumulative_rewards[mover], *over, {}

    def observe(self, agent: str) -> Any:
        return super().observe(agent)["observation"]

    def action_mask(self) -> Any:
        return super().observe(self.agent_selection)["action_mask"]


@pytest.mark.full
def test_maskable_ppo() -> None:
    """Episodes end by the rules and pay 1 or -1, whichever seat moves last; an illegal action is an error in ``raw_env``."""
    ended: list[float] = []

    class Noted(AllSeats):
        def step(self, action: Any) -> Any:
            result = super().step(action)
            if result[2]:
                ended.append(result[1])
            return result

    env = ActionMasker(Noted(ginkgo_env.raw_env(players=2)), lambda env: env.action_mask())
    model = MaskablePPO("MlpPolicy", env, n_steps=128, batch_size=64, n_epochs=1, seed=1, device="cpu")
    model.learn(512)
    assert ended and set(np.abs(ended)) <= {0.0, 1.0}
