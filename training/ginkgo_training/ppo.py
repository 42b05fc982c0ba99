"""The trainer of the agent ``ppo``: proximal policy optimization, mostly in self-play.

The method is that of Schulman et al. (2017), with illegal actions masked. The current policy learns from every seat that it
plays, each from its own trajectory (``trajectories``). In a share of the games other agents or snapshots of the policy play some
of the seats (``opponents``).

The randomness of a rollout and its update is part of a training checkpoint, like everything else that they depend on. So with a
budget of rollouts, a run that was stopped and resumed equals an uninterrupted one, bit for bit, on the same machine. With a
budget of minutes it does not, as the learning rate follows the clock.
"""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from functools import partial
from typing import Any, NamedTuple, cast

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from ginkgo_agents.checkpoints import Checkpoint, blocks_of
from ginkgo_agents.ppo import CRITIC, KIND, LAYOUTS, POLICY, InputKind, Network
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import OUTCOME_UNIT, require_final
from ginkgo_training.imitation import imitate, record_decisions
from ginkgo_training.legal import PolicyLoss, draw, lists_from, rows_of
from ginkgo_training.networks import NetworkPolicy, evaluate, input_size, load_module, module_arrays, own_network, write_inputs
from ginkgo_training.opponents import Decide, agent_to_train_with
from ginkgo_training.self_play import SelfPlayTrainer
from ginkgo_training.settings import PpoSettings
from ginkgo_training.torch_agent import KIND as OWN_KIND
from ginkgo_training.trainer import Arrays, Report
from ginkgo_training.trajectories import advantages_of

_SEEDS = 2**31


class Rollout(NamedTuple):
    """T steps of B games."""

    inputs: Tensor
    """(T, B, n) float32, the inputs of the policy; pinned if the policy is on a GPU, so that it is copied there quickly."""
    legal: list[LegalActions]
    """The legal actions of all games in each step."""
    places: NDArray[np.int64]
    """(T, B) the places of the actions played among the legal ones."""
    log_probs: NDArray[np.float32]
    """(T, B) the policy's log probabilities of these."""
    values: NDArray[np.float32]
    """(T, B) the critic's estimates for the seats that decided."""
    seats: NDArray[np.int64]
    """(T, B) the seats that decided; -1 where the learner did not."""
    done: NDArray[np.bool_]
    """(T, B) whether the step ended the game."""
    rewards: NDArray[np.float32]
    """(T, B, seats) the rewards of the step."""

    def steps(self) -> dict[str, list[NDArray[Any]]]:
        """One array for each step, by name; ``counts`` and ``actions`` list the legal actions."""
        arrays = {name: [*map(np.asarray, steps)] for name, steps in self._asdict().items() if name != "legal"}
        return arrays | {"counts": [np.diff(own.offsets) for own in self.legal], "actions": [own.actions for own in self.legal]}

    @classmethod
    def of(cls, steps: Mapping[str, list[NDArray[Any]]]) -> Rollout:
        """Make the rollout whose :meth:`steps` these are."""
        inputs, *arrays = (np.stack(steps[name]) for name in cls._fields if name != "legal")
        return cls(torch.from_numpy(inputs), [*map(lists_from, steps["counts"], steps["actions"])], *arrays)


