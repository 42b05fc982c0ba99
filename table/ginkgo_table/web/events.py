"""Server-sent events: the view of a seat, whenever it changes; after the first one, as differences."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack
from typing import TypeAlias

import anyio
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from ginkgo_table.web.limits import AddressLimit, TableError
from ginkgo_table.web.manager import Seat, TableManager

Edits: TypeAlias = list[str | list[int]]
"""Pieces of a text in order: new ones, and ``[start, stop]`` for pieces of the text before."""

_CUT = re.compile(r"(?=[<{\[])")


def pieces_of(text: str) -> list[str]:
    """Cut a text of JSON and SVG before each element, object and list."""
    return _CUT.split(text)


def edits_between(before: list[str], after: list[str]) -> Edits:
    """Return the edits that make the pieces of a text from those of the text before.

    >>> edits_between(["<a>", "<b>", "<c>"], ["<a>", "<b>", "<new>", "<c>"])
    [[0, 2], '<new>', [2, 3]]
    """
    positions = {piece: position for position, piece in reversed([*enumerate(before)])}
    edits: Edits = []
    for piece in after:
        run = edits[-1] if edits and isinstance(edits[-1], list) else None
        if run and before[run[1] : run[1] + 1] == [piece]:
            run[1] += 1
        elif piece in positions:
            edits.append([positions[piece], positions[piece] + 1])
        else:
            edits.append(piece)
    return edits


class EventStreams:
    """The event streams of a server, limited in number."""

    def __init__(self, manager: TableManager) -> None:
        self._manager, self._open = manager, 0
        self.addresses = AddressLimit(manager.limits.streams_per_address, "too many pages are open at your address")

    def register(self, seat: Seat) -> None:
        """Count a new stream. Raises TableError if there are too many."""
        limits, seat_streams = self._manager.limits, seat.table.streams[seat.view]
        if self._open >= limits.streams:
            raise TableError(503, "too many pages are open on this server")
        if seat_streams >= limits.streams_per_seat:
            raise TableError(429, "this seat is open in too many pages")
        self._open += 1
        self._count(seat, 1)

    def unregister(self, seat: Seat) -> None:
        """Stop counting a stream."""
        self._open -= 1
        self._count(seat, -1)

    @staticmethod
    def _count(seat: Seat, change: int) -> None:
        """Count the streams of a seat; others at the table see whether it has any."""
        before = seat.table.present
        seat.table.streams[seat.view] += change
        if seat.table.present != before and not seat.table.is_removed:
            seat.table.notify()

    async def events(self, seat: Seat) -> AsyncIterator[bytes]:
        """Yield the current view of a seat, then its changes; a comment if nothing changes for a while.

        The first event has all pieces of the view's text, each later event has edits of the pieces before: see
        ``edits_between``.
        """
        last, pieces = None, list[str]()
        while not (self._manager.closing or seat.table.is_removed):
            changed = seat.table.changed
            try:
                snapshot = await self._manager.snapshot_for(seat)
            except TableError:  # the page requests the snapshot again and gets the error
                return
            if snapshot.version != last:
                name, last = b"view" if last is None else b"change", snapshot.version
                data, pieces = await self._manager.run_short(_edited, pieces, snapshot.body)
                yield b"event: " + name + b"\ndata: " + data + b"\n\n"
            try:
                await asyncio.wait_for(changed.wait(), self._manager.limits.heartbeat)
            except TimeoutError:
                yield b": waiting\n\n"


def _edited(pieces: list[str], body: bytes) -> tuple[bytes, list[str]]:
    """Return edits as JSON that make a body from the pieces of the one before, and its own pieces."""
    after = pieces_of(body.decode())
    return json.dumps(edits_between(pieces, after), ensure_ascii=False, separators=(",", ":")).encode(), after


class EventResponse(Response):
    """A response that streams events until the client disconnects."""

    def __init__(self, streams: EventStreams, manager: TableManager, seat: Seat, request: Request) -> None:
        super().__init__(headers={"X-Accel-Buffering": "no"}, media_type="text/event-stream")  # nginx passes events on at once
        del self.headers["content-length"]
        self._streams, self._manager, self._seat, self._request = streams, manager, seat, request

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send events.

        Raises TableError before the response starts if there are too many streams or the game cannot load.
        """
        async with AsyncExitStack() as stack:
            stack.enter_context(self._streams.addresses.count(self._request))
            self._streams.register(self._seat)
            stack.callback(self._streams.unregister, self._seat)
            await self._manager.snapshot_for(self._seat)
            await self._manager.touch(self._seat)
            await send({"type": "http.response.start", "status": 200, "headers": self.raw_headers})
            group = await stack.enter_async_context(anyio.create_task_group())
            group.start_soon(self._cancel_on_disconnect, receive, group.cancel_scope)
            async for event in self._streams.events(self._seat):
                await send({"type": "http.response.body", "body": event, "more_body": True})
            await send({"type": "http.response.body", "body": b""})
            group.cancel_scope.cancel()

    @staticmethod
    async def _cancel_on_disconnect(receive: Receive, scope: anyio.CancelScope) -> None:
        while (await receive())["type"] != "http.disconnect":
            pass
        scope.cancel()
