"""Expert iteration: the trainer of the agent ``search``, for any game.

In self-play a teacher decides, by default the search with the networks that are trained. The policy learns the teacher's action
probabilities. The critic learns the result of each seat's game, blended with the expectations of later searches
(``trajectories``) or, where nothing was searched, with its own estimates. With another agent as teacher, such as ``lookahead``,
this is distillation. The method is that of Anthony et al. (2017).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple, cast

import msgspec
import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from ginkgo_agents.base import Agent, DecisionBatch, sample_actions
from ginkgo_agents.checkpoints import Checkpoint, blocks_of
from ginkgo_agents.lookahead import estimated_reward, used_columns
from ginkgo_agents.policy import KIND, LAYOUTS, policy_columns, policy_slots
from ginkgo_agents.search import SearchAgent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.rewards import OUTCOME_UNIT
from ginkgo_training.lookahead import Evaluator
from ginkgo_training.opponents import Decide, agent_to_train_with, player_of_agent
from ginkgo_training.perceptron import PolicyPerceptron
from ginkgo_training.self_play import Rollout, SelfPlayTrainer, final_estimates, reward_option
from ginkgo_training.settings import SearchSettings
from ginkgo_training.trainer import Arrays, array_of
from ginkgo_training.trajectories import advantages_of

_MAX_GRAD_NORM = 0.5
_ILLEGAL = -1.0  # in place of a probability
_WINDOW = "window/"
_OTHERS = "others/"


class Decisions(NamedTuple):
    """N decisions of a rollout."""

    inputs: NDArray[np.float16]
    """(N, n) the prepared inputs of the policy."""
    features: NDArray[np.float16]
    """(N, m) the prepared inputs of the critic."""
    targets: NDArray[np.float16]
    """(N, A) the teacher's probability of each action, -1 for illegal ones and for all actions if an opponent decided."""
    returns: NDArray[np.float32]
    """(N, 2 + S) the targets of the critic: win and margin, and the points by source if it learns them."""


class SearchRollout(Rollout):
    """Decisions of T steps of B games, one array for each step.

    inputs, features, targets : as in ``Decisions``, with B rows
    values, estimates : (B, 2) win and margin that the teacher's search expects, if there is one, and that the critic expects
    actors : (B,) the seat that decides, -1 if it is not the learner's
    done, rewards : (B,) and (B, seats, 2 + S), of the step; S is 0 or the number of sources
    """

    def __init__(self) -> None:
        self.inputs: list[NDArray[np.float16]] = []
        self.features: list[NDArray[np.float16]] = []
        self.targets: list[NDArray[np.float16]] = []
        self.values: list[NDArray[np.float32]] = []
        self.estimates: list[NDArray[np.float32]] = []
        self.actors: list[NDArray[np.int64]] = []
        self.done: list[NDArray[np.bool_]] = []
        self.rewards: list[NDArray[np.float32]] = []


class _Critic(Evaluator):
    """An evaluator that also estimates other outcomes from the same hidden units.

    These auxiliary outputs shape the hidden units, as in Jaderberg et al. (2017); checkpoints of agents do not hold them.

    others : number of the other outcomes
    """

    def __init__(self, layout: Layout, without: tuple[str, ...], hidden: int, others: int) -> None:
        super().__init__(layout, without, hidden)
        self.others = nn.Linear(hidden, others) if others else None

    def all_outcomes(self, x: torch.Tensor) -> torch.Tensor:
        """Estimate win, margin and the others, (rows, 2 + others), each -1 to 1."""
        hidden = self.body(x)
        return torch.tanh(torch.cat([head(hidden) for head in (self.head, self.others) if head is not None], 1))


