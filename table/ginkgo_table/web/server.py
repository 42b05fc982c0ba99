"""The application: routes of pages and of the JSON interface (``docs/table.md``)."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.registry import make_game
from ginkgo_table.translations import labels_of
from ginkgo_table.web.agent_hints import hint
from ginkgo_table.web.assets import Assets, assets
from ginkgo_table.web.events import EventResponse, Streams
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import Limits, TableError
from ginkgo_table.web.manager import Seat, SessionManager
from ginkgo_table.web.middleware import REPLAYS, Guards, answer, refusal
from ginkgo_table.web.replays import Replays
from ginkgo_table.web.request_data import (
    AskHint,
    Configuration,
    Decision,
    Nothing,
    OpenTable,
    body_of,
    read_body,
    text_of,
    unless_gone,
)
from ginkgo_table.web.store import Store

T = TypeVar("T")
_REPLAY = {
    "Content-Security-Policy": "sandbox allow-scripts; form-action 'none'; frame-ancestors 'none'",
    "Cross-Origin-Opener-Policy": "unsafe-none",  # browsers show no sandboxed page with another
}


def make_app(
    store: Store,
    catalog: GameCatalog,
    *,
    limits: Limits | None = None,
    names: Sequence[str] = (),
    pace: float = 1.0,
    files: Assets | None = None,
) -> AppState:
    """The application for an ASGI server; it closes the store at its end.

    names : further names by which the server may be called; pace : seconds between decisions where only agents play;
    files : pages and what they load, by default those of the package
    """
    table = SessionRoutes(SessionManager(store, catalog, limits or Limits(), pace), assets() if files is None else files)

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        yield
        await table.manager.close()

    app = Starlette(routes=table.routes(), exception_handlers=_HANDLERS, lifespan=lifespan)  # type: ignore[arg-type]
    app.router.redirect_slashes = False
    return AppState(Guards(app, names), table.manager)


class AppState:
    """The application, and the tables behind it."""

    def __init__(self, app: ASGIApp, manager: SessionManager) -> None:
        self._app, self.manager = app, manager

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve a request."""
        await self._app(scope, receive, send)


