"""Play games and write them as shards; a thread writes one shard while the next is played."""

from __future__ import annotations

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.game import Game
from ginkgo_env.data import optional_dependencies
from ginkgo_env.data.metadata import DatasetInfo
from ginkgo_env.data.play import GameRunner, Policy, ProgressCallback
from ginkgo_env.data.shards import open_folder, write_shard


class ShardWriter:
    """Writes the shards of a new or unfinished data set. A context manager, which ends the threads.

    ``complete`` has the numbers of the shards that exist already. Up to two shards are in memory.

    Raises DataError if the folder holds another data set or cannot be written, or if pyarrow is not installed.
    """

    def __init__(self, game: Game, info: DatasetInfo, folder: Path, threads: int = 1) -> None:
        optional_dependencies.parquet()
        self.game, self.info, self.folder = game, info, folder
        self.complete = open_folder(folder, info)
        # Two runners take turns: the arrays of one are written while the other plays.
        wide = info.wide if info.content == "steps" else []
        self._runners = [GameRunner(game, wide, info.reward, threads) for _ in range(2)]
        self._executor = ThreadPoolExecutor(1)
        self._pending: Future[None] | None = None
        self._seatings: NDArray[np.int64] = np.array(info.seatings, np.int64)

    def __enter__(self) -> ShardWriter:
        return self

    def __exit__(self, *_: Any) -> None:
        self.close()

    def make(self, shard: int, seeds: NDArray[np.uint64], policy: Policy, progress: ProgressCallback | None = None) -> int:
        """Play the games of a shard and start to write it; return the number of decisions.

        seeds : the seed of each game of the shard
        """
        numbers = np.array(self.info.games_in(shard))
        seating = self._seatings[numbers % len(self._seatings)]
        finished = self._runners[0].play(numbers, seeds, seating, policy, progress)
        self.finish()
        self._runners.reverse()
        self._pending = self._executor.submit(write_shard, self.folder, self.info, shard, finished)
        return len(finished)

    def finish(self) -> None:
        """Wait until everything is written. Raises DataError if writing failed."""
        pending, self._pending = self._pending, None
        if pending is not None:
            pending.result()

    def close(self) -> None:
        """Wait for the shard that is being written, and end the threads."""
        self._executor.shutdown()
        for runner in self._runners:
            runner.close()
