"""Checks of every request (host, origin, content type) and the headers of every response."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Iterable

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ginkgo_env.core.errors import short_repr
from ginkgo_env.core.language import LANGUAGES, speaking
from ginkgo_table.web.limits import TableError, translated

CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; connect-src 'self'; img-src 'self' data:; "
    "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "Content-Security-Policy": CONTENT_SECURITY_POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
}
REPLAYS = "/api/replays"
_HOST = re.compile(r"(?:\[([^\]]*)\]|([^:@\[\]]*))(?::[0-9]{0,5})?")


def error_response(status: int, message: object) -> Response:
    """Return a response with an error as JSON, in the current language."""
    return JSONResponse({"error": translated(str(message)).encode(errors="replace").decode()}, status)


class RequestGuard:
    """ASGI middleware that refuses requests made by other sites.

    names : host names of this server, besides IP addresses and ``localhost``; other names are refused (DNS rebinding)
    base_path : the path below which everything is served
    """

    def __init__(self, app: ASGIApp, names: Iterable[str] = (), base_path: str = "") -> None:
        self._app, self._base_path = app, base_path
        self._host_names = {"localhost", *(name.lower().rstrip(".") for name in names)}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        if scope["type"] == "lifespan":
            return await self._app(scope, receive, send)
        if scope["type"] != "http":  # WebSockets are not supported
            return await send({"type": "websocket.close", "code": 1008})
        with speaking(language_of(scope)):
            await self._answer(scope, receive, send)

    async def _answer(self, scope: Scope, receive: Receive, send: Send) -> None:

        async def with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
            await send(message)

        try:
            self._check(scope)
        except TableError as error:
            return await error_response(error.status, error)(scope, receive, with_headers)
        await self._app(scope, receive, with_headers)

    def _check(self, scope: Scope) -> None:
        """Raise TableError for a request that must not be served."""
        headers = Headers(scope=scope)
        host, path = self._host(headers), scope["path"].removeprefix(self._base_path)
        self._check_origin(headers, f"{scope['scheme']}://{host}")
        if path.startswith("/api/") and headers.get("sec-fetch-site", "none") not in ("same-origin", "none"):
            raise TableError(403, "requests from pages of other sites are refused")
        if scope["method"] == "POST":
            kind = headers.get("content-type", "").partition(";")[0].strip().lower()
            expected = "text/plain" if path == REPLAYS else "application/json"
            if kind != expected:
                raise TableError(415, f"the content type must be {expected}")

    @staticmethod
    def _check_origin(headers: Headers, own: str) -> None:
        """Raise TableError for a request from a page of another origin than the server's own."""
        origins = [origin.lower() for origin in headers.getlist("origin")]
        if origins in ([], [own]):
            return
        if origins == [own.replace("http:", "https:")]:
            raise TableError(403, "the page is encrypted, but not the request: name the proxy between them by --proxy ADDRESS")
        raise TableError(403, "requests from pages of other sites are refused; a proxy has to leave the header Host as it is")

    def _host(self, headers: Headers) -> str:
        """Return the header Host in lower case. Raises TableError unless it names this server."""
        hosts = headers.getlist("host")
        if len(hosts) != 1:
            raise TableError(400, "the request must have exactly one Host header")
        host = hosts[0].lower()
        match = _HOST.fullmatch(host)
        name = "" if match is None else match[1] or match[2]
        if name not in self._host_names and not _is_address(name):
            raise TableError(
                403, f"unknown host {short_repr(host)}: start the server with --allow-host {short_repr(name)} if that is its name"
            )
        return host


def language_of(scope: Scope) -> str:
    """Return the language of a request: the argument ``language``, the header Accept-Language, or English.

    In the header, the first available language counts; browsers send the preferred language first.
    """
    request = Request(scope)
    wanted = [request.query_params.get("language", ""), *request.headers.get("accept-language", "").split(",")]
    codes = (text.strip()[:2].lower() for text in wanted)
    return next((code for code in codes if code in LANGUAGES), LANGUAGES[0])


def _is_address(name: str) -> bool:
    try:
        ipaddress.ip_address(name)
    except ValueError:
        return False
    return True
