"""Afterstate PPO in self-play: trains the agent ``lookahead`` for any game.

For each legal action the game is played on to the end of the round in a few resampled worlds (``Batch.afterstates``). The
*scorer*, a small network, says what the seat may then expect, -1 to 1; the mean over worlds times exp(tau) is an action's logit.
Where the game has ended its true outcome stands in for the scorer. The *critic*, of the same shape, reads the features of the
present state. Both are trained by proximal policy optimization (Schulman et al. 2017) in self-play: all seats are played by
the same networks, and each seat learns from its own trajectory (``trajectories``).
"""

from __future__ import annotations

import copy
import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ginkgo_agents.agents.checkpoints import Checkpoint, digests_of, require_fit
from ginkgo_agents.agents.lookahead import CUT, KIND, outcome_of, used_columns, win_share
from ginkgo_env.core.afterstates import Afterstates
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.rewards import MARGIN_UNIT, OUTCOME_UNIT, margin, win
from ginkgo_training.devices import AUTO, chosen_device
from ginkgo_training.generators import take_words, words_of
from ginkgo_training.trajectories import advantages_of


@dataclass(frozen=True)
class Settings:
    """How to train."""

    games: int = 128
    """Games played side by side."""
    steps: int = 40
    """Decisions of each game in a rollout."""
    worlds: int = 2
    """Resampled worlds for each decision while training."""
    hidden: int = 64
    """Units of each of two hidden layers."""
    epochs: int = 2
    minibatch: int = 1024
    """Decisions in a minibatch."""
    rate: float = 1e-3
    """Learning rate at the start; it falls linearly to a tenth."""
    clip: float = 0.2
    """How far the probability ratio may move."""
    entropy: float = 0.002
    lam: float = 0.9
    """Weight of longer returns."""
    gamma: float = 1.0
    average: float = 0.98
    """What the agent plays with is an average over the training so far, of which each rollout keeps this share."""
    tau: float = 2.5
    """Logarithm of the factor from what is expected to logits, at the start; it is learned."""
    without: tuple[str, ...] = ("decision", "hand", "hand_ids")
    """Blocks of the features that the scorer does not read: at the end of a round the hand is mostly unknown."""
    critic_without: tuple[str, ...] = ("hand_ids",)

    def __post_init__(self) -> None:
        for name in ("games", "steps", "worlds", "hidden", "epochs", "minibatch", "rate", "shards"):
            if getattr(self, name) <= 0:
                raise ConfigError(f"{name} must be above 0")
        if not 0 <= self.average < 1:
            raise ConfigError("average must be at least 0 and below 1")

    shards: int = 1
    """Parts of the games with random numbers of their own, which workers can play (see ``shards``)."""


