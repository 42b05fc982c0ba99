"""Rollouts in shards: equal parts of a trainer's games, each with random numbers of its own.

A shard's rollout depends on the weights, its games and its random numbers alone. So the setting ``shards`` determines what is
learned; the number of workers and the assignment of shards to them do not: a run on a cluster trains the same agent as one in a
single process. Between rollouts the games are in the trainer's batch, so that checkpoints contain them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import starmap
from typing import Any, NamedTuple

import numpy as np
import torch
from msgspec.structs import replace
from numpy.typing import NDArray

from ginkgo_agents.evaluation.cluster import Cluster
from ginkgo_env.core.arguments import checked
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.core.running_games import SeedsAndActions, replay
from ginkgo_training.devices import AUTO
from ginkgo_training.lookahead import LookaheadTrainer, Rollout
from ginkgo_training.settings import LookaheadSettings

Weights = Mapping[str, NDArray[Any]]
_TENSORS = ("leaves", "features")  # of a rollout; Ray copies arrays faster
_FIELDS = list(vars(Rollout()))


class Shard(NamedTuple):
    """Games that are played side by side, between two rollouts."""

    games: SeedsAndActions
    """The games so far."""
    random: Mapping[str, Any]
    """The state of their random generator."""


class ShardRollout(NamedTuple):
    """A rollout of a shard."""

    steps: dict[str, list[NDArray[Any]]]
    """The lists of a ``Rollout``, one array for each step."""
    shard: Shard
    """The games after the rollout."""
    seconds: float
    """Processor seconds that it took."""


class _Collector(LookaheadTrainer):
    """Plays as a trainer does, from given games."""

    def _warm_up(self) -> None:
        """Do nothing: the games are given."""


@checked(ConfigError)
def collect(game: Game, settings: LookaheadSettings, weights: Weights, shard: Shard) -> ShardRollout:
    """Play a shard's rollout: a pure function of its arguments, with the same result wherever it runs."""
    start = time.process_time()
    collector = _Collector(game, replace(settings, games=len(shard.games.seeds), shards=1), 0, "cpu")
    writable = {name: np.array(array) for name, array in weights.items()}  # torch refuses Ray's read-only arrays
    collector.scorer.load(writable, "scorer")
    collector.critic.load(writable, "critic")
    with torch.no_grad():
        collector.tau.fill_(float(writable["tau"]))
    replay(collector.batch, shard.games)
    collector.random.bit_generator.state = shard.random
    rollout = collector.rollout()
    steps = {name: [np.asarray(array) for array in getattr(rollout, name)] for name in _FIELDS}
    after = Shard(collector.games.of(collector.batch), collector.random.bit_generator.state)
    return ShardRollout(steps, after, time.process_time() - start)


class ShardedTrainer(LookaheadTrainer):
    """A trainer whose rollouts are collected in shards, on the workers of a cluster if there is one."""

    @checked(ConfigError)
    def __init__(
        self, game: Game, settings: LookaheadSettings, seed: int, cluster: Cluster | None = None, device: str = AUTO
    ) -> None:
        super().__init__(game, settings, seed, device)
        self.cluster = cluster
        keys = [np.random.SeedSequence(seed, spawn_key=(k,)) for k in range(settings.shards)]
        self.randoms = [np.random.Generator(np.random.PCG64(key)) for key in keys]

    def rollout(self) -> Rollout:
        """Play on in all shards. If this is interrupted, the games are unchanged."""
        weights: Any = (
            self.scorer.arrays("scorer") | self.critic.arrays("critic") | {"tau": self.tau.detach().cpu().numpy().copy()}
        )
        if self.cluster is not None:
            weights = self.cluster.put(weights)
        calls = [(self.game, self.settings, weights, shard) for shard in map(self._shard, range(self.settings.shards))]
        parts = list((starmap if self.cluster is None else self.cluster.starmap)(self.collect, calls))
        for k, part in enumerate(parts):
            replay(self.batch, part.shard.games, self._rows(k))
            self.randoms[k].bit_generator.state = part.shard.random
        if self.cluster is not None:  # the run counts what this process spent itself
            self.seconds += sum(part.seconds for part in parts)
        self.decisions += self.settings.n_steps * self.batch.size
        self.rollouts += 1
        return _joined([part.steps for part in parts])

    collect = staticmethod(collect)

    def _rows(self, k: int) -> slice:
        size = self.batch.size // self.settings.shards
        return slice(k * size, (k + 1) * size)

    def _shard(self, k: int) -> Shard:
        return Shard(self.games.of(self.batch, self._rows(k)), self.randoms[k].bit_generator.state)

    def _generators(self) -> list[np.random.Generator]:
        return [*super()._generators(), *self.randoms]


def _joined(parts: Sequence[Mapping[str, list[NDArray[Any]]]]) -> Rollout:
    """Rollouts of shards, with as many steps each, as one rollout of all games."""
    rollout = Rollout()
    for name in _FIELDS:
        joined = [np.concatenate(rows) for rows in zip(*(part[name] for part in parts), strict=True)]
        setattr(rollout, name, [torch.from_numpy(array) for array in joined] if name in _TENSORS else joined)
    return rollout
