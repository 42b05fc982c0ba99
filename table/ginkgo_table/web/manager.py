"""The tables of a server: opening, lookup by token, playing, hints, and agents in the background."""

from __future__ import annotations

import asyncio
import hashlib
import json
import secrets
import sys
import time
import traceback
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, NamedTuple, TypeVar

from anyio import CapacityLimiter
from anyio.to_thread import run_sync

from ginkgo_agents.base import RandomAgent
from ginkgo_agents.registry import agent_names
from ginkgo_agents.strengths import levels
from ginkgo_env.core.errors import GinkgoError, short_repr
from ginkgo_env.core.game import OBSERVER, Game, States
from ginkgo_env.core.language import current_language
from ginkgo_env.records import Record
from ginkgo_table.hints import hint_at, preview_at
from ginkgo_table.live import LiveGame
from ginkgo_table.view import moment_of, view_of
from ginkgo_table.web.assets import rules_page
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import GONE, Limits, TableError, translated
from ginkgo_table.web.store import Store, StoredTable, TokenKind


class SeatSnapshot(NamedTuple):
    """What one seat sees."""

    version: str
    """A digest of the content: it changes only with what the seat can notice."""
    body: bytes
    """JSON, encoded as UTF-8."""


class Signal(NamedTuple):
    """What a seat has told the others."""

    name: str
    """One of ``SIGNALS``."""
    number: int
    """Counts the signals at the table."""
    time: float
    """When it was sent, on the monotonic clock."""


class Table:
    """A table with its game and its clients.

    Use it from the event loop only, and its game only while holding the lock.
    """

    def __init__(self, stored: StoredTable) -> None:
        self.stored = stored
        self.lock = asyncio.Lock()
        self.live: LiveGame | None = None
        self.agent_error: str | None = None
        """Why an agent failed to decide, as a sentence."""
        self.snapshots: dict[tuple[int | None, str], SeatSnapshot] = {}
        """The current snapshots, by view and language."""
        self.streams: Counter[int | None] = Counter()
        self.task: asyncio.Task[None] | None = None
        """The background task that plays the decisions of agents."""
        self.signals: dict[int, Signal] = {}
        """The latest signal of each seat."""
        self.is_hinting = False
        self.is_removed = False
        self.revoked = set[str]()
        """Tokens that no longer give access."""
        self.changed = asyncio.Event()

    @property
    def has_empty_seat(self) -> bool:
        """Whether a seat waits for a person; nobody plays until then."""
        return any(assignment.is_empty for assignment in self.stored.seats)

    @property
    def has_only_agents(self) -> bool:
        """Whether no person plays."""
        return not any(assignment.agent is None for assignment in self.stored.seats)

    @property
    def is_watched(self) -> bool:
        """Whether any client is connected or waits for a hint."""
        return self.is_hinting or self.streams.total() > 0

    @property
    def present(self) -> list[bool]:
        """Whether the page of each seat is open and in sight."""
        return [self.streams[seat] > 0 for seat in range(len(self.stored.seats))]

    def notify(self) -> None:
        """Discard the snapshots and wake all clients that wait for a change."""
        self.snapshots.clear()
        self.changed.set()
        self.changed = asyncio.Event()


def snapshot_of(live: LiveGame, view: int | None, table: Table) -> SeatSnapshot:
    """Return what a view sees now: a seat, OBSERVER, or None, which sees a game without people in full."""
    stored, agent_error = table.stored, table.agent_error
    signals = list(table.signals.items())  # a copy: the event loop may add one meanwhile
    empty = [assignment.is_empty for assignment in live.seats]
    data = {
        **view_of(live, view),
        "people": [assignment.agent is None for assignment in live.seats],
        "empty": empty,
        "present": [is_open or seat == view for seat, is_open in enumerate(table.present)],
        "signals": [[seat, signal.name, signal.number] for seat, signal in signals],
        "trouble": agent_error and translated(agent_error),
        "working": live.is_agent_turn and agent_error is None and not any(empty),
        "watch": view in (None, OBSERVER),
        "public": view == OBSERVER,
        "hints": stored.hints,
        "levels": levels(live.game, agent_names(live.game.name)),
        "rematch": bool(stored.rematch),
        "takes_back": view is not None and live.can_take_back(view) and not any(empty),
        "language": current_language(),
        "rules": rules_page(live.game.name) is not None,
        "learn": bool(live.game.presenter.how_to_play_file),
    }
    if any(empty):
        data["decision"] = None
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    version = hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:16]
    return SeatSnapshot(version, f'{text[:-1]},"version":"{version}"}}'.encode("utf-8", errors="replace"))


