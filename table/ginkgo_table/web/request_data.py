"""What clients send, checked: bodies of requests as plain data."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Coroutine, Mapping
from typing import Any, NoReturn, TypeVar

from starlette.requests import ClientDisconnect, Request

from ginkgo_env.core.errors import shown
from ginkgo_table.web.limits import TableError

T = TypeVar("T")
Plain = dict[str, Any]
_KINDS = {str: "text", int: "a whole number", list: "a list", dict: "an object", type(None): "null"}


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
    task, gone = asyncio.create_task(work), asyncio.create_task(_gone(request))
    try:
        await asyncio.wait({task, gone}, return_when=asyncio.FIRST_COMPLETED)
        if not task.done():
            raise TableError(400, "the request was cut off")
        return task.result()
    finally:
        gone.cancel()
        task.cancel()
        await asyncio.wait({task})  # what it holds is free when this is over


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass


def text_of(body: bytes) -> str:
    """A body as text. Raises TableError unless it is UTF-8."""
    try:
        return body.decode("utf-8")
    except UnicodeDecodeError:
        raise TableError(400, "the request is not UTF-8 text") from None


def object_of(body: bytes) -> Plain:
    """A body as a JSON object. Raises TableError for anything else."""
    try:
        found = json.loads(text_of(body), parse_constant=_no_number)
    except TableError:
        raise
    except (ValueError, RecursionError):
        raise TableError(400, "the request is not JSON") from None
    if not isinstance(found, dict):
        raise TableError(400, f"the request must be an object, not {shown(found)}")
    return found


def _no_number(text: str) -> NoReturn:
    raise ValueError(text)


def fields(data: Mapping[str, Any], where: str = "the request", /, **kinds: tuple[type, ...]) -> list[Any]:
    """The values of keys, of the kinds given; a key may be missing if null is one of them. Raises TableError, for others too."""
    if unknown := data.keys() - kinds.keys():
        raise TableError(400, f"{where} has an unknown key {shown(min(unknown))}; expected: {', '.join(kinds)}")
    for key, kind in kinds.items():
        value = data.get(key)
        if type(value) not in kind:
            expected = " or ".join(_KINDS[one] for one in kind)
            raise TableError(400, f"{where}: {key} must be {expected}, not {shown(value) if key in data else 'missing'}")
    return [data.get(key) for key in kinds]
