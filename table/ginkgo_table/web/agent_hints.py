"""Asking agents for hints at a table."""

from __future__ import annotations

import sys
import traceback
from typing import Any

from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.game import Game, States
from ginkgo_table.hints import hint_at
from ginkgo_table.web.limits import TableError
from ginkgo_table.web.manager import Seat, SessionManager


async def hint(manager: SessionManager, seat: Seat, agent: str | None) -> dict[str, Any]:
    """What an agent, by default the best, would do at a seat whose turn it is: see ``hints.hint``. One at a time at a table."""
    session, view = seat
    async with manager.game(session) as live:
        manager.require_turn(live, view)
        if session.is_hinting:
            raise TableError(409, "a hint is being worked out for this table")
        name = _chosen_agent(await manager.run_short(manager.catalog.hint_agents, live.game), agent)
        game, state, played = live.game, live.state, len(live.actions)
        session.is_hinting = True
    try:
        found = await manager.run_long(_ask_agent, manager, game, state, name)
    finally:
        session.is_hinting = False
    async with manager.game(session) as live:
        if len(live.actions) != played:
            raise TableError(409, "the game has gone on")
    return found


def _chosen_agent(names: list[str], agent: str | None) -> str:
    if not names or agent not in (None, *names):
        raise TableError(422, f"no such agent gives hints here; agents that do: {', '.join(names) or 'none'}")
    return agent or names[0]


def _ask_agent(manager: SessionManager, game: Game, state: States, name: str) -> dict[str, Any]:
    try:
        return hint_at(game, state, manager.catalog.agent(name, game), name)
    except GinkgoError as error:
        raise TableError(422, error) from None
    except Exception:
        traceback.print_exc(file=sys.stderr)
        raise TableError(500, f"the agent {name} has failed: it gives no hint here") from None
