"""City-building board games as fast environments for reinforcement learning.

>>> import ginkgo_env
>>> game = ginkgo_env.make_game("ginkgopolis", players=2)
>>> batch = ginkgo_env.Batch(game, size=8)
>>> batch.reset(seed=7)
>>> batch.step(batch.sample())
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from ginkgo_env.core.lazy import names_from

if TYPE_CHECKING:
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
    from ginkgo_env.envs.aec import env, raw_env
    from ginkgo_env.envs.gym import GinkgoEnv
    from ginkgo_env.envs.parallel import parallel_env
    from ginkgo_env.envs.vector import GinkgoVectorEnv
    from ginkgo_env.records import Record, replay
    from ginkgo_env.registry import GAMES, make_game
    from ginkgo_env.render import draw, png, rgb_array
    from ginkgo_env.render.animation import animation

__version__ = "0.1.0"

__all__ = [
    "GAMES",
    "Batch",
    "BatchError",
    "ConfigError",
    "FinishedGameError",
    "Game",
    "GinkgoEnv",
    "GinkgoError",
    "GinkgoVectorEnv",
    "IllegalActionError",
    "NotationError",
    "Observation",
    "Outcome",
    "PositionError",
    "Record",
    "RecordError",
    "animation",
    "draw",
    "env",
    "make_game",
    "parallel_env",
    "png",
    "raw_env",
    "replay",
    "rgb_array",
]

_MODULES = {
    "core.batch": ("Batch",),
    "core.errors": (
        *("BatchError", "ConfigError", "FinishedGameError", "GinkgoError", "IllegalActionError", "NotationError"),
        *("PositionError", "RecordError"),
    ),
    "core.game": ("Game", "Outcome"),
    "core.layout": ("Observation",),
    "envs.aec": ("env", "raw_env"),
    "envs.gym": ("GinkgoEnv",),
    "envs.parallel": ("parallel_env",),
    "envs.vector": ("GinkgoVectorEnv",),
    "records": ("Record", "replay"),
    "registry": ("GAMES", "make_game"),
    "render": ("animation", "draw", "png", "rgb_array"),
}
__getattr__, __dir__ = names_from(__name__, _MODULES)

import_module("ginkgo_env.envs")  # makes the games known to Gymnasium and PettingZoo, whichever is imported first
