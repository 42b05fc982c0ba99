"""Bounds of the server, and what is answered beyond them."""

from __future__ import annotations

import os
from dataclasses import dataclass, field

from ginkgo_env.core.errors import GinkgoError


@dataclass(frozen=True)
class Limits:
    """How much the server takes on; sizes in bytes, times in seconds."""

    tables: int = 1_000
    """In the store; to make room, finished tables go, those first that were longest untouched."""
    games: int = 32
    """In memory; the others are played again from the store when they are asked for."""
    connections: int = 512
    """Open connections; among too many, those without a request make room."""
    head: float = 20.0
    """For the beginning of a request, up to its body."""
    streams: int = 256
    """Open streams of events, of all seats together."""
    streams_each: int = 8
    """Of one seat."""
    long_tasks: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Agents that think, hints and replays at the same time."""
    body: int = 64 * 1024
    record: int = 4 * 1024 * 1024
    steps: int = 5_000
    """Of a record that is sent in."""
    drawing: float = 120.0
    """For the pages of one record."""
    waiting: int = 4
    """Records that wait for their pages."""
    replays: int = 8
    """Pages of records that are kept."""
    again: float = 5.0
    """Until what could not be kept is tried again."""
    heartbeat: float = 15.0
    sending: float = 30.0
    """For the body of a request."""


class TableError(GinkgoError):
    """What a request is refused with: an HTTP status and a sentence."""

    def __init__(self, status: int, message: object) -> None:
        super().__init__(message)
        self.status = status
