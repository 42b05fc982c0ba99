"""What PPO needs besides its loop: the environment with its reward, the pool of opponents, the optimizer as arrays."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent
from ginkgo_agents.agents.checkpoints import Checkpoint, digests_of
from ginkgo_agents.agents.network import Network
from ginkgo_agents.agents.ppo import KIND, POLICY, PpoAgent
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import OUTCOME_UNIT
from ginkgo_env.envs.sb3 import GinkgoVecEnv
from ginkgo_training.ppo_settings import OpponentSettings, PpoSettings

Arrays = dict[str, NDArray[Any]]
_POOL = "pool/"


class TrainingEnv(GinkgoVecEnv):
    """``GinkgoVecEnv`` with the reward ``outcome``; with one side alone the change of the score in units of OUTCOME_UNIT points.

    After each step ``ended`` and ``wins`` count the games that ended since they were last set to 0, and those won.
    """

    def __init__(self, game: Game, settings: PpoSettings) -> None:
        self.ended = self.wins = 0
        super().__init__(
            game.name,
            num_envs=settings.games,
            seat="random",
            reward="outcome" if game.sides > 1 else "score",
            observation=settings.network.observation,
            illegal_action="raise",
            **game.config_dict,
        )

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """One step; see ``GinkgoVecEnv``."""
        seen, rewards, dones, infos = super().step_wait()
        if self.game.sides == 1:
            rewards /= OUTCOME_UNIT
        self.ended += int(dones.sum())
        self.wins += sum(bool(infos[row].get("is_success", False)) for row in np.flatnonzero(dones))
        return seen, rewards, dones, infos


def checkpoint_of(game: Game, network: Network, weights: Mapping[str, NDArray[Any]], about: Mapping[str, Any]) -> Checkpoint:
    """A checkpoint that holds weights for playing and nothing else."""
    needed = {"blocks": ["observation"], "features": ["features"], "both": ["observation", "features"]}
    layouts = {name: digests_of(game)[name] for name in ["actions", *needed[network.settings.observation]]}
    arrays = {POLICY + name: array for name, array in weights.items()}
    return Checkpoint(KIND, game.name, game.config_dict, layouts, network.settings.as_dict(), about, arrays)


class Pool:
    """The opponents: :class:`OpponentSettings` says by which rule they are drawn."""

    def __init__(self, game: Game, network: Network, settings: OpponentSettings) -> None:
        self._game, self._network, self._settings = game, network, settings
        self._kept: list[tuple[Arrays, Agent]] = []

    def draw(self, now: Mapping[str, NDArray[Any]], seed: int, rollout: int) -> list[Any]:
        """Opponents for a rollout, one for each other seat; ``now`` are the policy's weights."""
        rng, one = np.random.default_rng([seed, rollout]), self._settings
        present = self._agent(now)
        drawn: list[Any] = []
        for _ in range(self._game.seats - 1):
            point, pick = rng.random(2)
            if point < one.baseline_share:
                drawn.append(one.baselines[int(pick * len(one.baselines))])
            elif point < one.baseline_share + one.past_share and self._kept:
                drawn.append(self._kept[int(pick * len(self._kept))][1])
            else:
                drawn.append(present)
        return drawn

    def keep(self, weights: Mapping[str, NDArray[Any]]) -> None:
        """Keep a snapshot of the policy."""
        self._kept = [*self._kept, (dict(weights), self._agent(weights))][-self._settings.snapshots :]

    def arrays(self) -> Arrays:
        """The snapshots, to store."""
        return {f"{_POOL}{i}/{name}": array for i, (weights, _) in enumerate(self._kept) for name, array in weights.items()}

    def restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Take over stored snapshots."""
        self._kept, i = [], 0
        while own := {name.split("/", 2)[2]: array for name, array in arrays.items() if name.startswith(f"{_POOL}{i}/")}:
            self._kept.append((own, self._agent(own)))
            i += 1

    def _agent(self, weights: Mapping[str, NDArray[Any]]) -> Agent:
        return PpoAgent(checkpoint_of(self._game, self._network, weights, {}), sample=True)


def optimizer_arrays(optimizer: torch.optim.Optimizer) -> Arrays:
    """The state of an optimizer as arrays."""
    state = optimizer.state_dict()["state"]
    return {f"{i}/{name}": value.cpu().numpy().copy() for i, values in state.items() for name, value in values.items()}


def restore_optimizer(optimizer: torch.optim.Optimizer, arrays: Mapping[str, NDArray[Any]]) -> None:
    """Take over an optimizer's stored state."""
    state: dict[int, dict[str, torch.Tensor]] = {}
    for key, array in arrays.items():
        place, name = key.split("/")
        state.setdefault(int(place), {})[name] = torch.from_numpy(array.copy())
    optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
