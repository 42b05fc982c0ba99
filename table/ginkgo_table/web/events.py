"""Streams of server-sent events: what a seat sees, whenever that changes."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack

import anyio
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ginkgo_table.web.limits import TableError
from ginkgo_table.web.manager import Seat, SessionManager


class Streams:
    """The open streams of a server, counted."""

    def __init__(self, manager: SessionManager) -> None:
        self._manager, self._open = manager, 0

    def enter(self, seat: Seat) -> None:
        """Count a stream in. Raises TableError for one too many."""
        limits, mine = self._manager.limits, seat.session.streams[seat.view]
        if self._open >= limits.streams:
            raise TableError(503, "too many pages are open on this server")
        if mine >= limits.streams_each:
            raise TableError(429, "this seat is open in too many pages")
        self._open += 1
        seat.session.streams[seat.view] += 1

    def leave(self, seat: Seat) -> None:
        """Count a stream out."""
        self._open -= 1
        seat.session.streams[seat.view] -= 1

    async def events(self, seat: Seat) -> AsyncIterator[bytes]:
        """What a seat sees, now and whenever its view becomes another one; a comment when nothing happens for long."""
        last = None
        while not (self._manager.closing or seat.session.is_removed):
            news = seat.session.news
            try:
                snapshot = await self._manager.snapshot_for(seat)
            except TableError:  # the page asks anew and is told why
                return
            if snapshot.version != last:
                last = snapshot.version
                yield b"event: view\ndata: " + snapshot.body + b"\n\n"
            try:
                await asyncio.wait_for(news.wait(), self._manager.limits.heartbeat)
            except TimeoutError:
                yield b": waiting\n\n"


class EventResponse(Response):
    """The answer that is a stream; it ends at once when the client goes."""

    def __init__(self, streams: Streams, manager: SessionManager, seat: Seat) -> None:
        super().__init__(media_type="text/event-stream")
        del self.headers["content-length"]
        self._streams, self._manager, self._seat = streams, manager, seat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events. Raises TableError, before anything is sent, for one stream too many and tables that cannot be seen."""
        async with AsyncExitStack() as stack:
            self._streams.enter(self._seat)
            stack.callback(self._streams.leave, self._seat)
            await self._manager.snapshot_for(self._seat)
            await self._manager.touch(self._seat)
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            group = await stack.enter_async_context(anyio.create_task_group())
            group.start_soon(self._until_gone, receive, group.cancel_scope)
            async for event in self._streams.events(self._seat):
                await send({"type": "http.response.body", "body": event, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
            group.cancel_scope.cancel()

    @staticmethod
    async def _until_gone(receive: Receive, scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()
