"""Changes of players at a table: seats are offered, taken, left, renamed, or handed over to agents."""

from __future__ import annotations

import secrets
from typing import Any

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import OBSERVER
from ginkgo_table.live import LiveGame, SeatAssignment
from ginkgo_table.web.limits import TableError
from ginkgo_table.web.manager import Seat, TableManager, new_id, new_token
from ginkgo_table.web.store import Access, StoredTable, TokenKind


async def invite(manager: TableManager, seat: Seat, number: int) -> dict[str, Any]:
    """Return a new invitation to an empty seat. Raises TableError if it is not empty."""
    async with manager.game(seat.table) as live:
        _ = seat.check(), seat.number
        if not _assignment(live, number).is_empty:
            raise TableError(409, "this seat is taken")
        token = new_token()
        await manager.run_short(manager.store.invite, token, Access(seat.table.stored.id, TokenKind.INVITATION, number))
    return {"invitation": token}


async def watch(manager: TableManager, seat: Seat) -> dict[str, Any]:
    """Return a new link for spectators, who see public information."""
    async with manager.reseating(seat.table, even_if_over=True):
        _ = seat.check(), seat.number
        token = new_token()
        await manager.run_short(manager.store.invite, token, Access(seat.table.stored.id, TokenKind.WATCH, OBSERVER))
    return {"token": token}


async def invitation(manager: TableManager, offered: Seat) -> dict[str, Any]:
    """Return what an invited person sees: the game, and who sits where."""
    async with manager.game(offered.table) as live:
        seats = [{"name": assignment.name, "agent": assignment.agent, "empty": assignment.is_empty} for assignment in live.seats]
        return {"game": live.game.name, "title": live.game.title, "seat": offered.number, "seats": seats}


async def claim(manager: TableManager, offered: Seat, assignment: SeatAssignment) -> dict[str, Any]:
    """Take the seat of an invitation, and return its token.

    Raises TableError if somebody else has taken it.
    """
    table, number = offered.table, offered.number
    async with manager.reseating(table) as live:
        if not _assignment(live, number).is_empty:
            raise TableError(409, "somebody else has taken this seat")
        token = new_token()
        await _store(manager, offered, live, assignment, add={token: number})
    return {"seat": number, "name": assignment.name, "token": token}


async def rename(manager: TableManager, seat: Seat, assignment: SeatAssignment) -> None:
    """Change the name at one's own seat."""
    async with manager.reseating(seat.table) as live:
        own = _own(live, seat)
        await _store(manager, seat, live, own._replace(name=assignment.name))


async def leave(manager: TableManager, seat: Seat) -> None:
    """Leave a seat, which others can take then.

    Before the first decision the game is dealt anew, so that nobody profits from what they have seen. Raises TableError if
    nobody else sits at the table.
    """
    async with manager.reseating(seat.table) as live:
        own = _own(live, seat)
        if sum(assignment.agent is None and not assignment.is_empty for assignment in live.seats) < 2:
            raise TableError(409, "nobody else sits at this table: remove it, or let an agent play")
        if not live.actions:
            live.seed = secrets.randbits(64)
            live.pending.clear()
        await _store(manager, seat, live, own._replace(is_empty=True), drop=seat.token)
        seat.table.revoked.add(seat.token)


async def assign(manager: TableManager, seat: Seat, number: int, agent: str | None) -> None:
    """Let an agent play an empty seat or one's own; None takes one's own seat back.

    Raises TableError for a seat of somebody else, or for an unknown agent.
    """
    async with manager.reseating(seat.table) as live:
        _, own, assignment = seat.check(), seat.number, _assignment(live, number)
        if not assignment.is_empty and own != number:
            raise TableError(409, "somebody else sits there")
        if agent is None and assignment.is_empty:
            raise TableError(409, "this seat is taken by its link")
        if agent is not None:
            try:
                await manager.run_short(manager.catalog.agent, agent, live.game)
            except ConfigError as error:
                raise TableError(422, error) from None
        await _store(manager, seat._replace(view=number), live, assignment._replace(agent=agent, is_empty=False))


async def rematch(manager: TableManager, seat: Seat, address: str) -> dict[str, Any]:
    """Return one's own seat at a new table with the same game and people, opened by the first who asks.

    Raises TableError before the game is over, and if somebody has taken the seat already.
    """
    table, number = seat.table, seat.number
    async with manager.game(table) as live:
        seat.check()
        if not live.is_over:
            raise TableError(409, "the game is not over")
        stored = table.stored
        following = await manager.table(stored.rematch) if stored.rematch else None
        if following is None:
            seats = list(live.seats)
            seats[number] = seats[number]._replace(agent=None)
            new = StoredTable(new_id(), stored.game, stored.options, stored.fingerprint, secrets.randbits(64), tuple(seats))
            opened = await manager.open(new._replace(hints=stored.hints, address=address), number)
            await manager.run_short(manager.store.set_rematch, stored.id, opened["table"])
            table.stored = stored._replace(rematch=opened["table"])
            table.notify()
            return dict(opened["seats"][0])
        assignment = live.seats[number]._replace(agent=None)
    return await claim(manager, Seat(following, number, seat.token), assignment)


def _assignment(live: LiveGame, number: int) -> SeatAssignment:
    if not 0 <= number < len(live.seats):
        raise TableError(422, f"seat must be between 0 and {len(live.seats) - 1}, got {number}")
    return live.seats[number]


def _own(live: LiveGame, seat: Seat) -> SeatAssignment:
    """Return the assignment of one's own seat. Raises TableError if an agent plays it."""
    seat.check()
    assignment = live.seats[seat.number]
    if assignment.agent is not None:
        raise TableError(409, "an agent plays this seat")
    return assignment


async def _store(
    manager: TableManager,
    seat: Seat,
    live: LiveGame,
    assignment: SeatAssignment,
    add: dict[str, int] | None = None,
    drop: str | None = None,
) -> None:
    """Store a table with another player at a seat, and drop the seat's pending choices. A failure changes nothing."""
    table, number, seats = seat.table, seat.number, live.seats
    stored = table.stored._replace(seats=(*seats[:number], assignment, *seats[number + 1 :]), seed=live.seed)
    stays = assignment._replace(name="") == seats[number]._replace(name="")
    pending = {other: chosen for other, chosen in live.pending.items() if stays or other != number}
    await manager.run_short(lambda: manager.store.reseat(stored, pending, add=add, drop=drop))
    table.stored = stored
