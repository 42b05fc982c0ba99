"""The ASGI application: routes of the pages and of the JSON interface (``docs/table.md``).

Each route validates its request against a struct, calls ``manager`` and turns the result into a response.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any, TypeVar

import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import BaseRoute, Mount, Route, Router
from starlette.types import ASGIApp, Receive, Scope, Send

from ginkgo_env.core.errors import GinkgoError, short_repr
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse
from ginkgo_env.records.format import MAX_NAME, is_printable
from ginkgo_env.registry import game_class
from ginkgo_table.live import SeatAssignment
from ginkgo_table.translations import texts_of
from ginkgo_table.web import seats
from ginkgo_table.web.assets import Asset, Assets, assets, how_to_play_page, rules_page
from ginkgo_table.web.events import EventResponse, EventStreams
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import GONE, AddressLimit, ServerSettings, TableError, address_of
from ginkgo_table.web.manager import Seat, TableManager, fingerprint_of, new_id
from ginkgo_table.web.middleware import REPLAYS, RequestGuard, error_response
from ginkgo_table.web.replays import Replays, Reviews
from ginkgo_table.web.samples import Samples
from ginkgo_table.web.store import Store, StoredTable

T = TypeVar("T")


# --- requests: bodies are converted to typed structs -------------------------------------------------------------------------


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


class SignalRequest(StrictStruct):
    """Shows a signal to everybody at the table."""

    signal: str


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


# --- routes ------------------------------------------------------------------------------------------------------------------


_MAX_QR = 500  # characters of a link
_REPLAY_HEADERS = {
    "Content-Security-Policy": "sandbox allow-scripts; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "unsafe-none",  # browsers reject any other value for a sandboxed page
}


def make_app(
    store: Store,
    catalog: GameCatalog,
    settings: ServerSettings,
    files: Assets | None = None,
) -> AppState:
    """Return the ASGI application. It closes the store when it shuts down.

    files : pages and their assets, by default those of the package
    """
    base_path, manager = settings.base_path, TableManager(store, catalog, settings.limits, settings.pace)
    routes = TableRoutes(manager, assets() if files is None else files)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        expiring = asyncio.create_task(manager.expire())
        yield
        expiring.cancel()
        await manager.close()

    served: list[BaseRoute] = [Mount(base_path, Router(routes.routes(), redirect_slashes=False))]
    if base_path:
        served.append(Route(base_path, lambda request: RedirectResponse(f"{base_path}/")))
    app = Starlette(
        routes=served,
        middleware=[Middleware(GZipMiddleware, compresslevel=6, exclude_content_types=())],  # compresses events too
        exception_handlers=_HANDLERS,  # type: ignore[arg-type]
        lifespan=lifespan,
        max_body_size=settings.limits.body,
    )
    app.router.redirect_slashes = False
    app.state.base_path, app.state.error_page = base_path, routes.files["error.html"]
    return AppState(RequestGuard(app, settings.names, base_path), manager)


class AppState:
    """The ASGI application with its table manager."""

    def __init__(self, app: ASGIApp, manager: TableManager) -> None:
        self._app, self.manager = app, manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI connection."""
        await self._app(scope, receive, send)


