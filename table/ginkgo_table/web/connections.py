"""Connections below requests: how many there are, how long they may say nothing, and what is answered to what is no HTTP."""

from __future__ import annotations

import asyncio
import socket
from typing import Any, ClassVar, cast

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from ginkgo_table.web.limits import Limits
from ginkgo_table.web.middleware import HEADERS, refusal

_SPARE = 64  # files that are open besides connections
_KEEP, _DEAD = 30, 60  # seconds of silence after which the other side is asked whether it is there, and given up


class Connection(H11Protocol):
    """A connection of a client; among too many, those that were longest without a request make room.

    The base class leaves connections without a request open for ever.
    """

    limits: ClassVar[Limits] = Limits()
    _late: asyncio.TimerHandle | None = None
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Count it in."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._watch()
        if len(self._open()) > self.limits.connections:
            silent = [one for one in self._open() if one.silent and one is not self]
            min(silent or [self], key=lambda one: one._since).transport.abort()

    def _open(self) -> list[Connection]:
        ours = cast("set[Connection]", self.connections)
        return [one for one in ours if not one.transport.is_closing()]

    @property
    def silent(self) -> bool:
        """Whether no request has come, or none since the last was answered."""
        return self.conn.their_state is h11.IDLE

    def data_received(self, data: bytes) -> None:
        """Read on."""
        super().data_received(data)
        self._watch()

    def _watch(self) -> None:
        """A request has to begin in time, and its head to be complete."""
        if not self.silent:
            self._unwatch()
        elif self._late is None:
            self._late = self.loop.call_later(self.limits.head, self.transport.abort)

    def _unwatch(self) -> None:
        if self._late is not None:
            self._late.cancel()
        self._late = None

    def connection_lost(self, exc: Exception | None) -> None:
        """Count it out."""
        self._unwatch()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer what is no request of HTTP, unless the answer to a request before it has begun; what is sent on is not read."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            answer = refusal(400, "this is no request of HTTP")
            headers = [*answer.raw_headers, *((name.lower().encode(), value.encode()) for name, value in HEADERS.items())]
            headers.append((b"connection", b"close"))
            for event in (h11.Response(status_code=400, headers=headers), h11.Data(data=bytes(answer.body)), h11.EndOfMessage()):
                self.transport.write(cast(Any, self.conn).send(event))
        self.transport.close()


def connections(limits: Limits) -> type[Connection]:
    """The class of a server's connections."""
    return type("LimitedConnection", (Connection,), {"limits": limits})


def room_for(most: int) -> int:
    """How many connections this process can have, at most so many."""
    try:
        import resource
    except ImportError:  # no such bound on this system
        return most
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return most if files == resource.RLIM_INFINITY else max(1, min(most, files - _SPARE))


def watch_over(listening: socket.socket) -> None:
    """Let the system find connections that broke off without a word, where it can; accepted ones inherit this."""
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    for name, value in (("TCP_KEEPIDLE", _KEEP), ("TCP_KEEPINTVL", 10), ("TCP_KEEPCNT", 3), ("TCP_USER_TIMEOUT", _DEAD * 1000)):
        if hasattr(socket, name):
            listening.setsockopt(socket.IPPROTO_TCP, getattr(socket, name), value)
