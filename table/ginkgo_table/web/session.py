"""A table in memory: its game, if it is loaded, what its seats see now, and who waits for news."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from typing import NamedTuple

from ginkgo_table.live import LiveGame
from ginkgo_table.view import view_of
from ginkgo_table.web.store import StoredSession


class SeatSnapshot(NamedTuple):
    """What one seat sees."""

    version: str
    """A digest: what a seat cannot notice does not change it."""
    body: bytes
    """JSON."""


class GameSession:
    """A table. All of it belongs to the event loop; the game is touched only under the lock."""

    def __init__(self, stored: StoredSession) -> None:
        self.stored = stored
        self.people = [place.agent is None for place in stored.places]
        self.lock = asyncio.Lock()
        self.live: LiveGame | None = None
        self.trouble: str | None = None
        """Why an agent could not decide, in a sentence."""
        self.snapshots: dict[int | None, SeatSnapshot] = {}
        self.streams: Counter[int | None] = Counter()
        self.task: asyncio.Task[None] | None = None
        """Lets the agents play on."""
        self.is_hinting = False
        self.is_removed = False
        self.news = asyncio.Event()

    @property
    def watch(self) -> bool:
        """Whether only agents play."""
        return not any(self.people)

    @property
    def is_watched(self) -> bool:
        """Whether somebody looks at it."""
        return self.is_hinting or self.streams.total() > 0

    def notify(self) -> None:
        """Something has changed: wake everybody who waits for news."""
        self.snapshots.clear()
        self.news.set()
        self.news = asyncio.Event()


def snapshot_of(live: LiveGame, view: int | None, people: list[bool], trouble: str | None) -> SeatSnapshot:
    """What a seat sees now; of no seat: what everybody sees of a game of agents alone."""
    seen = {
        **view_of(live, view),
        "people": people,
        "trouble": trouble,
        "working": live.agent_decides and trouble is None,
        "watch": view is None,
    }
    text = json.dumps(seen, ensure_ascii=False, separators=(",", ":"))
    version = hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:16]
    return SeatSnapshot(version, f'{text[:-1]},"version":"{version}"}}'.encode("utf-8", errors="replace"))
