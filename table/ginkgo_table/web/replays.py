"""Replay pages of finished games, from tables and from uploaded records."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ginkgo_env.core.errors import GinkgoError, RecordError
from ginkgo_env.pictures.viewer import replay_page
from ginkgo_env.records import Record
from ginkgo_env.records.format import load
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import TableError
from ginkgo_table.web.manager import TableManager


class Replays:
    """A cache of the latest pages under random ids. One page is made at a time."""

    def __init__(self, manager: TableManager) -> None:
        self._manager, self._limits = manager, manager.limits
        self._pages: OrderedDict[str, bytes] = OrderedDict()
        self._lock, self._waiting = asyncio.Lock(), 0

    def page(self, name: str) -> bytes:
        """Return a page. Raises TableError for an unknown or expired id."""
        if name not in self._pages:
            raise TableError(404, "there is no such replay: only the latest ones are available")
        return self._pages[name]

    async def add_record(self, record: Record) -> str:
        """Make the page of a record and return its id."""
        return await self._add(lambda: record)

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
            self._pages.popitem(last=False)
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
