"""What an agent would do: its most promising actions and what they are worth, from what the deciding seat may know."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from ginkgo_agents.agents.base import Agent
from ginkgo_agents.agents.registry import suggested_agents_for
from ginkgo_agents.analysis import analyze
from ginkgo_env.core.game import Game, States
from ginkgo_table.live import LiveGame

WORLDS, TOP = 32, 5
_QUICK = 8  # worlds for agents that play every world to its end


def hint_agents(game: Game) -> list[str]:
    """Agents that can give hints in a game, the best first: those that the game suggests, the last of them first."""
    return [name for name in reversed(suggested_agents_for(game)) if name != "random"]


def hint(live: LiveGame, agent: str, *, worlds: int = WORLDS, top: int = TOP) -> dict[str, Any]:
    """The best actions of the seat that decides, as plain data: see ``Analysis.to_dict``, with ids of actions.

    The worlds are dealt from what that seat may know, so a hint tells nothing hidden; the same position gives the same hint.
    Raises AnalysisError when the game is over, ConfigError for an unknown agent.
    """
    return hint_at(live.game, live.state, agent, worlds=worlds, top=top)


def hint_at(
    game: Game, state: States, agent: str | Agent, name: str | None = None, *, worlds: int = WORLDS, top: int = TOP
) -> dict[str, Any]:
    """The same for a state of a game, by an agent or its name; the hint calls it by another name if one is given."""
    found = analyze(game.position(state), agent, worlds=worlds, top=top, game=game)
    found = found if name is None else replace(found, agent=name)
    decision, plain = found.decisions[0], found.to_dict()
    actions = [{"id": option.id, **told} for option, told in zip(decision.options, plain["decisions"][0]["actions"], strict=True)]
    return {"agent": found.agent, "unit": found.unit, "meaning": found.meaning, "seat": decision.seat, "actions": actions}
