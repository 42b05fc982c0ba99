"""Every registered game in the configurations that the contract is held in."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from ginkgo_env import make_game
from ginkgo_env.core.game import Game
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.registry import OWN_GAMES, game_class

VARIANTS: dict[str, list[dict[str, Any]]] = {"ginkgopolis": [{}, {"strict": True}, {"max_rounds": 3}]}
"""For each game the options with which each of its configurations is tested as well."""


def cases() -> list[str]:
    """A game and its configuration, as text."""
    found = []
    for name in OWN_GAMES:
        for config in game_class(name).configurations():
            found += [f"{name} {json.dumps({**config, **more})}" for more in VARIANTS.get(name, [{}])]
    return found


def combinations() -> list[str]:
    """Ginkgopolis with each combination of its modules, as text."""
    return [f"ginkgopolis {json.dumps(config)}" for config in Ginkgopolis.module_combinations() if config["modules"]]


def id_of(case: object) -> str:
    """A short name for a case; all modules together are ``all``."""
    name, _, config = str(case).partition(" ")
    options = game_class(name).option_texts(json.loads(config))
    return "-".join([name, *(f"{key}={text}" for key, text in options.items())])


@cache
def game_of(case: str) -> Game:
    name, _, config = case.partition(" ")
    return make_game(name, **json.loads(config))