class SessionRoutes:
    """What answers requests."""

    def __init__(self, manager: SessionManager, files: Assets) -> None:
        self.manager, self.files, self.replays = manager, files, Replays(manager)
        self.streams = Streams(manager)

    def routes(self) -> list[Route]:
        """All routes."""
        get, post = ["GET"], ["POST"]
        return [
            Route("/", self.lobby, methods=get),
            Route("/seat/{token}", self.page, methods=get),
            Route("/assets/{name}", self.asset, methods=get),
            Route("/replays/{name}", self.replay_page, methods=get),
            Route("/api/health", self.health, methods=get),
            Route("/api/offer", self.catalog, methods=get),
            Route("/api/labels/{language}/{game}", self.labels, methods=get),
            Route("/api/seats_of", self.seats_of, methods=post),
            Route("/api/tables", self.open, methods=post),
            Route(REPLAYS, self.replay_of_text, methods=post),
            Route("/api/seats/{token}", self.view, methods=get),
            Route("/api/seats/{token}/events", self.events, methods=get),
            Route("/api/seats/{token}/act", self.act, methods=post),
            Route("/api/seats/{token}/hint", self.hint, methods=post),
            Route("/api/seats/{token}/replay", self.replay, methods=post),
            Route("/api/seats/{token}/record", self.record, methods=get),
            Route("/api/seats/{token}/remove", self.remove, methods=post),
        ]

    # --- pages

    async def lobby(self, request: Request) -> Response:
        """The page where tables are opened."""
        return self._file("index.html")

    async def page(self, request: Request) -> Response:
        """The page of a seat: the same for every token."""
        return self._file("table.html")

    def _file(self, name: str) -> Response:
        file = self.files[name]
        return Response(file.content, media_type=file.media_type)

    async def asset(self, request: Request) -> Response:
        """What pages load."""
        file = self.files.get(request.path_params["name"])
        if file is None:
            raise TableError(404, "there is no such file")
        headers = {"Cache-Control": "no-cache", "ETag": file.tag}
        if request.headers.get("if-none-match") == file.tag:
            return Response(status_code=304, headers=headers)
        return Response(file.content, media_type=file.media_type, headers=headers)

    async def replay_page(self, request: Request) -> Response:
        """The viewer of a finished game: its own policy stands in the page. It shares no storage with other pages."""
        page = self.replays.page(request.path_params["name"])
        return Response(page, media_type="text/html", headers=_REPLAY)

    # --- what is offered

    async def health(self, request: Request) -> Response:
        """Whether the server runs."""
        return answer({"ok": True, "tables": await self.manager.tables()})

    async def catalog(self, request: Request) -> Response:
        """Games, options, agents."""
        return answer(await self.manager.run_short(self.manager.catalog.to_dict))

    async def labels(self, request: Request) -> Response:
        """Words for people in a language, with those of a game."""
        language, game = request.path_params["language"], request.path_params["game"]
        if game != "-" and game not in self.manager.catalog.options:
            raise TableError(404, "there is no such game")
        try:
            return answer(await self.manager.run_short(lambda: labels_of(language, None if game == "-" else make_game(game))))
        except GinkgoError as error:
            raise TableError(404, error) from None

    async def seats_of(self, request: Request) -> Response:
        """Who can sit at a table of a game."""
        wanted, catalog = await self._read(request, Configuration), self.manager.catalog
        return answer(await self.manager.run_short(lambda: catalog.seats_of(catalog.game(wanted.game, wanted.options))))

    # --- tables

    async def open(self, request: Request) -> Response:
        """Open a table."""
        wanted = await self._read(request, OpenTable)
        places = [place.assignment() for place in wanted.places]
        if wanted.seed is not None and sum(place.agent is None for place in places) > 1:
            raise TableError(422, "a seed tells what is hidden: it can be chosen only where at most one person plays")
        game = await self.manager.run_short(self.manager.catalog.game, wanted.game, wanted.options)
        return answer(await self.manager.open(game, wanted.options, places, wanted.seed), 201)

    async def view(self, request: Request) -> Response:
        """What a seat sees."""
        snapshot = await self.manager.snapshot_for(await self._seat(request))
        return Response(snapshot.body, media_type="application/json")

    async def events(self, request: Request) -> Response:
        """What a seat sees, whenever that changes."""
        if request.method == "HEAD":
            raise TableError(405, "this cannot be done here")
        return EventResponse(self.streams, self.manager, await self._seat(request))

    async def act(self, request: Request) -> Response:
        """A person decides."""
        taken = await self._read(request, Decision)
        await self.manager.act(await self._seat(request), taken.decision, taken.action)
        return answer({})

    async def hint(self, request: Request) -> Response:
        """What an agent would do."""
        asked = await self._read(request, AskHint)
        return answer(await unless_gone(request, hint(self.manager, await self._seat(request), asked.agent)))

    async def remove(self, request: Request) -> Response:
        """Take a table away."""
        await self._read(request, Nothing)
        await self.manager.remove(await self._seat(request))
        return answer({})

    # --- records

    async def record(self, request: Request) -> Response:
        """The record of a finished game, to be kept."""
        record = await self.manager.record(await self._seat(request))
        name = re.sub(r"\W", "_", str(record.header["game"]), flags=re.ASCII)
        headers = {"Content-Disposition": f'attachment; filename="{name}.jsonl"'}
        return Response(record.dumps().encode("utf-8", errors="replace"), media_type="application/jsonl", headers=headers)

    async def replay(self, request: Request) -> Response:
        """The viewer of a finished game."""
        await self._read(request, Nothing)
        return answer({"replay": await self.replays.of_record(await self.manager.record(await self._seat(request)))}, 201)

    async def replay_of_text(self, request: Request) -> Response:
        """The viewer of a record that somebody has."""
        limits = self.manager.limits
        text = text_of(await body_of(request, limits.record, limits.sending))
        return answer({"replay": await self.replays.of_text(text)}, 201)

    # --- reading requests

    async def _read(self, request: Request, kind: type[T]) -> T:
        limits = self.manager.limits
        return read_body(await body_of(request, limits.body, limits.sending), kind)

    async def _seat(self, request: Request) -> Seat:
        return await self.manager.seat(request.path_params["token"])


async def _http_error(request: Request, error: HTTPException) -> Response:
    sentences = {404: "there is no such page", 405: "this cannot be done here"}
    return refusal(error.status_code, sentences.get(error.status_code, error.detail))


async def _table_error(request: Request, error: TableError) -> Response:
    return refusal(error.status, error)


async def _bad_input(request: Request, error: GinkgoError) -> Response:
    return refusal(422, error)


async def _internal_error(request: Request, error: Exception) -> Response:
    return refusal(500, "internal error")  # the traceback goes to stderr, see ``Guards``


_HANDLERS = {Exception: _internal_error, HTTPException: _http_error, TableError: _table_error, GinkgoError: _bad_input}
