"""Load the games and decisions of a data set as numpy arrays or torch tensors."""

from __future__ import annotations

import math
import os
from collections.abc import Iterator, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginkgo_env.core.checks import check_memory, flag, integer
from ginkgo_env.core.errors import IllegalActionError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout
from ginkgo_env.datasets.metadata import STEPS, WIDE, DataError, DatasetInfo, torch_module
from ginkgo_env.datasets.play import Columns, FinishedGames, GameRunner, Integers, replay_policy
from ginkgo_env.datasets.shards import STEP_COLUMNS, ShardReader, complete_shards
from ginkgo_env.records import Record
from ginkgo_env.records.format import MAX_NAME

# --- games replayed from their seeds and actions -----------------------------------------------------------------------------


def rebuild_games(info: DatasetInfo, games: Columns, actions: NDArray[Any], runner: GameRunner) -> FinishedGames:
    """Replay games.

    games : rows of the table of games
    actions : (n,), the actions of these games, one game after the other

    Raises DataError if the number of decisions, the scores or the standings differ from the table.
    """
    decisions = games["decisions"].astype(np.int64)
    starts: Integers = np.cumsum(decisions) - decisions
    numbers = games["game"].astype(np.int64)
    if len(actions) != decisions.sum():
        raise DataError(f"from game {numbers[0]}: expected {decisions.sum()} actions, got {len(actions)}")
    seating = np.array(info.seatings, np.int64)[numbers % len(info.seatings)]
    try:
        finished = runner.play(numbers, games["seed"], seating, replay_policy(actions, starts, decisions))
    except IllegalActionError as error:
        raise DataError(f"the games from game {numbers[0]} cannot be replayed: {error}") from None
    _require_same_results(info, games, finished)
    return finished


def _require_same_results(info: DatasetInfo, games: Columns, finished: FinishedGames) -> None:
    same = finished.games["decisions"] == games["decisions"]
    for name in ("score", "standing"):
        for side in range(len(info.sides)):
            same &= finished.games[name][:, side] == games[f"{name}_{side}"]
    if not same.all():
        wrong = int(games["game"][np.flatnonzero(~same)[0]])
        raise DataError(f"game {wrong} has another result when it is replayed: the data set was made with other rules")


# --- chunks: row groups of steps, or replayed games, with the same columns ---------------------------------------------------


_GAMES = 256  # replayed side by side


class Chunk(NamedTuple):
    """Decisions that are read together."""

    shard: int
    part: int
    """The index of the row group, or of the chunk's first game in its shard."""
    rows: int
    """Number of decisions."""


class StepChunkReader:
    """Reads the row groups of files of steps."""

    def __init__(self, reader: ShardReader, shards: Sequence[int]) -> None:
        self._reader, self._shards = reader, shards

    def chunks(self) -> list[Chunk]:
        """All row groups, in order."""
        return [Chunk(k, group, rows) for k in self._shards for group, rows in enumerate(self._reader.group_sizes(k))]

    def read(self, chunk: Chunk, names: Sequence[str]) -> Columns:
        """Read columns of a row group, as views of Arrow's memory; those of fixed size are bytes (n, width)."""
        return self._reader.steps(chunk.shard, chunk.part, list(names))


class ReplayChunkReader:
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


ChunkReader = StepChunkReader | ReplayChunkReader


# --- batches from chunks, in order or shuffled in bounded memory -------------------------------------------------------------


MEMORY = 1 << 28  # bytes of the shuffle buffer
Selection = NDArray[np.bool_] | None
"""(games,), whether each game is selected; None for all games."""


def ordered_batches(chunks: ChunkReader, names: Sequence[str], size: int, selected: Selection) -> Iterator[Columns]:
    """Batches in the order of the rows, as views where a batch lies within a chunk."""
    parts: list[Columns] = []
    held = 0
    for chunk in chunks.chunks():
        rows = _read_selected(chunks, chunk, names, selected)
        start, n = 0, _count(rows)
        while held + n - start >= size:
            stop = start + size - held
            parts.append(_slice(rows, start, stop))
            yield _concatenate(parts)
            parts, held, start = [], 0, stop
        if start < n:
            parts.append(_slice(rows, start, n))
            held += n - start
    if parts:
        yield _concatenate(parts)


