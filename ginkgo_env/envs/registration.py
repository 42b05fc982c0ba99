"""The games in PettingZoo's registry, which exists since PettingZoo 1.27.

>>> import pettingzoo
>>> import ginkgo_env.envs
>>> env = pettingzoo.make("aec", "ginkgo_env/ginkgopolis-v0", players=3)
"""

from __future__ import annotations

import pettingzoo

from ginkgo_env.registry import game_class, playable_games

NAMESPACE = "ginkgo_env"


def pettingzoo_id(game: str) -> str:
    """The id of a game in its present version, as ``ginkgo_env/ginkgopolis-v0``."""
    return f"{NAMESPACE}/{game}-v{game_class(game).version}"


def register_pettingzoo() -> None:
    """Register every game that can be loaded and is not yet registered. Does nothing before PettingZoo 1.27."""
    if not hasattr(pettingzoo, "register"):
        return
    for game in playable_games():
        identifier = pettingzoo_id(game)
        if identifier not in pettingzoo.aec_registry:
            pettingzoo.register("aec", identifier, "ginkgo_env.envs.aec:env", kwargs={"game": game})
