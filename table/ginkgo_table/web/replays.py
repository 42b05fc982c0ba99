"""Replay pages of finished games and of uploaded records; reviews of what a seat did."""

from __future__ import annotations

import asyncio
import secrets
import sys
import time
import traceback
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ginkgo_env.core.errors import GinkgoError, RecordError
from ginkgo_env.pictures.viewer import replay_page
from ginkgo_env.records import Record
from ginkgo_env.records.format import load
from ginkgo_table.hints import review
from ginkgo_table.web.game_catalog import GameCatalog, JsonObject
from ginkgo_table.web.limits import TableError, translated
from ginkgo_table.web.manager import Seat, TableManager


class Replays:
    """A cache of the latest pages under random ids. One page is made at a time."""

    def __init__(self, manager: TableManager) -> None:
        self._manager, self._limits = manager, manager.limits
        self._pages: OrderedDict[str, bytes] = OrderedDict()
        self._of_tables: dict[str, str] = {}  # the id of the page of a table's game
        self._lock, self._waiting = asyncio.Lock(), 0

    def page(self, name: str) -> bytes:
        """Return a page. Raises TableError for an unknown or expired id."""
        if name not in self._pages:
            raise TableError(404, "there is no such replay: only the latest ones are available")
        return self._pages[name]

    async def of_table(self, seat: Seat) -> str:
        """Return the id of the page of a table's finished game.

        The page is made once, and kept as long as there is room.
        """
        table = seat.table.stored.id
        if self._of_tables.get(table) not in self._pages:
            record = await self._manager.record(seat)
            self._of_tables[table] = await self._add(lambda: record)
        self._pages.move_to_end(self._of_tables[table])
        return self._of_tables[table]

    async def add_text(self, text: str) -> str:
        """Make the page of an uploaded record.

        Raises TableError for an invalid or too long record, or one that names files.
        """
        return await self._add(lambda: read_record(text, self._manager.catalog))

    async def _add(self, read: Callable[[], Record]) -> str:
        if self._waiting >= self._limits.replay_queue:
            raise TableError(503, "the server is busy with other replays: try again in a minute")
        self._waiting += 1
        try:
            async with self._lock:
                page = await self._manager.run_long(self._draw, read)
        finally:
            self._waiting -= 1
        name = secrets.token_urlsafe(16)
        self._pages[name] = page
        while len(self._pages) > self._limits.replays:
            gone, _ = self._pages.popitem(last=False)
            self._of_tables = {table: page for table, page in self._of_tables.items() if page != gone}
        return name

    def _draw(self, read: Callable[[], Record]) -> bytes:
        try:
            record = read()
            steps = sum("action" in line for line in record.lines)
            if steps > self._limits.record_steps:
                raise TableError(422, f"a record must have at most {self._limits.record_steps} steps, got {steps}")
            return replay_page(record, wrap=self._limit_time).encode("utf-8", errors="replace")
        except TableError:
            raise
        except RecursionError:
            raise TableError(422, "not a game record: nested too deeply") from None
        except GinkgoError as error:
            raise TableError(422, error) from None

    def _limit_time(self, steps: Iterable[Any]) -> Iterator[Any]:
        end = time.monotonic() + self._limits.drawing_timeout
        for step in steps:
            if time.monotonic() > end:
                raise TableError(422, f"drawing this record takes longer than {self._limits.drawing_timeout:g} seconds")
            yield step


def read_record(text: str, catalog: GameCatalog) -> Record:
    """Parse an uploaded record. Raises RecordError; TableError for a configuration outside the catalog."""
    if not text.lstrip().startswith("{"):  # ``load`` would take it for a path
        raise RecordError("not a game record: it does not begin with an object")
    lines = load(text)
    catalog.check_config(str(lines[0]["game"]), lines[0]["config"])
    return Record(lines)


class Reviews:
    """A cache of the latest reviews of finished games, each made in the background."""

    def __init__(self, manager: TableManager) -> None:
        self._manager = manager
        self._found: OrderedDict[tuple[str, int], JsonObject] = OrderedDict()
        self._tasks = set[asyncio.Task[None]]()
        self._lock = asyncio.Lock()  # one at a time: decisions of agents need the processors as well

    async def get(self, seat: Seat) -> JsonObject:
        """Return a seat's review: see ``ginkgo_table.hints.review``.

        Until it is made, return ``{"done", "of"}``: the number of decisions done and of all decisions.

        Raises TableError before the end of the game, and where no agent can review it.
        """
        key = seat.table.stored.id, seat.number
        if key not in self._found:
            record = await self._manager.record(seat)
            agents = await self._manager.run_short(self._manager.catalog.hint_agents, record.game)
            if not agents:
                raise TableError(422, "no agent can review this game")
            if key in self._found:  # somebody has asked in the meantime
                return self._found[key]
            self._found[key] = {"done": 0, "of": 0}
            task = asyncio.create_task(self._make(key, record, agents[0]))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
            while len(self._found) > self._manager.limits.reviews:
                self._found.popitem(last=False)
        found = self._found[key]
        return {"error": translated(found["error"])} if "error" in found else found

    async def _make(self, key: tuple[str, int], record: Record, agent: str) -> None:
        def progress(done: int, of: int) -> None:
            self._found[key] = {"done": done, "of": of}

        def work() -> JsonObject:
            return {"agent": agent, **review(record, key[1], self._manager.catalog.agent(agent, record.game), progress)}

        async with self._lock:
            try:
                self._found[key] = await self._manager.run_long(work)
            except GinkgoError as error:
                self._found[key] = {"error": str(error)}
            except Exception:
                traceback.print_exc(file=sys.stderr)
                self._found[key] = {"error": f"agent {agent} has failed: there is no review"}
