"""City-building board games as fast environments for reinforcement learning.

>>> import ginkgo_env
>>> game = ginkgo_env.make_game("ginkgopolis", players=2)
>>> batch = ginkgo_env.Batch(game, size=8)
>>> batch.reset(seed=7)
>>> batch.step(batch.sample())
"""

from importlib import import_module

import lazy_loader

__version__ = "0.1.0"

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)

import_module("ginkgo_env.envs")  # registers the games with Gymnasium and PettingZoo when these are imported