class SearchTrainer(SelfPlayTrainer):
    """Trains the agent ``search``.

    game : the game and its configuration
    seed : seed of games, searches, actions and networks: the same seed trains the same agent on one machine
    device : device of the networks, see :func:`~ginkgo_training.devices.chosen_device`

    >>> from ginkgo_env import make_game
    >>> trainer = SearchTrainer(make_game("my_city"), SearchSettings(games=4, n_steps=2), seed=1)
    >>> numbers = trainer.training_step(remaining=1.0)
    >>> trainer.rollouts
    1
    """

    settings: SearchSettings
    evaluation_options = ":simulations=0"  # the policy alone, as a search takes minutes

    def __init__(self, game: Game, settings: SearchSettings, seed: int, device: str = "cpu") -> None:
        super().__init__(game, settings, seed, device)
        self._reward = estimated_reward(settings.reward, game.sides)
        self.agent_options = reward_option(settings.reward)
        self._nets = nets = msgspec.structs.replace(settings.network, reward=settings.reward)
        observed = game.features.size + game.observation.size
        columns = policy_columns(game, nets)
        self.policy = PolicyPerceptron(columns, observed, nets.hidden, policy_slots(game, nets)).to(self.device)
        self._others = len(game.sources) if settings.auxiliary else 0
        self.critic = _Critic(game.features, nets.critic_without, nets.critic_hidden, self._others).to(self.device)
        self.parameters = [*self.policy.parameters(), *self.critic.parameters()]
        self.optimizer = torch.optim.Adam(self.parameters, lr=settings.learning_rate, eps=1e-5)
        self.window: list[Decisions] = []
        self._teacher = agent_to_train_with(settings.teacher, game) if settings.teacher else None
        self._warm_up()

    def _warm_up(self) -> None:
        """Play at random, so that games are at different points, and scale the inputs by the states seen there."""
        views = []
        for step in range(self.settings.warm_up):
            if step % 4 == 0:
                views.append(self._views())
            self.batch.step(self.batch.sample(), check=False)
        seen = np.concatenate(views)
        self.policy.normalize(seen)
        self.critic.normalize(np.ascontiguousarray(seen[:, : self.game.features.size]))

    def training_step(self, remaining: float) -> dict[str, float]:
        """Play one rollout and learn from the window.

        Returns losses, the agreement with the teacher, and the share of the variance that the critic explains.
        """
        self.pool.update_snapshots(self.rollouts, self._weights)
        explained = self._remember(self.rollout())
        return self._learn(remaining) | {"explained": explained} | self.pool.numbers()

    # --- playing -------------------------------------------------------------------------------------------------------------

    def _snapshot_player(self, weights: Arrays) -> Decide:
        return player_of_agent(self._searcher(replace(self._agent(), arrays=weights)), self.batch, self.threads)

    def _searcher(self, checkpoint: Checkpoint) -> Agent:
        settings = self.settings
        return SearchAgent(
            checkpoint,
            simulations=settings.simulations,
            horizon=settings.horizon,
            candidates=settings.candidates,
            temperature=settings.temperature,
            reward=settings.reward,
        )

    def _views(self) -> NDArray[np.float32]:
        """Features (B, n) of the deciding seats, followed by their observations."""
        return np.concatenate([self.batch.features(), self.batch.observe()], axis=1, dtype=np.float32)

    @torch.no_grad()
    def rollout(self) -> SearchRollout:
        """Play on, drawing actions by the teacher's probabilities."""
        batch, rollout, rows = self.batch, SearchRollout(), np.arange(self.batch.size)
        teacher = self._teacher or self._searcher(self._agent())
        for _ in range(self.settings.n_steps):
            keys = self.random.integers(2**64, size=batch.size, dtype=np.uint64)
            turn = DecisionBatch(batch, rows, keys, self.threads)
            found = teacher.search(turn) if hasattr(teacher, "search") else None
            probabilities = teacher.probabilities(turn) if found is None else found.probabilities(turn.masks.shape[1])
            if not np.isfinite(probabilities).all():
                raise ConfigError("the probabilities are not numbers: the weights have become too large")
            views = self._views()
            rollout.inputs.append(self.policy.prepared(views).cpu().numpy().astype(np.float16))
            prepared = self.critic.prepared(np.ascontiguousarray(views[:, : self.game.features.size]))
            rollout.features.append(prepared.cpu().numpy().astype(np.float16))
            actions = sample_actions(probabilities, self.random.integers(2**64, size=batch.size, dtype=np.uint64))
            rollout.actors.append(self.pool.decide(actions))
            learned = (turn.masks != 0) & (rollout.actors[-1] >= 0)[:, None]
            rollout.targets.append(np.where(learned, probabilities, _ILLEGAL).astype(np.float16))
            estimates = self.critic(prepared).cpu().numpy()
            searched = np.full_like(estimates, np.nan)
            if found is not None and (self._teacher is None or self._reward is None):  # other teachers expect win and margin
                searched = found.estimates().astype(np.float32)
            rollout.estimates.append(estimates)
            rollout.values.append(np.where(np.isnan(searched), estimates, searched).astype(np.float32))
            before = batch.states.copy() if self._others else batch.states
            batch.step(actions)
            rollout.done.append(batch.done.copy())
            rewards = [final_estimates(batch, self._reward)] + ([_final_points(batch, before, actions)] if self._others else [])
            rollout.rewards.append(np.concatenate(rewards, axis=2))
            self.pool.update()
        self.decisions += sum(int(np.count_nonzero(actors >= 0)) for actors in rollout.actors)
        self.rollouts += 1
        return rollout

    @torch.no_grad()
    def _remember(self, rollout: SearchRollout) -> float:
        """Add a rollout to the window; return the share of the variance of the returns that the critic explains."""
        views = [self.critic.prepared(self.batch.features(seat)) for seat in range(self.game.seats)]
        actors, told, values = np.stack(rollout.actors), np.stack(rollout.estimates), np.stack(rollout.values)
        columns = [np.concatenate(column) for column in (rollout.inputs, rollout.features, rollout.targets)]
        if self._others:  # only the critic estimates these outcomes
            others = self.critic.all_outcomes(torch.from_numpy(columns[1]).to(self.device).float())[:, 2:]
            values = np.concatenate([values, others.cpu().numpy().reshape(*values.shape[:2], -1)], axis=2)
        _, returns = advantages_of(
            *(np.stack(rollout.rewards), values, actors, np.stack(rollout.done)),
            np.stack([self.critic.all_outcomes(view).cpu().numpy() for view in views], axis=1),
            lam=self.settings.gae_lambda,
        )
        decisions = Decisions(columns[0], columns[1], columns[2], returns.reshape(-1, 2 + self._others).astype(np.float32))
        self.window = [*self.window, decisions][-self.settings.window :]
        own, main = actors >= 0, returns[..., :2]
        return float(1 - ((main[own] - told[own]) ** 2).mean() / (main[own].var() + 1e-8)) if own.any() else 0.0

    # --- learning ------------------------------------------------------------------------------------------------------------

    def _learn(self, remaining: float) -> dict[str, float]:
        """Fit policy and critic to minibatches of the window."""
        settings = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate_at(remaining)
        decisions = Decisions(*(np.concatenate(column) for column in zip(*self.window, strict=True)))
        learned = np.flatnonzero(decisions.targets.max(axis=1) >= 0)
        losses: list[list[float]] = []
        for _ in range(settings.n_epochs * len(self.window[-1].returns) // settings.batch_size if learned.size else 0):
            rows = learned[self.random.integers(len(learned), size=settings.batch_size)]
            inputs, features, targets, returns = (torch.from_numpy(array[rows]).to(self.device).float() for array in decisions)
            legal, targets = targets >= 0, targets.clamp_min(0)
            targets = targets / targets.sum(1, keepdim=True).clamp_min(1e-6)
            logs = torch.log_softmax(self.policy(inputs).masked_fill(~legal, -1e8), 1)
            policy = -(targets * logs).sum(1).mean()
            errors = ((self.critic.all_outcomes(features) - returns) ** 2).mean(0)
            value = errors[:2].mean()
            others = settings.auxiliary * errors[2:].mean() if self._others else 0.0
            self.optimizer.zero_grad(set_to_none=True)
            (policy + value + others).backward()  # type: ignore[no-untyped-call, unused-ignore]
            nn.utils.clip_grad_norm_(self.parameters, _MAX_GRAD_NORM)
            self.optimizer.step()
            same = (logs.argmax(1) == targets.argmax(1)).float().mean()
            losses.append([policy.item(), value.item(), same.item()])
        means = np.mean(losses, axis=0).tolist() if losses else [0.0] * 3
        return dict(zip(("policy_loss", "value_loss", "same_actions"), means, strict=True))

    # --- checkpoints ---------------------------------------------------------------------------------------------------------

    def _agent(self) -> Checkpoint:
        arrays, game = self.policy.arrays("policy") | self.critic.arrays("critic"), self.game
        settings = self._nets.as_dict()
        return Checkpoint(KIND, game.name, game.config_dict, blocks_of(game, LAYOUTS), settings, arrays=arrays)

    def _load_learned(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self.policy.load(arrays, "policy")
        self.critic.load(arrays, "critic")

    def _state(self) -> Arrays:
        window = {f"{_WINDOW}{k}/{name}": array for k, part in enumerate(self.window) for name, array in part._asdict().items()}
        others = {} if self.critic.others is None else self.critic.others.state_dict(prefix=_OTHERS)
        return super()._state() | window | {name: tensor.cpu().numpy().copy() for name, tensor in others.items()}

    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        self._load_learned(arrays)
        if (others := self.critic.others) is not None:
            own = others.state_dict()
            read = {name: array_of(arrays, f"{_OTHERS}{name}", tensor.cpu().numpy()) for name, tensor in own.items()}
            others.load_state_dict({name: torch.from_numpy(array) for name, array in read.items()})
        super()._restore(arrays)
        n = self.settings.games * self.settings.n_steps
        like: Arrays = {
            "inputs": np.zeros((n, len(policy_columns(self.game, self._nets))), np.float16),
            "features": np.zeros((n, len(used_columns(self.game.features, self._nets.critic_without))), np.float16),
            "targets": np.zeros((n, self.game.actions.size), np.float16),
            "returns": np.zeros((n, 2 + self._others), np.float32),
        }
        self.window = [
            Decisions(*(array_of(arrays, f"{_WINDOW}{k}/{name}", like[name]) for name in Decisions._fields))
            for k in range(min(self.rollouts, self.settings.window))
        ]


def _final_points(batch: Batch, before: States, actions: NDArray[np.int64]) -> NDArray[np.float32]:
    """The points by source of the games that the last step ended.

    Returns (rows, seats, sources), -1 to 1; 0 in other rows.

    before : the states (rows,) before that step; a batch with autoreset already holds those of the next games
    actions : (rows,) the actions of that step
    """
    game = batch.game
    points = np.zeros((batch.size, game.seats, len(game.sources)), np.float32)
    for row in np.flatnonzero(batch.done):
        own, _ = game.points(game.step(cast(States, before[row : row + 1]), int(actions[row])))
        points[row] = np.tanh(own[: game.seats] / OUTCOME_UNIT)
    return points
