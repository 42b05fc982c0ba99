"""Options that the commands of training share, as they are given on a command line."""

from __future__ import annotations

from ginkgo_agents.agents.registry import make_agent
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
