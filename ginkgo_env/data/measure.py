"""How fast a data set of uniform play is made."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path

from ginkgo_env.core.batch import game_seeds
from ginkgo_env.core.game import Game
from ginkgo_env.core.rewards import chosen_reward
from ginkgo_env.data.metadata import STEPS, DatasetInfo
from ginkgo_env.data.play import uniform
from ginkgo_env.data.writer import ShardWriter

SHARD = 1000  # games, as `ginkgo generate` has them by default
_MOST, _AT_ONCE = 10**7, 4


def making(game: Game, folder: Path) -> Callable[[], int]:
    """Work that makes some more shards with observations and masks in a folder, and returns the number of their decisions.

    As by ``ginkgo generate``, one shard is written while the next one is played. Raises DataError without pyarrow.
    """
    about = DatasetInfo.of(
        game,
        content=STEPS,
        wide=["observation", "mask"],
        reward=chosen_reward(None, game.sides),
        agents=["uniform"],
        checkpoints={},
        seatings=[[0] * game.seats],
        seed=0,
        games=_MOST,
        shard_games=SHARD,
    )
    maker, shards = ShardWriter(game, about, folder), iter(range(_MOST // SHARD))

    def work() -> int:
        decisions = sum(maker.make(shard, game_seeds(shard, SHARD), uniform) for shard in islice(shards, _AT_ONCE))
        maker.finish()
        return decisions

    return work