class Evaluator(nn.Module):
    """Two hidden layers; win and margin, each -1 to 1. The same function as ``ginkgo_agents.agents.lookahead.evaluate_many``."""

    def __init__(self, layout: Layout, without: tuple[str, ...], hidden: int) -> None:
        super().__init__()
        columns = used_columns(layout, without)
        self.register_buffer("columns", torch.from_numpy(columns))
        self.register_buffer("mean", torch.zeros(len(columns)))
        self.register_buffer("scale", torch.ones(len(columns)))
        self.body = nn.Sequential(nn.Linear(len(columns), hidden), nn.Tanh(), nn.Linear(hidden, hidden), nn.Tanh())
        self.head = nn.Linear(hidden, 2)
        nn.init.orthogonal_(self.head.weight, 0.1)
        nn.init.zeros_(self.head.bias)

    def prepared(self, features: NDArray[np.float32]) -> torch.Tensor:
        """Features (rows, n) as the network reads them."""
        x = torch.from_numpy(features).to(self.mean.device)[:, self.columns]  # type: ignore[arg-type, index]
        return torch.clamp((x - self.mean) * self.scale, -CUT, CUT)  # type: ignore[operator]

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(rows, 2) from prepared features."""
        found: torch.Tensor = torch.tanh(self.head(self.body(x)))
        return found

    def normalize(self, features: NDArray[np.float32]) -> None:
        """Take mean and deviation of the inputs from examples."""
        x = torch.from_numpy(features).to(self.mean.device)[:, self.columns]  # type: ignore[arg-type, index]
        self.mean.copy_(x.mean(0))  # type: ignore[operator]
        self.scale.copy_(1.0 / x.std(0).clamp_min(0.1))  # type: ignore[operator]

    def load(self, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
        """Take the weights over from the arrays of a checkpoint."""
        with torch.no_grad():
            for name in ("columns", "mean", "scale"):
                getattr(self, name).copy_(torch.from_numpy(arrays[f"{prefix}.{name}"]))
            for k, layer in enumerate((self.body[0], self.body[2], self.head), 1):
                layer.weight.copy_(torch.from_numpy(arrays[f"{prefix}.w{k}"].T))  # type: ignore[operator]
                layer.bias.copy_(torch.from_numpy(arrays[f"{prefix}.b{k}"]))  # type: ignore[operator]

    def arrays(self, prefix: str) -> dict[str, NDArray[Any]]:
        """What ``ginkgo_agents.agents.lookahead.net_of`` reads."""
        layers = [self.body[0], self.body[2], self.head]
        found = {"columns": self.columns, "mean": self.mean, "scale": self.scale}
        for k, layer in enumerate(layers, 1):
            found |= {f"w{k}": layer.weight.T, f"b{k}": layer.bias}
        return {f"{prefix}.{name}": tensor.detach().cpu().numpy().copy() for name, tensor in found.items()}  # type: ignore[operator]


class Rollout:
    """What was seen in T steps of B games. Leaves, the afterstates of all actions, lie one after the other."""

    def __init__(self) -> None:
        self.leaves: list[torch.Tensor] = []
        self.known: list[NDArray[np.float32]] = []
        self.ended: list[NDArray[np.bool_]] = []
        self.counts: list[NDArray[np.int64]] = []
        self.chosen: list[NDArray[np.int64]] = []
        self.logs: list[NDArray[np.float32]] = []
        self.present: list[torch.Tensor] = []
        self.values: list[NDArray[np.float32]] = []
        self.actors: list[NDArray[np.int64]] = []
        self.done: list[NDArray[np.bool_]] = []
        self.rewards: list[NDArray[np.float32]] = []
        self.actions = np.zeros(0, np.int64)  # of the step under way


class Trainer:
    """Trains one agent; call :meth:`rollout` and :meth:`learn` in turn.

    game : the game and its configuration
    seed : of the games, the worlds, the actions chosen and the networks: the same seed trains the same agent on one machine
    device : where the networks are, see :func:`~ginkgo_training.devices.chosen_device`
    """

    def __init__(self, game: Game, settings: Settings, seed: int, device: str = AUTO) -> None:
        self.game, self.settings, self.seed = game, settings, seed
        torch.manual_seed(seed)
        torch.set_num_threads(1)  # networks this small are slower on several
        self.random = np.random.Generator(np.random.PCG64(seed))
        self.batch = Batch(game, settings.games, autoreset=True)
        self.batch.reset(seed=int(self.random.integers(2**62)))
        self.device = chosen_device(device)
        self.scorer = Evaluator(game.features, settings.without, settings.hidden).to(self.device)
        self.critic = Evaluator(game.features, settings.critic_without, settings.hidden).to(self.device)
        self.tau = nn.Parameter(torch.tensor(settings.tau, device=self.device))
        self.parameters = [*self.scorer.parameters(), *self.critic.parameters(), self.tau]
        self.optimizer = torch.optim.Adam(self.parameters, lr=settings.rate, eps=1e-5)
        self.decisions = self.rollouts = 0
        self.seconds = 0.0
        """Processor seconds spent so far."""
        self._warm_up()
        self.played = {"scorer": copy.deepcopy(self.scorer), "critic": copy.deepcopy(self.critic)}
        """The networks that the agent plays with: averages, which play better than the last weights."""

    def _warm_up(self) -> None:
        """Random play, so that games stand at different points; inputs are scaled by what is seen then."""
        leaves, present = [], []
        for step in range(self.settings.steps * 3):
            if step % 4 == 0:
                present.append(self.batch.features())
                few = self.batch.afterstates(1, seed=step)
                leaves.append(few.views[:: max(1, len(few.views) // 512), 0])
            self.batch.step(self.batch.sample(), check=False)
        self.scorer.normalize(np.concatenate(leaves))
        self.critic.normalize(np.concatenate(present))

    # --- playing -------------------------------------------------------------------------------------------------------------

    def rollout(self) -> Rollout:
        """Play on, choosing actions by their probability."""
        batch, seen = self.batch, Rollout()
        for _ in range(self.settings.steps):
            self._decide(seen)
            batch.step(seen.actions, check=False)
            seen.done.append(batch.done.copy())
            paid = np.zeros((batch.size, self.game.seats, 2), np.float32)
            if batch.done.any():
                ahead = margin(batch.totals[batch.done]) * (MARGIN_UNIT / OUTCOME_UNIT)
                paid[batch.done, :, 0] = win(batch.standings[batch.done])[:, : self.game.seats]
                paid[batch.done, :, 1] = np.tanh(ahead)[:, : self.game.seats]
            seen.rewards.append(paid)
        self.decisions += self.settings.steps * batch.size
        self.rollouts += 1
        return seen

    @torch.no_grad()
    def _decide(self, seen: Rollout) -> None:
        batch = self.batch
        present = self.critic.prepared(batch.features())
        after = batch.afterstates(self.settings.worlds, seed=int(self.random.integers(2**62)))
        places, logs, leaves = self._choose(after)
        seen.actions = after.actions[after.offsets[:-1] + places]
        seen.leaves.append(leaves)
        seen.known.append(outcome_of(self.game, after.win, after.margin))
        seen.ended.append(after.done)
        seen.counts.append(np.diff(after.offsets))
        seen.chosen.append(places)
        seen.logs.append(logs)
        seen.present.append(present)
        seen.values.append(self.critic(present).cpu().numpy())
        seen.actors.append(batch.actor.astype(np.int64))

    def _choose(self, after: Afterstates) -> tuple[NDArray[np.int64], NDArray[np.float32], torch.Tensor]:
        """A random action for each row by its probability: places among the row's own, their log-probabilities, the leaves."""
        n, worlds, size = after.views.shape
        leaves = self.scorer.prepared(after.views.reshape(n * worlds, size))
        known = torch.from_numpy(outcome_of(self.game, after.win, after.margin))
        padded = padded_rows(self._logits(leaves, known, torch.from_numpy(after.done)), np.diff(after.offsets))
        logs = torch.log_softmax(padded, 1).cpu().numpy()
        places = (logs + self.random.gumbel(size=logs.shape).astype(np.float32)).argmax(axis=1)
        return places, logs[np.arange(len(logs)), places], leaves.view(n, worlds, -1)

    def _logits(self, leaves: torch.Tensor, known: torch.Tensor, ended: torch.Tensor) -> torch.Tensor:
        """(n,) from prepared leaves (n x worlds, columns) and, where the game has ended, outcomes (n, worlds)."""
        told = self.scorer(leaves)
        expected = self._combined(told).view(ended.shape)
        return torch.exp(self.tau) * torch.where(ended.to(self.device), known.to(self.device), expected).mean(1)

    # --- learning ------------------------------------------------------------------------------------------------------------

    def learn(self, seen: Rollout, left: float = 1.0) -> dict[str, float]:
        """Improve the networks by a rollout; ``left`` is the share of training still ahead, for the learning rate.

        Returns means for a log: policy loss, value loss, entropy, share of clipped ratios, the return and what of it the critic
        explains.
        """
        settings = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate * (0.1 + 0.9 * left)
        with torch.no_grad():
            last = np.stack(
                [self.critic(self.critic.prepared(self.batch.features(p))).cpu().numpy() for p in range(self.game.seats)], 1
            )
        values = np.stack(seen.values)
        gained, returns = advantages_of(
            *(np.stack(seen.rewards), values, np.stack(seen.actors), np.stack(seen.done), last),
            gamma=settings.gamma,
            lam=settings.lam,
        )
        advantage = self._combined(gained).reshape(-1)
        advantage = self._tensor(((advantage - advantage.mean()) / (advantage.std() + 1e-8)).astype(np.float32))
        targets = self._tensor(returns.reshape(-1, 2).astype(np.float32))
        counts = np.concatenate(seen.counts)
        first = np.concatenate([[0], np.cumsum(counts)])
        leaves, present = torch.cat(seen.leaves).to(self.device), torch.cat(seen.present).to(self.device)
        known, ended = self._tensor(np.concatenate(seen.known)), self._tensor(np.concatenate(seen.ended))
        chosen, old = self._tensor(np.concatenate(seen.chosen)), self._tensor(np.concatenate(seen.logs))
        found: list[list[float]] = []
        for _ in range(settings.epochs):
            order = self.random.permutation(len(counts))
            for start in range(0, len(order), settings.minibatch):
                mine = order[start : start + settings.minibatch]
                at = self._tensor(np.concatenate([np.arange(first[i], first[i + 1]) for i in mine]))
                logits = self._logits(leaves[at].flatten(0, 1), known[at], ended[at])
                logs = torch.log_softmax(padded_rows(logits, counts[mine]), 1)
                rows = self._tensor(mine)
                ratio = torch.exp(logs.gather(1, chosen[rows, None])[:, 0] - old[rows])
                gain = advantage[rows]
                policy = -torch.min(ratio * gain, ratio.clamp(1 - settings.clip, 1 + settings.clip) * gain).mean()
                probabilities = logs.exp()
                entropy = -(probabilities * logs.masked_fill(probabilities == 0, 0.0)).sum(1).mean()
                value = ((self.critic(present[rows]) - targets[rows]) ** 2).mean()
                self.optimizer.zero_grad(set_to_none=True)
                (policy + value - settings.entropy * entropy).backward()
                nn.utils.clip_grad_norm_(self.parameters, 0.5)
                self.optimizer.step()
                clipped = ((ratio - 1).abs() > settings.clip).float().mean()
                found.append([policy.item(), value.item(), entropy.item(), clipped.item()])
        self._average()
        names = ("policy_loss", "value_loss", "entropy", "clipped")
        explained = 1 - ((returns - values) ** 2).mean() / (returns.var() + 1e-8)
        told = dict(zip(names, np.mean(found, axis=0).tolist(), strict=True))
        return told | {"return": float(self._combined(returns).mean()), "explained": float(explained), "tau": self.tau.item()}

    def _combined(self, told: Any) -> Any:
        """Win and margin (..., 2) as one number: see ``outcome_of``."""
        share = win_share(self.game)
        return share * told[..., 0] + (1 - share) * told[..., 1]

    def _tensor(self, array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    @torch.no_grad()
    def _average(self) -> None:
        """Take the present weights into the averages; the first ones, hardly trained, are soon forgotten."""
        kept = min(self.settings.average, self.rollouts / (self.rollouts + 10))
        for net, now in ((self.played["scorer"], self.scorer), (self.played["critic"], self.critic)):
            for mean, weight in zip(net.parameters(), now.parameters(), strict=True):
                mean.lerp_(weight, 1 - kept)

    # --- checkpoints ---------------------------------------------------------------------------------------------------------

    def checkpoint(self, about: Mapping[str, Any], *, whole: bool = True) -> Checkpoint:
        """What has been learned; whole: with all that training needs to go on as if it had not stopped."""
        arrays = {"tau": self.tau.detach().cpu().numpy().copy()}
        for name, net in self.played.items():
            arrays |= net.arrays(name)
        if whole:
            arrays |= self.scorer.arrays("learned_scorer") | self.critic.arrays("learned_critic") | self._state()
        digests = {name: digest for name, digest in digests_of(self.game).items() if name in ("actions", "features")}
        told = {"seed": self.seed, "decisions": self.decisions, "rollouts": self.rollouts, "seconds": round(self.seconds, 1)}
        outcome = "0.7 win + 0.3 tanh(margin / 30)" if self.game.sides > 1 else "tanh(score / 30)"
        settings = asdict(self.settings) | {"outcome": outcome}
        config = self.game.config_dict
        return Checkpoint(KIND, self.game.name, config, digests, settings, told | dict(about), arrays)

    def _state(self) -> dict[str, NDArray[Any]]:
        state = self.optimizer.state_dict()["state"]
        found = {f"adam.{k}.{name}": value.cpu().numpy() for k, entry in state.items() for name, value in entry.items()}
        batch = self.batch
        more = {"random": words_of(self.random), "states": batch.states.view(np.uint8), "mask": batch.mask}
        return found | {f"batch.{name}": np.array(array) for name, array in more.items()} | {"words": batch._words.copy()}

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on from a whole checkpoint. Raises ConfigError if it does not fit."""
        require_fit(checkpoint, self.game)
        arrays = checkpoint.arrays
        if "words" not in arrays:
            raise ConfigError("this checkpoint is for playing only; training cannot go on from it")
        if "learned_scorer.mean" not in arrays:
            raise ConfigError("this checkpoint is of an earlier version; training cannot go on from it")
        shards = checkpoint.settings.get("shards", 1)
        if shards != self.settings.shards:
            raise ConfigError(f"this checkpoint was trained with shards={shards}; resume it with the same setting")
        nets = self.played | {"learned_scorer": self.scorer, "learned_critic": self.critic}
        for prefix, net in nets.items():
            for name, tensor in net.arrays(prefix).items():
                if arrays[name].shape != tensor.shape:
                    raise ConfigError("this checkpoint has networks of another size: use the settings that it was trained with")
            net.load(arrays, prefix)
        with torch.no_grad():
            self.tau.copy_(torch.from_numpy(np.asarray(arrays["tau"])))
        entries: dict[int, dict[str, Any]] = {}
        for name, array in arrays.items():
            if name.startswith("adam."):
                _, k, what = name.split(".")
                entries.setdefault(int(k), {})[what] = torch.from_numpy(np.array(array))
        self.optimizer.load_state_dict({"state": entries, "param_groups": self.optimizer.state_dict()["param_groups"]})
        take_words(self.random, arrays["batch.random"])
        states = arrays["batch.states"].view(self.batch.states.dtype).reshape(-1).view(np.recarray)
        self.batch.set_states(np.arange(self.batch.size), states)
        self.batch._words[:] = arrays["words"]
        self.decisions, self.rollouts = int(checkpoint.about["decisions"]), int(checkpoint.about["rollouts"])
        self.seconds = float(checkpoint.about["seconds"])


def padded_rows(logits: torch.Tensor, counts: NDArray[np.int64]) -> torch.Tensor:
    """Logits (n,) of rows with counts (rows,) entries each as (rows, most), minus infinity beyond a row's own."""
    most = int(counts.max())
    inside = torch.from_numpy(np.arange(most) < counts[:, None]).to(logits.device)
    return torch.full(inside.shape, -math.inf, device=logits.device).masked_scatter(inside, logits)