def shuffled_batches(
    chunks: ChunkReader, names: Sequence[str], size: int, rng: np.random.Generator, memory: int, selected: Selection
) -> Iterator[Columns]:
    """Batches in random order: chunks are read in random order, and those in memory are shuffled."""
    ordered = chunks.chunks()
    remaining = [ordered[k] for k in rng.permutation(len(ordered))]
    buffer = _ShuffleBuffer(memory, least=max(chunk.rows for chunk in ordered) + size, most=sum(chunk.rows for chunk in ordered))
    while remaining:
        while remaining and buffer.has_room(remaining[-1].rows):
            buffer.add(_read_selected(chunks, remaining.pop(), names, selected))
        order = rng.permutation(buffer.filled)
        stop = len(order) // size * size if remaining else len(order)
        for start in range(0, stop, size):
            yield buffer.take(order[start : min(start + size, stop)])
        buffer.retain(order[stop:])


class _ShuffleBuffer:
    """Rows that are shuffled together. Its memory is reused, as allocating takes longer than filling it.

    least, most : bounds on the number of rows for which memory is allocated
    """

    def __init__(self, memory: int, least: int, most: int) -> None:
        self.filled, self._memory, self._least, self._most = 0, memory, least, most
        self._capacity = least
        self._data: Columns = {}

    def has_room(self, n: int) -> bool:
        return self.filled + n <= self._capacity

    def add(self, rows: Columns) -> None:
        if not self._data:
            row_bytes = sum(values.dtype.itemsize * math.prod(values.shape[1:]) for values in rows.values())
            self._capacity = min(self._most, max(self._least, self._memory // max(1, row_bytes)))
            check_memory(self._capacity * row_bytes, f"size or memory for {self._capacity} decisions", "a buffer", DataError)
            self._data = {name: np.empty((self._capacity, *values.shape[1:]), values.dtype) for name, values in rows.items()}
        n = _count(rows)
        for name, values in rows.items():
            self._data[name][self.filled : self.filled + n] = values
        self.filled += n

    def take(self, order: NDArray[np.int64]) -> Columns:
        """Copy some rows."""
        return _take(self._data, order)

    def retain(self, order: NDArray[np.int64]) -> None:
        """Remove all other rows."""
        for name, values in self.take(order).items():
            self._data[name][: len(order)] = values
        self.filled = len(order)


def _read_selected(chunks: ChunkReader, chunk: Chunk, names: Sequence[str], selected: Selection) -> Columns:
    """Read the rows of the selected games of a chunk."""
    if selected is None:
        return chunks.read(chunk, names)
    rows = chunks.read(chunk, list(dict.fromkeys([*names, "game"])))
    own = np.flatnonzero(selected[rows["game"]])
    if len(own) == len(rows["game"]):
        return {name: rows[name] for name in names}
    return _take({name: rows[name] for name in names}, own)


def _count(rows: Columns) -> int:
    return len(next(iter(rows.values())))


def _slice(rows: Columns, start: int, stop: int) -> Columns:
    return {name: values[start:stop] for name, values in rows.items()}


def _take(rows: Columns, order: NDArray[np.int64]) -> Columns:
    return {name: values[order] for name, values in rows.items()}


def _concatenate(parts: Sequence[Columns]) -> Columns:
    if len(parts) == 1:
        return parts[0]
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


# --- data sets ---------------------------------------------------------------------------------------------------------------


def load(path: str | os.PathLike[str], *, check: bool = True, partial: bool = False) -> Dataset:
    """Open the data set in a folder.

    check : require the game, layouts included, to be the one that the data set was made with. Without this check steps can be
        read with any version of the package, but games cannot be replayed
    partial : accept an unfinished data set and read its complete shards

    Raises DataError if the folder has no data set, if it is unfinished, or if it was made with another version of the game.

    >>> info = ginkgo_env.datasets.load("data/duels").info  # doctest: +SKIP
    """
    folder = Path(path)
    info = DatasetInfo.read(folder)
    complete = complete_shards(folder, info)
    if not complete or (len(complete) < info.shards and not flag(partial, "partial", DataError)):
        raise DataError(
            f"{str(folder)!r} is unfinished: it has {len(complete)} of {info.shards} shards; "
            "run the command that made them again to make the others, or load with partial=True"
        )
    game = info.make_game() if flag(check, "check", DataError) else None
    numbers = np.concatenate([np.array(info.games_in(k)) for k in complete])
    return Dataset(folder, info, complete, game, numbers)


class Dataset:
    """A data set, or some of its games.

    Attributes
    ----------
    info : the description, see :class:`~ginkgo_env.datasets.metadata.DatasetInfo`
    numbers : (n,) int64, the numbers of the games

    >>> for batch in dataset.batches(1024, seed=0):  # doctest: +SKIP
    ...     batch["observation"]  # (1024, size)
    """

    def __init__(
        self, folder: Path, info: DatasetInfo, shards: Sequence[int], game: Game | None, numbers: NDArray[np.int64]
    ) -> None:
        self.folder, self.info, self.numbers = folder, info, numbers
        self._shards, self._game, self._reader = list(shards), game, ShardReader(folder, info)

    def __len__(self) -> int:
        """Number of decisions."""
        return int(self.games["decisions"].sum())

    def __repr__(self) -> str:
        return f"Dataset({self.info.game!r}, {len(self.numbers)} games, {len(self)} decisions)"

    @property
    def game(self) -> Game:
        """The game in its configuration. Raises DataError if it differs from the data set's."""
        if self._game is None:
            self._game = self.info.make_game()
        return self._game

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a batch.

        Legal actions are in ``mask``; the list ``legal`` in the files is for other tools.
        """
        missing = {"legal", *WIDE} - {*self.info.wide}
        return tuple(column.name for column in STEP_COLUMNS if column.name not in missing)

    @property
    def observation(self) -> Layout:
        """The layout of observations, as of when the data set was made.

        ``dataset.observation.view(batch["observation"], "city")`` is a block.
        """
        return self.info.layout("observation")

    @property
    def features(self) -> Layout:
        """The layout of features."""
        return self.info.layout("features")

    @property
    def actions(self) -> Layout:
        """The layout of actions and masks."""
        return self.info.layout("actions")

    @cached_property
    def games(self) -> Columns:
        """The table of games as arrays by column name, see ``docs/data.md``."""
        parts = [self._reader.games(k) for k in self._shards]
        numbers = np.concatenate([part["game"] for part in parts])
        own = np.isin(numbers, self.numbers)
        return {name: np.concatenate([part[name] for part in parts])[own] for name in parts[0]}

    def record(self, number: int) -> Record:
        """Return the record of a game. Raises DataError if the data set does not have the game."""
        at = np.flatnonzero(self.games["game"] == integer(number, 0, None, "game", DataError))
        if not at.size:
            raise DataError(f"this data set has no game {number}")
        finished, _ = next(self.select(np.array([number])).replay_games())
        names = [str(self.games[f"agent_{seat}"][at[0]])[-MAX_NAME:] for seat in range(self.info.seats)]
        return Record.from_actions(self.game, int(finished.seeds[0]), finished.steps["action"].tolist(), names)

    def replay_games(self, wide: Sequence[str] = (), games: int = 64) -> Iterator[tuple[FinishedGames, GameRunner]]:
        """Replay the games, up to `games` at a time; yield them with the runner that played them.

        wide : the columns of fixed size to compute, of ``observation``, ``features`` and ``mask``
        """
        runner = GameRunner(self.game, wide, self.info.reward)
        for shard in self._shards:
            table = self._reader.games(shard)
            own = np.flatnonzero(np.isin(table["game"], self.numbers))
            actions = np.split(self._reader.actions(shard), np.cumsum(table["decisions"])[:-1]) if own.size else []
            for start in range(0, len(own), games):
                rows = own[start : start + games]
                part = {name: values[rows] for name, values in table.items()}
                yield rebuild_games(self.info, part, np.concatenate([actions[k] for k in rows]), runner), runner

    def select(self, games: ArrayLike) -> Dataset:
        """Select games by a boolean for each row of ``games``, or by their numbers. Raises DataError."""
        try:
            numbers = np.asarray(games)
        except ValueError:  # nested lists of different lengths
            numbers = np.zeros((0, 0))
        if numbers.dtype == np.bool_ and numbers.shape == self.numbers.shape:
            numbers = self.numbers[numbers]
        if numbers.ndim != 1 or numbers.dtype.kind not in "iu" or not np.isin(numbers, self.numbers).all():
            raise DataError(
                f"games must be a boolean for each game or numbers of games of this data set, got {short_repr(games)}"
            )
        return Dataset(self.folder, self.info, self._shards, self._game, np.unique(numbers).astype(np.int64))

    def split(self, fraction: float = 0.1, seed: int = 0) -> tuple[Dataset, Dataset]:
        """Split the games at random into a training set and a validation set with a fraction of them."""
        if not 0 < fraction < 1:
            raise DataError(f"fraction must be between 0 and 1, exclusive, got {short_repr(fraction)}")
        if len(self.numbers) < 2:
            raise DataError(f"split needs at least 2 games, got {len(self.numbers)}")
        order = np.random.default_rng(integer(seed, 0, None, "seed", DataError)).permutation(self.numbers)
        n = min(len(order) - 1, max(1, round(fraction * len(order))))
        return self.select(order[n:]), self.select(order[:n])

    def batches(
        self,
        size: int = 1024,
        *,
        shuffle: bool = True,
        seed: int = 0,
        columns: Sequence[str] | None = None,
        torch: bool = False,
        memory: int = MEMORY,
    ) -> Iterator[dict[str, Any]]:
        """Iterate over all decisions once, in batches; the last one may be smaller.

        size : number of decisions of a batch
        shuffle : use a random order, given by the seed; otherwise the order of games and steps
        columns : names of the columns; all by default
        torch : return tensors instead of arrays
        memory : size of the shuffle buffer in bytes; chunks from all over the data set fill it

        A batch is a dict of ``observation`` (n, size) in the game's dtype, ``features`` (n, size) float32, ``mask`` (n, A)
        int8, and the other columns (n,). Without shuffling, arrays may be read-only views.

        Raises DataError for invalid arguments.
        """
        names = self._column_names(columns)
        size, seed = integer(size, 1, None, "size", DataError), integer(seed, 0, None, "seed", DataError)
        convert = torch_module().from_numpy if torch else None
        selected = np.zeros(self.info.games, np.bool_)
        selected[self.numbers] = True
        some = None if selected.all() else selected
        packed = (
            shuffled_batches(self._chunks, names, size, np.random.default_rng(seed), memory, some)
            if flag(shuffle, "shuffle", DataError)
            else ordered_batches(self._chunks, names, size, some)
        )
        return (self._batch(batch, names, convert) for batch in packed)

    def arrays(self, columns: Sequence[str] | None = None) -> dict[str, Any]:
        """Return all decisions at once, in order. Raises DataError if no game is selected."""
        names = self._column_names(columns)
        if not len(self.numbers):
            raise DataError("no game is selected")
        return next(self.batches(1 << 62, shuffle=False, columns=names))

    @cached_property
    def _chunks(self) -> ChunkReader:
        if self.info.content == STEPS:
            return StepChunkReader(self._reader, self._shards)
        return ReplayChunkReader(self._reader, self._shards, self.game)

    def _column_names(self, columns: Sequence[str] | None) -> list[str]:
        names = list(self.columns if columns is None else columns)
        if not names or isinstance(columns, str) or (unknown := [name for name in names if name not in self.columns]):
            wrong = short_repr(columns) if isinstance(columns, str) or not names else ", ".join(map(short_repr, unknown))
            raise DataError(f"columns must be a list of names from {', '.join(self.columns)}, got {wrong}")
        return names

    def _batch(self, rows: Columns, names: Sequence[str], convert: Any) -> dict[str, Any]:
        """View bytes as their dtype, unpack masks and convert to tensors."""
        batch: dict[str, Any] = {}
        for name in names:
            values = rows[name]
            if name == "mask":
                n = self.info.layouts["actions"].size
                values = np.unpackbits(values, axis=1, count=n, bitorder="little").view(np.int8)
            elif values.ndim == 2:
                values = values.view(self.info.dtype(name))
            if convert is not None:
                values = convert(values if values.flags.writeable else values.copy())
            batch[name] = values
        return batch
