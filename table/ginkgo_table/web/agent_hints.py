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


async def hint(house: SessionManager, seat: Seat, agent: str | None) -> dict[str, Any]:
    """What an agent, by default the best, would do at a seat whose turn it is: see ``hints.hint``. One at a time at a table."""
    room, view = seat
    async with house.game(room) as live:
        house.require_turn(live, view)
        if room.hinting:
            raise TableError(409, "a hint is being worked out for this table")
        name = _chosen(await house.light(house.offer.hint_agents, live.game), agent)
        game, state, played = live.game, live.state, len(live.actions)
        room.hinting = True
    try:
        found = await house.heavy(_asked, house, game, state, name)
    finally:
        room.hinting = False
    async with house.game(room) as live:
        if len(live.actions) != played:
            raise TableError(409, "the game has gone on")
    return found


def _chosen(names: list[str], agent: str | None) -> str:
    if not names or agent not in (None, *names):
        raise TableError(422, f"no such agent gives hints here; agents that do: {', '.join(names) or 'none'}")
    return agent or names[0]


def _asked(house: SessionManager, game: Game, state: States, name: str) -> dict[str, Any]:
    try:
        return hint_at(game, state, house.offer.agent(name, game), name)
    except GinkgoError as error:
        raise TableError(422, error) from None
    except Exception:
        traceback.print_exc(file=sys.stderr)
        raise TableError(500, f"the agent {name} has failed: it gives no hint here") from None
