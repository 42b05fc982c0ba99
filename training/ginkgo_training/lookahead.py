"""Afterstate PPO in self-play: the trainer of the agent ``lookahead``, for any game.

Each legal action is played on to the end of the round in a few resampled worlds (``Batch.afterstates``). The *scorer*, a small
network, estimates the outcome that the seat can expect there, -1 to 1; the mean over worlds times exp(tau) is the action's
logit. Where the game has ended, the true outcome replaces the estimate. The *critic*, of the same shape, reads the features of
the current state. Both are trained by proximal policy optimization (Schulman et al. 2017) in self-play: the same networks play
all seats, and each seat learns from its own trajectory (``trajectories``). In a share of the games others may play some seats
(``opponents``).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ginkgo_agents.checkpoints import Checkpoint, blocks_of
from ginkgo_agents.lookahead import (
    KIND,
    LAYOUTS,
    LookaheadAgent,
    NetSettings,
    estimated_reward,
    outcomes_of,
    used_columns,
    win_share,
)
from ginkgo_env.core.afterstates import Afterstates, LegalActions
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout
from ginkgo_training.legal import PolicyLoss, draw, lists_from, rows_of
from ginkgo_training.networks import load_module, module_arrays, own_estimator
from ginkgo_training.opponents import Decide, player_of_agent
from ginkgo_training.perceptron import Perceptron, Tanh
from ginkgo_training.self_play import Rollout, SelfPlayTrainer, final_estimates, reward_option
from ginkgo_training.settings import LookaheadSettings
from ginkgo_training.torch_agent import LOOKAHEAD_KIND, TorchLookaheadAgent
from ginkgo_training.trainer import Arrays, array_of
from ginkgo_training.trajectories import advantages_of

_MAX_GRAD_NORM = 0.5
_PART = 256  # decisions whose leaves are learned from together: they stay in the cache of the processor
_WARM_UP = 3  # rollouts of random play before the first one


class Evaluator(Perceptron):
    """Estimates win and margin, each -1 to 1.

    It computes the same function as ``ginkgo_agents.nets.evaluate_many``.

    layout, without : the layout of the features, and the blocks in it that are not read
    """

    def __init__(self, layout: Layout, without: tuple[str, ...], hidden: int) -> None:
        super().__init__(used_columns(layout, without), layout.size, hidden, 2, Tanh, spread=0.1)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Estimate win and margin (rows, 2) from prepared features."""
        return torch.tanh(super().forward(x))


class OwnEvaluator(nn.Module):
    """A module of the user's own with the methods of an :class:`Evaluator`; it reads raw features."""

    def __init__(self, network: str, game: Game) -> None:
        super().__init__()
        self.module = own_estimator(network, game)

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """Estimate win and margin (rows, 2) from features."""
        estimates: torch.Tensor = self.module(x)
        return estimates

    def prepared(self, rows: NDArray[np.float32]) -> torch.Tensor:
        """The features (rows, n) as a tensor."""
        return torch.from_numpy(rows).to(next(self.parameters()).device)

    def normalize(self, rows: NDArray[np.float32]) -> None:
        """Do nothing: a module scales its inputs itself."""

    def load(self, arrays: Mapping[str, NDArray[Any]], prefix: str) -> None:
        """Load the weights from the arrays of a checkpoint. Raises ConfigError if they do not fit."""
        load_module(self.module, arrays, f"{prefix}/")

    def arrays(self, prefix: str) -> Arrays:
        """Copies of the weights."""
        return {f"{prefix}/{name}": array for name, array in module_arrays(self.module).items()}


class LookaheadRollout(Rollout):
    """Decisions of T steps of B games, one array for each step.

    leaves : prepared features of the afterstates, (n, worlds, columns) for n legal actions of all games together
    outcomes, ended : (n, worlds), the outcome where the game has ended
    counts, places : (B,), number of legal actions, and place of the chosen one among them
    log_probs, values, actors : (B,), (B, 2) and (B,), of the decision; the actor is -1 if it was not the learner
    features : (B, columns), prepared for the critic
    done, rewards : (B,) and (B, seats, 2), of the step
    """

    tensors = ("leaves", "features")

    def __init__(self) -> None:
        self.leaves: list[torch.Tensor] = []
        self.outcomes: list[NDArray[np.float32]] = []
        self.ended: list[NDArray[np.bool_]] = []
        self.counts: list[NDArray[np.int64]] = []
        self.places: list[NDArray[np.int64]] = []
        self.log_probs: list[NDArray[np.float32]] = []
        self.features: list[torch.Tensor] = []
        self.values: list[NDArray[np.float32]] = []
        self.actors: list[NDArray[np.int64]] = []
        self.done: list[NDArray[np.bool_]] = []
        self.rewards: list[NDArray[np.float32]] = []


