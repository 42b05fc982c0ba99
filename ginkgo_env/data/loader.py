"""The loader: the games and decisions of a data set as arrays of numpy, or tensors of torch."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginkgo_env.core.checks import flag, integer
from ginkgo_env.core.errors import shown
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout
from ginkgo_env.data import optional_dependencies
from ginkgo_env.data.metadata import STEPS, DataError, DatasetInfo
from ginkgo_env.data.play import Columns, FinishedGames, Player
from ginkgo_env.data.rebuild import rebuilt
from ginkgo_env.data.schema import STEP_COLUMNS
from ginkgo_env.data.shards import Shards, whole_shards
from ginkgo_env.data.shuffle import MEMORY, in_order, mixed
from ginkgo_env.data.units import RebuiltUnits, StepUnits, Units
from ginkgo_env.records import Record
from ginkgo_env.records.format import MAX_NAME


def load(path: str | os.PathLike[str], *, check: bool = True, partial: bool = False) -> Dataset:
    """The data set in a folder.

    check : whether the game must still be the one that the data set was made with, layouts included. Without it steps can be
        read by any version; games cannot be played again
    partial : whether a data set that is not finished is read as far as it goes

    Raises DataError if there is none, if it is not finished, or does not belong to this version.
    """
    folder = Path(path)
    about = DatasetInfo.read(folder)
    whole = whole_shards(folder, about)
    if not whole or (len(whole) < about.shards and not flag(partial, "partial", DataError)):
        raise DataError(
            f"{str(folder)!r} has {len(whole)} of {about.shards} shards: the command that made them goes on where it ended"
        )
    game = about.make_game() if flag(check, "check", DataError) else None
    numbers = np.concatenate([np.array(about.games_of(k)) for k in whole])
    return Dataset(folder, about, whole, game, numbers)


class Dataset:
    """A data set, or some of its games.

    Attributes
    ----------
    about : its description, see :class:`~ginkgo_env.data.metadata.DatasetInfo`
    numbers : (n,) int64, the numbers of its games

    >>> for batch in dataset.batches(1024, seed=0):  # doctest: +SKIP
    ...     batch["observation"]  # (1024, size)
    """

    def __init__(
        self, folder: Path, about: DatasetInfo, shards: Sequence[int], game: Game | None, numbers: NDArray[np.int64]
    ) -> None:
        self.folder, self.about, self.numbers = folder, about, numbers
        self._shards, self._game, self._files = list(shards), game, Shards(folder, about)

    def __len__(self) -> int:
        """Number of decisions."""
        return int(self.games["decisions"].sum())

    def __repr__(self) -> str:
        return f"Dataset({self.about.game!r}, {len(self.numbers)} games, {len(self)} decisions)"

    # --- what there is

    @property
    def game(self) -> Game:
        """The game in its configuration. Raises DataError if it is no longer the one that the data set was made with."""
        if self._game is None:
            self._game = self.about.make_game()
        return self._game

    @property
    def columns(self) -> tuple[str, ...]:
        """The names of the columns of a batch."""
        missing = {column.name for column in STEP_COLUMNS if column.kind == "binary"} - set(self._wide)
        return tuple(column.name for column in STEP_COLUMNS if column.name not in missing)

    @property
    def observation(self) -> Layout:
        """The layout of ``observation``, as it was written; ``features`` and ``actions`` likewise.

        ``data.observation.view(batch["observation"], "city")`` is a block.
        """
        return self.about.layout("observation")

    @property
    def features(self) -> Layout:
        """The layout of ``features``."""
        return self.about.layout("features")

    @property
    def actions(self) -> Layout:
        """The layout of actions and masks."""
        return self.about.layout("actions")

    @cached_property
    def games(self) -> Columns:
        """The table of games as arrays by name; see ``docs/data.md`` for the columns."""
        parts = [self._files.games(k) for k in self._shards]
        numbers = np.concatenate([part["game"] for part in parts])
        own = np.isin(numbers, self.numbers)
        return {name: np.concatenate([part[name] for part in parts])[own] for name in parts[0]}

    def record(self, number: int) -> Record:
        """A game as a record, to be watched or replayed. Raises DataError for a game that is not among these."""
        at = np.flatnonzero(self.games["game"] == integer(number, 0, None, "game", DataError))
        if not at.size:
            raise DataError(f"this data set has no game {number}")
        played, _ = next(self.only(np.array([number])).replayed())
        names = [str(self.games[f"agent_{seat}"][at[0]])[-MAX_NAME:] for seat in range(self.about.seats)]
        return Record.from_actions(self.game, int(played.seeds[0]), played.steps["action"].tolist(), names)

    def replayed(self, wide: Sequence[str] = (), games: int = 64) -> Iterator[tuple[FinishedGames, Player]]:
        """The games played again, some at a time, and the player that has just done so.

        wide : which of ``observation``, ``features`` and ``mask`` are made, whatever the files hold
        """
        player = Player(self.game, wide, self.about.reward)
        for shard in self._shards:
            table = self._files.games(shard)
            own = np.flatnonzero(np.isin(table["game"], self.numbers))
            actions = np.split(self._files.actions(shard), np.cumsum(table["decisions"])[:-1]) if own.size else []
            for start in range(0, len(own), games):
                now = own[start : start + games]
                some = {name: values[now] for name, values in table.items()}
                yield rebuilt(self.about, some, np.concatenate([actions[k] for k in now]), player), player

    # --- some of the games

    def only(self, games: ArrayLike) -> Dataset:
        """Some of these games: a boolean for each row of ``games``, or numbers of games. Raises DataError for others."""
        chosen = np.asarray(games)
        if chosen.dtype == np.bool_ and chosen.shape == self.numbers.shape:
            chosen = self.numbers[chosen]
        if chosen.ndim != 1 or chosen.dtype.kind not in "iu" or not np.isin(chosen, self.numbers).all():
            raise DataError("invalid games; expected a boolean for each game, or numbers of games of this data set")
        return Dataset(self.folder, self.about, self._shards, self._game, np.unique(chosen).astype(np.int64))

    def split(self, share: float = 0.1, seed: int = 0) -> tuple[Dataset, Dataset]:
        """Games for training and a share of them for validation, by random; no game is in both."""
        if not 0 < share < 1 or len(self.numbers) < 2:
            raise DataError(f"invalid share {shown(share)}; expected a number between 0 and 1, and at least two games")
        order = np.random.default_rng(integer(seed, 0, None, "seed", DataError)).permutation(self.numbers)
        n = min(len(order) - 1, max(1, round(share * len(order))))
        return self.only(order[n:]), self.only(order[:n])

    # --- decisions

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
        """All decisions once, in batches; the last one may be smaller.

        shuffle : in random order, which the seed decides. What is mixed at a time takes `memory` bytes at most, and is drawn from
            all over the data set; otherwise in the order of games and steps
        columns : names of the columns; by default all
        torch : tensors in place of arrays

        Each batch has by name: ``observation`` (n, size) in the game's dtype, ``features`` (n, size) float32, ``mask`` (n, A)
        int8, and the narrow columns (n,). Without shuffling arrays may be views that cannot be written.
        """
        names = self._chosen(columns)
        size, seed = integer(size, 1, None, "size", DataError), integer(seed, 0, None, "seed", DataError)
        convert = optional_dependencies.torch().from_numpy if torch else None
        member = np.zeros(self.about.games, np.bool_)
        member[self.numbers] = True
        every = bool(member.all())
        packed = (
            mixed(self._units, names, size, np.random.default_rng(seed), memory, None if every else member)
            if flag(shuffle, "shuffle", DataError)
            else in_order(self._units, names, size, None if every else member)
        )
        return (self._batch(batch, names, convert) for batch in packed)

    def arrays(self, columns: Sequence[str] | None = None) -> dict[str, Any]:
        """All decisions at once, in order: for data sets that fit into memory. Raises DataError if no game is left."""
        names = self._chosen(columns)
        if not len(self.numbers):
            raise DataError("no games are left: there are no decisions")
        parts = list(self.batches(1 << 62, shuffle=False, columns=names))
        return parts[0]

    @cached_property
    def _units(self) -> Units:
        if self.about.content == STEPS:
            return StepUnits(self._files, self._shards)
        return RebuiltUnits(self._files, self._shards, self.game)

    @property
    def _wide(self) -> Sequence[str]:
        return self.about.wide

    def _chosen(self, columns: Sequence[str] | None) -> list[str]:
        names = list(self.columns if columns is None else columns)
        if not names or isinstance(columns, str) or (unknown := [name for name in names if name not in self.columns]):
            wrong = shown(columns) if isinstance(columns, str) or not names else ", ".join(map(shown, unknown))
            raise DataError(f"invalid columns: {wrong}; expected some of {', '.join(self.columns)}")
        return names

    def _batch(self, rows: Columns, names: Sequence[str], convert: Any) -> dict[str, Any]:
        """A batch as it is handed out: bytes in their dtype, masks unpacked."""
        found: dict[str, Any] = {}
        for name in names:
            values = rows[name]
            if name == "mask":
                n = self.about.layouts["actions"].size
                values = np.unpackbits(values, axis=1, count=n, bitorder="little").view(np.int8)
            elif values.ndim == 2:
                values = values.view(self.about.dtype(name))
            if convert is not None:
                values = convert(values if values.flags.writeable else values.copy())
            found[name] = values
        return found
