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
from ginkgo_table.web.session import GameSession, SeatSnapshot, snapshot_of
from ginkgo_table.web.store import Store, StoredSession

T = TypeVar("T")
_LIGHT = 8  # threads for what is done at once
_LATER = 503  # the status of what may go well another time


class Seat(NamedTuple):
    """What a token opens."""

    session: GameSession
    view: int | None
    """The seat; None where only agents play."""


class SessionManager:
    """The tables of a server; call from its event loop only.

    pace : seconds between two decisions where only agents play
    """

    def __init__(self, store: Store, catalog: GameCatalog, limits: Limits, pace: float = 1.0) -> None:
        self.store, self.catalog, self.limits, self.pace = store, catalog, limits, pace
        self._sessions: OrderedDict[str, GameSession] = OrderedDict()  # the one that was touched last at the end
        self._long_work, self._threads = asyncio.Semaphore(limits.long_tasks), CapacityLimiter(limits.long_tasks)
        self._short_limiter, self._loading = CapacityLimiter(_LIGHT), CapacityLimiter(_LIGHT)
        self._tasks, self._working = set[asyncio.Task[None]](), set[asyncio.Task[Any]]()
        self.closing = False

    async def run_long(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do long work in a thread, beside few others; work that nobody waits for any more keeps its place until it ends."""
        await self._long_work.acquire()
        task = asyncio.create_task(run_sync(work, *arguments, limiter=self._threads, abandon_on_cancel=True))
        self._working.add(task)
        task.add_done_callback(self._has_worked)
        return await asyncio.shield(task)

    def _has_worked(self, task: asyncio.Task[Any]) -> None:
        self._working.discard(task)
        self._long_work.release()
        if not task.cancelled():
            task.exception()  # whoever waits for it has it

    async def run_short(self, work: Callable[..., T], *arguments: Any) -> T:
        """Do short work in a thread."""
        return await run_sync(work, *arguments, limiter=self._short_limiter)

    async def loaded_game(self, stored: StoredSession) -> LiveGame:
        """A table's game: the first of its kind may have to be compiled, beside which short work goes on."""
        return await run_sync(self._game_of, stored, limiter=self._loading)

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
        for session in self._sessions.values():
            session.notify()

    # --- opening, finding, removing

    async def open(self, game: Game, options: dict[str, Any], places: list[SeatAssignment], seed: int | None) -> dict[str, Any]:
        """Open a table: see ``POST /api/tables``. Raises TableError without room, GinkgoError for bad places or seeds."""
        seed = secrets.randbits(64) if seed is None else seed
        made = {"version": game.version, "components": dict(game.components)}
        stored = StoredSession(secrets.token_hex(4), game.name, options, made, seed, tuple(places))
        session = GameSession(stored)
        live = await self.loaded_game(stored)
        views = list(live.views)
        tokens = {secrets.token_urlsafe(16): view for view in views}
        await self.run_short(self.store.add, stored._replace(over=live.over), tokens)
        await self._forget_removed_sessions()
        session.live = live
        self._sessions[stored.id] = session
        self._evict_idle_games()
        self._start_agents(session)
        names = {view: "" if view is None else live.names[view] for view in views}
        return {
            "table": stored.id,
            "seats": [{"seat": view, "name": names[view], "token": token} for token, view in tokens.items()],
        }

    async def _forget_removed_sessions(self) -> None:
        """Forget tables that made room for a new one."""
        ids = await self.run_short(self.store.ids)
        for name in [name for name in self._sessions if name not in ids]:
            self._forget(self._sessions[name])

    def _forget(self, session: GameSession) -> None:
        session.is_removed = True
        if session.task is not None:
            session.task.cancel()
        self._sessions.pop(session.stored.id, None)
        session.notify()

    async def seat(self, token: str) -> Seat:
        """What a token opens. Raises TableError for one that opens nothing."""
        found = await self.run_short(self.store.seat_of, token)
        session = None if found is None else await self._session(found[0])
        if found is None or session is None:
            raise TableError(404, "there is no such table: it was removed, or the link is wrong")
        return Seat(session, found[1])

    async def _session(self, table: str) -> GameSession | None:
        if table not in self._sessions:
            stored = await self.run_short(self.store.table, table)
            if stored is None:
                return None
            self._sessions.setdefault(table, GameSession(stored))
        self._sessions.move_to_end(table)
        return self._sessions[table]

    async def remove(self, seat: Seat) -> None:
        """Take a table away. Raises TableError while several people play."""
        async with self.game(seat.session) as live:
            if not live.over and sum(seat.session.people) > 1:
                raise TableError(409, "several people play at this table: it can be removed when the game is over")
            await self.run_short(self.store.remove, seat.session.stored.id)
            self._forget(seat.session)

    # --- games in memory

    @asynccontextmanager
    async def game(self, session: GameSession) -> AsyncIterator[LiveGame]:
        """The game of a table, for as long as it is touched. Raises TableError if it cannot be played on."""
        async with session.lock:
            if session.is_removed:
                raise TableError(404, "there is no such table: it was removed, or the link is wrong")
            if session.live is None:
                try:
                    session.live = await self.loaded_game(session.stored)
                except TableError:
                    raise
                except GinkgoError as error:
                    raise TableError(410, f"this table cannot be opened any more: {error}") from None
                self._evict_idle_games()
            yield session.live

    def _game_of(self, stored: StoredSession) -> LiveGame:
        """Play a table's game up to where it is."""
        game = self.catalog.remade(stored.game, stored.options)
        if stored.made != {"version": game.version, "components": dict(game.components)}:
            raise GinkgoError(f"{game.title} has changed since")
        agent = (lambda *_: RandomAgent()) if stored.over else (lambda name, _: self.catalog.agent(name, game))
        return LiveGame(game, stored.seed, stored.places, self.store.actions(stored.id), make=agent)

    def _evict_idle_games(self) -> None:
        """Drop games from memory, those first that nobody looks at and that were longest untouched."""
        loaded = [session for session in self._sessions.values() if session.live is not None]
        idle = [session for session in loaded if not session.lock.locked()]
        for session in sorted(idle, key=lambda session: session.is_watched)[: max(0, len(loaded) - self.limits.games)]:
            session.live = None
            session.snapshots.clear()

    @property
    def loaded(self) -> int:
        """How many games are in memory."""
        return sum(session.live is not None for session in self._sessions.values())

    # --- seeing and playing

    async def snapshot_for(self, seat: Seat) -> SeatSnapshot:
        """What a seat sees now."""
        session, view = seat
        if session.is_removed or view not in session.snapshots:
            async with self.game(session) as live:
                if view not in session.snapshots:
                    session.snapshots[view] = await self.run_short(snapshot_of, live, view, session.people, session.trouble)
                found = session.snapshots[view]
        else:
            found = session.snapshots[view]
        self._start_agents(session)
        return found

    async def act(self, seat: Seat, decision: int, action: int) -> None:
        """A person decides. Raises TableError if it is not that seat's turn, GinkgoError for an illegal action."""
        session, view = seat
        async with self.game(session) as live:
            number = self.require_turn(live, view)
            if live.decided(number) != decision:
                raise TableError(409, "this was decided already")
            await self._change(session, live, partial(live.act, number, action))
        self._start_agents(session)

    @staticmethod
    def require_turn(live: LiveGame, view: int | None) -> int:
        """The seat that decides. Raises TableError if that is not the one given."""
        if view is None or live.actor != view:
            raise TableError(409, "the game is over" if live.over else "it is not your turn")
        return view

    async def _change(self, session: GameSession, live: LiveGame, play: Callable[[], Any]) -> None:
        """Play an action and keep it; what cannot be kept has not happened."""
        before = len(live.actions)

        def work() -> None:
            try:
                play()
                self.store.append(session.stored.id, before, live.actions[-1], live.over)
            except BaseException as error:
                if len(live.actions) != before or not isinstance(error, GinkgoError):  # else nothing has changed
                    session.live = None
                raise

        try:
            await self.run_short(work)
        finally:
            if session.live is None or len(session.live.actions) != before:
                session.notify()

    async def record(self, seat: Seat) -> Record:
        """The record of a finished game. Raises TableError before the end."""
        async with self.game(seat.session) as live:
            if not live.over:
                raise TableError(409, "the game is not over: its record holds what is hidden now")
            return await self.run_short(live.record)

    # --- agents play on

    def _start_agents(self, session: GameSession) -> None:
        """Let agents take the decisions that are theirs, in the background."""
        waiting = session.live is None or session.live.agent_decides
        if waiting and session.trouble is None and session.task is None and not (self.closing or session.is_removed):
            session.task = asyncio.create_task(self._play_agents(session))
            self._tasks.add(session.task)
            session.task.add_done_callback(self._tasks.discard)

    async def _play_agents(self, session: GameSession) -> None:
        try:
            while await self._play_next(session):
                await asyncio.sleep(self.pace if session.watch else 0)
        finally:
            session.task = None

    async def _play_next(self, session: GameSession) -> bool:
        """One decision of an agent, if one is to come; what could not be kept is tried again after a while."""
        try:
            return await self._play_agent(session)
        except TableError as error:
            session.trouble = str(error)
            session.notify()
            if error.status != _LATER:
                return False
        await asyncio.sleep(self.limits.again)
        session.trouble = None
        return not session.is_removed

    async def _play_agent(self, session: GameSession) -> bool:
        """One decision of an agent, which thinks while others can look at the table; returns whether there was one."""
        if session.watch and session.live is None:  # the game had to make room: it goes on when somebody looks at it
            return False
        async with self.game(session) as live:
            if not live.agent_decides or session.trouble is not None:
                return False
            played = len(live.actions)
        try:
            chosen = await self.run_long(live.choose)
            async with self.game(session) as live:
                if len(live.actions) == played:
                    await self._change(session, live, partial(live.advance, chosen))
        except TableError:
            raise
        except Exception:
            traceback.print_exc(file=sys.stderr)
            place = session.stored.places[live.actor or 0]
            session.trouble = f"{place.name}, played by the agent {place.agent}, has failed: the game cannot go on"
            session.notify()
            return False
        return True

    async def tables(self) -> int:
        """How many tables there are."""
        return len(await self.run_short(self.store.ids))

    async def touch(self, seat: Seat) -> None:
        """Somebody looks at a table, also where that cannot be kept."""
        with suppress(TableError):
            await self.run_short(self.store.touch, seat.session.stored.id)