class LookaheadTrainer(SelfPlayTrainer):
    """Trains the agent ``lookahead``; a training step is :meth:`rollout` and :meth:`learn`.

    game : the game and its configuration
    seed : seed of games, worlds, actions and networks: the same seed trains the same agent on one machine
    device : device of the networks, see :func:`~ginkgo_training.devices.chosen_device`

    >>> from ginkgo_env import make_game
    >>> trainer = LookaheadTrainer(make_game("my_city"), LookaheadSettings(games=4, n_steps=2), seed=1)
    >>> numbers = trainer.training_step(remaining=1.0)
    >>> trainer.rollouts
    1
    """

    settings: LookaheadSettings

    def __init__(self, game: Game, settings: LookaheadSettings, seed: int, device: str = "cpu") -> None:
        super().__init__(game, settings, seed, device)
        self._reward = estimated_reward(settings.reward, game.sides)
        self.agent_options = reward_option(settings.reward)
        self.scorer: Evaluator | OwnEvaluator
        self.critic: Evaluator | OwnEvaluator
        if own := settings.network_class:
            self.scorer, self.critic = OwnEvaluator(own, game), OwnEvaluator(own, game)
            self.agent_options += f":network={own}"
        else:
            self.scorer = Evaluator(game.features, settings.without, settings.hidden)
            self.critic = Evaluator(game.features, settings.critic_without, settings.hidden)
        self.scorer.to(self.device)
        self.critic.to(self.device)
        self.tau = nn.Parameter(torch.tensor(settings.tau, device=self.device))
        self.parameters = [*self.scorer.parameters(), *self.critic.parameters(), self.tau]
        self.optimizer = torch.optim.Adam(self.parameters, lr=settings.learning_rate, eps=1e-5)
        self._leaves = torch.empty(0, device=self.device)  # memory for those of a rollout
        self._warm_up()
        self.averages = {"scorer": copy.deepcopy(self.scorer), "critic": copy.deepcopy(self.critic)}
        """The networks that the agent plays with: moving averages, which play better than the current weights."""

    def _warm_up(self) -> None:
        """Play at random, so that games are at different points, and scale the inputs by the states seen there."""
        leaves, features = [], []
        for step in range(self.settings.n_steps * _WARM_UP):
            if step % 4 == 0:
                features.append(self.batch.features())
                after = self.batch.afterstates(1, seed=step)
                leaves.append(after.views[:: max(1, len(after.views) // 512), 0])
            self.batch.step(self.batch.sample(), check=False)
        self.scorer.normalize(np.concatenate(leaves))
        self.critic.normalize(np.concatenate(features))

    def training_step(self, remaining: float) -> dict[str, float]:
        """Play one rollout and learn from it; see :meth:`learn` for the numbers returned."""
        self.pool.update_snapshots(self.rollouts, self._weights)
        return self.learn(self.rollout(), remaining)

    def _snapshot_player(self, weights: Arrays) -> Decide:
        checkpoint, own = replace(self._agent(), arrays=weights), self.settings.network_class
        options: dict[str, Any] = {"worlds": self.settings.worlds, "reward": self.settings.reward}
        agent = TorchLookaheadAgent(checkpoint, own, **options) if own else LookaheadAgent(checkpoint, **options)
        return player_of_agent(agent, self.batch, self.threads)

    # --- playing -------------------------------------------------------------------------------------------------------------

    def rollout(self) -> LookaheadRollout:
        """Play on, drawing actions by their probabilities."""
        batch, rollout = self.batch, LookaheadRollout()
        for _ in range(self.settings.n_steps):
            actions = self._decide(rollout)
            rollout.actors.append(self.pool.decide(actions))
            batch.step(actions)
            rollout.done.append(batch.done.copy())
            rollout.rewards.append(final_estimates(batch, self._reward))
            self.pool.update()
        self.decisions += sum(int(np.count_nonzero(actors >= 0)) for actors in rollout.actors)
        self.rollouts += 1
        return rollout

    @torch.no_grad()
    def _decide(self, rollout: LookaheadRollout) -> NDArray[np.int64]:
        """An action (B,) for each game; the decisions are added to the rollout."""
        batch = self.batch
        features = self.critic.prepared(batch.features())
        after = batch.afterstates(self.settings.worlds, seed=int(self.random.integers(2**62)))
        outcomes = outcomes_of(after, self.game, batch.actor.astype(np.int64), self._reward)
        actions, places, log_probs, leaves = self._choose(after, outcomes)
        rollout.leaves.append(leaves)
        rollout.outcomes.append(outcomes)
        rollout.ended.append(after.done)
        rollout.counts.append(np.diff(after.offsets))
        rollout.places.append(places)
        rollout.log_probs.append(log_probs)
        rollout.features.append(features)
        rollout.values.append(self.critic(features).cpu().numpy())
        return actions

    def _choose(
        self, after: Afterstates, outcomes: NDArray[np.float32]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32], torch.Tensor]:
        """Draw an action (B,) for each row; return it with its place, its log probability and all prepared leaves."""
        n, worlds, size = after.views.shape
        leaves = self.scorer.prepared(after.views.reshape(n * worlds, size))
        logits = self._logits(leaves, torch.from_numpy(outcomes), torch.from_numpy(after.done))
        keys = self.random.integers(2**64, size=len(after.offsets) - 1, dtype=np.uint64)
        return *draw(logits.cpu(), LegalActions(after.offsets, after.actions), keys), leaves.view(n, worlds, -1)

    def _logits(self, leaves: torch.Tensor, outcomes: torch.Tensor, ended: torch.Tensor) -> torch.Tensor:
        """Logits (n,) from prepared leaves (n x worlds, columns), and outcomes where the game has ended."""
        expected = self._combined(self.scorer(leaves)).view(ended.shape)
        return torch.exp(self.tau) * torch.where(ended.to(self.device), outcomes.to(self.device), expected).mean(1)

    # --- learning ------------------------------------------------------------------------------------------------------------

    def learn(self, rollout: LookaheadRollout, remaining: float = 1.0) -> dict[str, float]:
        """Improve the networks with a rollout.

        remaining : the share of the run still ahead, which the learning rate follows

        Returns means for a log: policy loss, value loss, entropy, share of clipped ratios, the return and the share of its
        variance that the critic explains.
        """
        settings = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate_at(remaining)
        with torch.no_grad():
            last = np.stack(
                [self.critic(self.critic.prepared(self.batch.features(p))).cpu().numpy() for p in range(self.game.seats)], 1
            )
        values = np.stack(rollout.values)
        gains, returns = advantages_of(
            *(np.stack(rollout.rewards), values, np.stack(rollout.actors), np.stack(rollout.done), last),
            gamma=settings.gamma,
            lam=settings.gae_lambda,
        )
        advantage = self._combined(gains).reshape(-1)
        learned = np.flatnonzero(np.stack(rollout.actors) >= 0)
        if not learned.size:
            return self.pool.numbers()
        own = advantage[learned]
        advantage = ((advantage - own.mean()) / (own.std() + 1e-8)).astype(np.float32)
        targets = self._tensor(returns.reshape(-1, 2).astype(np.float32))
        leaves = torch.cat([each.to(self.device) for each in rollout.leaves], out=self._leaves.resize_(0))
        features = torch.cat(rollout.features).to(self.device)
        entries = lists_from(np.concatenate(rollout.counts), np.arange(len(leaves)))
        outcomes, ended = self._tensor(np.concatenate(rollout.outcomes)), self._tensor(np.concatenate(rollout.ended))
        played = np.concatenate(rollout.places), np.concatenate(rollout.log_probs), advantage
        if settings.network_class:  # a module of the user may use random numbers
            torch.manual_seed(int(self.random.integers(2**31)))
        self.scorer.train()
        self.critic.train()
        losses: list[torch.Tensor] = []
        for _ in range(settings.n_epochs):
            order = self.random.permutation(learned)
            for start in range(0, len(order), settings.batch_size):
                minibatch = order[start : start + settings.batch_size]
                self.optimizer.zero_grad(set_to_none=True)
                for part in np.split(minibatch, range(_PART, len(minibatch), _PART)):
                    listed, rows = rows_of(entries, part), self._tensor(part)
                    at = self._tensor(listed.actions)
                    logits = self._logits(leaves.index_select(0, at).flatten(0, 1), outcomes[at], ended[at]).cpu()
                    known = listed.offsets, *(array[part] for array in played), settings.clip_range, settings.ent_coef
                    policy, parts = PolicyLoss.apply(logits, *known)  # type: ignore[no-untyped-call, unused-ignore]
                    value = ((self.critic(features[rows]) - targets[rows]) ** 2).mean().cpu()
                    (len(part) / len(minibatch) * (policy + value)).backward()
                    losses.append(torch.cat([parts, value.detach()[None]]))
                nn.utils.clip_grad_norm_(self.parameters, _MAX_GRAD_NORM)
                self.optimizer.step()
        self.scorer.eval()
        self.critic.eval()
        self._average()
        names = ("policy_loss", "entropy", "clipped", "value_loss")
        means = dict(zip(names, torch.stack(losses).mean(0).tolist(), strict=True))
        returns, values = (array.reshape(-1, 2)[learned] for array in (returns, values))
        explained = 1 - ((returns - values) ** 2).mean() / (returns.var() + 1e-8)
        more = {"return": float(self._combined(returns).mean()), "explained": float(explained), "tau": self.tau.item()}
        return means | more | self.pool.numbers()

    def _combined(self, estimates: Any) -> Any:
        """Win and margin (..., 2) as one number: see ``outcome_of``."""
        share = win_share(self.game)
        return share * estimates[..., 0] + (1 - share) * estimates[..., 1]

    def _tensor(self, array: NDArray[Any]) -> torch.Tensor:
        return torch.from_numpy(array).to(self.device)

    @torch.no_grad()
    def _average(self) -> None:
        """Add the current weights to the averages, in which the first, hardly trained ones soon count little."""
        share = min(self.settings.average, self.rollouts / (self.rollouts + 10))
        for average, net in ((self.averages["scorer"], self.scorer), (self.averages["critic"], self.critic)):
            for mean, weight in zip(average.parameters(), net.parameters(), strict=True):
                mean.lerp_(weight, 1 - share)
            for last, buffer in zip(average.buffers(), net.buffers(), strict=True):
                last.copy_(buffer)

    # --- checkpoints ---------------------------------------------------------------------------------------------------------

    def _agent(self) -> Checkpoint:
        arrays = {"tau": self.tau.detach().cpu().numpy().copy()}
        for name, net in self.averages.items():
            arrays |= net.arrays(name)
        own = self.settings
        settings = NetSettings(own.hidden, own.without, own.critic_without, own.reward)
        game, layouts = self.game, blocks_of(self.game, LAYOUTS)
        if own.network_class:
            named = {"network": own.network_class, "reward": own.reward}
            return Checkpoint(LOOKAHEAD_KIND, game.name, game.config_dict, layouts, named, arrays=arrays)
        return Checkpoint(KIND, game.name, game.config_dict, layouts, settings.as_dict(), arrays=arrays)

    def _learned(self) -> Arrays:
        tau = {"tau": self.tau.detach().cpu().numpy().copy()}
        return self.scorer.arrays("scorer") | self.critic.arrays("critic") | tau

    def _load_learned(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.scorer.load(arrays, "scorer")
        self.critic.load(arrays, "critic")
        with torch.no_grad():
            self.tau.fill_(float(arrays["tau"]))

    def _load_start(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        super()._load_start(arrays)
        for name, net in self.averages.items():
            net.load(arrays, name)

    def _state(self) -> Arrays:
        return self.scorer.arrays("learned_scorer") | self.critic.arrays("learned_critic") | super()._state()

    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        nets = self.averages | {"learned_scorer": self.scorer, "learned_critic": self.critic}
        for prefix, net in nets.items():
            net.load(arrays, prefix)
        with torch.no_grad():
            self.tau.copy_(torch.from_numpy(array_of(arrays, "tau", self.tau.detach().cpu().numpy())))
        super()._restore(arrays)
