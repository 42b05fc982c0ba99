"""Learning to play as another agent does, before reinforcement learning begins."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from ginkgo_agents.arena import deal_seeds
from ginkgo_agents.base import Turn, ask, nth_words
from ginkgo_agents.network import Network
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.rewards import final_rewards
from ginkgo_training.networks import NetworkPolicy

_GAMES = 128  # side by side
_BATCH = 512
_CLIP = 0.5  # largest norm of a gradient
_VALUE = 0.5  # weight of the error of values

Tick = Callable[[float], None]
"""Called with the share that is done, 0 to 1."""


class Decisions(NamedTuple):
    """What an agent saw and did, N decisions.

    inputs : (N, size) float32, as the network sees it
    masks : (N, A) bool
    actions : (N,) int64
    outcomes : (N,) float32, what the game brought the deciding seat in the end: the reward ``win``, 0 with one side
    """

    inputs: NDArray[np.float32]
    masks: NDArray[np.bool_]
    actions: NDArray[np.int64]
    outcomes: NDArray[np.float32]


def watch(network: Network, name: str, games: int, seed: int, tick: Tick) -> Decisions:
    """Let an agent play all seats of so many games."""
    agent, found = make_agent(name, network.game.name), []
    seeds = deal_seeds(seed, network.game.seats, games)
    for start in range(0, games, _GAMES):
        some = seeds[start : start + _GAMES]
        batch, step = Batch(network.game, len(some)), 0
        batch.reset(some)
        parts: list[tuple[NDArray[np.float32], NDArray[np.bool_], NDArray[np.int64]]] = []
        places: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []
        while not batch.over.all():
            step += 1
            rows = np.flatnonzero(~batch.over)
            turn = Turn(batch, rows, nth_words(some[rows], step))
            actions = np.full(batch.size, NO_ACTION, np.int64)
            actions[rows] = ask(agent, turn)
            parts.append((network.input_of(turn), turn.masks != 0, actions[rows]))
            places.append((rows, turn.seats))
            batch.step(actions)
        sides = batch.game.sides
        paid = final_rewards("win" if sides > 1 else "score", batch.totals, batch.standings)
        rows, seats = (np.concatenate(column) for column in zip(*places, strict=True))
        inputs, masks, chosen = (np.concatenate(column) for column in zip(*parts, strict=True))
        found.append(Decisions(inputs, masks, chosen, paid[rows, seats]))
        tick(min(1.0, (start + _GAMES) / games))
    return Decisions(*(np.concatenate(column) for column in zip(*found, strict=True)))


def imitate(policy: NetworkPolicy, decisions: Decisions, epochs: int, rate: float, seed: int, tick: Tick) -> float:
    """Fit actor and critic to decisions; the learning rate falls to zero. Returns the share of equal actions at last."""
    optimizer = torch.optim.Adam([p for p in policy.parameters() if p.requires_grad], lr=rate, eps=1e-5)
    rng, n = np.random.default_rng(seed), len(decisions.actions)
    inputs, masks, actions, outcomes = (torch.from_numpy(array) for array in decisions)
    steps, done, same = epochs * -(-n // _BATCH), 0, 0.0
    for _ in range(epochs):
        same = 0.0
        for some in torch.split(torch.from_numpy(rng.permutation(n)), _BATCH):
            optimizer.param_groups[0]["lr"] = rate * (1 - done / steps)
            logs, values = policy.look(inputs[some], masks[some])
            loss = functional.nll_loss(logs, actions[some]) + _VALUE * functional.mse_loss(values, outcomes[some])
            optimizer.zero_grad()
            loss.backward()  # type: ignore[no-untyped-call, unused-ignore]
            torch.nn.utils.clip_grad_norm_(policy.parameters(), _CLIP)
            optimizer.step()
            same += float((logs.argmax(dim=1) == actions[some]).sum())
            done += 1
        tick(done / steps)
    return same / n
