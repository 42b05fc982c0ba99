"""Agents that play the games, and their comparison.

>>> from ginkgo_agents import Table, play_table
>>> played = play_table(Table("ginkgopolis", ("william", "random"), {"players": 2}), deals=10, seed=1)
>>> played.totals.shape  # deals, rotations of the seats, sides
(10, 2, 2)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ginkgo_env.core.lazy import names_from

if TYPE_CHECKING:
    from ginkgo_agents.agents.base import Agent, Crew, Turn, act
    from ginkgo_agents.agents.function import Decision, FunctionAgent
    from ginkgo_agents.agents.registry import agent_names, make_agent, register_agent
    from ginkgo_agents.analysis import Analysis, analyze
    from ginkgo_agents.evaluation.matches import Played, Table, play_table

__all__ = [
    "Agent",
    "Analysis",
    "Crew",
    "Decision",
    "FunctionAgent",
    "Played",
    "Table",
    "Turn",
    "act",
    "agent_names",
    "analyze",
    "make_agent",
    "play_table",
    "register_agent",
]

_MODULES = {
    "analysis": ("Analysis", "analyze"),
    "evaluation.matches": ("Played", "Table", "play_table"),
    "agents.base": ("Agent", "Crew", "Turn", "act"),
    "agents.function": ("Decision", "FunctionAgent"),
    "agents.registry": ("agent_names", "make_agent", "register_agent"),
}
__getattr__, __dir__ = names_from(__name__, _MODULES)
