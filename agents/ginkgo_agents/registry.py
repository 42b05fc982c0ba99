"""Agents by name, and the games that they play."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from importlib import import_module
from typing import NamedTuple

from ginkgo_agents.base import Agent
from ginkgo_env.core.errors import ConfigError

Factory = Callable[[], Agent]


class _Entry(NamedTuple):
    factory: str | Factory
    games: tuple[str, ...] | None

    def plays(self, game: str | None) -> bool:
        return game is None or self.games is None or game in self.games


_AGENTS: dict[str, _Entry] = {
    "random": _Entry("ginkgo_agents.random:RandomAgent", None),
    "greedy": _Entry("ginkgo_agents.ginkgopolis.greedy:GreedyAgent", ("ginkgopolis",)),
    "william": _Entry("ginkgo_agents.ginkgopolis.william:WilliamAgent", ("ginkgopolis",)),
}


def register_agent(name: str, factory: str | Factory, games: Iterable[str] | None = None) -> None:
    """Give an agent a name.

    factory : called without arguments for a new agent; or ``"module:attribute"``, imported when first used
    games : names of the games that it plays; None for any

    Raises ConfigError if the name is taken.
    """
    entry = _Entry(factory, None if games is None else tuple(games))
    if _AGENTS.setdefault(name, entry) != entry:
        raise ConfigError(f"duplicate agent {name!r}")


def agent_names(game: str | None = None) -> list[str]:
    """The names of all agents, or of those that play a game."""
    return [name for name, entry in _AGENTS.items() if entry.plays(game)]


def make_agent(name: str, game: str | None = None) -> Agent:
    """A new agent by its name, or by the ``module:attribute`` of its factory.

    Raises ConfigError for an unknown agent, or one that does not play the game given.
    """
    entry = _AGENTS.get(name, _Entry(name, None))
    if not entry.plays(game):
        raise ConfigError(f"agent {name!r} does not play {game}; agents that do: {', '.join(agent_names(game))}")
    factory = _imported(name, entry.factory, game) if isinstance(entry.factory, str) else entry.factory
    agent = factory()
    if not isinstance(agent, Agent):
        raise ConfigError(f"agent {name!r} is not a ginkgo_agents.Agent but {type(agent).__name__}")
    return agent


def _imported(name: str, where: str, game: str | None) -> Factory:
    module, colon, attribute = where.partition(":")
    if not colon:
        raise ConfigError(f"unknown agent {name!r}; expected one of: {', '.join(agent_names(game))} (or module:attribute)")
    try:
        factory: Factory = getattr(import_module(module), attribute)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigError(f"agent {name!r} cannot be imported: {error}") from None
    return factory
