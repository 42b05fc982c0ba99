"""All tables of a server: opening, finding by token, playing, and agents that play on in the background."""

from __future__ import annotations

import asyncio
import secrets
import sys
import traceback
from collections import OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from ginkgo_agents.agents.random import RandomAgent
from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.game import Game
from ginkgo_env.records import Record
from ginkgo_table.live import LiveGame, SeatAssignment
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import Limits, TableError
from ginkgo_table.web.session import GameSession, SeatSnapshot, sight_of
from ginkgo_table.web.store import Store, StoredSession

T = TypeVar("T")
_LIGHT = 8  # threads for what is done at once
_LATER = 503  # the status of what may go well another time


class Seat(NamedTuple):
    """What a token opens."""

    room: GameSession
    view: int | None
    """The seat; None where only agents play."""


class SessionManager:
    """The tables of a server; call from its event loop only.

    pace : seconds between two decisions where only agents play
    """

    def __init__(self, store: Store, offer: GameCatalog, limits: Limits, pace: float = 1.0) -> None:
        self.store, self.offer, self.limits, self.pace = store, offer, limits, pace
        self._rooms: OrderedDict[str, GameSession] = OrderedDict()  # the one that was touched last at the end
        self._heavy, self._threads = asyncio.Semaphore(limits.heavy), CapacityLimiter(limits.heavy)
        self._light, self._loading = CapacityLimiter(_LIGHT), CapacityLimiter(_LIGHT)
        self._tasks, self._working = set[asyncio.Task[None]](), set[asyncio.Task[Any]]()
        self.closing = False

    async def heavy(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do long work in a thread, beside few others; work that nobody waits for any more keeps its place until it ends."""
        await self._heavy.acquire()
        task = asyncio.create_task(run_sync(work, *arguments, limiter=self._threads, abandon_on_cancel=True))
        self._working.add(task)
        task.add_done_callback(self._has_worked)
        return await asyncio.shield(task)

    def _has_worked(self, task: asyncio.Task[Any]) -> None:
        self._working.discard(task)
        self._heavy.release()
        if not task.cancelled():
            task.exception()  # whoever waits for it has it

    async def light(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do short work in a thread."""
        return await run_sync(work, *arguments, limiter=self._light)

    async def loaded_game(self, kept: StoredSession) -> LiveGame:
        """A table's game: the first of its kind may have to be compiled, beside which short work goes on."""
        return await run_sync(self._game_of, kept, limiter=self._loading)

    async def close(self) -> None:
        """End streams and agents, and close the store."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.store.close()

    def end_streams(self) -> None:
        """Let all streams of events end."""
        self.closing = True
        for room in self._rooms.values():
            room.tell()

    # --- opening, finding, removing

    async def open(self, game: Game, options: dict[str, Any], places: list[SeatAssignment], seed: int | None) -> dict[str, Any]:
        """Open a table: see ``POST /api/tables``. Raises TableError without room, GinkgoError for bad places or seeds."""
        seed = secrets.randbits(64) if seed is None else seed
        made = {"version": game.version, "components": dict(game.components)}
        kept = StoredSession(secrets.token_hex(4), game.name, options, made, seed, tuple(places))
        room = GameSession(kept)
        live = await self.loaded_game(kept)
        views = list(live.views)
        tokens = {secrets.token_urlsafe(16): view for view in views}
        await self.light(self.store.add, kept._replace(over=live.over), tokens)
        await self._forget_rooms()
        room.live = live
        self._rooms[kept.id] = room
        self._make_room()
        self._play_on(room)
        names = {view: "" if view is None else live.names[view] for view in views}
        return {
            "table": kept.id,
            "seats": [{"seat": view, "name": names[view], "token": token} for token, view in tokens.items()],
        }

    async def _forget_rooms(self) -> None:
        """Forget tables that made room for a new one."""
        ids = await self.light(self.store.ids)
        for name in [name for name in self._rooms if name not in ids]:
            self._forget(self._rooms[name])

    def _forget(self, room: GameSession) -> None:
        room.gone = True
        if room.task is not None:
            room.task.cancel()
        self._rooms.pop(room.kept.id, None)
        room.tell()

    async def seat(self, token: str) -> Seat:
        """What a token opens. Raises TableError for one that opens nothing."""
        found = await self.light(self.store.seat_of, token)
        room = None if found is None else await self._room(found[0])
        if found is None or room is None:
            raise TableError(404, "there is no such table: it was removed, or the link is wrong")
        return Seat(room, found[1])

    async def _room(self, table: str) -> GameSession | None:
        if table not in self._rooms:
            kept = await self.light(self.store.table, table)
            if kept is None:
                return None
            self._rooms.setdefault(table, GameSession(kept))
        self._rooms.move_to_end(table)
        return self._rooms[table]

    async def remove(self, seat: Seat) -> None:
        """Take a table away. Raises TableError while several people play."""
        async with self.game(seat.room) as live:
            if not live.over and sum(seat.room.people) > 1:
                raise TableError(409, "several people play at this table: it can be removed when the game is over")
            await self.light(self.store.remove, seat.room.kept.id)
            self._forget(seat.room)

    # --- games in memory

    @asynccontextmanager
    async def game(self, room: GameSession) -> AsyncIterator[LiveGame]:
        """The game of a table, for as long as it is touched. Raises TableError if it cannot be played on."""
        async with room.lock:
            if room.gone:
                raise TableError(404, "there is no such table: it was removed, or the link is wrong")
            if room.live is None:
                try:
                    room.live = await self.loaded_game(room.kept)
                except TableError:
                    raise
                except GinkgoError as error:
                    raise TableError(410, f"this table cannot be opened any more: {error}") from None
                self._make_room()
            yield room.live

    def _game_of(self, kept: StoredSession) -> LiveGame:
        """Play a table's game up to where it is."""
        game = self.offer.remade(kept.game, kept.options)
        if kept.made != {"version": game.version, "components": dict(game.components)}:
            raise GinkgoError(f"{game.title} has changed since")
        agent = (lambda *_: RandomAgent()) if kept.over else (lambda name, _: self.offer.agent(name, game))
        return LiveGame(game, kept.seed, kept.places, self.store.actions(kept.id), make=agent)

    def _make_room(self) -> None:
        """Drop games from memory, those first that nobody looks at and that were longest untouched."""
        loaded = [room for room in self._rooms.values() if room.live is not None]
        idle = [room for room in loaded if not room.lock.locked()]
        for room in sorted(idle, key=lambda room: room.watched)[: max(0, len(loaded) - self.limits.games)]:
            room.live = None
            room.sights.clear()

    @property
    def loaded(self) -> int:
        """How many games are in memory."""
        return sum(room.live is not None for room in self._rooms.values())

    # --- seeing and playing

    async def see(self, seat: Seat) -> SeatSnapshot:
        """What a seat sees now."""
        room, view = seat
        if room.gone or view not in room.sights:
            async with self.game(room) as live:
                if view not in room.sights:
                    room.sights[view] = await self.light(sight_of, live, view, room.people, room.trouble)
                found = room.sights[view]
        else:
            found = room.sights[view]
        self._play_on(room)
        return found

    async def act(self, seat: Seat, decision: int, action: int) -> None:
        """A person decides. Raises TableError if it is not that seat's turn, GinkgoError for an illegal action."""
        room, view = seat
        async with self.game(room) as live:
            number = self.require_turn(live, view)
            if live.decided(number) != decision:
                raise TableError(409, "this was decided already")
            await self._change(room, live, partial(live.act, number, action))
        self._play_on(room)

    @staticmethod
    def require_turn(live: LiveGame, view: int | None) -> int:
        """The seat that decides. Raises TableError if that is not the one given."""
        if view is None or live.actor != view:
            raise TableError(409, "the game is over" if live.over else "it is not your turn")
        return view

    async def _change(self, room: GameSession, live: LiveGame, play: Callable[[], Any]) -> None:
        """Play an action and keep it; what cannot be kept has not happened."""
        before = len(live.actions)

        def work() -> None:
            try:
                play()
                self.store.append(room.kept.id, before, live.actions[-1], live.over)
            except BaseException as error:
                if len(live.actions) != before or not isinstance(error, GinkgoError):  # else nothing has changed
                    room.live = None
                raise

        try:
            await self.light(work)
        finally:
            if room.live is None or len(room.live.actions) != before:
                room.tell()

    async def record(self, seat: Seat) -> Record:
        """The record of a finished game. Raises TableError before the end."""
        async with self.game(seat.room) as live:
            if not live.over:
                raise TableError(409, "the game is not over: its record holds what is hidden now")
            return await self.light(live.record)

    # --- agents play on

    def _play_on(self, room: GameSession) -> None:
        """Let agents take the decisions that are theirs, in the background."""
        waiting = room.live is None or room.live.agent_decides
        if waiting and room.trouble is None and room.task is None and not (self.closing or room.gone):
            room.task = asyncio.create_task(self._agents_play(room))
            self._tasks.add(room.task)
            room.task.add_done_callback(self._tasks.discard)

    async def _agents_play(self, room: GameSession) -> None:
        try:
            while await self._goes_on(room):
                await asyncio.sleep(self.pace if room.watch else 0)
        finally:
            room.task = None

    async def _goes_on(self, room: GameSession) -> bool:
        """One decision of an agent, if one is to come; what could not be kept is tried again after a while."""
        try:
            return await self._agent_plays(room)
        except TableError as error:
            room.trouble = str(error)
            room.tell()
            if error.status != _LATER:
                return False
        await asyncio.sleep(self.limits.again)
        room.trouble = None
        return not room.gone

    async def _agent_plays(self, room: GameSession) -> bool:
        """One decision of an agent, which thinks while others can look at the table; returns whether there was one."""
        if room.watch and room.live is None:  # the game had to make room: it goes on when somebody looks at it
            return False
        async with self.game(room) as live:
            if not live.agent_decides or room.trouble is not None:
                return False
            played = len(live.actions)
        try:
            chosen = await self.heavy(live.choose)
            async with self.game(room) as live:
                if len(live.actions) == played:
                    await self._change(room, live, partial(live.advance, chosen))
        except TableError:
            raise
        except Exception:
            traceback.print_exc(file=sys.stderr)
            place = room.kept.places[live.actor or 0]
            room.trouble = f"{place.name}, played by the agent {place.agent}, has failed: the game cannot go on"
            room.tell()
            return False
        return True

    async def tables(self) -> int:
        """How many tables there are."""
        return len(await self.light(self.store.ids))

    async def touch(self, seat: Seat) -> None:
        """Somebody looks at a table, also where that cannot be kept."""
        with suppress(TableError):
            await self.light(self.store.touch, seat.room.kept.id)
