"""Imitation of another agent, before reinforcement learning begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from ginkgo_agents.base import Agent, DecisionBatch, KernelThreads, nth_keys, sample_actions
from ginkgo_agents.evaluation.benchmark.tasks import unreserved
from ginkgo_agents.evaluation.matches import deal_seeds
from ginkgo_agents.ppo import InputKind
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.checks import shaped
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.rewards import Reward, final_rewards
from ginkgo_training.networks import input_size, write_inputs
from ginkgo_training.opponents import agent_to_train_with
from ginkgo_training.settings import PpoSettings

_GAMES = 128  # games played side by side
_PORTION = 1024  # games to learn from at a time, which bounds memory
_BATCH = 512
_DEALS = 770_000  # added to the seed, so that deals differ from those of leaderboards
_CLIP = 0.5  # largest norm of a gradient
_NEVER = -1e8  # the logit of an illegal action
_VALUE = 0.5  # weight of the error of values

Tick = Callable[[float], None]
"""Called with the share of the work that is done, 0 to 1."""


class Decisions(NamedTuple):
    """The observations and actions of an agent in N decisions.

    inputs : (N, size) float32, as the network reads them
    masks : (N, A) bool
    probabilities : (N, A) float32, the probabilities with which the agent draws its actions
    outcomes : (N,) float32, the reward of the deciding seat at the end of the game
    """

    inputs: NDArray[np.float32]
    masks: NDArray[np.bool_]
    probabilities: NDArray[np.float32]
    outcomes: NDArray[np.float32]


def record_decisions(
    game: Game, observation: InputKind, reward: Reward, threads: KernelThreads, agent: Agent, seeds: NDArray[np.uint64]
) -> Decisions:
    """Let an agent play all seats in the games of the seeds (games,), and return its decisions.

    threads : run its compiled loops
    """
    batch, step = Batch(game, len(shaped(seeds, (None,), "seeds", ConfigError))), 0
    batch.reset(seeds)
    recorded: list[tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.float32]]] = []
    deciders: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
    seen = np.empty((batch.size, input_size(game, observation)), np.float32)
    while not batch.over.all():
        step += 1
        rows = np.flatnonzero(~batch.over)
        turn = DecisionBatch(batch, rows, nth_keys(seeds[rows], step), threads)
        probabilities = agent.probabilities(turn)
        actions = np.full(batch.size, NO_ACTION, np.int64)
        actions[rows] = sample_actions(probabilities, nth_keys(turn.keys, 1))
        write_inputs(batch, observation, seen)
        recorded.append((seen[rows], turn.masks != 0, probabilities.astype(np.float32)))
        deciders.append((rows, turn.seats))
        batch.step(actions)
    rewards = final_rewards(reward, batch.totals, batch.standings)
    rows, seats = (np.concatenate(column) for column in zip(*deciders, strict=True))
    inputs, masks, probabilities = (np.concatenate(column) for column in zip(*recorded, strict=True))
    return Decisions(inputs, masks, probabilities, rewards[rows, seats])  # type: ignore[arg-type]


Recorder = Callable[[Agent, NDArray[np.uint64]], Decisions]
""":func:`record_decisions` of a game, with the input and the reward of the learner."""


def imitate(policy: nn.Module, game: Game, record: Recorder, settings: PpoSettings, seed: int, tick: Tick) -> dict[str, Any]:
    """Fit the actor to the action probabilities of an agent, and the critic to the results of its games.

    record : plays the games
    settings : ``imitate`` names the agent
    Games are played and learned from portion by portion, so that any number of them fits into memory. The learning rate falls
    to zero. Returns the number of decisions, and the share of the decisions in the last portion in which both prefer the same
    action.
    """
    agent, games, epochs = agent_to_train_with(settings.imitate, game), settings.imitate_games, settings.imitate_epochs
    optimizer = torch.optim.Adam(policy.parameters(), lr=settings.imitate_rate, eps=1e-5)
    rng, decided, agreement = np.random.default_rng(seed), 0, 0.0
    seeds = deal_seeds(unreserved(_DEALS + seed), game.seats, games)
    portions = [seeds[start : start + _PORTION] for start in range(0, games, _PORTION)]
    for k, portion in enumerate(portions):
        parts = []
        for start in range(0, len(portion), _GAMES):
            parts.append(record(agent, portion[start : start + _GAMES]))
            tick((k + min(1.0, (start + _GAMES) / len(portion)) / 2) / len(portions))
        decisions = Decisions(*(np.concatenate(column) for column in zip(*parts, strict=True)))
        for epoch in range(epochs):
            done = (k + epoch / epochs) / len(portions)
            optimizer.param_groups[0]["lr"] = settings.imitate_rate * (1 - done)
            agreement = _fit(policy, optimizer, decisions, rng.permutation(len(decisions.outcomes)))
            tick((k + 0.5 + (epoch + 1) / (2 * epochs)) / len(portions))
        decided += len(decisions.outcomes)
    return {"decisions": decided, "same_actions": agreement}


def _fit(policy: nn.Module, optimizer: torch.optim.Optimizer, decisions: Decisions, order: NDArray[np.int64]) -> float:
    """Fit in one pass over decisions; return the share in which policy and agent prefer the same action."""
    arrays, same, device = [torch.from_numpy(array) for array in decisions], 0.0, next(policy.parameters()).device
    for rows in torch.split(torch.from_numpy(order), _BATCH):
        inputs, masks, targets, outcomes = (array[rows].to(device) for array in arrays)
        logits, values = policy(inputs)
        logs = torch.log_softmax(torch.where(masks, logits, _NEVER), dim=1)
        cross_entropy = -(targets * logs.masked_fill(targets == 0, 0.0)).sum(dim=1).mean()
        loss = cross_entropy + _VALUE * functional.mse_loss(values, outcomes)
        optimizer.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
        torch.nn.utils.clip_grad_norm_(policy.parameters(), _CLIP)
        optimizer.step()
        same += float((logs.argmax(dim=1) == targets.argmax(dim=1)).sum())
    return same / len(order)
