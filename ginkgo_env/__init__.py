"""City-building board games as fast environments for reinforcement learning.

>>> import ginkgo_env
>>> game = ginkgo_env.make_game("ginkgopolis", players=2)
>>> batch = ginkgo_env.Batch(game, size=8)
>>> batch.reset(seed=7)
>>> batch.step(batch.sample())
"""

from __future__ import annotations



from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import (
    BatchError,
    ConfigError,
    FinishedGameError,
    GinkgoError,
    IllegalActionError,
    NotationError,
    PositionError,
    RecordError,
)
from ginkgo_env.core.game import Game, Outcome
from ginkgo_env.core.layout import Observation
from ginkgo_env.registry import GAMES, make_game

__version__ = "0.1.0"

__all__ = [
    *("GAMES", "Batch", "BatchError", "ConfigError", "FinishedGameError", "Game", "GinkgoError", "IllegalActionError"),
    *("NotationError", "Observation", "Outcome", "PositionError", "RecordError", "make_game"),
]
