"""The option ``--against`` of the commands of training."""

from __future__ import annotations

from ginkgo_agents.agents.registry import make_agent
from ginkgo_agents.evaluation.options import names_in
from ginkgo_env.core.game import Game


def opponents_of(text: str | None, game: Game) -> list[str]:
    """The agents in a comma-separated text. Raises ConfigError if one of them cannot play the game."""
    names = names_in(text)
    for name in names:
        make_agent(name, game.name).check(game)
    return names
