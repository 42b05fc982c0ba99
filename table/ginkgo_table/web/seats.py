"""Changes of players at a table: seats are offered, taken, left, renamed, or handed over to agents."""

from __future__ import annotations

import secrets
from typing import Any

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import OBSERVER
from ginkgo_table.live import LiveGame, SeatAssignment
from ginkgo_table.web.limits import TableError
from ginkgo_table.web.manager import Seat, SessionManager, new_token
from ginkgo_table.web.store import Access, TokenKind


async def invite(manager: SessionManager, seat: Seat, number: int) -> dict[str, Any]:
    """Return a new invitation to an empty seat. Raises TableError if it is not empty."""
    async with manager.game(seat.session) as live:
        _ = seat.check(), seat.number
        if not _place(live, number).is_empty:
            raise TableError(409, "this seat is taken")
        token = new_token()
        await manager.run_short(manager.store.invite, token, Access(seat.session.stored.id, TokenKind.INVITATION, number))
    return {"invitation": token}


async def watch(manager: SessionManager, seat: Seat) -> dict[str, Any]:
    """Return a new link for spectators, who see public information."""
    async with manager.reseating(seat.session, even_if_over=True):
        _ = seat.check(), seat.number
        token = new_token()
        await manager.run_short(manager.store.invite, token, Access(seat.session.stored.id, TokenKind.WATCH, OBSERVER))
    return {"token": token}


async def invitation(manager: SessionManager, offered: Seat) -> dict[str, Any]:
    """Return what an invited person sees: the game, and who sits where."""
    async with manager.game(offered.session) as live:
        places = [{"name": place.name, "agent": place.agent, "empty": place.is_empty} for place in live.places]
        return {"game": live.game.name, "title": live.game.title, "seat": offered.number, "places": places}


async def claim(manager: SessionManager, offered: Seat, place: SeatAssignment) -> dict[str, Any]:
    """Take the seat of an invitation, and return its token.

    Raises TableError if somebody else has taken it.
    """
    session, number = offered.session, offered.number
    async with manager.reseating(session) as live:
        if not _place(live, number).is_empty:
            raise TableError(409, "somebody else has taken this seat")
        token = new_token()
        await _store(manager, offered, live, place, add={token: number})
    return {"seat": number, "name": place.name, "token": token}


async def rename(manager: SessionManager, seat: Seat, place: SeatAssignment) -> None:
    """Change the name at one's own seat."""
    async with manager.reseating(seat.session) as live:
        own = _own(live, seat)
        await _store(manager, seat, live, own._replace(name=place.name))


async def leave(manager: SessionManager, seat: Seat) -> None:
    """Leave a seat, which others can take then.

    Before the first decision the game is dealt anew, so that nobody profits from what they have seen. Raises TableError if
    nobody else sits at the table.
    """
    async with manager.reseating(seat.session) as live:
        own = _own(live, seat)
        if sum(place.agent is None and not place.is_empty for place in live.places) < 2:
            raise TableError(409, "nobody else sits at this table: remove it, or let an agent play")
        if not live.actions:
            live.seed = secrets.randbits(64)
            live.pending.clear()
        await _store(manager, seat, live, own._replace(is_empty=True), drop=seat.token)
        seat.session.revoked.add(seat.token)


async def assign(manager: SessionManager, seat: Seat, number: int, agent: str | None) -> None:
    """Let an agent play an empty seat or one's own; None takes one's own seat back.

    Raises TableError for a seat of somebody else, or for an unknown agent.
    """
    async with manager.reseating(seat.session) as live:
        _, own, place = seat.check(), seat.number, _place(live, number)
        if not place.is_empty and own != number:
            raise TableError(409, "somebody else sits there")
        if agent is None and place.is_empty:
            raise TableError(409, "this seat is taken by its link")
        if agent is not None:
            try:
                await manager.run_short(manager.catalog.agent, agent, live.game)
            except ConfigError as error:
                raise TableError(422, error) from None
        await _store(manager, seat._replace(view=number), live, place._replace(agent=agent, is_empty=False))


async def rematch(manager: SessionManager, seat: Seat, address: str) -> dict[str, Any]:
    """Return one's own seat at a new table with the same game and people, opened by the first who asks.

    Raises TableError before the game is over, and if somebody has taken the seat already.
    """
    session, number = seat.session, seat.number
    async with manager.game(session) as live:
        seat.check()
        if not live.is_over:
            raise TableError(409, "the game is not over")
        stored = session.stored
        following = await manager.session(stored.rematch) if stored.rematch else None
        if following is None:
            places = [place._replace(agent=None) if other == number else place for other, place in enumerate(live.places)]
            opened = await manager.open(live.game, dict(stored.options), places, None, address, hints=stored.hints, own=number)
            await manager.run_short(manager.store.set_rematch, stored.id, opened["table"])
            session.stored = stored._replace(rematch=opened["table"])
            session.notify()
            return dict(opened["seats"][0])
        place = live.places[number]._replace(agent=None)
    return await claim(manager, Seat(following, number, seat.token), place)


def _place(live: LiveGame, number: int) -> SeatAssignment:
    if not 0 <= number < len(live.places):
        raise TableError(422, f"seat must be between 0 and {len(live.places) - 1}, got {number}")
    return live.places[number]


def _own(live: LiveGame, seat: Seat) -> SeatAssignment:
    """Return the assignment of one's own seat. Raises TableError if an agent plays it."""
    seat.check()
    place = live.places[seat.number]
    if place.agent is not None:
        raise TableError(409, "an agent plays this seat")
    return place


async def _store(
    manager: SessionManager,
    seat: Seat,
    live: LiveGame,
    place: SeatAssignment,
    add: dict[str, int] | None = None,
    drop: str | None = None,
) -> None:
    """Store a table with another player at a seat, and drop the seat's pending choices. A failure changes nothing."""
    session, number, places = seat.session, seat.number, live.places
    stored = session.stored._replace(places=(*places[:number], place, *places[number + 1 :]), seed=live.seed)
    stays = place._replace(name="") == places[number]._replace(name="")
    pending = {other: chosen for other, chosen in live.pending.items() if stays or other != number}
    await manager.run_short(lambda: manager.store.reseat(stored, pending, add=add, drop=drop))
    session.stored = stored
