"""Shards of a data set: played, and written by a thread of their own while the next one is played."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.game import Game
from ginkgo_env.data import optional_dependencies
from ginkgo_env.data.metadata import DatasetInfo
from ginkgo_env.data.play import Choose, Player, Tick
from ginkgo_env.data.shards import open_folder, write_shard


class ShardWriter:
    """Makes the shards of a data set in a folder, which is begun or continued. A context manager: leaving it ends its threads.

    ``whole`` are the numbers of the shards that are there already. Two shards are in memory at a time.

    Raises DataError if the folder holds another data set, or cannot be written, and without pyarrow.
    """

    def __init__(self, game: Game, about: DatasetInfo, folder: Path, threads: int = 1) -> None:
        optional_dependencies.parquet()
        self.game, self.about, self.folder = game, about, folder
        self.whole = open_folder(folder, about)
        # While the shard of one player is written, the other one plays: its arrays are its own.
        wide = about.wide if about.content == "steps" else []
        self._players = [Player(game, wide, about.reward, threads) for _ in range(2)]
        self._writer = ThreadPoolExecutor(1)
        self._written: Future[None] | None = None
        self._seatings: NDArray[np.int64] = np.array(about.seatings, np.int64)

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def make(self, shard: int, seeds: NDArray[np.uint64], choose: Choose, tick: Tick | None = None) -> int:
        """Play the games of a shard and begin to write it; returns the number of decisions.

        seeds : of all games of the shard
        """
        numbers = np.array(self.about.games_of(shard))
        seated = self._seatings[numbers % len(self._seatings)]
        played = self._players[0].play(numbers, seeds, seated, choose, tick)
        self.finish()
        self._players.reverse()
        self._written = self._writer.submit(write_shard, self.folder, self.about, shard, played)
        return len(played)

    def finish(self) -> None:
        """Wait until all is written. Raises DataError if that failed."""
        written, self._written = self._written, None
        if written is not None:
            written.result()

    def close(self) -> None:
        """Wait for what is being written, and end the threads."""
        self._writer.shutdown()
        for player in self._players:
            player.close()
