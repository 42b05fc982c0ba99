"""Rollouts in shards: the games of a trainer in equal parts, each with random numbers of its own.

A shard's rollout depends on the weights, its games and its random numbers alone. So the setting ``shards`` decides what is
learned, and neither how many workers there are nor which one collects what: a run on a cluster trains the same agent as one in
a single process. Between rollouts the games are in the trainer's batch, so that checkpoints have them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray

from ginkgo_agents.agents.checkpoints import Checkpoint
from ginkgo_agents.evaluation.cluster import Cluster
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_training.devices import AUTO
from ginkgo_training.generators import take_words, words_of
from ginkgo_training.lookahead import Rollout, Settings, Trainer

Weights = Mapping[str, NDArray[Any]]
_TENSORS = ("leaves", "present")  # of a rollout; Ray copies arrays faster
_STEPS = [name for name, value in vars(Rollout()).items() if isinstance(value, list)]


class Shard(NamedTuple):
    """Games that are played side by side, between two rollouts."""

    states: NDArray[np.uint8]
    """(games, bytes of a record)"""
    random: NDArray[np.uint64]
    """(6,): the state of their generator, see ``generators``."""


class Collected(NamedTuple):
    """A rollout of a shard."""

    steps: dict[str, list[NDArray[Any]]]
    """The lists of a ``Rollout``, one array for each step."""
    shard: Shard
    """Where the games are now."""
    seconds: float
    """Processor seconds that it took."""


class _Collector(Trainer):
    """Plays as a trainer does, from given states."""

    def _warm_up(self) -> None:
        """The games are given."""


def collect(game: Game, settings: Settings, weights: Weights, shard: Shard) -> Collected:
    """Play a shard's rollout. A function of its arguments: it changes nothing, and gives the same wherever it runs."""
    start = time.process_time()
    one = _Collector(game, replace(settings, games=len(shard.states)), 0, "cpu")
    own = {name: np.array(array) for name, array in weights.items()}  # what comes from Ray cannot be written, which torch wants
    one.scorer.load(own, "scorer")
    one.critic.load(own, "critic")
    with torch.no_grad():
        one.tau.fill_(float(own["tau"]))
    _put_states(one, slice(None), shard.states)
    take_words(one.random, shard.random)
    seen = one.rollout()
    steps = {name: [np.asarray(array) for array in getattr(seen, name)] for name in _STEPS}
    return Collected(steps, Shard(_states_of(one, slice(None)), words_of(one.random)), time.process_time() - start)


class ShardedTrainer(Trainer):
    """A trainer whose rollouts are collected in ``settings.shards`` parts, on the workers of a cluster if there is one."""

    def __init__(self, game: Game, settings: Settings, seed: int, cluster: Cluster | None = None, device: str = AUTO) -> None:
        if settings.games % settings.shards:
            raise ConfigError(f"games={settings.games} cannot be divided into shards={settings.shards}")
        super().__init__(game, settings, seed, device)
        self.cluster = cluster
        keys = [np.random.SeedSequence(seed, spawn_key=(k,)) for k in range(settings.shards)]
        self.randoms = [np.random.Generator(np.random.PCG64(key)) for key in keys]

    def rollout(self) -> Rollout:
        """Play on in all shards. If this is interrupted, the games are where they were before."""
        weights: Any = (
            self.scorer.arrays("scorer") | self.critic.arrays("critic") | {"tau": self.tau.detach().cpu().numpy().copy()}
        )
        if self.cluster is not None:
            weights = self.cluster.put(weights)
        calls = [(self.game, self.settings, weights, shard) for shard in map(self._shard, range(self.settings.shards))]
        found = list((starmap if self.cluster is None else self.cluster.starmap)(self.collect, calls))
        for k, one in enumerate(found):
            _put_states(self, self._rows(k), one.shard.states)
            take_words(self.randoms[k], one.shard.random)
        if self.cluster is not None:  # what this process spent itself is counted by the run
            self.seconds += sum(one.seconds for one in found)
        self.decisions += self.settings.steps * self.batch.size
        self.rollouts += 1
        return _joined([one.steps for one in found])

    collect = staticmethod(collect)

    def _rows(self, k: int) -> slice:
        size = self.batch.size // self.settings.shards
        return slice(k * size, (k + 1) * size)

    def _shard(self, k: int) -> Shard:
        return Shard(_states_of(self, self._rows(k)), words_of(self.randoms[k]))

    def _state(self) -> dict[str, NDArray[Any]]:
        return super()._state() | {"shards.random": np.stack([words_of(random) for random in self.randoms])}

    def resume(self, checkpoint: Checkpoint) -> None:
        """Go on from a whole checkpoint. Raises ConfigError if it does not fit."""
        super().resume(checkpoint)
        for random, words in zip(self.randoms, checkpoint.arrays["shards.random"], strict=True):
            take_words(random, words)


def _states_of(trainer: Trainer, rows: slice) -> NDArray[np.uint8]:
    states = trainer.batch.states[rows]
    return states.view(np.uint8).reshape(len(states), -1).copy()


def _put_states(trainer: Trainer, rows: slice, states: NDArray[np.uint8]) -> None:
    batch = trainer.batch
    batch.set_states(np.arange(batch.size)[rows], np.array(states).view(batch.states.dtype).reshape(-1).view(np.recarray))


def _joined(parts: Sequence[Mapping[str, list[NDArray[Any]]]]) -> Rollout:
    """Rollouts of shards, with as many steps each, as one of all games."""
    seen = Rollout()
    for name in _STEPS:
        joined = [np.concatenate(rows) for rows in zip(*(part[name] for part in parts), strict=True)]
        setattr(seen, name, [torch.from_numpy(array) for array in joined] if name in _TENSORS else joined)
    return seen
