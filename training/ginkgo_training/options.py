"""Options that the commands of training share, as they are given on a command line."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ginkgo_agents.agents.registry import make_agent
from ginkgo_agents.evaluation.options import read_options
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game


def names_in(text: str | None) -> list[str]:
    """The names in a text that separates them by commas."""
    return [name.strip() for name in (text or "").split(",") if name.strip()]


def opponents_of(text: str | None, game: Game) -> list[str]:
    """The agents in a text that separates them by commas; raises ConfigError if one cannot play the game."""
    names = names_in(text)
    for name in names:
        make_agent(name, game.name).check(game)
    return names


def config_of(game: str, texts: Iterable[str]) -> dict[str, Any]:
    """One configuration from texts KEY=VALUE. Raises ConfigError if an option has several values."""
    pairs = []
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals:
            raise ConfigError(f"--set requires KEY=VALUE, got {shown(text)}")
        pairs.append((name.strip(), value))
    config = {}
    for name, values in read_options(game, pairs).items():
        if len(values) > 1:
            raise ConfigError(f"option {name!r} takes a single value, got {len(values)}")
        config[name] = values[0]
    return config
