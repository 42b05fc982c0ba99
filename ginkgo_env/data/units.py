"""What a loader reads at once: a row group of steps, or some games that are played again. Both give the same columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ginkgo_env.core.game import Game
from ginkgo_env.data.metadata import WIDE
from ginkgo_env.data.play import Columns, Player
from ginkgo_env.data.rebuild import rebuilt
from ginkgo_env.data.shards import Shards

_GAMES = 256  # played again side by side


class Unit(NamedTuple):
    """What is read at once."""

    shard: int
    part: int
    """Which row group, or the number of the first game in its shard."""
    rows: int
    """Number of decisions."""


class Units(ABC):
    """The parts of a data set."""

    @abstractmethod
    def all(self) -> list[Unit]:
        """All of them, in order."""

    @abstractmethod
    def read(self, unit: Unit, names: Sequence[str]) -> Columns:
        """The columns of one; those of fixed size as bytes (n, width)."""


class StepUnits(Units):
    """Row groups of files of steps."""

    def __init__(self, files: Shards, shards: Sequence[int]) -> None:
        self._files, self._shards = files, shards

    def all(self) -> list[Unit]:
        """All row groups."""
        return [Unit(k, group, rows) for k in self._shards for group, rows in enumerate(self._files.groups(k))]

    def read(self, unit: Unit, names: Sequence[str]) -> Columns:
        """As in :class:`Units`; these are views of what was read."""
        return self._files.steps(unit.shard, unit.part, list(names))


class RebuiltUnits(Units):
    """Games that are played again from their seeds and actions."""

    def __init__(self, files: Shards, shards: Sequence[int], game: Game) -> None:
        self._files, self._shards, self._game = files, shards, game
        self._players: dict[tuple[str, ...], Player] = {}
        self._read = cache(files.games)

    def all(self) -> list[Unit]:
        """All games, some at a time."""
        found = []
        for shard in self._shards:
            decisions = self._read(shard)["decisions"]
            starts = range(0, len(decisions), _GAMES)
            found += [Unit(shard, start, int(decisions[start : start + _GAMES].sum())) for start in starts]
        return found

    def read(self, unit: Unit, names: Sequence[str]) -> Columns:
        """As in :class:`Units`."""
        games, own = self._read(unit.shard), slice(unit.part, unit.part + _GAMES)
        some = {name: values[own] for name, values in games.items()}
        start = int(games["decisions"][: unit.part].sum())
        actions = self._files.actions(unit.shard)[start : start + unit.rows]
        wide = tuple(name for name in WIDE if name in names)
        if wide not in self._players:
            self._players[wide] = Player(self._game, wide, self._files.about.reward)
        played = rebuilt(self._files.about, some, actions, self._players[wide])
        rows = played.rows(0, len(played))
        return {name: rows[name].copy() if name in wide else rows[name] for name in names}
