"""Agents that play the games, and how they are compared.

>>> from ginkgo_agents import Table, play_table
>>> played = play_table(Table(("william", "random"), players=2), deals=10, seed=1)
>>> played.totals.shape  # deals, rotations of the seats, agents
(10, 2, 2)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ginkgo_agents.arena import Played, Table, play_table
    from ginkgo_agents.base import Agent, Crew, Turn, act
    from ginkgo_agents.registry import agent_names, make_agent, register_agent

__all__ = ["Agent", "Crew", "Played", "Table", "Turn", "act", "agent_names", "make_agent", "play_table", "register_agent"]

_HOMES = {
    **dict.fromkeys(("Played", "Table", "play_table"), "arena"),
    **dict.fromkeys(("Agent", "Crew", "Turn", "act"), "base"),
    **dict.fromkeys(("agent_names", "make_agent", "register_agent"), "registry"),
}


def __getattr__(name: str) -> Any:
    """Import a public name when it is first used, so that ``ginkgo --help`` need not wait for Numba."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
