"""Validation of requests: bodies are counted while they are read, and checked against typed structs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import ClientDisconnect, Request

from ginkgo_env.core.errors import shown
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse
from ginkgo_env.records.format import MAX_NAME
from ginkgo_table.live import SeatAssignment
from ginkgo_table.web.limits import TableError

T = TypeVar("T")


class Nothing(StrictStruct):
    """The body of a request without arguments."""


class Configuration(StrictStruct):
    """Asks who can sit at a table of a game."""

    game: str
    options: dict[str, Any]


class SeatRequest(StrictStruct):
    """Who sits at a seat: a person, or an agent by its name."""

    name: str
    agent: str | None = None

    def assignment(self) -> SeatAssignment:
        """Return the seat's assignment. Raises TableError for a name that is empty, too long or not printable."""
        name = self.name.strip()
        if not 1 <= len(name) <= MAX_NAME or not name.isprintable():
            raise TableError(422, f"a name must have 1 to {MAX_NAME} printable characters, got {shown(name)}")
        return SeatAssignment(name, self.agent)


class OpenTable(Configuration):
    """Opens a table."""

    places: list[SeatRequest]
    seed: int | None = None


class Decision(StrictStruct):
    """A person's action; ``decision`` counts the seat's decisions, so that a repeated request has no effect."""

    decision: int
    action: int


class AskHint(StrictStruct):
    """Asks an agent, by default the strongest, for a hint."""

    agent: str | None = None


async def body_of(request: Request, most: int, seconds: float) -> bytes:
    """The body, counted while it is read. Raises TableError for one that is too large, or sent too slowly."""
    told = request.headers.get("content-length", "0")
    if told.isdecimal() and int(told[:20]) > most:
        raise TableError(413, f"too large: at most {most} bytes")
    parts, size = [], 0
    try:
        async with asyncio.timeout(seconds):
            async for part in request.stream():
                size += len(part)
                if size > most:
                    raise TableError(413, f"too large: at most {most} bytes")
                parts.append(part)
    except TimeoutError:
        raise TableError(408, f"the request took longer than {seconds:g} seconds") from None
    except ClientDisconnect:
        raise TableError(400, "the request was cut off") from None
    return b"".join(parts)


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Do something that takes long for a client, as long as it is there. Raises TableError when it has gone."""
    task, is_removed = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait({task, is_removed}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TableError(400, "the request was cut off")
        return task.result()
    finally:
        is_removed.cancel()
        task.cancel()
        await asyncio.wait({task})  # what it holds is free when this is over


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def text_of(body: bytes) -> str:
    """Decode a body. Raises TableError unless it is UTF-8."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise TableError(400, "the request is not UTF-8 text") from None


def read_body(body: bytes, kind: type[T]) -> T:
    """Check the JSON of a body against the struct of a request. Raises TableError, which names the place."""
    try:
        return convert(parse(body), kind)
    except JsonError as error:
        raise TableError(400, f"the request is malformed: {error}") from None
