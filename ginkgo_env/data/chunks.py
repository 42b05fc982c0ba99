"""The chunks that a loader reads: row groups of steps, or replayed games, with the same columns."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

from ginkgo_env.core.game import Game
from ginkgo_env.data.metadata import WIDE
from ginkgo_env.data.play import Columns, GameRunner
from ginkgo_env.data.rebuild import rebuild_games
from ginkgo_env.data.shards import ShardReader

_GAMES = 256  # replayed side by side


class Chunk(NamedTuple):
    """Decisions that are read together."""

    shard: int
    part: int
    """The index of the row group, or of the chunk's first game in its shard."""
    rows: int
    """Number of decisions."""


class ChunkReader(ABC):
    """Reads a data set in chunks."""

    @abstractmethod
    def chunks(self) -> list[Chunk]:
        """All chunks, in order."""

    @abstractmethod
    def read(self, chunk: Chunk, names: Sequence[str]) -> Columns:
        """Read columns of a chunk; those of fixed size as bytes (n, width)."""


class StepChunkReader(ChunkReader):
    """Reads the row groups of files of steps."""

    def __init__(self, reader: ShardReader, shards: Sequence[int]) -> None:
        self._reader, self._shards = reader, shards

    def chunks(self) -> list[Chunk]:
        """All row groups, in order."""
        return [Chunk(k, group, rows) for k in self._shards for group, rows in enumerate(self._reader.group_sizes(k))]

    def read(self, chunk: Chunk, names: Sequence[str]) -> Columns:
        """Read columns of a row group, as views of Arrow's memory."""
        return self._reader.steps(chunk.shard, chunk.part, list(names))


class ReplayChunkReader(ChunkReader):
    """Replays games from their seeds and actions."""

    def __init__(self, reader: ShardReader, shards: Sequence[int], game: Game) -> None:
        self._reader, self._shards, self._game = reader, shards, game
        self._runners: dict[tuple[str, ...], GameRunner] = {}
        self._games = cache(reader.games)

    def chunks(self) -> list[Chunk]:
        """All games, up to 256 in a chunk."""
        chunks = []
        for shard in self._shards:
            decisions = self._games(shard)["decisions"]
            starts = range(0, len(decisions), _GAMES)
            chunks += [Chunk(shard, start, int(decisions[start : start + _GAMES].sum())) for start in starts]
        return chunks

    def read(self, chunk: Chunk, names: Sequence[str]) -> Columns:
        """Replay the games of a chunk."""
        games, own = self._games(chunk.shard), slice(chunk.part, chunk.part + _GAMES)
        start = int(games["decisions"][: chunk.part].sum())
        actions = self._reader.actions(chunk.shard)[start : start + chunk.rows]
        wide = tuple(name for name in WIDE if name in names)
        info = self._reader.info
        if wide not in self._runners:
            self._runners[wide] = GameRunner(self._game, wide, info.reward)
        finished = rebuild_games(info, {name: values[own] for name, values in games.items()}, actions, self._runners[wide])
        rows = finished.rows(0, len(finished))
        return {name: rows[name].copy() if name in wide else rows[name] for name in names}