class PpoTrainer(SelfPlayTrainer):
    """Trains the agent ``ppo``; a new run first imitates the agent ``settings.imitate``, if there is one.

    A training step is :meth:`rollout` and :meth:`learn`.

    seed : seed of games, actions, opponents and the network
    device : device of the network, see :func:`~ginkgo_training.devices.chosen_device`

    Raises ConfigError for agents in the settings that cannot play the game.

    >>> from ginkgo_env import make_game
    >>> trainer = PpoTrainer(make_game("my_city"), PpoSettings(games=4, n_steps=2), seed=1)
    >>> numbers = trainer.training_step(remaining=1.0)
    >>> trainer.rollouts
    1
    """

    settings: PpoSettings

    def __init__(self, game: Game, settings: PpoSettings, seed: int, device: str = "cpu") -> None:
        super().__init__(game, settings, seed, device, settings.reward or ("outcome" if game.sides > 1 else "score"))
        self._unit = OUTCOME_UNIT if self.batch.reward == "score" else 1.0
        if settings.imitate:
            require_final(self.batch.reward)
            agent_to_train_with(settings.imitate, game)  # an agent that cannot be imitated is refused early
        if own := settings.network_class:
            self.policy, self.agent_options = own_network(own, game), f":network={own}"
        else:
            self.policy = NetworkPolicy(Network(game, settings.network), seed)
            self._warm_up()
        self.observation = cast(InputKind, self.policy.observation)
        self.policy.to(self.device)
        self.optimizer = torch.optim.Adam(self.policy.parameters(), lr=settings.learning_rate, eps=1e-5, fused=True)
        self._rollout = self._empty_rollout()

    def _warm_up(self) -> None:
        cast(NetworkPolicy, self.policy).scale_inputs(self.seed)

    def _empty_rollout(self) -> Rollout:
        steps, rows, game = self.settings.n_steps, self.batch.size, self.game
        inputs = input_size(self.game, self.observation)
        return Rollout(
            torch.zeros((steps, rows, inputs), pin_memory=self.device.type == "cuda"),
            [],
            np.zeros((steps, rows), np.int64),
            np.zeros((steps, rows), np.float32),
            np.zeros((steps, rows), np.float32),
            np.zeros((steps, rows), np.int64),
            np.zeros((steps, rows), np.bool_),
            np.zeros((steps, rows, game.seats), np.float32),
        )

    def prepare(self, report: Report) -> None:
        """Imitate an agent, if the settings name one."""
        settings = self.settings
        if not settings.imitate:
            return
        torch.manual_seed(self.seed % 2**63)  # torch takes no more bits
        results = imitate(
            *(self.policy, self.game),
            partial(record_decisions, self.game, self.observation, self.batch.reward, self.threads),
            *(settings, self.seed),
            lambda share: report(f"imitating {settings.imitate}", 1 - share),
        )
        self.decisions += results["decisions"]
        self.about["imitation"] = {"agent": settings.imitate, "games": settings.imitate_games} | results

    def training_step(self, remaining: float) -> dict[str, float]:
        """Play one rollout and learn from it; see :meth:`learn` for the numbers returned."""
        self.pool.update_snapshots(self.rollouts, self._weights)
        torch.manual_seed(int(self.random.integers(_SEEDS)))  # for networks with randomness of their own
        return self.learn(self.rollout(), remaining)

    # --- playing -------------------------------------------------------------------------------------------------------------

    @torch.no_grad()
    def rollout(self) -> Rollout:
        """Play on, drawing actions by their probabilities. The next rollout overwrites the result."""
        batch, rollout, every = self.batch, self._rollout, np.arange(self.batch.size)
        self.policy.eval()
        rollout.legal.clear()
        for step in range(self.settings.n_steps):
            write_inputs(batch, self.observation, rollout.inputs[step].numpy())
            rollout.legal.append(batch.legal_actions())
            keys = self.random.integers(2**64, size=batch.size, dtype=np.uint64)
            actions, rollout.places[step], rollout.log_probs[step], rollout.values[step] = self._sample(self.policy, every, keys)
            rollout.seats[step] = self.pool.decide(actions)
            batch.step(actions)
            rollout.done[step], rollout.rewards[step] = batch.done, batch.rewards / self._unit
            self.pool.update()
        self.rollouts += 1
        self.decisions += int(np.count_nonzero(rollout.seats >= 0))
        return rollout

    def _sample(
        self, policy: nn.Module, rows: NDArray[np.int64], keys: NDArray[np.uint64]
    ) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32], NDArray[np.float32]]:
        """Draw actions (k,) in rows (k,) of the current step; return them with places, log probabilities and values."""
        legal, inputs = self._rollout.legal[-1], self._rollout.inputs[len(self._rollout.legal) - 1]
        if len(rows) < len(inputs):
            inputs, legal = inputs[rows], rows_of(legal, rows)
        logits, values = evaluate(policy, inputs.to(self.device, non_blocking=True), legal)
        return *draw(logits, legal, keys), values.numpy()

    def _snapshot_player(self, weights: Arrays) -> Decide:
        policy = deepcopy(self.policy).eval()
        load_module(policy, weights, "")
        return lambda rows, keys: self._sample(policy, rows, keys)[0]

    # --- learning ------------------------------------------------------------------------------------------------------------

    def learn(self, rollout: Rollout, remaining: float = 1.0) -> dict[str, float]:
        """Improve the policy with the learner's decisions in a rollout.

        remaining : the share of the run still ahead, which the learning rate follows

        Returns means for a log: policy loss, value loss, entropy, share of clipped ratios, the share of the variance of the
        returns that the critic explains, and how often the learner has recently finished above each opponent.
        """
        settings = self.settings
        for group in self.optimizer.param_groups:
            group["lr"] = settings.rate_at(remaining)
        for name, parameter in self.policy.named_parameters():  # what is frozen gets no gradient, which Adam leaves alone
            parameter.requires_grad_(1 - remaining >= settings.critic_share or name.startswith(CRITIC))
        advantages, returns = advantages_of(
            *(rollout.rewards, rollout.values, rollout.seats, rollout.done, self._last_values()),
            gamma=settings.gamma,
            lam=settings.gae_lambda,
        )
        learned = np.flatnonzero(rollout.seats >= 0)
        if not learned.size:
            return self.pool.numbers()
        gains = advantages.reshape(-1)
        gains = (gains - gains[learned].mean()) / (gains[learned].std() + 1e-8)
        inputs = rollout.inputs.flatten(0, 1).to(self.device, non_blocking=True)
        counts, actions = zip(*((np.diff(legal.offsets), legal.actions) for legal in rollout.legal), strict=True)
        legal = lists_from(np.concatenate(counts), np.concatenate(actions))
        target = torch.from_numpy(returns.reshape(-1).astype(np.float32))
        played = rollout.places.reshape(-1), rollout.log_probs.reshape(-1), gains.astype(np.float32)
        self.policy.train()
        losses: list[Tensor] = []
        for _ in range(settings.n_epochs):
            order = self.random.permutation(learned)
            for start in range(0, len(order), settings.batch_size):
                rows = order[start : start + settings.batch_size]
                listed, at = rows_of(legal, rows), torch.from_numpy(rows)
                logits, values = evaluate(self.policy, inputs[at.to(self.device)], listed)
                known = listed.offsets, *(array[rows] for array in played), settings.clip_range, settings.ent_coef
                policy, parts = PolicyLoss.apply(logits, *known)  # type: ignore[no-untyped-call, unused-ignore]
                value = ((values - target[at]) ** 2).mean()
                self.optimizer.zero_grad(set_to_none=True)
                (policy + settings.vf_coef * value).backward()
                nn.utils.clip_grad_norm_(self.policy.parameters(), settings.max_grad_norm)
                self.optimizer.step()
                losses.append(torch.cat([parts, value.detach()[None]]))
        means = torch.stack(losses).mean(0).tolist()
        errors = (returns - rollout.values).reshape(-1)[learned]
        explained = 1 - float((errors**2).mean() / (returns.reshape(-1)[learned].var() + 1e-8))
        numbers = dict(zip(("policy_loss", "entropy", "clipped", "value_loss"), means, strict=True))
        return numbers | {"explained": explained} | self.pool.numbers()

    @torch.no_grad()
    def _last_values(self) -> NDArray[np.float32]:
        """The critic's estimates (B, seats) for each seat after the last step."""
        self.policy.eval()
        values, inputs = [], torch.empty_like(self._rollout.inputs[0])
        for seat in range(self.game.seats):
            write_inputs(self.batch, self.observation, inputs.numpy(), seat)
            values.append(self.policy(inputs.to(self.device))[1].cpu().numpy())
        return np.stack(values, axis=1)

    # --- checkpoints ---------------------------------------------------------------------------------------------------------

    def _agent(self) -> Checkpoint:
        game, settings = self.game, self.settings
        layouts = blocks_of(game, ("actions", *LAYOUTS[self.observation]))
        arrays = {POLICY + name: array for name, array in module_arrays(self.policy).items()}
        if settings.network_class:
            own = {"network": settings.network_class, "observation": self.observation}
            return Checkpoint(OWN_KIND, game.name, game.config_dict, layouts, own, arrays=arrays)
        actor = {name: array for name, array in arrays.items() if not name.startswith(POLICY + CRITIC)}
        return Checkpoint(KIND, game.name, game.config_dict, layouts, settings.network.as_dict(), arrays=actor)

    def _state(self) -> Arrays:
        return {POLICY + name: array for name, array in self._weights().items()} | super()._state()  # with the critic

    def _weights(self) -> Arrays:
        return module_arrays(self.policy)

    def _load_learned(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        load_module(self.policy, arrays, "")

    def _load_start(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        critic = {POLICY + name: array for name, array in self._weights().items()}  # which the file of an agent may lack
        load_module(self.policy, critic | dict(arrays), POLICY)

    def _restore(self, arrays: Mapping[str, NDArray[Any]]) -> None:
        load_module(self.policy, arrays, POLICY)
        super()._restore(arrays)
