"""Agents that play the games, and their comparison.

>>> from ginkgo_agents import MatchConfig, play_match
>>> results = play_match(MatchConfig("ginkgopolis", ("william", "random"), {"players": 2}), deals=10, seed=1)
>>> results.totals.shape  # deals, rotations of the seats, sides
(10, 2, 2)
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
