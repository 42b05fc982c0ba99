"""How fast a data set is made of uniform play, next to the batch that it is made with."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from ginkgo_env.core.batch import game_seeds
from ginkgo_env.core.game import Game
from ginkgo_env.data.about import STEPS, About
from ginkgo_env.data.making import Maker
from ginkgo_env.data.play import uniform

SHARD = 1000  # games, as `ginkgo generate` has them by default


def making(game: Game, folder: Path) -> Callable[[], int]:
    """Work that makes a shard more of observations and masks, and returns the number of its decisions."""
    settings: dict[str, Any] = {"agents": ["random"], "checkpoints": {}, "seatings": [[0] * game.seats], "seed": 0}
    reward = "win" if game.sides > 1 else "score"
    about = About.of(game, content=STEPS, wide=["observation", "mask"], reward=reward, games=10**7, shard_games=SHARD, **settings)
    maker = Maker(game, about, folder)
    shard = iter(range(about.shards))

    def work() -> int:
        k = next(shard)
        return maker.make(k, game_seeds(k, SHARD), uniform)

    return work


def fresh_folder() -> tempfile.TemporaryDirectory[str]:
    """A folder for it, which goes away."""
    return tempfile.TemporaryDirectory(prefix="ginkgo-data-")


def seeds_of(shard: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """The seeds of its games."""
    return game_seeds(shard, SHARD)
