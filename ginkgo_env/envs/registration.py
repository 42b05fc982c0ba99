"""The games in the registries of Gymnasium, and of PettingZoo since its version 1.27.

>>> import gymnasium, pettingzoo
>>> import ginkgo_env.envs
>>> env = gymnasium.make("ginkgo_env/Ginkgopolis-v0", players=3)
>>> env = pettingzoo.make("aec", "ginkgo_env/ginkgopolis-v0", players=3)
>>> env = pettingzoo.make("parallel", "ginkgo_env/my_city-v0", players=3)
"""

from __future__ import annotations

import re
from typing import Any

NAMESPACE = "ginkgo_env"


def pettingzoo_id(game: str) -> str:
    """Return the id of a game in its current version, such as ``ginkgo_env/ginkgopolis-v0``."""
    from ginkgo_env.registry import game_class

    version = game_class(game).version
    return f"{NAMESPACE}/{game}-v{version}"


def gymnasium_ids(game: str) -> dict[str, dict[str, Any]]:
    """Return the ids of a game, such as ``ginkgo_env/Ginkgopolis-v0``, with the options of each."""
    from ginkgo_env.registry import game_class

    cls = game_class(game)
    title = re.sub(r"^The\b|\W+", "", cls.title)
    every = {"": {}, **cls.environments}
    return {f"{NAMESPACE}/{title}{suffix}-v{cls.version}": {"game": game, **options} for suffix, options in every.items()}


def register_pettingzoo() -> None:
    """Register all games that are not registered yet; simultaneous ones as ``"parallel"`` as well.

    Does nothing before PettingZoo 1.27.
    """
    import pettingzoo

    from ginkgo_env.registry import game_class, playable_games

    if not hasattr(pettingzoo, "register"):
        return
    for game in playable_games():
        identifier = pettingzoo_id(game)
        if identifier not in pettingzoo.aec_registry:
            pettingzoo.register("aec", identifier, "ginkgo_env.envs.aec:env", kwargs={"game": game})
        if game_class(game).simultaneous and identifier not in pettingzoo.parallel_registry:
            pettingzoo.register("parallel", identifier, "ginkgo_env.envs.parallel:parallel_env", kwargs={"game": game})


def register_gymnasium() -> None:
    """Register all games that are not registered yet, for one seat with opponents."""
    import gymnasium

    from ginkgo_env.registry import playable_games

    for game in playable_games():
        for identifier, options in gymnasium_ids(game).items():
            if identifier not in gymnasium.registry:
                gymnasium.register(
                    identifier,
                    entry_point="ginkgo_env.envs.gym:GinkgoEnv",
                    vector_entry_point="ginkgo_env.envs.vector:GinkgoVectorEnv",
                    kwargs=options,
                )
