"""Validation of requests: bodies are converted to typed structs."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from starlette.requests import Request

from ginkgo_env.core.errors import short_repr
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse
from ginkgo_env.records.format import MAX_NAME, is_printable
from ginkgo_table.live import SeatAssignment
from ginkgo_table.web.limits import TableError

T = TypeVar("T")


class EmptyRequest(StrictStruct):
    """A request without arguments."""


class ConfigurationRequest(StrictStruct):
    """Asks for the seats of a game in a configuration."""

    game: str
    options: dict[str, Any]


class SeatRequest(StrictStruct):
    """Assigns a seat to a person, or to an agent by its name."""

    name: str
    agent: str | None = None

    def assignment(self) -> SeatAssignment:
        """Return the seat's assignment. Raises TableError for a name that is empty, too long or not printable."""
        name = self.name.strip()
        if not is_printable(name):
            raise TableError(422, f"name must have 1 to {MAX_NAME} printable characters, got {short_repr(name)}")
        return SeatAssignment(name, self.agent)


class TableRequest(ConfigurationRequest):
    """Opens a table with a game and its players."""

    seats: list[SeatRequest]
    seed: int | None = None
    hints: bool = True


class NameRequest(StrictStruct):
    """Names the person at a seat."""

    name: str

    def assignment(self) -> SeatAssignment:
        """Return the seat's assignment. Raises TableError for a bad name."""
        return SeatRequest(self.name).assignment()


class InvitationRequest(StrictStruct):
    """Asks for an invitation to a seat."""

    seat: int


class AgentRequest(StrictStruct):
    """Lets an agent play a seat; None takes the seat back."""

    seat: int
    agent: str | None


class QrRequest(StrictStruct):
    """Asks for the QR code of a link."""

    text: str


class ActionRequest(StrictStruct):
    """Plays an action; ``decision`` counts the seat's decisions, so that a repeated request has no effect."""

    decision: int
    action: int


class HintRequest(StrictStruct):
    """Asks an agent, by default the strongest, for a hint."""

    agent: str | None = None


async def run_while_connected(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Await long work for a client. If the client disconnects, cancel it and raise TableError."""
    task, disconnected = asyncio.create_task(work), asyncio.create_task(_wait_for_disconnect(request))
    try:
        await asyncio.wait({task, disconnected}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TableError(400, "the client disconnected")
        return task.result()
    finally:
        disconnected.cancel()
        task.cancel()
        await asyncio.wait({task})  # the task must release its resources before this returns


async def _wait_for_disconnect(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def decode_body(body: bytes) -> str:
    """Decode a body. Raises TableError unless it is UTF-8."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise TableError(400, "the body must be UTF-8 text") from None


def parse_body(body: bytes, kind: type[T]) -> T:
    """Convert a JSON body to the struct of a request.

    Raises TableError, which names the location of an error.
    """
    try:
        return convert(parse(body), kind)
    except JsonError as error:
        raise TableError(400, f"malformed request: {error}") from None
