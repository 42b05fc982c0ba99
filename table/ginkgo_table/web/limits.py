"""Limits and settings of the server; refused requests, in a person's language."""

from __future__ import annotations

import ipaddress
import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from starlette.requests import HTTPConnection

from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.language import ENGLISH, Texts, current_language

GONE = 410
"""The HTTP status of a table that is stored, but whose game cannot be loaded any more."""


@dataclass(frozen=True)
class Limits:
    """The limits of what the server accepts; sizes in bytes, times in seconds."""

    tables: int = 1_000
    """Tables in the store; finished ones are removed to make room, the least recently used first."""
    tables_per_address: int = 100
    """Tables opened from one network address; its own finished ones are removed to make room."""
    expire_unfinished: float = 30.0
    """Days after which unfinished tables that nobody used are removed; 0 keeps them."""
    expire_finished: float = 90.0
    """The same for finished tables."""
    expiry_interval: float = 3600.0
    """Time between removals of expired tables."""
    games: int = 32
    """Games in memory; the others are replayed from the store on demand."""
    connections: int = 512
    """Open connections; beyond this the longest idle one is closed."""
    connections_per_address: int = 128
    """Open connections of one network address, except for those of this machine and of trusted proxies."""
    request_timeout: float = 30.0
    """Time for a request to arrive, from its first byte, or the opening of the connection, to the end of its body."""
    write_timeout: float = 30.0
    """Time that a client may read nothing while data for it wait."""
    bodies_per_address: int = 16
    """Requests of one network address whose bodies are being received."""
    streams: int = 256
    """Open event streams in all."""
    streams_per_seat: int = 8
    streams_per_address: int = 64
    long_tasks: int = field(default_factory=lambda: os.cpu_count() or 1)
    """Decisions of agents, hints and replays at the same time."""
    body: int = 64 * 1024
    record: int = 4 * 1024 * 1024
    record_steps: int = 5_000
    drawing_timeout: float = 120.0
    """Time to draw one replay page."""
    replay_queue: int = 4
    """Replay pages that are being made or wait for it."""
    replays: int = 8
    """Replay pages in memory."""
    reviews: int = 64
    """Reviews of finished games in memory."""
    signal_interval: float = 2.0
    """Time between two signals of a seat."""
    retry_delay: float = 5.0
    """Time until the server retries to play an agent's action that it could not store."""
    heartbeat: float = 15.0
    """Time between comments in an event stream without changes."""


class TableError(GinkgoError):
    """Raised for a refused request, with the HTTP status and the message of the answer."""

    def __init__(self, status: int, message: object) -> None:
        super().__init__(message)
        self.status = status


class AddressLimit:
    """Counts the concurrent actions of clients at each network address, and refuses too many."""

    def __init__(self, most: int, refusal: str) -> None:
        self._most, self._refusal, self._counts = most, refusal, Counter[str]()

    @contextmanager
    def count(self, request: HTTPConnection) -> Iterator[None]:
        """Count once. Raises TableError if the address of the request has reached the limit."""
        address = address_of(request)
        if self._counts[address] >= self._most:
            raise TableError(429, self._refusal)
        self._counts[address] += 1
        try:
            yield
        finally:
            self._counts -= Counter((address,))  # forgets addresses with none


def address_of(request: HTTPConnection) -> str:
    """Return the network address of a client: see :func:`network_of`."""
    return network_of(request.client.host if request.client else "")


def network_of(host: str) -> str:
    """Return an IP address; for IPv6, the part that belongs to one customer."""
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return host
    if address.version == 4:
        return str(address)
    return str(address.ipv4_mapped or ipaddress.ip_network((address.packed[:8] + bytes(8), 64)))


@dataclass(frozen=True)
class ServerSettings:
    """How a server runs: see ``ginkgo table --help``."""

    host: str = "127.0.0.1"
    """The address to listen at."""
    port: int = 8765
    """The port; 0 takes any free one."""
    browser: bool | None = None
    """Whether to open a browser; None opens it if there is a desktop."""
    file: Path | None = None
    """The file that stores the tables; by default one in the user's folder."""
    agents: Sequence[str] = ()
    """Further agents to play with."""
    pace: float = 1.0
    """Seconds between decisions where only agents play."""
    names: Sequence[str] = ()
    """Further host names under which the server may be addressed."""
    base_path: str = ""
    """The path below which everything is served, such as ``/ginkgo``."""
    proxies: Sequence[str] = ()
    """Addresses and networks of proxies, whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed."""
    limits: Limits = field(default_factory=Limits)


# --- messages of refusals in a person's language ------------------------------------------------------------------------------


_TEXTS = Texts(__package__)
_OTHER = "This is not possible: {error}"


def translated(sentence: str) -> str:
    """Return a refusal in the current language; parts in braces of its English text are kept.

    A refusal without a translation is quoted.
    """
    language = current_language()
    if language == ENGLISH:
        return sentence
    return _matched(sentence, language) or _TEXTS(_OTHER, error=sentence)


def _matched(sentence: str, language: str) -> str | None:
    for pattern, text in _patterns(language):
        if match := pattern.fullmatch(sentence):
            values = {name: _matched(value, language) or value for name, value in match.groupdict().items()}
            return text.format(**values)
    return None


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return translations with patterns of their English texts, the longest first."""
    found = []
    for english, text in sorted(_TEXTS.catalog(language).items(), key=lambda texts: -len(texts[0])):
        if english != _OTHER:
            pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(english))
            found.append((re.compile(pattern, re.DOTALL), text))
    return found
