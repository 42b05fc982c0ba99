"""Agents by name."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module

from ginkgo_agents.base import Agent
from ginkgo_env.core.errors import ConfigError

Factory = Callable[[], Agent]

_AGENTS: dict[str, str | Factory] = {
    "random": "ginkgo_agents.random:RandomAgent",
    "greedy": "ginkgo_agents.ginkgopolis.greedy:GreedyAgent",
    "william": "ginkgo_agents.ginkgopolis.william:WilliamAgent",
}


def register_agent(name: str, factory: str | Factory) -> None:
    """Give an agent a name.

    factory : called without arguments for a new agent; or ``"module:attribute"`` that is imported when first asked for

    Raises ConfigError if the name is taken.
    """
    if name in _AGENTS and _AGENTS[name] != factory:
        raise ConfigError(f"there already is an agent {name!r}")
    _AGENTS[name] = factory


def agent_names() -> list[str]:
    """The names of all agents."""
    return list(_AGENTS)


def make_agent(name: str) -> Agent:
    """A new agent by its name, or by the ``module:attribute`` of what makes it. Raises ConfigError."""
    factory = _AGENTS.get(name, name)
    if isinstance(factory, str):
        module, colon, attribute = factory.partition(":")
        if not colon:
            raise ConfigError(f"there is no agent {name!r}; there are: {', '.join(_AGENTS)}")
        try:
            factory = getattr(import_module(module), attribute)
        except (ImportError, AttributeError, ValueError) as error:
            raise ConfigError(f"agent {name!r} cannot be imported: {error}") from None
    agent = factory()
    if not isinstance(agent, Agent):
        raise ConfigError(f"agent {name!r} is not a ginkgo_agents.Agent but {type(agent).__name__}")
    return agent
