"""Hints of agents for the people of a table."""

from __future__ import annotations

import sys
import traceback
from typing import Any

from ginkgo_env.core.errors import GinkgoError, short_repr
from ginkgo_env.core.game import Game, States
from ginkgo_table.hints import hint_at
from ginkgo_table.web.limits import TableError
from ginkgo_table.web.manager import Seat, TableManager


async def hint(manager: TableManager, seat: Seat, agent: str | None) -> dict[str, Any]:
    """Return an agent's hint for the seat whose turn it is: see ``ginkgo_table.hints.hint``.

    agent : by default the best one for the game

    Raises TableError if it is not the seat's turn, if the table works on another hint, or if the agent fails.
    """
    table = seat.table
    async with manager.game(table) as live:
        view = manager.require_turn(live, seat)
        if not table.stored.hints:
            raise TableError(403, "hints are not allowed at this table")
        if table.is_hinting:
            raise TableError(409, "this table is already waiting for a hint")
        name = _select_agent(agent, await manager.run_short(manager.catalog.hint_agents, live.game))
        decision, number = live.decision(view), live.decision_count(view)
        if decision is None or len(decision.legal) < 2:
            raise TableError(409, "there is nothing to choose")
        game, state = live.game, decision.state
        table.is_hinting = True
    try:
        advice = await manager.run_long(_ask_agent, manager, game, state, name)
    finally:
        table.is_hinting = False
    async with manager.game(table) as live:
        if live.decision_count(view) != number:
            raise TableError(409, "the game has gone on")
    return advice


def _select_agent(agent: str | None, names: list[str]) -> str:
    if not names or agent not in (None, *names):
        raise TableError(422, f"agent must be one of: {', '.join(names) or 'none'}; got {short_repr(agent)}")
    return agent or names[0]


def _ask_agent(manager: TableManager, game: Game, state: States, name: str) -> dict[str, Any]:
    try:
        return hint_at(game, state, manager.catalog.agent(name, game), name)
    except GinkgoError as error:
        raise TableError(422, error) from None
    except Exception:
        traceback.print_exc(file=sys.stderr)
        raise TableError(500, f"agent {name} has failed: there is no hint") from None
