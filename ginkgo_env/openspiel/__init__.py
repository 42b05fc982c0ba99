"""The games for OpenSpiel. Importing this registers them, and requires the package ``open_spiel``.

>>> import pyspiel
>>> import ginkgo_env.openspiel
>>> game = pyspiel.load_game("python_ginkgopolis(players=3,deals=64)")
>>> game.num_players(), game.num_distinct_actions()
(3, 323)
"""

from ginkgo_env.openspiel.game import SpielGame, SpielState, register
from ginkgo_env.openspiel.history import History
from ginkgo_env.openspiel.observer import SpielObserver
from ginkgo_env.registry import playable_games

__all__ = ["History", "SpielGame", "SpielObserver", "SpielState", "register"]

for _name in playable_games():
    register(_name)
