"""HTTP connections: their number, timeouts, and the answer to malformed requests."""

from __future__ import annotations

import asyncio
from typing import ClassVar, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ginkgo_table.web.limits import Limits

_RESERVED_FILES = 64  # open files besides connections


class Connection(H11Protocol):
    """A connection with a timeout for requests; beyond the limit the longest idle one is closed.

    The base class keeps connections without a request open for ever.
    """

    limits: ClassVar[Limits] = Limits()
    _timer: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout, and close the longest idle connection if there are too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._start_timer()
        if len(self._open()) > self.limits.connections:
            idle = [other for other in self._open() if other.is_idle and other is not self]
            min(idle or [self], key=lambda connection: connection._since).transport.abort()

    def _open(self) -> list[Connection]:
        ours = cast("set[Connection]", self.connections)
        return [connection for connection in ours if not connection.transport.is_closing()]

    @property
    def is_idle(self) -> bool:
        """Whether no request has begun since the connection was opened or the last request was answered."""
        return self.conn.their_state is h11.IDLE

    def data_received(self, data: bytes) -> None:
        """Process received data."""
        super().data_received(data)
        self._start_timer()

    def _start_timer(self) -> None:
        """Start the timeout for the next request, or stop it when the request is complete."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.limits.request_timeout, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeout."""
        self._stop_timer()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request and close, unless the answer to an earlier request has begun."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        self.transport.close()


def connection_class(limits: Limits) -> type[Connection]:
    """Return the protocol class for a server with these limits."""
    return type("LimitedConnection", (Connection,), {"limits": limits})


def max_connections(limit: int) -> int:
    """Return how many connections this process can open, at most ``limit``."""
    try:
        import resource
    except ImportError:  # not on this system
        return limit
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return limit if files == resource.RLIM_INFINITY else max(1, min(limit, files - _RESERVED_FILES))
