"""The trainer of the agent ``ppo``: MaskablePPO of sb3-contrib against a pool of opponents.

The randomness of a rollout and its update follows from the seed and the rollout's number, and a training checkpoint holds
everything else. So with a budget of rollouts a run that was stopped and resumed equals an unbroken one, bit for bit, on the same
machine with the same number of threads. With a budget of minutes it does not, as the learning rate follows the clock.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from typing import Any, cast

import numpy as np
import torch
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.utils import set_random_seed

from ginkgo_agents.agents.checkpoints import Checkpoint
from ginkgo_agents.agents.network import Network
from ginkgo_agents.agents.ppo import POLICY
from ginkgo_agents.agents.registry import make_agent
from ginkgo_env.core.arguments import checked
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import OUTCOME_UNIT
from ginkgo_env.core.running_games import RunningGames
from ginkgo_env.envs.sb3 import GinkgoVecEnv
from ginkgo_env.envs.snapshot import restore, snapshot
from ginkgo_training.devices import AUTO, chosen_device
from ginkgo_training.imitation import imitate
from ginkgo_training.networks import NetworkPolicy
from ginkgo_training.opponents import OpponentPool, agent_checkpoint
from ginkgo_training.settings import PpoSettings
from ginkgo_training.trainer import Arrays, Report, Trainer, array_of, optimizer_arrays, part, restore_optimizer

_ENV, _STARTS = "env/", "episode_starts"
_SEEDS = 2**31
_FIRST_RESET, _IMITATION = -1, -2  # in place of a rollout's number
_PASSED_ON = ("learning_rate", "n_steps", "batch_size", "n_epochs", "gamma", "gae_lambda", "clip_range", "ent_coef", "vf_coef")


class TrainingEnv(GinkgoVecEnv):
    """``GinkgoVecEnv`` with the reward ``outcome``; with one side the change of score / OUTCOME_UNIT."""

    def __init__(self, game: Game, settings: PpoSettings) -> None:
        super().__init__(
            game.name,
            num_envs=settings.games,
            seat="random",
            reward="outcome" if game.sides > 1 else "score",
            observation=settings.network.observation,
            illegal_action="raise",
            **game.config_dict,
        )
        RunningGames(self.learner.batch)

    def step_wait(self) -> tuple[Any, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Take one step; see ``GinkgoVecEnv``."""
        observations, rewards, dones, infos = super().step_wait()
        return observations, rewards / OUTCOME_UNIT if self.game.sides == 1 else rewards, dones, infos


class PpoTrainer(Trainer):
    """Trains the agent ``ppo``; a new run first imitates ``settings.imitate``, if that names an agent.

    device : where the network is, see :func:`~ginkgo_training.devices.chosen_device`

    Raises ConfigError for agents in the settings that cannot play the game.
    """

    settings: PpoSettings

    @checked(ConfigError)
    def __init__(self, game: Game, settings: PpoSettings, seed: int, device: str = AUTO) -> None:
        super().__init__(game, settings, seed)
        self.network = Network(game, settings.network)
        self.env = TrainingEnv(game, settings)
        self.pool = OpponentPool(game, self.network, settings.opponents)
        if settings.imitate:
            make_agent(settings.imitate, game.name).check(game)
        weights = self.network.first_weights(seed) | self.network.scales(seed)
        self.model = MaskablePPO(
            NetworkPolicy,
            self.env,
            **{name: getattr(settings, name) for name in (*_PASSED_ON, "max_grad_norm")},
            policy_kwargs={"network": self.network, "weights": weights},
            device=chosen_device(device),
        )
        self.model.set_logger(Logger(None, []))
        self.env.seed(self._seed_of(_FIRST_RESET))
        self.model._last_obs = self.env.reset()
        self.model._last_episode_starts = np.ones(settings.games, bool)

    @property
    def policy(self) -> NetworkPolicy:
        """The policy that learns."""
        return cast(NetworkPolicy, self.model.policy)

    @checked(ConfigError)
    def prepare(self, report: Report) -> None:
        """Imitate an agent, if the settings name one."""
        settings = self.settings
        if not settings.imitate:
            return
        set_random_seed(self._seed_of(_IMITATION))
        results = imitate(
            *(self.policy, settings.imitate, settings.imitate_games, settings.imitate_epochs, settings.imitate_rate, self.seed),
            lambda share: report(f"imitating {settings.imitate}", 1 - share),
        )
        self.about["imitation"] = {"agent": settings.imitate, "games": settings.imitate_games} | results

    @checked(ConfigError)
    def training_step(self, remaining: float) -> dict[str, float]:
        """Play one rollout and learn from it; returns what Stable-Baselines3 logs, and the win rate."""
        model, weights = self.model, self.policy.arrays()
        if self.rollouts % self.settings.opponents.snapshot_every == 0:
            self.pool.add(weights)
        self.env.set_opponents(self.pool.draw(weights, self.seed, self.rollouts))
        set_random_seed(self._seed_of(self.rollouts))
        model.lr_schedule = lambda _: self.settings.rate_at(remaining)
        model.ep_info_buffer, model.ep_success_buffer = deque(), deque()
        model.learn(self.settings.n_steps * self.settings.games, reset_num_timesteps=False)
        self.rollouts += 1
        self.decisions = model.num_timesteps
        numbers = {name: float(value) for name, value in model.logger.name_to_value.items() if name.startswith("train/")}
        model.logger.dump()
        return numbers | ({"win_rate": float(np.mean(model.ep_success_buffer))} if model.ep_success_buffer else {})

    def _agent(self) -> Checkpoint:
        return agent_checkpoint(self.game, self.network, self.policy.arrays())

    def _state(self) -> Arrays:
        arrays: Arrays = {POLICY + name: array for name, array in self.policy.arrays().items()}  # with the critic
        arrays |= {_ENV + name: array for name, array in snapshot(self.env.learner).items()}
        arrays[_STARTS] = np.array(self.model._last_episode_starts)
        return arrays | self.pool.arrays() | optimizer_arrays(self.policy.optimizer)

    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        with torch.no_grad():
            for name, own in self.policy.arrays().items():
                self.policy.weights[name].copy_(torch.from_numpy(array_of(arrays, POLICY + name, own)))
        restore_optimizer(self.policy.optimizer, arrays)
        self.pool.restore(arrays, self.policy.arrays())
        self.model.num_timesteps, self.model._n_updates = self.decisions, self.rollouts * self.settings.n_epochs
        restore(self.env.learner, part(arrays, _ENV))
        if self.env.learner.over.any():
            raise ConfigError("invalid checkpoint; expected games that are not over")
        self.model._last_obs = self.env.learner.observe()
        self.model._last_episode_starts = array_of(arrays, _STARTS, np.zeros(self.settings.games, bool))

    def _seed_of(self, rollout: int) -> int:
        """The seed of everything random in a rollout, or in what precedes the first one."""
        return int(np.random.SeedSequence([self.seed, rollout + 2]).generate_state(1)[0] % _SEEDS)
