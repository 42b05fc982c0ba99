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

from ginkgo_agents.agents.base import RandomAgent
from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.game import OBSERVER, Game
from ginkgo_env.core.language import current_language
from ginkgo_env.records import Record
from ginkgo_table.live import LiveGame, SeatAssignment
from ginkgo_table.preview import preview_at
from ginkgo_table.view import moment_of
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import GONE, Limits, TableError
from ginkgo_table.web.session import GameSession, SeatSnapshot, snapshot_of
from ginkgo_table.web.store import Store, StoredSession, TokenKind

T = TypeVar("T")
_SHORT_TASK_THREADS = 8  # threads for work that is done quickly
_SERVICE_UNAVAILABLE = 503  # HTTP: the request may succeed later
NO_TABLE = "there is no such table: it was removed, or the link is wrong"


class Seat(NamedTuple):
    """The session and view that a token gives access to."""

    session: GameSession
    view: int | None
    """The seat; None where only agents play, OBSERVER for spectators."""
    token: str

    @property
    def number(self) -> int:
        """The seat. Raises TableError if there is none."""
        if self.view in (None, OBSERVER):
            raise TableError(409, "you have no seat at this table")
        return self.view

    def check(self) -> None:
        """Raise TableError if the token no longer gives access."""
        if self.session.is_removed or self.token in self.session.revoked:
            raise TableError(404, NO_TABLE)


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(16)


