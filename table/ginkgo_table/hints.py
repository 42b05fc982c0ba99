"""Hints: the actions that an agent recommends, with their values, from what the seat may know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ginkgo_agents.analysis import analyze
from ginkgo_agents.base import Agent
from ginkgo_agents.registry import suggested_agents_for
from ginkgo_env.core.game import Game, States
from ginkgo_table.live import LiveGame

WORLDS, TOP = 32, 5


def hint_agents(game: Game) -> list[str]:
    """Return the agents that give hints in a game, the best first: ``search`` and those that it suggests."""
    return ["search", *(name for name in reversed(suggested_agents_for(game)) if name != "random")]


def hint(live: LiveGame, agent: str, *, worlds: int = WORLDS, top: int = TOP) -> dict[str, Any]:
    """Return the best actions of the seat whose turn it is, as ``Analysis.to_dict`` does, with ids.

    Worlds are sampled from what that seat may know, so a hint reveals nothing hidden. A position always gives the same hint.
    Raises AnalysisError when the game is over, ConfigError for an unknown agent.
    """
    return hint_at(live.game, live.state, agent, worlds=worlds, top=top)


def hint_at(
    game: Game, state: States, agent: str | Agent, name: str | None = None, *, worlds: int = WORLDS, top: int = TOP
) -> dict[str, Any]:
    """Return a hint for a state, by an agent or its name; ``name`` replaces the agent's name in the hint."""
    analysis = analyze(game.position(state), agent, worlds=worlds, top=top, game=game)
    analysis = analysis if name is None else replace(analysis, agent=name)
    decision, data = analysis.decisions[0], analysis.to_dict()
    rows = data["decisions"][0]["actions"]
    actions = [{"id": option.id, **row} for option, row in zip(decision.options, rows, strict=True)]
    return {
        "agent": analysis.agent,
        "unit": analysis.unit,
        "meaning": analysis.meaning,
        "seat": decision.seat,
        "actions": actions,
    }
