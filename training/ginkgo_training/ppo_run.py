"""A run of PPO: the loop, and how it is stored and goes on.

All chance of a rollout and its update follows from the seed and the rollout's number, and a checkpoint holds everything else.
So with a budget of rollouts a run that was stopped and resumed equals an unbroken one, bit for bit, on the same machine with the
same number of threads. With a budget of minutes it does not: how far the learning rate has fallen depends on the clock.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import torch
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import CallbackList
from stable_baselines3.common.logger import Logger, configure
from stable_baselines3.common.utils import set_random_seed

from ginkgo_agents.agents.checkpoints import Checkpoint, read_checkpoint, require_fit, write_checkpoint
from ginkgo_agents.agents.network import CRITIC, Network
from ginkgo_agents.agents.ppo import KIND, POLICY, PpoAgent
from ginkgo_agents.evaluation.statistics import Interval
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.envs.snapshot import restore, snapshot
from ginkgo_env.registry import make_game
from ginkgo_training.devices import AUTO, chosen_device
from ginkgo_training.evaluation import strength
from ginkgo_training.imitation import Tick, imitate
from ginkgo_training.logs import LOG, add_line
from ginkgo_training.networks import NetworkPolicy
from ginkgo_training.ppo_parts import Pool, TrainingEnv, checkpoint_of, optimizer_arrays, restore_optimizer
from ginkgo_training.ppo_settings import PpoSettings

AGENT, TRAINING = "agent.npz", "training.npz"
"""The files of a run: what playing needs, and what going on needs as well."""
_ENV, _OPTIMIZER, _STARTS = "env/", "optimizer/", "episode_starts"
_WORDS = 2**31


def limit_threads(threads: int) -> None:
    """Let torch use so many threads in this process."""
    torch.set_num_threads(threads)


@dataclass(frozen=True)
class Budget:
    """How long to train: so many minutes (imitation included), or so many rollouts; resuming counts what was used before."""

    minutes: float | None = None
    rollouts: int | None = None

    def __post_init__(self) -> None:
        if (self.minutes is None) == (self.rollouts is None):
            raise ConfigError("a budget is either minutes or rollouts")

    def used(self, minutes: float, rollouts: int) -> float:
        """The share that is used, 0 to 1."""
        share = minutes / self.minutes if self.minutes else rollouts / self.rollouts if self.rollouts else 1.0
        return min(1.0, share)


class PpoRun:
    """One training run.

    rollouts, minutes : how far it is
    about : what is told in checkpoints
    """

    def __init__(
        self,
        game: str,
        config: Mapping[str, Any],
        settings: PpoSettings,
        seed: int,
        *,
        about: Mapping[str, Any] | None = None,
        device: str = AUTO,
    ) -> None:
        self.game, self.settings, self.seed = make_game(game, **config), settings, seed
        self.network = Network(self.game, settings.network)
        self.env = TrainingEnv(self.game, settings)
        self.rollouts, self.minutes, self.about = 0, 0.0, dict(about or {})
        self._log: Path | None = None
        self.pool = Pool(self.game, self.network, settings.opponents)
        weights = self.network.first_weights(seed) | self.network.scales(seed)
        self.model = MaskablePPO(
            NetworkPolicy,
            self.env,
            learning_rate=settings.learning_rate,
            n_steps=settings.steps,
            batch_size=settings.batch,
            n_epochs=settings.epochs,
            gamma=settings.gamma,
            gae_lambda=settings.gae_lambda,
            clip_range=settings.clip,
            ent_coef=settings.entropy,
            vf_coef=settings.critic,
            max_grad_norm=settings.max_gradient,
            policy_kwargs={"network": self.network, "weights": weights},
            device=chosen_device(device),
        )
        self.model.set_logger(Logger(None, []))
        self.env.seed(self._word(-1))
        self.model._last_obs = self.env.reset()
        self.model._last_episode_starts = np.ones(settings.games, bool)
        # Done by `learn`, which is not called: a run goes rollout by rollout.
        self.model.ep_info_buffer, self.model.ep_success_buffer = deque(maxlen=1), deque(maxlen=1)
        self._callback = CallbackList([])
        self._callback.init_callback(self.model)

    @property
    def policy(self) -> NetworkPolicy:
        """The policy that learns."""
        return cast(NetworkPolicy, self.model.policy)

    def log_to(self, folder: Path) -> None:
        """Write TensorBoard's files to a folder, and a log with a line for each evaluation; a new run begins a new log."""
        folder.mkdir(parents=True, exist_ok=True)
        self._log = folder / LOG
        if self.rollouts == 0:
            self._log.unlink(missing_ok=True)
        self.model.set_logger(configure(str(folder), ["tensorboard"]))

    # --- learning ----------------------------------------------------------------------------------------------------------

    def imitate(self, name: str, games: int, tick: Tick) -> None:
        """Learn from an agent's games first. ``about`` tells of it."""
        begun, one = time.monotonic(), self.settings
        set_random_seed(self._word(-2))
        found = imitate(self.policy, name, games, one.imitate_epochs, one.imitate_rate, self.seed, tick)
        self.about["imitation"] = {"agent": name, "games": games} | found
        self.minutes += (time.monotonic() - begun) / 60

    def rollout(self, budget: Budget) -> None:
        """Play one rollout and learn from it."""
        begun, model, one = time.monotonic(), self.model, self.settings
        weights = self.policy.arrays()
        if self.rollouts % one.opponents.snapshot_every == 0:
            self.pool.keep(weights)
        self.env.set_opponents(self.pool.draw(weights, self.seed, self.rollouts))
        set_random_seed(self._word(self.rollouts))
        rate = one.learning_rate * (1 - (1 - one.last_rate) * budget.used(self.minutes, self.rollouts))
        model.lr_schedule = lambda _: rate
        model.collect_rollouts(self.env, self._callback, model.rollout_buffer, one.steps)
        model.train()
        self.rollouts += 1
        self.minutes += (time.monotonic() - begun) / 60
        if self.env.ended:
            model.logger.record("rollout/win_rate", self.env.wins / self.env.ended)
        model.logger.record("time/minutes", self.minutes)
        model.logger.dump(model.num_timesteps)
        self.env.ended = self.env.wins = 0

    def learn(self, budget: Budget, after: Callable[[PpoRun], bool]) -> None:
        """Rollouts until the budget is used, or ``after(run)``, called after each, says False."""
        while budget.used(self.minutes, self.rollouts) < 1:
            self.rollout(budget)
            if not after(self):
                return

    def evaluate(self, against: str, games: int, seed: int) -> Interval:
        """How strong the policy is now; told to TensorBoard, in ``about`` and in the log."""
        agent = PpoAgent(self.checkpoint())
        found = strength(agent, against, self.game.name, self.game.config_dict, games, seed)
        for name, value in found._asdict().items():
            self.model.logger.record(f"eval/{against}_{name}", value)
        self.model.logger.dump(self.model.num_timesteps)
        row: dict[str, Any] = {"rollouts": self.rollouts, "decisions": self.model.num_timesteps}
        row |= {"minutes": round(self.minutes, 3), "against": against, "games": games, "seed": seed}
        row |= {name: round(value, 4) for name, value in found._asdict().items()}
        self.about.setdefault("results", []).append(row)
        if self._log is not None:
            add_line(self._log, row)
        return found

    # --- storing -----------------------------------------------------------------------------------------------------------

    def checkpoint(self, *, training: bool = False) -> Checkpoint:
        """What playing needs; with ``training`` what going on needs as well."""
        weights = self.policy.arrays()
        state = {"seed": self.seed, "rollouts": self.rollouts, "minutes": self.minutes, "decisions": self.model.num_timesteps}
        about = self.about | {"training": self.settings.as_dict(), "state": state | {"updates": self.model._n_updates}}
        if not training:
            played = {name: array for name, array in weights.items() if not name.startswith(CRITIC)}
            return checkpoint_of(self.game, self.network, played, about)
        whole = checkpoint_of(self.game, self.network, weights, about)
        arrays = dict(whole.arrays) | self.pool.arrays() | {_STARTS: np.array(self.model._last_episode_starts)}
        arrays |= {_ENV + name: array for name, array in snapshot(self.env.learner).items()}
        arrays |= {_OPTIMIZER + name: array for name, array in optimizer_arrays(self.policy.optimizer).items()}
        return replace(whole, arrays=arrays)

    def save(self, folder: Path) -> None:
        """Write both files."""
        write_checkpoint(folder / TRAINING, self.checkpoint(training=True))
        write_checkpoint(folder / AGENT, self.checkpoint())

    @classmethod
    def resume(cls, path: str | Path, device: str = AUTO) -> PpoRun:
        """The run that a training checkpoint (or the folder of a run) holds. Raises ConfigError for another file."""
        file = Path(path) / TRAINING if Path(path).is_dir() else Path(path)
        kept = read_checkpoint(file)
        if kept.kind != KIND or _STARTS not in kept.arrays:
            raise ConfigError(f"{file.name} is not a training checkpoint of PPO: resume from {TRAINING}")
        about = dict(kept.about)
        settings, state = PpoSettings.from_dict(about.pop("training")), about.pop("state")
        run = cls(kept.game, kept.config, settings, state["seed"], about=about, device=device)
        require_fit(kept, run.game)
        run._take(kept, state)
        return run

    def _take(self, kept: Checkpoint, state: Mapping[str, Any]) -> None:
        def part(start: str) -> dict[str, Any]:
            return {name[len(start) :]: array for name, array in kept.arrays.items() if name.startswith(start)}

        self.rollouts, self.minutes = state["rollouts"], state["minutes"]
        self.model.num_timesteps, self.model._n_updates = state["decisions"], state["updates"]
        with torch.no_grad():
            for name, array in part(POLICY).items():
                self.policy.weights[name].copy_(torch.from_numpy(array))
        restore_optimizer(self.policy.optimizer, part(_OPTIMIZER))
        self.pool.restore(kept.arrays)
        restore(self.env.learner, part(_ENV))
        self.model._last_obs = self.env.learner.observe()
        self.model._last_episode_starts = kept.arrays[_STARTS].copy()

    def _word(self, number: int) -> int:
        """The seed of everything random in a rollout; negative numbers: of what comes before the first."""
        return int(np.random.SeedSequence([self.seed, number + 2]).generate_state(1)[0] % _WORDS)
