"""A table in memory: its game, if loaded, the snapshots of its seats, and waiting clients."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections import Counter
from typing import NamedTuple

from ginkgo_env.core.game import OBSERVER
from ginkgo_env.core.language import current_language
from ginkgo_table.live import LiveGame
from ginkgo_table.view import view_of
from ginkgo_table.web.refusals import translated
from ginkgo_table.web.rules import rules_page
from ginkgo_table.web.store import StoredTable


class SeatSnapshot(NamedTuple):
    """What one seat sees."""

    version: str
    """A digest of the content: it changes only with what the seat can notice."""
    body: bytes
    """JSON, encoded as UTF-8."""


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
        self.is_hinting = False
        self.is_removed = False
        self.revoked = set[str]()
        """Tokens that no longer give access."""
        self.changed = asyncio.Event()

    @property
    def people(self) -> list[bool]:
        """Whether each seat is a person's."""
        return [assignment.agent is None for assignment in self.stored.seats]

    @property
    def has_empty_seat(self) -> bool:
        """Whether a seat waits for a person; nobody plays until then."""
        return any(assignment.is_empty for assignment in self.stored.seats)

    @property
    def has_only_agents(self) -> bool:
        """Whether no person plays."""
        return not any(self.people)

    @property
    def is_watched(self) -> bool:
        """Whether any client is connected or waits for a hint."""
        return self.is_hinting or self.streams.total() > 0

    def notify(self) -> None:
        """Discard the snapshots and wake all clients that wait for a change."""
        self.snapshots.clear()
        self.changed.set()
        self.changed = asyncio.Event()


def snapshot_of(live: LiveGame, view: int | None, stored: StoredTable, agent_error: str | None) -> SeatSnapshot:
    """Return what a view sees now: a seat, OBSERVER, or None, which sees a game without people in full."""
    empty = [assignment.is_empty for assignment in live.seats]
    data = {
        **view_of(live, view),
        "people": [assignment.agent is None for assignment in live.seats],
        "empty": empty,
        "trouble": agent_error and translated(agent_error),
        "working": live.is_agent_turn and agent_error is None and not any(empty),
        "watch": view in (None, OBSERVER),
        "public": view == OBSERVER,
        "hints": stored.hints,
        "rematch": bool(stored.rematch),
        "takes_back": view is not None and live.can_take_back(view) and not any(empty),
        "language": current_language(),
        "rules": rules_page(live.game.name) is not None,
    }
    if any(empty):
        data["decision"] = None
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    version = hashlib.sha256(text.encode("utf-8", errors="replace")).hexdigest()[:16]
    return SeatSnapshot(version, f'{text[:-1]},"version":"{version}"}}'.encode("utf-8", errors="replace"))