def _fingerprint(game: Game) -> dict[str, Any]:
    """Return the data that must be the same for stored actions to lead to the same game."""
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
            task.exception()  # marks the exception as retrieved; a caller that was not cancelled gets it anyway

    async def run_short(self, work: Callable[..., T], *arguments: Any) -> T:
        """Run short work in a thread."""
        return await run_sync(work, *arguments, limiter=self._short_limiter)

    async def load_game(self, stored: StoredSession, views: list[int | None] | None = None) -> LiveGame:
        """Load a stored game in separate threads, as compiling its rules must not delay short work.

        views : the views of the game, by default those for which the store has tokens
        """
        return await run_sync(self._load_game, stored, views, limiter=self._loading)

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
        self,
        game: Game,
        options: dict[str, Any],
        places: list[SeatAssignment],
        seed: int | None,
        address: str = "",
        *,
        hints: bool = True,
        own: int | None = None,
    ) -> dict[str, Any]:
        """Open a table for a client at a network address: see ``POST /api/tables``.

        The client gets the seat `own`, by default the first seat of a person; seats of other people are empty until they are
        taken. Raises TableError if the store is full, GinkgoError for bad places or seeds.
        """
        seed = secrets.randbits(64) if seed is None else seed
        if own is None:
            own = next((seat for seat, place in enumerate(places) if place.agent is None), None)
        seated = [place._replace(is_empty=place.agent is None and seat != own) for seat, place in enumerate(places)]
        stored = StoredSession(
            secrets.token_hex(4), game.name, options, _fingerprint(game), seed, tuple(seated), hints=hints, address=address
        )
        session, token = GameSession(stored), new_token()
        live = await self.load_game(stored, [own])
        await self.run_short(self.store.add, stored._replace(is_over=live.is_over), {token: own})
        await self._drop_removed_sessions()
        session.live = live
        self._sessions[stored.id] = session
        self._evict_idle_games()
        self._start_agents(session)
        return {"table": stored.id, "seats": [{"seat": own, "name": "" if own is None else live.names[own], "token": token}]}

    @asynccontextmanager
    async def reseating(self, session: GameSession, *, even_if_over: bool = False) -> AsyncIterator[LiveGame]:
        """Lock a session to change its players or views, and reload its game afterwards.

        Raises TableError if the game is over.
        """
        async with self.game(session) as live:
            if live.is_over and not even_if_over:
                raise TableError(409, "the game is over")
            yield live
            session.live, session.agent_error = None, None
            session.notify()
        self._start_agents(session)

    async def expire(self) -> None:
        """Remove tables that have not been used for long, periodically until cancelled."""
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
        """Return the seat, or the view, of a token. Raises TableError for an unknown token."""
        return await self._find(token, TokenKind.SEAT, TokenKind.WATCH)

    async def invitation(self, token: str) -> Seat:
        """Return the seat that an invitation is for. Raises TableError for an unknown one."""
        return await self._find(token, TokenKind.INVITATION)

    async def _find(self, token: str, *kinds: TokenKind) -> Seat:
        access = await self.run_short(self.store.access, token)
        session = None if access is None or access.kind not in kinds else await self.session(access.table)
        if access is None or session is None:
            raise TableError(404, NO_TABLE)
        return Seat(session, access.view, token)

    async def session(self, table: str) -> GameSession | None:
        """Return the session of a table; None for an unknown id."""
        if table not in self._sessions:
            stored = await self.run_short(self.store.table, table)
            if stored is None:
                return None
            self._sessions.setdefault(table, GameSession(stored))
        self._sessions.move_to_end(table)
        return self._sessions[table]

    async def remove(self, seat: Seat) -> None:
        """Remove a table for one person; the last person who does so removes it for good.

        Raises TableError while several people play.
        """
        session = seat.session
        if seat.view == OBSERVER:
            return  # other spectators keep the link
        try:
            async with self.game(session) as live:
                if not live.is_over and sum(place.agent is None and not place.is_empty for place in live.places) > 1:
                    raise TableError(409, "several people play at this table: it can be removed when the game is over")
                goes = not live.is_over
        except TableError as error:
            if error.status != GONE:  # nobody can play it any more
                raise
            goes = False
        async with session.lock:
            seat.check()
            if goes:
                await self.run_short(self.store.remove, session.stored.id)
            if goes or await self.run_short(self.store.forget, seat.token, session.stored.id):
                self._drop(session)
            session.revoked.add(seat.token)
            session.notify()

    async def take_back(self, seat: Seat) -> None:
        """Take back a person's latest decision: see ``LiveGame.can_take_back``.

        Raises TableError if that is not possible.
        """
        session, number = seat.session, seat.number
        async with self.game(session) as live:
            seat.check()
            if not live.can_take_back(number) or session.has_empty_seat:
                raise TableError(409, "what has been played stays: only against agents it can be taken back")
            if live.pending.get(number):
                await self._change(session, live, partial(live.withdraw, number))
            else:
                await self.run_short(self.store.truncate, session.stored.id, live.last_action_of(number))
                session.live, session.agent_error = None, None
                session.notify()
        self._start_agents(session)

    # --- games in memory

    @asynccontextmanager
    async def game(self, session: GameSession) -> AsyncIterator[LiveGame]:
        """Lock a session and return its game, loaded if necessary.

        Raises TableError if it was removed or cannot be loaded.
        """
        async with session.lock:
            if session.is_removed:
                raise TableError(404, NO_TABLE)
            if session.live is None:
                try:
                    session.live = await self.load_game(session.stored)
                except TableError:
                    raise
                except GinkgoError as error:
                    raise TableError(GONE, f"this table cannot be opened any more: {error}") from None
                self._evict_idle_games()
            yield session.live

    def _load_game(self, stored: StoredSession, views: list[int | None] | None = None) -> LiveGame:
        """Replay the stored actions of a game."""
        game = self.catalog.cached_game(stored.game, stored.options)
        if stored.fingerprint != _fingerprint(game):
            raise GinkgoError(f"{game.title} has changed since it was opened")
        # agents no longer matter in a finished game, which stays readable without the agents that played it
        factory = (lambda *_: RandomAgent()) if stored.is_over else (lambda name, _: self.catalog.agent(name, game))
        views = self.store.views(stored.id) if views is None else views
        return LiveGame(
            game,
            stored.seed,
            stored.places,
            self.store.actions(stored.id),
            agent_factory=factory,
            at_once=True,
            pending=self.store.pending(stored.id),
            views=views,
        )

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
        session, view = seat.session, seat.view
        seat.check()
        key = view, current_language()
        snapshot = session.snapshots.get(key)
        if snapshot is None:
            async with self.game(session) as live:
                seat.check()
                if key not in session.snapshots:
                    session.snapshots[key] = await self.run_short(snapshot_of, live, view, session.stored, session.agent_error)
                snapshot = session.snapshots[key]
        self._start_agents(session)
        return snapshot

    async def moment(self, seat: Seat, number: int) -> dict[str, Any]:
        """Return an earlier moment of a game as a seat may know it. Raises TableError if its log is too short."""
        async with self.game(seat.session) as live:
            if number >= len(live.history(seat.view)):
                raise TableError(404, "the game has not come so far")
            return await self.run_short(moment_of, live, seat.view, number)

    async def act(self, seat: Seat, decision: int, action: int) -> None:
        """Play a person's action.

        Raises TableError if it is not the seat's turn, GinkgoError for an illegal action.
        """
        session = seat.session
        async with self.game(session) as live:
            number = self.require_turn(live, seat)
            if live.decision_count(number) != decision:
                raise TableError(409, "this decision has already been made")
            await self._change(session, live, partial(live.act, number, action))
        self._start_agents(session)

    async def preview(self, seat: Seat, decision: int, action: int) -> dict[str, Any]:
        """Return the preview of an action: see ``ginkgo_table.preview``.

        Raises TableError if it is not the seat's turn, GinkgoError for an illegal action.
        """
        async with self.game(seat.session) as live:
            number = self.require_turn(live, seat)
            asked = live.decision(number)
            if asked is None or live.decision_count(number) != decision:
                raise TableError(409, "this decision has already been made")
            if action not in asked.legal:
                raise live.game.illegal_action(asked.state, action)
            return await self.run_short(preview_at, live.asked_game, asked.state, action)

    @staticmethod
    def require_turn(live: LiveGame, seat: Seat) -> int:
        """Return the number of the seat whose turn it is. Raises TableError if that is not this person's."""
        seat.check()
        if seat.session.has_empty_seat:
            raise TableError(409, "the game goes on when all seats are taken")
        if seat.view is None or live.decision(seat.view) is None:
            raise TableError(409, "the game is over" if live.is_over else "it is not your turn")
        return seat.view

    async def _change(self, session: GameSession, live: LiveGame, play: Callable[[], Any]) -> None:
        """Play an action and store the result. If it cannot be stored, unloading the game undoes it."""
        before, has_changed = len(live.actions), False

        def work() -> None:
            nonlocal has_changed
            try:
                play()
                has_changed = True
                self.store.append(session.stored.id, before, live.actions[before:], live.is_over, live.pending)
            except BaseException as error:
                if has_changed or not isinstance(error, GinkgoError):  # else nothing has changed
                    session.live, has_changed = None, True
                raise

        try:
            await self.run_short(work)
        finally:
            if has_changed:
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
        """Return the stored data of a table as lines of JSON, for a game that can no longer be loaded."""
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
        waiting = (session.live is None or session.live.is_agent_turn) and not session.has_empty_seat
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
        """Play an agent's decision, and retry later if it could not be stored; return whether to continue."""
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
            if not live.is_agent_turn or session.agent_error is not None or session.has_empty_seat:
                return False
        try:
            chosen = await self.run_long(live.choose)
            async with self.game(session) as now:
                if now is live:  # otherwise it was reloaded, perhaps with other players
                    await self._change(session, live, partial(live.advance, chosen))
        except TableError:
            raise
        except Exception:
            traceback.print_exc(file=sys.stderr)
            place = live.places[live.actor or 0]
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