T = TypeVar("T")
_SHORT_TASK_THREADS = 8  # threads for work that is done quickly
_SERVICE_UNAVAILABLE = 503  # HTTP: the request may succeed later
SIGNALS = ("hello", "well_played", "moment")
"""What people can tell each other: a greeting, praise, and that they need a moment."""
NO_TABLE = "there is no such table: it was removed, or the link is wrong"


class Seat(NamedTuple):
    """The table and view that a token gives access to."""

    table: Table
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
        if self.table.is_removed or self.token in self.table.revoked:
            raise TableError(404, NO_TABLE)


def new_id() -> str:
    """Return the id of a new table."""
    return secrets.token_hex(4)


def new_token() -> str:
    """Return a token that cannot be guessed."""
    return secrets.token_urlsafe(16)


def fingerprint_of(game: Game) -> dict[str, Any]:
    """Return the data that must be the same for stored actions to lead to the same game."""
    return {"version": game.version, "components": dict(game.component_ids)}


class TableManager:
    """Manages the tables of a server. Call it from the server's event loop only.

    pace : seconds between two decisions where only agents play
    """

    def __init__(self, store: Store, catalog: GameCatalog, limits: Limits, pace: float = 1.0) -> None:
        self.store, self.catalog, self.limits, self.pace = store, catalog, limits, pace
        self._tables: OrderedDict[str, Table] = OrderedDict()  # the most recently used last
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

    async def load_game(self, stored: StoredTable, views: list[int | None] | None = None) -> LiveGame:
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
        for table in self._tables.values():
            table.notify()

    # --- opening, lookup, removal

    async def open(self, stored: StoredTable, own: int | None) -> dict[str, Any]:
        """Open a new table, and return its id and the seat of the client who opens it, with its token.

        own : the client's seat; None where only agents play. Seats of other people are empty until they are taken.

        Raises TableError if the store is full, GinkgoError for bad seats or seeds.
        """
        people = [assignment.agent is None for assignment in stored.seats]
        seats = [assignment._replace(is_empty=people[seat] and seat != own) for seat, assignment in enumerate(stored.seats)]
        stored = stored._replace(seats=tuple(seats))
        table, token = Table(stored), new_token()
        live = await self.load_game(stored, [own])
        await self.run_short(self.store.add, stored._replace(is_over=live.is_over), {token: own})
        await self._drop_removed_tables()
        table.live = live
        self._tables[stored.id] = table
        self._evict_idle_games()
        self._start_agents(table)
        return {"table": stored.id, "seats": [{"seat": own, "name": "" if own is None else live.names[own], "token": token}]}

    @asynccontextmanager
    async def reseating(self, table: Table, *, even_if_over: bool = False) -> AsyncIterator[LiveGame]:
        """Lock a table to change its players or views, and reload its game afterwards.

        Raises TableError if the game is over.
        """
        async with self.game(table) as live:
            if live.is_over and not even_if_over:
                raise TableError(409, "the game is over")
            yield live
            table.live, table.agent_error = None, None
            table.notify()
        self._start_agents(table)

    async def expire(self) -> None:
        """Remove tables that have not been used for long, periodically until cancelled."""
        while True:
            with suppress(TableError):
                await self.run_short(self.store.expire, self.limits.expire_unfinished, self.limits.expire_finished)
                await self._drop_removed_tables()
            await asyncio.sleep(self.limits.expiry_interval)

    async def _drop_removed_tables(self) -> None:
        """Drop tables that the store has removed."""
        ids = await self.run_short(self.store.ids)
        for table_id in [table_id for table_id in self._tables if table_id not in ids]:
            self._drop(self._tables[table_id])

    def _drop(self, table: Table) -> None:
        table.is_removed = True
        if table.task is not None:
            table.task.cancel()
        self._tables.pop(table.stored.id, None)
        table.notify()

    async def seat(self, token: str) -> Seat:
        """Return the seat, or the view, of a token. Raises TableError for an unknown token."""
        return await self._find(token, TokenKind.SEAT, TokenKind.WATCH)

    async def invitation(self, token: str) -> Seat:
        """Return the seat that an invitation is for. Raises TableError for an unknown one."""
        return await self._find(token, TokenKind.INVITATION)

    async def _find(self, token: str, *kinds: TokenKind) -> Seat:
        access = await self.run_short(self.store.access, token)
        table = None if access is None or access.kind not in kinds else await self.table(access.table_id)
        if access is None or table is None:
            raise TableError(404, NO_TABLE)
        return Seat(table, access.view, token)

    async def table(self, table_id: str) -> Table | None:
        """Return a table; None for an unknown id."""
        if table_id not in self._tables:
            stored = await self.run_short(self.store.table, table_id)
            if stored is None:
                return None
            self._tables.setdefault(table_id, Table(stored))
        self._tables.move_to_end(table_id)
        return self._tables[table_id]

    async def remove(self, seat: Seat) -> None:
        """Remove a table for one person; the last person who does so removes it for good.

        Raises TableError while several people play.
        """
        table = seat.table
        if seat.view == OBSERVER:
            return  # other spectators keep the link
        try:
            async with self.game(table) as live:
                if (
                    not live.is_over
                    and sum(assignment.agent is None and not assignment.is_empty for assignment in live.seats) > 1
                ):
                    raise TableError(409, "several people play at this table: it can be removed when the game is over")
                goes = not live.is_over
        except TableError as error:
            if error.status != GONE:  # nobody can play it any more
                raise
            goes = False
        async with table.lock:
            seat.check()
            if goes:
                await self.run_short(self.store.remove, table.stored.id)
            if goes or await self.run_short(self.store.forget, seat.token, table.stored.id):
                self._drop(table)
            table.revoked.add(seat.token)
            table.notify()

    async def take_back(self, seat: Seat) -> None:
        """Take back a person's latest decision: see ``LiveGame.can_take_back``.

        Raises TableError if that is not possible.
        """
        table, number = seat.table, seat.number
        async with self.game(table) as live:
            seat.check()
            if not live.can_take_back(number) or table.has_empty_seat:
                raise TableError(409, "what has been played stays: only against agents it can be taken back")
            if live.pending.get(number):
                await self._change(table, live, partial(live.withdraw, number))
            else:
                await self.run_short(self.store.truncate, table.stored.id, live.last_action_of(number))
                table.live, table.agent_error = None, None
                table.notify()
        self._start_agents(table)

    # --- games in memory

    @asynccontextmanager
    async def game(self, table: Table) -> AsyncIterator[LiveGame]:
        """Lock a table and return its game, loaded if necessary.

        Raises TableError if it was removed or cannot be loaded.
        """
        async with table.lock:
            if table.is_removed:
                raise TableError(404, NO_TABLE)
            if table.live is None:
                try:
                    table.live = await self.load_game(table.stored)
                except TableError:
                    raise
                except GinkgoError as error:
                    raise TableError(GONE, f"this table cannot be opened any more: {error}") from None
                self._evict_idle_games()
            yield table.live

    def _load_game(self, stored: StoredTable, views: list[int | None] | None = None) -> LiveGame:
        """Replay the stored actions of a game."""
        game = self.catalog.cached_game(stored.game, stored.options)
        if stored.fingerprint != fingerprint_of(game):
            raise GinkgoError(f"{game.title} has changed since it was opened")
        # agents no longer matter in a finished game, which stays readable without the agents that played it
        factory = (lambda *_: RandomAgent()) if stored.is_over else (lambda name, _: self.catalog.agent(name, game))
        views = self.store.views(stored.id) if views is None else views
        return LiveGame(
            game,
            stored.seed,
            stored.seats,
            self.store.actions(stored.id),
            agent_factory=factory,
            pending=self.store.pending(stored.id),
            views=views,
        )

    def _evict_idle_games(self) -> None:
        """Unload games beyond the limit, those without clients first, then the least recently used."""
        loaded_games = [table for table in self._tables.values() if table.live is not None]
        idle = [table for table in loaded_games if not table.lock.locked()]
        for table in sorted(idle, key=lambda table: table.is_watched)[: max(0, len(loaded_games) - self.limits.games)]:
            table.live = None
            table.snapshots.clear()

    @property
    def loaded_games(self) -> int:
        """The number of games in memory."""
        return sum(table.live is not None for table in self._tables.values())

    # --- snapshots and actions

    async def snapshot_for(self, seat: Seat) -> SeatSnapshot:
        """Return what a seat sees now, in the current language."""
        table, view = seat.table, seat.view
        seat.check()
        key = view, current_language()
        snapshot = table.snapshots.get(key)
        if snapshot is None:
            async with self.game(table) as live:
                seat.check()
                snapshot = table.snapshots.get(key)
                if snapshot is None:
                    changed = table.changed
                    snapshot = await self.run_short(snapshot_of, live, view, table)
                    if table.changed is changed:  # else somebody came, went or signaled meanwhile
                        table.snapshots[key] = snapshot
        self._start_agents(table)
        return snapshot

    async def moment(self, seat: Seat, number: int) -> dict[str, Any]:
        """Return an earlier moment of a game as a seat may know it. Raises TableError if its log is too short."""
        async with self.game(seat.table) as live:
            if number >= len(live.history(seat.view)):
                raise TableError(404, "the game has not come so far")
            return await self.run_short(moment_of, live, seat.view, number)

    async def act(self, seat: Seat, decision: int, action: int) -> None:
        """Play a person's action.

        Raises TableError if it is not the seat's turn, GinkgoError for an illegal action.
        """
        table = seat.table
        async with self.game(table) as live:
            number = self.require_turn(live, seat)
            if live.decision_count(number) != decision:
                raise TableError(409, "this decision has already been made")
            await self._change(table, live, partial(live.act, number, action))
        self._start_agents(table)

    async def signal(self, seat: Seat, name: str) -> None:
        """Show a signal of one seat to everybody at the table.

        Raises TableError for an unknown one, and if they come too fast.
        """
        table, number = seat.table, seat.number
        seat.check()
        if name not in SIGNALS:
            raise TableError(422, f"signal must be one of: {', '.join(SIGNALS)}; got {short_repr(name)}")
        last, now = table.signals.get(number), time.monotonic()
        if last is not None and now < last.time + self.limits.signal_interval:
            raise TableError(429, "one signal after the other")
        count = 1 + max((signal.number for signal in table.signals.values()), default=0)
        table.signals[number] = Signal(name, count, now)
        table.notify()

    async def preview(self, seat: Seat, decision: int, action: int) -> dict[str, Any]:
        """Return the preview of an action: see ``ginkgo_table.hints``.

        Raises TableError if it is not the seat's turn, GinkgoError for an illegal action.
        """
        async with self.game(seat.table) as live:
            number = self.require_turn(live, seat)
            asked = live.decision(number)
            if asked is None or live.decision_count(number) != decision:
                raise TableError(409, "this decision has already been made")
            if action not in asked.legal:
                raise live.game.illegal_action(asked.state, action)
            return await self.run_short(preview_at, live.asked_game, asked.state, action)

    async def hint(self, seat: Seat, agent: str | None) -> dict[str, Any]:
        """Return an agent's hint for the seat whose turn it is: see ``ginkgo_table.hints.hint``.

        agent : by default the best one for the game

        Raises TableError if it is not the seat's turn, if the table works on another hint, or if the agent fails.
        """
        table = seat.table
        async with self.game(table) as live:
            view = self.require_turn(live, seat)
            if not table.stored.hints:
                raise TableError(403, "hints are not allowed at this table")
            if table.is_hinting:
                raise TableError(409, "this table is already waiting for a hint")
            names = await self.run_short(self.catalog.hint_agents, live.game)
            if not names or agent not in (None, *names):
                raise TableError(422, f"agent must be one of: {', '.join(names) or 'none'}; got {short_repr(agent)}")
            decision, number = live.decision(view), live.decision_count(view)
            if decision is None or len(decision.legal) < 2:
                raise TableError(409, "there is nothing to choose")
            table.is_hinting = True
        try:
            advice = await self.run_long(self._ask_agent, live.game, decision.state, agent or names[0])
        finally:
            table.is_hinting = False
        async with self.game(table) as live:
            if live.decision_count(view) != number:
                raise TableError(409, "the game has gone on")
        return advice

    def _ask_agent(self, game: Game, state: States, name: str) -> dict[str, Any]:
        try:
            return hint_at(game, state, self.catalog.agent(name, game), name)
        except GinkgoError as error:
            raise TableError(422, error) from None
        except Exception:
            traceback.print_exc(file=sys.stderr)
            raise TableError(500, f"agent {name} has failed: there is no hint") from None

    @staticmethod
    def require_turn(live: LiveGame, seat: Seat) -> int:
        """Return the number of the seat whose turn it is. Raises TableError if that is not this person's."""
        seat.check()
        if seat.table.has_empty_seat:
            raise TableError(409, "the game goes on when all seats are taken")
        if seat.view is None or live.decision(seat.view) is None:
            raise TableError(409, "the game is over" if live.is_over else "it is not your turn")
        return seat.view

    async def _change(self, table: Table, live: LiveGame, play: Callable[[], Any]) -> None:
        """Play an action and store the result. If it cannot be stored, unloading the game undoes it."""
        before, has_changed = len(live.actions), False

        def work() -> None:
            nonlocal has_changed
            try:
                play()
                has_changed = True
                self.store.append(table.stored.id, before, live.actions[before:], live.is_over, live.pending)
            except BaseException as error:
                if has_changed or not isinstance(error, GinkgoError):  # else nothing has changed
                    table.live, has_changed = None, True
                raise

        try:
            await self.run_short(work)
        finally:
            if has_changed:
                table.notify()

    async def record(self, seat: Seat) -> Record:
        """Return the record of a game that is finished, or that cannot go on as its agents are gone.

        Raises TableError otherwise.
        """
        try:
            async with self.game(seat.table) as live:
                if not live.is_over:
                    raise TableError(409, "the game is not over: its record would reveal what is hidden")
                return await self.run_short(live.record)
        except TableError as error:
            if error.status != GONE:
                raise
            try:
                return await run_sync(self._unplayable_record, seat.table.stored, limiter=self._loading)
            except GinkgoError:
                raise error from None

    async def stored_text(self, seat: Seat) -> str:
        """Return the stored data of a table as lines of JSON, for a game that can no longer be loaded."""
        stored = seat.table.stored
        header = {"game": stored.game, **stored.fingerprint, "options": stored.options, "seed": stored.seed}
        header["players"] = [assignment.name for assignment in stored.seats]
        lines = [header, *({"action": action} for action in await self.run_short(self.store.actions, stored.id))]
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)

    def _unplayable_record(self, stored: StoredTable) -> Record:
        """Return the record of a table without its agents."""
        return self._load_game(stored._replace(is_over=True)).record()

    # --- decisions of agents

    def _start_agents(self, table: Table) -> None:
        """Play the decisions of agents in the background."""
        waiting = (table.live is None or table.live.is_agent_turn) and not table.has_empty_seat
        if waiting and table.agent_error is None and table.task is None and not (self.closing or table.is_removed):
            table.task = asyncio.create_task(self._play_agents(table))
            self._tasks.add(table.task)
            table.task.add_done_callback(self._tasks.discard)

    async def _play_agents(self, table: Table) -> None:
        try:
            while await self._play_next(table):
                await asyncio.sleep(self.pace if table.has_only_agents else 0)
        finally:
            table.task = None

    async def _play_next(self, table: Table) -> bool:
        """Play an agent's decision, and retry later if it could not be stored; return whether to continue."""
        try:
            return await self._play_agent(table)
        except TableError as error:
            table.agent_error = str(error)
            table.notify()
            if error.status != _SERVICE_UNAVAILABLE:
                return False
        await asyncio.sleep(self.limits.retry_delay)
        table.agent_error = None
        return not table.is_removed

    async def _play_agent(self, table: Table) -> bool:
        """Play an agent's decision, if it is an agent's turn, and return whether it was.

        The game stays readable meanwhile.
        """
        if table.has_only_agents and table.live is None:  # unloaded to make room: the game continues when a client connects
            return False
        async with self.game(table) as live:
            if not live.is_agent_turn or table.agent_error is not None or table.has_empty_seat:
                return False
        try:
            chosen = await self.run_long(live.choose)
            async with self.game(table) as now:
                if now is live:  # otherwise it was reloaded, perhaps with other players
                    await self._change(table, live, partial(live.advance, chosen))
        except TableError:
            raise
        except Exception:
            traceback.print_exc(file=sys.stderr)
            assignment = live.seats[live.actor or 0]
            table.agent_error = f"{assignment.name}, played by the agent {assignment.agent}, has failed: the game cannot go on"
            table.notify()
            return False
        return True

    async def count_tables(self) -> int:
        """Return the number of stored tables."""
        return len(await self.run_short(self.store.ids))

    async def touch(self, seat: Seat) -> None:
        """Mark a table as used now; a failure to store that is ignored."""
        with suppress(TableError):
            await self.run_short(self.store.touch, seat.table.stored.id)
