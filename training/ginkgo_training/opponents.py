"""The opponents of PPO: baselines, snapshots of the policy, and the policy itself."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent
from ginkgo_agents.agents.checkpoints import Checkpoint, digests_of
from ginkgo_agents.agents.network import CRITIC, LAYOUTS, Network
from ginkgo_agents.agents.ppo import KIND, POLICY, PpoAgent
from ginkgo_agents.agents.registry import make_agent
from ginkgo_env.core.arguments import checked
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_training.settings import OpponentSettings
from ginkgo_training.trainer import Arrays, array_of, part

_POOL = "pool/"


@checked(ConfigError)
def agent_checkpoint(game: Game, network: Network, weights: Mapping[str, NDArray[Any]]) -> Checkpoint:
    """A checkpoint that plays with the weights of a network; those of the critic are left out."""
    digests = digests_of(game, ("actions", *LAYOUTS[network.settings.observation]))
    arrays = {POLICY + name: array for name, array in weights.items() if not name.startswith(CRITIC)}
    return Checkpoint(KIND, game.name, game.config_dict, digests, network.settings.as_dict(), arrays=arrays)


class OpponentPool:
    """Draws opponents as :class:`~ginkgo_training.settings.OpponentSettings` describes.

    Raises ConfigError for a baseline that cannot play the game.
    """

    @checked(ConfigError)
    def __init__(self, game: Game, network: Network, settings: OpponentSettings) -> None:
        self._game, self._network, self._settings = game, network, settings
        self._snapshots: list[tuple[Arrays, Agent]] = []
        for name in settings.baselines:
            make_agent(name, game.name).check(game)

    @checked(ConfigError)
    def draw(self, weights: Mapping[str, NDArray[Any]], seed: int, rollout: int) -> list[Any]:
        """Opponents for a rollout, one for each other seat.

        weights : of the current policy
        seed, rollout : determine what is drawn
        """
        rng, settings = np.random.default_rng([seed, rollout]), self._settings
        current = self._agent(weights)
        drawn: list[Any] = []
        for _ in range(self._game.seats - 1):
            point, pick = rng.random(2)
            if point < settings.baseline_share:
                drawn.append(settings.baselines[int(pick * len(settings.baselines))])
            elif point < settings.baseline_share + settings.past_share and self._snapshots:
                drawn.append(self._snapshots[int(pick * len(self._snapshots))][1])
            else:
                drawn.append(current)
        return drawn

    @checked(ConfigError)
    def add(self, weights: Mapping[str, NDArray[Any]]) -> None:
        """Add a snapshot of the policy; the oldest one goes if there are too many."""
        self._snapshots = [*self._snapshots, (dict(weights), self._agent(weights))][-self._settings.snapshots :]

    def arrays(self) -> Arrays:
        """The snapshots, to store."""
        return {f"{_POOL}{k}/{name}": array for k, (weights, _) in enumerate(self._snapshots) for name, array in weights.items()}

    @checked(ConfigError)
    def restore(self, arrays: Mapping[str, NDArray[Any]], like: Mapping[str, NDArray[Any]]) -> None:
        """Take over stored snapshots. Raises ConfigError if one does not fit.

        like : weights of the network
        """
        self._snapshots = []
        for k in range(self._settings.snapshots):
            prefix = f"{_POOL}{k}/"
            if part(arrays, prefix):
                weights = {name: array_of(arrays, prefix + name, own) for name, own in like.items()}
                self._snapshots.append((weights, self._agent(weights)))

    def _agent(self, weights: Mapping[str, NDArray[Any]]) -> Agent:
        return PpoAgent(agent_checkpoint(self._game, self._network, weights), sample=True)