class TableRoutes:
    """The handlers of all routes."""

    def __init__(self, manager: TableManager, files: Assets) -> None:
        self.manager, self.files, self.samples = manager, files, Samples(manager)
        self.replays, self.reviews = Replays(manager), Reviews(manager)
        self.streams = EventStreams(manager)
        self.bodies = AddressLimit(manager.limits.bodies_per_address, "too many unfinished requests come from your address")

    def routes(self) -> list[Route]:
        """Return all routes."""
        get, post, command, manager = ["GET"], ["POST"], self._command, self.manager
        return [
            self._page("/", "lobby"),
            self._page("/seat/{token}", "table"),
            self._page("/join/{token}", "join"),
            Route("/assets/{name}", self.asset, methods=get),
            Route("/replays/{name}", self.replay_page, methods=get),
            Route("/learn/{game}", self.learn, methods=get),
            Route("/rules/{game}", self.rules, methods=get),
            Route("/pictures/{game}/{part}.svg", self.picture, methods=get),
            Route("/api/health", self.health, methods=get),
            Route("/api/offer", self.catalog, methods=get),
            Route("/api/prepared/{game}", self.prepared, methods=get),
            Route("/api/labels/{language}/{game}", self.labels, methods=get),
            Route("/api/seats_of", self.seats_of, methods=post),
            Route("/api/tables", self.open, methods=post),
            Route("/api/qr", self.qr, methods=post),
            Route("/api/invitations/{token}", self.invitation, methods=get),
            Route("/api/invitations/{token}/claim", self.claim, methods=post),
            Route(REPLAYS, self.replay_of_text, methods=post, max_body_size=manager.limits.record),
            Route("/api/seats/{token}", self.view, methods=get),
            Route("/api/seats/{token}/events", self.events, methods=get),
            Route("/api/seats/{token}/moments/{number}", self.moment, methods=get),
            command("act", ActionRequest, lambda seat, asked: manager.act(seat, asked.decision, asked.action)),
            command("preview", ActionRequest, lambda seat, asked: manager.preview(seat, asked.decision, asked.action)),
            Route("/api/seats/{token}/hint", self.hint, methods=post),
            command("invite", InvitationRequest, lambda seat, asked: seats.invite(manager, seat, asked.seat), 201),
            command("watch", EmptyRequest, lambda seat, _: seats.watch(manager, seat), 201),
            Route("/api/seats/{token}/rename", self.rename, methods=post),
            command("leave", EmptyRequest, lambda seat, _: seats.leave(manager, seat)),
            command("assign", AgentRequest, lambda seat, asked: seats.assign(manager, seat, asked.seat, asked.agent)),
            command("signal", SignalRequest, lambda seat, asked: manager.signal(seat, asked.signal)),
            command("takeback", EmptyRequest, lambda seat, _: manager.take_back(seat)),
            Route("/api/seats/{token}/rematch", self.rematch, methods=post),
            command("replay", EmptyRequest, self.replay, 201),
            command("review", EmptyRequest, lambda seat, _: self.reviews.get(seat)),
            Route("/api/seats/{token}/record", self.record, methods=get),
            command("remove", EmptyRequest, lambda seat, _: manager.remove(seat)),
        ]

    def _command(
        self, name: str, kind: type[T], work: Callable[[Seat, T], Awaitable[dict[str, Any] | None]], status: int = 200
    ) -> Route:
        """Return the route of a request by a seat, which is answered with the result of the work, or with an empty object."""

        async def answer(request: Request) -> Response:
            asked = await self._read(request, kind)
            return JSONResponse(await work(await self._seat(request), asked) or {}, status)

        return Route(f"/api/seats/{{token}}/{name}", answer, methods=["POST"])

    # --- pages

    def _page(self, path: str, name: str) -> Route:
        """Return the route of a page, which is the same for every token."""
        file = self.files[f"{name}.html"]

        async def answer(request: Request) -> Response:
            return Response(file.content, media_type=file.media_type)

        return Route(path, answer, methods=["GET"])

    async def asset(self, request: Request) -> Response:
        """Return a file that a page loads."""
        file = self.files.get(request.path_params["name"])
        if file is None:
            raise TableError(404, "there is no such file")
        return _tagged(request, file.content, file.media_type, {"Cache-Control": "no-cache", "ETag": file.tag})

    async def replay_page(self, request: Request) -> Response:
        """Return the viewer of a finished game, sandboxed: it shares no storage with other pages."""
        page = self.replays.page(request.path_params["name"])
        return Response(page, media_type="text/html", headers=_REPLAY_HEADERS)

    async def learn(self, request: Request) -> Response:
        """Return how to play a game."""
        name, catalog = request.path_params["game"], self.manager.catalog
        page = await self.manager.run_short(lambda: how_to_play_page(catalog.game(name, {})) if name in catalog.options else None)
        if page is None:
            raise TableError(404, "there is no such page")
        return Response(page, media_type="text/html")

    async def rules(self, request: Request) -> Response:
        """Return the rules of a game, in English."""
        page = rules_page(request.path_params["game"])
        if page is None:
            raise TableError(404, "there is no such game")
        return Response(page, media_type="text/html")

    async def picture(self, request: Request) -> Response:
        """Return a picture of a part of a table in the middle of a game, once the rules are compiled."""
        drawn = self.samples.picture(request.path_params["game"], request.path_params["part"])
        text = await run_while_connected(request, drawn)  # compiling takes long
        asset = Asset(text.encode("utf-8", errors="replace"), "image/svg+xml")
        return _tagged(request, asset.content, asset.media_type, {"Cache-Control": "no-cache", "ETag": asset.tag})

    # --- catalog

    async def prepared(self, request: Request) -> Response:
        """Begin to compile a game's rules, and return how much is done, from 0 to 1."""
        return JSONResponse({"done": self.samples.progress(request.path_params["game"])})

    async def health(self, request: Request) -> Response:
        """Report that the server is running."""
        return JSONResponse({"ok": True, "tables": await self.manager.count_tables()})

    async def catalog(self, request: Request) -> Response:
        """Return the games with their options, and the agents."""
        return JSONResponse(await self.manager.run_short(self.manager.catalog.to_dict))

    async def labels(self, request: Request) -> Response:
        """Return the translations for a language, with those of a game."""
        language, game = request.path_params["language"], request.path_params["game"]
        if game != "-" and game not in self.manager.catalog.options:
            raise TableError(404, "there is no such game")
        try:
            return JSONResponse(
                await self.manager.run_short(lambda: texts_of(language, None if game == "-" else game_class(game)()))
            )
        except GinkgoError as error:
            raise TableError(404, error) from None

    async def seats_of(self, request: Request) -> Response:
        """Return the seats of a game and the agents that can play it."""
        configuration, catalog = await self._read(request, ConfigurationRequest), self.manager.catalog
        return JSONResponse(
            await self.manager.run_short(lambda: catalog.seats_of(catalog.game(configuration.game, configuration.options)))
        )

    # --- tables

    async def open(self, request: Request) -> Response:
        """Open a table."""
        asked = await self._read(request, TableRequest)
        assignments = tuple(seat.assignment() for seat in asked.seats)
        people = [seat for seat, assignment in enumerate(assignments) if assignment.agent is None]
        if asked.seed is not None and len(people) > 1:
            raise TableError(422, "seed: it reveals what is hidden, so it can be chosen only where at most one person plays")
        game = await self.manager.run_short(self.manager.catalog.game, asked.game, asked.options)
        seed = secrets.randbits(64) if asked.seed is None else asked.seed
        table = StoredTable(new_id(), game.name, asked.options, fingerprint_of(game), seed, assignments)
        table = table._replace(hints=asked.hints, address=address_of(request))
        return JSONResponse(await self.manager.open(table, people[0] if people else None), 201)

    async def view(self, request: Request) -> Response:
        """Return what a seat sees."""
        snapshot = await self.manager.snapshot_for(await self._seat(request))
        return _tagged(request, snapshot.body, "application/json", {"ETag": f'"{snapshot.version}"'})

    async def events(self, request: Request) -> Response:
        """Stream the view of a seat, whenever it changes."""
        if request.method == "HEAD":
            raise TableError(405, "method not allowed")
        return EventResponse(self.streams, self.manager, await self._seat(request), request)

    async def moment(self, request: Request) -> Response:
        """Return an earlier moment of a game as a seat may know it."""
        number = request.path_params["number"]
        if not re.fullmatch("[0-9]{1,6}", number):
            raise TableError(404, "there is no such page")
        return JSONResponse(await self.manager.moment(await self._seat(request), int(number)))

    async def hint(self, request: Request) -> Response:
        """Return an agent's hint."""
        hint_request = await self._read(request, HintRequest)
        return JSONResponse(await run_while_connected(request, self.manager.hint(await self._seat(request), hint_request.agent)))

    # --- who sits where

    async def qr(self, request: Request) -> Response:
        """Return the QR code of a link as an SVG path and its size, with a border."""
        text = (await self._read(request, QrRequest)).text
        if not 0 < len(text) <= _MAX_QR:
            raise TableError(422, f"text must have 1 to {_MAX_QR} characters, got {len(text)}")
        code = segno.make_qr(text.encode("utf-8", errors="replace"))
        rows = enumerate(code.matrix_iter())
        path = "".join(f"M{x} {y}h1v1h-1z" for y, row in rows for x, is_dark in enumerate(row) if is_dark)
        return JSONResponse({"size": code.symbol_size()[0], "path": path})

    async def invitation(self, request: Request) -> Response:
        """Return which seat an invitation is for."""
        return JSONResponse(await seats.invitation(self.manager, await self._invitation(request)))

    async def claim(self, request: Request) -> Response:
        """Take the seat of an invitation."""
        assignment = (await self._read(request, NameRequest)).assignment()
        return JSONResponse(await seats.claim(self.manager, await self._invitation(request), assignment), 201)

    async def rename(self, request: Request) -> Response:
        """Change the name at a seat."""
        assignment = (await self._read(request, NameRequest)).assignment()
        await seats.rename(self.manager, await self._seat(request), assignment)
        return JSONResponse({})

    async def rematch(self, request: Request) -> Response:
        """Sit down at a new table with the same people."""
        await self._read(request, EmptyRequest)
        return JSONResponse(await seats.rematch(self.manager, await self._seat(request), address_of(request)), 201)

    # --- records

    async def record(self, request: Request) -> Response:
        """Return a finished game's record, or the stored data of a game that cannot be loaded."""
        seat = await self._seat(request)
        try:
            text = (await self.manager.record(seat)).dumps()
        except TableError as error:
            if error.status != GONE:
                raise
            text = await self.manager.stored_text(seat)
        name = re.sub(r"\W", "_", seat.table.stored.game, flags=re.ASCII)
        headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(text.encode("utf-8", errors="replace"), media_type="application/jsonl", headers=headers)

    async def replay(self, seat: Seat, asked: EmptyRequest) -> dict[str, Any]:
        """Return the id of the replay page of a finished game."""
        return {"replay": await self.replays.of_table(seat)}

    async def replay_of_text(self, request: Request) -> Response:
        """Make the replay page of a record in the body of the request."""
        text = decode_body(await self._body(request))
        return JSONResponse({"replay": await self.replays.add_text(text)}, 201)

    # --- reading requests

    async def _read(self, request: Request, kind: type[T]) -> T:
        return parse_body(await self._body(request), kind)

    async def _body(self, request: Request) -> bytes:
        with self.bodies.count(request):
            return await request.body()

    async def _seat(self, request: Request) -> Seat:
        return await self.manager.seat(request.path_params["token"])

    async def _invitation(self, request: Request) -> Seat:
        return await self.manager.invitation(request.path_params["token"])


