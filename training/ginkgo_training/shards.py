"""Rollouts in shards: equal parts of a trainer's games, each with random numbers of its own.

A shard's rollout depends on the weights, its games and its random numbers alone. So the setting ``shards`` determines what is
learned; the number of workers and the assignment of shards to them do not: a run on a cluster trains the same agent as one in a
single process. Between rollouts the games are in the trainer's batch, so that checkpoints contain them.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from itertools import starmap
from typing import Any, ClassVar, NamedTuple

import numpy as np
import torch
from msgspec.structs import replace
from numpy.typing import NDArray

from ginkgo_agents.evaluation.cluster import Cluster
from ginkgo_env.core.game import Game
from ginkgo_env.core.running_games import SeedsAndActions, replay
from ginkgo_training.lookahead import LookaheadRollout, LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.ppo import Rollout as PpoRollout
from ginkgo_training.search import SearchRollout, SearchTrainer
from ginkgo_training.self_play import Rollout, SelfPlayTrainer
from ginkgo_training.settings import ShardedSettings

Weights = Mapping[str, NDArray[Any]]


class Shard(NamedTuple):
    """Games that are played side by side, between two rollouts."""

    games: SeedsAndActions
    """The games so far."""
    random: Mapping[str, Any]
    """The state of the shard's random generator."""


class ShardRollout(NamedTuple):
    """A rollout of a shard."""

    steps: dict[str, list[NDArray[Any]]]
    """The lists of a ``Rollout``, one array for each step."""
    shard: Shard
    """The games after the rollout."""
    seconds: float
    """The processor seconds that the rollout took."""


def collect(kind: type[SelfPlayTrainer], game: Game, settings: ShardedSettings, weights: Weights, shard: Shard) -> ShardRollout:
    """Play a shard's rollout: a pure function of its arguments, with the same result wherever it runs.

    kind : class of the trainer
    """
    start = time.process_time()
    without_warm_up = type(kind.__name__, (kind,), {"_warm_up": lambda self: None})  # the games are given
    collector: Any = without_warm_up(game, replace(settings, games=len(shard.games.seeds), shards=1), 0, "cpu")
    collector._load_learned({name: np.array(array) for name, array in weights.items()})  # torch refuses read-only arrays
    replay(collector.batch, shard.games)
    collector.random.bit_generator.state = shard.random
    steps = collector.rollout().steps()
    after = Shard(collector.games.of(collector.batch), collector.random.bit_generator.state)
    return ShardRollout(steps, after, time.process_time() - start)


class _Sharded(SelfPlayTrainer):
    """A trainer whose rollouts are collected in shards, on the workers of a cluster if there is one."""

    kind: ClassVar[type[SelfPlayTrainer]]
    new_rollout: ClassVar[type[Rollout]]
    settings: ShardedSettings

    def __init__(
        self, game: Game, settings: ShardedSettings, seed: int, cluster: Cluster | None = None, device: str = "cpu"
    ) -> None:
        super().__init__(game, settings, seed, device)
        self.cluster = cluster
        keys = [np.random.SeedSequence(seed, spawn_key=(k,)) for k in range(settings.shards)]
        self.randoms = [np.random.Generator(np.random.PCG64(key)) for key in keys]

    def rollout(self) -> Any:
        """Play on in all shards. If this is interrupted, the games are unchanged."""
        weights: Any = self._learned()
        if self.cluster is not None:
            weights = self.cluster.put(weights)
        shards = map(self._shard, range(self.settings.shards))
        calls = [(self.kind, self.game, self.settings, weights, shard) for shard in shards]
        parts = list((starmap if self.cluster is None else self.cluster.starmap)(self.collect, calls))
        for k, part in enumerate(parts):
            replay(self.batch, part.shard.games, self._rows(k))
            self.randoms[k].bit_generator.state = part.shard.random
        if self.cluster is not None:  # the run itself counts the time of this process
            self.seconds += sum(part.seconds for part in parts)
        self.decisions += self.settings.n_steps * self.batch.size
        self.rollouts += 1
        return self._joined([part.steps for part in parts])

    collect = staticmethod(collect)

    def _rows(self, k: int) -> slice:
        size = self.batch.size // self.settings.shards
        return slice(k * size, (k + 1) * size)

    def _shard(self, k: int) -> Shard:
        return Shard(self.games.of(self.batch, self._rows(k)), self.randoms[k].bit_generator.state)

    def _generators(self) -> list[np.random.Generator]:
        return [*super()._generators(), *self.randoms]

    def _joined(self, parts: Sequence[Mapping[str, list[NDArray[Any]]]]) -> Rollout:
        """Join rollouts of shards with the same number of steps into one rollout of all games."""
        rollout = self.new_rollout()
        for name, joined in _joined(parts).items():
            setattr(rollout, name, [torch.from_numpy(array) for array in joined] if name in rollout.tensors else joined)
        return rollout


def _joined(parts: Sequence[Mapping[str, list[NDArray[Any]]]]) -> dict[str, list[NDArray[Any]]]:
    return {name: [*map(np.concatenate, zip(*(part[name] for part in parts), strict=True))] for name in parts[0]}


class ShardedTrainer(_Sharded, LookaheadTrainer):  # type: ignore[misc]
    """Trains ``lookahead`` with rollouts in shards, on the workers of a cluster if there is one."""

    kind, new_rollout = LookaheadTrainer, LookaheadRollout


class ShardedSearchTrainer(_Sharded, SearchTrainer):  # type: ignore[misc]
    """Trains ``search`` with rollouts in shards, on the workers of a cluster if there is one."""

    kind, new_rollout = SearchTrainer, SearchRollout


class ShardedPpoTrainer(_Sharded, PpoTrainer):  # type: ignore[misc]
    """Trains ``ppo`` with rollouts in shards, on the workers of a cluster if there is one."""

    kind = PpoTrainer

    def _joined(self, parts: Sequence[Mapping[str, list[NDArray[Any]]]]) -> PpoRollout:  # type: ignore[override]
        return PpoRollout.of(_joined(parts))
