"""The sessions of a server: opening, lookup by token, playing, and agents in the background."""

from __future__ import annotations

import asyncio
import json
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
from ginkgo_env.core.language import current_language
from ginkgo_env.records import Record
from ginkgo_table.live import LiveGame, SeatAssignment
from ginkgo_table.preview import preview_at
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import GONE, Limits, TableError
from ginkgo_table.web.session import GameSession, SeatSnapshot, snapshot_of
from ginkgo_table.web.store import Store, StoredSession

T = TypeVar("T")
_SHORT_TASK_THREADS = 8  # threads for work that is done quickly
_SERVICE_UNAVAILABLE = 503  # HTTP: the request may succeed later


class Seat(NamedTuple):
    """The session and view that a token gives access to."""

    session: GameSession
    view: int | None
    """The seat; None where only agents play."""


def _fingerprint(game: Game) -> dict[str, Any]:
    """Return what must be the same for stored actions to lead to the same game."""
    return {"version": game.version, "components": dict(game.components)}


class SessionManager:
    """Manages the sessions of a server. Call it from the server's event loop only.

    pace : seconds between two decisions where only agents play
    """

    def __init__(self, store: Store, catalog: GameCatalog, limits: Limits, pace: float = 1.0) -> None:
        self.store, self.catalog, self.limits, self.pace = store, catalog, limits, pace
        self._sessions: OrderedDict[str, GameSession] = OrderedDict()  # the most recently used last
        self._long_task_slots, self._threads = asyncio.Semaphore(limits.long_tasks), CapacityLimiter(limits.long_tasks)
        self._short_limiter, self._loading = CapacityLimiter(_SHORT_TASK_THREADS), CapacityLimiter(_SHORT_TASK_THREADS)
        self._tasks, self._long_tasks = set[asyncio.Task[None]](), set[asyncio.Task[Any]]()
        self.closing = False

    async def run_long(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run long work in one of a few threads; cancelled work occupies its thread until it ends."""
        await self._long_task_slots.acquire()
        task = asyncio.create_task(run_sync(work, *arguments, limiter=self._threads, abandon_on_cancel=True))
        self._long_tasks.add(task)
        task.add_done_callback(self._finish_long_task)
        return await asyncio.shield(task)

    def _finish_long_task(self, task: asyncio.Task[Any]) -> None:
        self._long_tasks.discard(task)
        self._long_task_slots.release()
        if not task.cancelled():
            task.exception()  # marks it as retrieved: the caller has it, if it was not cancelled

    async def run_short(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run short work in a thread."""
        return await run_sync(work, *arguments, limiter=self._short_limiter)

    async def load_game(self, stored: StoredSession) -> LiveGame:
        """Load a stored game in separate threads, as compiling its rules must not delay short work."""
        return await run_sync(self._load_game, stored, limiter=self._loading)

    async def close(self) -> None:
        """End event streams, cancel the agents' decisions and close the store."""
        self.end_streams()
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self.store.close()

    def end_streams(self) -> None:
        """End all event streams."""
        self.closing = True
        for session in self._sessions.values():
            session.notify()

    # --- opening, lookup, removal

    async def open(
        self, game: Game, options: dict[str, Any], places: list[SeatAssignment], seed: int | None, address: str = ""
    ) -> dict[str, Any]:
        """Open a table for a client at a network address: see ``POST /api/tables``.

        Raises TableError if the store is full, GinkgoError for bad places or seeds.
        """
        seed = secrets.randbits(64) if seed is None else seed
        stored = StoredSession(secrets.token_hex(4), game.name, options, _fingerprint(game), seed, tuple(places), address=address)
        session = GameSession(stored)
        live = await self.load_game(stored)
        views = list(live.views)
        tokens = {secrets.token_urlsafe(16): view for view in views}
        await self.run_short(self.store.add, stored._replace(is_over=live.is_over), tokens)
        await self._drop_removed_sessions()
        session.live = live
        self._sessions[stored.id] = session
        self._evict_idle_games()
        self._start_agents(session)
        names = {view: "" if view is None else live.names[view] for view in views}
        return {
            "table": stored.id,
            "seats": [{"seat": view, "name": names[view], "token": token} for token, view in tokens.items()],
        }

    async def expire(self) -> None:
        """Remove tables that nobody has used for long, now and then until it is cancelled."""
        while True:
            with suppress(TableError):
                await self.run_short(self.store.expire, self.limits.expire_unfinished, self.limits.expire_finished)
                await self._drop_removed_sessions()
            await asyncio.sleep(self.limits.expiry_interval)

    async def _drop_removed_sessions(self) -> None:
        """Drop sessions that the store has removed."""
        ids = await self.run_short(self.store.ids)
        for name in [name for name in self._sessions if name not in ids]:
            self._drop(self._sessions[name])

    def _drop(self, session: GameSession) -> None:
        session.is_removed = True
        if session.task is not None:
            session.task.cancel()
        self._sessions.pop(session.stored.id, None)
        session.notify()

    async def seat(self, token: str) -> Seat:
        """Return the seat of a token. Raises TableError for an unknown token."""
        table, view = await self.run_short(self.store.seat_of, token) or (None, None)
        session = None if table is None else await self._session(table)
        if session is None:
            raise TableError(404, "there is no such table: it was removed, or the link is wrong")
        return Seat(session, view)

    async def _session(self, table: str) -> GameSession | None:
        if table not in self._sessions:
            stored = await self.run_short(self.store.table, table)
            if stored is None:
                return None
            self._sessions.setdefault(table, GameSession(stored))
        self._sessions.move_to_end(table)
        return self._sessions[table]

    async def remove(self, seat: Seat) -> None:
        """Remove a table. Raises TableError while several people play."""
        try:
            async with self.game(seat.session) as live:
                if not live.is_over and sum(seat.session.people) > 1:
                    raise TableError(409, "several people play at this table: it can be removed when the game is over")
        except TableError as error:
            if error.status != GONE:  # nobody can play it any more
                raise
        async with seat.session.lock:
            await self.run_short(self.store.remove, seat.session.stored.id)
            self._drop(seat.session)

    # --- games in memory

    @asynccontextmanager
    async def game(self, session: GameSession) -> AsyncIterator[LiveGame]:
        """Lock a session and return its game, loaded if necessary.

        Raises TableError if it was removed or cannot be loaded.
        """
        async with session.lock:
            if session.is_removed:
                raise TableError(404, "there is no such table: it was removed, or the link is wrong")
            if session.live is None:
                try:
                    session.live = await self.load_game(session.stored)
                except TableError:
                    raise
                except GinkgoError as error:
                    raise TableError(GONE, f"this table cannot be opened any more: {error}") from None
                self._evict_idle_games()
            yield session.live

    def _load_game(self, stored: StoredSession) -> LiveGame:
        """Replay the stored actions of a game."""
        game = self.catalog.cached_game(stored.game, stored.options)
        if stored.fingerprint != _fingerprint(game):
            raise GinkgoError(f"{game.title} has changed since it was opened")
        # agents no longer matter in a finished game, which stays readable without the agents that played it
        factory = (lambda *_: RandomAgent()) if stored.is_over else (lambda name, _: self.catalog.agent(name, game))
        return LiveGame(game, stored.seed, stored.places, self.store.actions(stored.id), agent_factory=factory)

    def _evict_idle_games(self) -> None:
        """Unload games beyond the limit, those without clients first, then the least recently used."""
        loaded_games = [session for session in self._sessions.values() if session.live is not None]
        idle = [session for session in loaded_games if not session.lock.locked()]
        for session in sorted(idle, key=lambda session: session.is_watched)[: max(0, len(loaded_games) - self.limits.games)]:
            session.live = None
            session.snapshots.clear()

    @property
    def loaded_games(self) -> int:
        """The number of games in memory."""
        return sum(session.live is not None for session in self._sessions.values())

    # --- snapshots and actions

    async def snapshot_for(self, seat: Seat) -> SeatSnapshot:
        """Return what a seat sees now, in the current language."""
        session, view = seat
        key = view, current_language()
        if session.is_removed or key not in session.snapshots:
            async with self.game(session) as live:
                if key not in session.snapshots:
                    session.snapshots[key] = await self.run_short(snapshot_of, live, view, session.people, session.agent_error)
                snapshot = session.snapshots[key]
        else:
            snapshot = session.snapshots[key]
        self._start_agents(session)
        return snapshot

    async def act(self, seat: Seat, decision: int, action: int) -> None:
        """Play a person's action.

        Raises TableError if it is not the seat's turn, GinkgoError for an illegal action.
        """
        session, view = seat
        async with self.game(session) as live:
            number = self.require_turn(live, view)
            if live.decision_count(number) != decision:
                raise TableError(409, "this decision has already been made")
            await self._change(session, live, partial(live.act, number, action))
        self._start_agents(session)

    async def preview(self, seat: Seat, decision: int, action: int) -> dict[str, Any]:
        """Return what an action would bring: see ``ginkgo_table.preview``.

        Raises TableError if it is not the seat's turn, GinkgoError for an illegal action.
        """
        async with self.game(seat.session) as live:
            number = self.require_turn(live, seat.view)
            if live.decision_count(number) != decision:
                raise TableError(409, "this decision has already been made")
            if action not in live.legal():
                raise live.game.illegal_action(live.state, action)
            return await self.run_short(preview_at, live.game, live.state, action)

    @staticmethod
    def require_turn(live: LiveGame, view: int | None) -> int:
        """Return the seat whose turn it is. Raises TableError if that is not the view."""
        if view is None or live.actor != view:
            raise TableError(409, "the game is over" if live.is_over else "it is not your turn")
        return view

    async def _change(self, session: GameSession, live: LiveGame, play: Callable[[], Any]) -> None:
        """Play an action and store it; an action that cannot be stored is undone by unloading the game."""
        before = len(live.actions)

        def work() -> None:
            try:
                play()
                self.store.append(session.stored.id, before, live.actions[-1], live.is_over)
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
        """Return the record of a game that is finished, or that cannot go on as its agents are gone.

        Raises TableError otherwise.
        """
        try:
            async with self.game(seat.session) as live:
                if not live.is_over:
                    raise TableError(409, "the game is not over: its record would reveal what is hidden")
                return await self.run_short(live.record)
        except TableError as error:
            if error.status != GONE:
                raise
            try:
                return await run_sync(self._unplayable_record, seat.session.stored, limiter=self._loading)
            except GinkgoError:
                raise error from None

    async def stored_text(self, seat: Seat) -> str:
        """Return what is stored of a table, as lines of JSON: all there is if its game has changed."""
        stored = seat.session.stored
        header = {"game": stored.game, **stored.fingerprint, "options": stored.options, "seed": stored.seed}
        header["players"] = [place.name for place in stored.places]
        lines = [header, *({"action": action} for action in await self.run_short(self.store.actions, stored.id))]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    def _unplayable_record(self, stored: StoredSession) -> Record:
        """Return the record of a table without its agents."""
        return self._load_game(stored._replace(is_over=True)).record()

    # --- decisions of agents

    def _start_agents(self, session: GameSession) -> None:
        """Play the decisions of agents in the background."""
        waiting = session.live is None or session.live.is_agent_turn
        if waiting and session.agent_error is None and session.task is None and not (self.closing or session.is_removed):
            session.task = asyncio.create_task(self._play_agents(session))
            self._tasks.add(session.task)
            session.task.add_done_callback(self._tasks.discard)

    async def _play_agents(self, session: GameSession) -> None:
        try:
            while await self._play_next(session):
                await asyncio.sleep(self.pace if session.has_only_agents else 0)
        finally:
            session.task = None

    async def _play_next(self, session: GameSession) -> bool:
        """Play an agent's decision, and retry later if it could not be stored; returns whether to go on."""
        try:
            return await self._play_agent(session)
        except TableError as error:
            session.agent_error = str(error)
            session.notify()
            if error.status != _SERVICE_UNAVAILABLE:
                return False
        await asyncio.sleep(self.limits.retry_delay)
        session.agent_error = None
        return not session.is_removed

    async def _play_agent(self, session: GameSession) -> bool:
        """Play an agent's decision, if it is an agent's turn, and return whether it was.

        The game stays readable meanwhile.
        """
        if session.has_only_agents and session.live is None:  # unloaded to make room: the game continues when a client connects
            return False
        async with self.game(session) as live:
            if not live.is_agent_turn or session.agent_error is not None:
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
            session.agent_error = f"{place.name}, played by the agent {place.agent}, has failed: the game cannot go on"
            session.notify()
            return False
        return True

    async def count_tables(self) -> int:
        """Return the number of stored tables."""
        return len(await self.run_short(self.store.ids))

    async def touch(self, seat: Seat) -> None:
        """Mark a table as used now; a failure to store that is ignored."""
        with suppress(TableError):
            await self.run_short(self.store.touch, seat.session.stored.id)