def _tagged(request: Request, content: bytes, media_type: str, headers: dict[str, str]) -> Response:
    """Return content with an ETag, or status 304 if the client has it already."""
    if request.headers.get("if-none-match") == headers["ETag"]:
        return Response(status_code=304, headers=headers)
    return Response(content, media_type=media_type, headers=headers)


def _error_response(request: Request, status: int, message: object) -> Response:
    """Return a response with an error: as a page to browsers that open an address, as JSON to everything else."""
    path, base_path, page = request.scope["path"], request.app.state.base_path, request.app.state.error_page
    if "text/html" not in request.headers.get("accept", "") or path.removeprefix(base_path).startswith("/api/"):
        return error_response(status, message)
    home = "../" * (request.scope["raw_path"].count(b"/") - 1) + f"{base_path}/"[1:]  # relative: a proxy may remove a path
    return Response(page.content.replace(b"{{home}}", (home or "./").encode()), status, media_type=page.media_type)


async def _http_error(request: Request, error: HTTPException) -> Response:
    sentences = {404: "there is no such page", 405: "method not allowed"}
    return _error_response(request, error.status_code, sentences.get(error.status_code, error.detail))


async def _table_error(request: Request, error: TableError) -> Response:
    response = _error_response(request, error.status, error)
    if error.status == 429:  # the body may still be on its way
        response.headers["Connection"] = "close"
    return response


async def _bad_input(request: Request, error: GinkgoError) -> Response:
    return error_response(422, error)


async def _internal_error(request: Request, error: Exception) -> Response:
    return error_response(500, "internal error")  # uvicorn prints the traceback


async def _disconnected(request: Request, error: ClientDisconnect) -> Response:
    return error_response(400, "the client disconnected")


_HANDLERS = {
    ClientDisconnect: _disconnected,
    Exception: _internal_error,
    HTTPException: _http_error,
    TableError: _table_error,
    GinkgoError: _bad_input,
}
