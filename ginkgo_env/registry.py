"""One table of games: everything that lists or makes games reads it."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game

GAMES: dict[str, str] = {"ginkgopolis": "ginkgo_env.games.ginkgopolis.game:Ginkgopolis"}
"""Name of a game: module and class, imported when first asked for."""


def game_class(name: str) -> type[Game]:
    """The class of a game. Raises ConfigError for an unknown name."""
    if name not in GAMES:
        raise ConfigError(f"there is no game {name!r}; there are: {', '.join(GAMES)}")
    module, _, attribute = GAMES[name].partition(":")
    found: type[Game] = getattr(import_module(module), attribute)
    return found


def make_game(name: str = "ginkgopolis", /, **config: Any) -> Game:
    """A game in a configuration, for example ``make_game("ginkgopolis", players=3)``.

    Raises ConfigError for an unknown game, option or value.
    """
    return game_class(name)(**config)
