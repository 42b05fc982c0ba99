"""Base of the trainers that play on in one batch of games, rollout after rollout."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import Game
from ginkgo_env.core.imports import code_in
from ginkgo_env.core.rewards import MARGIN_UNIT, OUTCOME_UNIT, Reward, chosen_reward, final_rewards, margin, win
from ginkgo_env.core.running_games import RunningGames
from ginkgo_training.devices import chosen_device
from ginkgo_training.opponents import Decide, OpponentPool
from ginkgo_training.settings import TrainerSettings
from ginkgo_training.trainer import (
    Arrays,
    Trainer,
    games_arrays,
    optimizer_arrays,
    random_arrays,
    restore_games,
    restore_optimizer,
    restore_random,
)


class Rollout:
    """The decisions of a trainer's games: lists of arrays, one array for each step.

    An array has a row or rows for each game.

    tensors : names of the lists that hold tensors
    """

    tensors: tuple[str, ...] = ()

    def steps(self) -> dict[str, list[NDArray[Any]]]:
        """The lists by name, as numpy arrays."""
        return {name: [*map(np.asarray, arrays)] for name, arrays in vars(self).items()}


class SelfPlayTrainer(Trainer):
    """Learns from a batch of games that it plays itself, with opponents in some of them.

    random : the generator of everything random except torch and opponents
    batch, games : games with autoreset, and their actions so far
    pool : the opponents
    device : device of the networks, see :func:`~ginkgo_training.devices.chosen_device`
    optimizer : set by each trainer
    """

    pool: OpponentPool
    optimizer: torch.optim.Optimizer

    def __init__(self, game: Game, settings: TrainerSettings, seed: int, device: str = "cpu", reward: str | None = None) -> None:
        super().__init__(game, settings, seed)
        torch.manual_seed(seed % 2**63)  # torch takes no more bits
        torch.set_num_threads(1)  # networks this small are slower on several
        self.random = np.random.Generator(np.random.PCG64(seed))
        self.batch = Batch(game, settings.games, autoreset=True, reward=chosen_reward(reward, game.sides))
        self.games = RunningGames(self.batch)
        self.batch.reset(seed=int(self.random.integers(2**62)))
        self.pool = OpponentPool(self.batch, settings.opponents, seed, self._snapshot_player, self.threads)
        self.device = chosen_device(device)

    @abstractmethod
    def _snapshot_player(self, weights: Arrays) -> Decide:
        """Return the function that decides as the agent with these weights, see :meth:`_weights`."""

    def _weights(self) -> Arrays:
        """The arrays of a snapshot: those of the agent, unless a trainer overrides this."""
        return dict(self._agent().arrays)

    def _learned(self) -> Arrays:
        """The weights with which a rollout is played, see :meth:`_load_learned`."""
        return self._weights()

    @abstractmethod
    def _load_learned(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        """Set the weights to those of :meth:`_learned`."""

    def _load_start(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._load_learned(arrays)

    def _generators(self) -> list[np.random.Generator]:
        return [self.random, self.pool.random]

    def _state(self) -> Arrays:
        arrays = optimizer_arrays(self.optimizer) | games_arrays(self.games.of(self.batch))
        return arrays | random_arrays(self._generators()) | self.pool.arrays()

    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        restore_optimizer(self.optimizer, arrays)
        restore_games(self.batch, arrays)
        restore_random(self._generators(), arrays)
        self.pool.restore(arrays, self._weights(), self.rollouts)


def reward_option(reward: str) -> str:
    """The option that passes a reward to the agent of a checkpoint: see ``Trainer.agent_options``."""
    return f":reward={reward}" if [*code_in(reward)] else ""


def final_estimates(batch: Batch, reward: Reward | None = None) -> NDArray[np.float32]:
    """The estimates of an exact critic for the games that the last step ended.

    Returns win and margin (rows, seats, 2), or a reward twice; 0 in other rows.
    """
    exact = np.zeros((batch.size, batch.game.seats, 2), np.float32)
    if batch.done.any() and reward is not None:
        paid = final_rewards(reward, batch.totals[batch.done], batch.standings[batch.done])
        exact[batch.done] = np.clip(paid[:, : batch.game.seats, None], -1, 1)
    elif batch.done.any():
        lead = margin(batch.totals[batch.done], batch.standings[batch.done]) * (MARGIN_UNIT / OUTCOME_UNIT)
        exact[batch.done, :, 0] = win(batch.standings[batch.done])[:, : batch.game.seats]
        exact[batch.done, :, 1] = np.tanh(lead)[:, : batch.game.seats]
    return exact
