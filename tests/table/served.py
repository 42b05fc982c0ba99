"""A server in this process: clients of it, streams of events, and agents that fail or wait."""

from __future__ import annotations

import asyncio
import json
import random
import threading
import time
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from starlette.testclient import TestClient

from ginkgo_agents import Agent, DecisionBatch
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import Limits, ServerSettings
from ginkgo_table.web.server import AppState, make_app
from ginkgo_table.web.store import Store

HOST = "127.0.0.1:8765"
GAME: dict[str, Any] = {"game": "my_city", "options": {"players": 2}}
ANN, BOB, BOT = {"name": "Ann", "agent": None}, {"name": "Bob", "agent": None}, {"name": "Rob", "agent": "random"}
PATIENCE = 100.0  # seconds until what is waited for does not happen: nearly the limit of a test


class FailingAgent(Agent):
    """Raises an error with a path in it."""

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        raise RuntimeError("broken: /home/somebody/secret.npz")


class WaitingAgent(Agent):
    """Decides as soon as it may; ``asked`` tells how many ask it now, ``most`` how many did at once."""

    def __init__(self) -> None:
        self.may, self.asked, self.most, self._lock = threading.Event(), 0, 0, threading.Lock()

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        with self._lock:
            self.asked += 1
            self.most = max(self.most, self.asked)
        self.may.wait(PATIENCE)
        with self._lock:
            self.asked -= 1
        return np.array([np.flatnonzero(mask)[0] for mask in turn.masks], np.int64)


class LocalServer:
    """A server, and what people do at it."""

    def __init__(self, app: AppState, client: TestClient) -> None:
        self.app, self.client, self.manager = app, client, app.manager

    def get(self, path: str, status: int = 200, **more: Any) -> Any:
        answer = self.client.get(path, **more)
        assert answer.status_code == status, answer.text
        return answer.json() if answer.headers["content-type"] == "application/json" else answer

    def post(self, path: str, data: Any = None, status: int = 200, **more: Any) -> Any:
        body = json.dumps({} if data is None else data).encode()
        answer = self.client.post(path, content=body, headers={"content-type": "application/json"}, **more)
        assert answer.status_code == status, answer.text
        return answer.json()

    def open(self, *seats: Any, seed: int | None = None, status: int = 201, **game: Any) -> list[str]:
        """Open a table where everybody takes a seat; returns the tokens of the seats."""
        asked = {**GAME, **game, "seats": list(seats), "seed": seed}
        opened = self.post("/api/tables", asked, status)
        return claim_all(self.post, opened["seats"][0], seats) if "seats" in opened else []

    def view(self, token: str) -> Any:
        return self.get(f"/api/seats/{token}")

    def act(self, token: str, action: int | None = None, status: int = 200) -> None:
        """Take the decision that is open, by default with the first legal action."""
        decision = self.view(token)["decision"]
        chosen = decision["actions"][0]["id"] if action is None else action
        self.post(f"/api/seats/{token}/act", {"decision": decision["number"], "action": chosen}, status)

    def settled(self, token: str) -> Any:
        """The view when no agent thinks any more."""
        return until(lambda: None if (view := self.view(token))["working"] else view)

    def play(self, *tokens: str, most: int = 1_000, seed: int = 0) -> None:
        """Let people play at random, to the end or for so many decisions."""
        chance = random.Random(seed)
        for _ in range(most):
            views = [self.settled(token) for token in tokens]
            if views[0]["result"] is not None:
                return
            token, view = next((token, view) for token, view in zip(tokens, views, strict=True) if view["decision"])
            self.act(token, chance.choice(view["decision"]["actions"])["id"])

    def finished(self) -> str:
        """A seat of a finished game, which nobody has played: every action is its first."""
        (token,) = self.open(ANN, options={"players": 1}, seed=1)
        self.play(token)
        return token

    @contextmanager
    def stream(self, token: str, method: str = "GET", path: str = "events", body: bytes = b"", **more: Any) -> Iterator[Stream]:
        """An open stream of events, or another request whose client goes before it is answered."""
        assert self.client.portal is not None
        stream = Stream(token, method, path, body, **more)
        task = self.client.portal.start_task_soon(stream.run, self.app)
        try:
            yield stream
        finally:
            self.client.portal.call(stream.drop)
            task.result(PATIENCE)

    def together(self, *calls: tuple[str, Any]) -> list[int]:
        """POST several requests at once; returns their statuses."""

        async def ask() -> list[int]:
            return await asyncio.gather(*(_post(self.app, path, data) for path, data in calls))

        assert self.client.portal is not None
        return self.client.portal.call(ask)


def claim_all(post: Callable[..., Any], own: Any, seats: Iterable[Any]) -> list[str]:
    """Take the seats of all other persons at a new table; returns the tokens of all persons."""
    tokens = [own["token"]]
    for seat, assignment in enumerate(seats):
        if assignment["agent"] is None and seat != own["seat"]:
            link = post(f"/api/seats/{own['token']}/invite", {"seat": seat}, 201)["invitation"]
            tokens.append(post(f"/api/invitations/{link}/claim", {"name": assignment["name"]}, 201)["token"])
    return tokens


class Stream:
    """A client of ``/events`` on the server's event loop."""

    def __init__(
        self,
        token: str,
        method: str = "GET",
        path: str = "events",
        body: bytes = b"",
        *,
        base_path: str = "",
        zipped: bool = False,
    ) -> None:
        self.status: int | None = None
        self.chunks: list[bytes] = []
        self.sizes: list[int] = []  # as they are sent
        self._unzip = zlib.decompressobj(31) if zipped else None
        self.ended = False
        self._method, self._path, self._gone = method, f"{base_path}/api/seats/{token}/{path}", asyncio.Event()
        self._sent = [{"type": "http.request", "body": body, "more_body": False}] if body else []

    async def run(self, app: AppState) -> None:
        scope = _scope(self._method, self._path)
        scope["headers"] += [(b"accept-encoding", b"gzip")] if self._unzip else []
        await app(scope, self._receive, self._send)
        self.ended = True

    async def drop(self) -> None:
        self._gone.set()

    async def _receive(self) -> dict[str, Any]:
        if self._sent:
            return self._sent.pop()
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
        else:
            self.sizes.append(len(message["body"]))
            self.chunks.append(self._unzip.decompress(message["body"]) if self._unzip else message["body"])

    @property
    def bodies(self) -> list[bytes]:
        """What the view was after each event so far."""
        events = [chunk.removeprefix(b"event: ").split(b"\ndata: ") for chunk in self.chunks if chunk.startswith(b"event: ")]
        return [text.encode() for text in texts_of([(name.decode(), data.decode()) for name, data in events])]

    @property
    def views(self) -> list[Any]:
        return [json.loads(body) for body in self.bodies]

    def wait(self, n: int) -> None:
        """Until so many events have come."""
        until(lambda: len(self.bodies) >= n)


def texts_of(events: list[tuple[str, str]]) -> list[str]:
    """The texts that a stream's events make, by their names and data."""
    texts, pieces = [], list[str]()
    for name, data in events:
        assert name == ("change" if pieces else "view")
        edits = json.loads(data)
        pieces = [piece for edit in edits for piece in ([edit] if isinstance(edit, str) else pieces[slice(*edit)])]
        texts.append("".join(pieces))
    return texts


def _scope(method: str, path: str) -> dict[str, Any]:
    headers = [(b"host", HOST.encode()), (b"content-type", b"application/json")]
    base = {"type": "http", "asgi": {"version": "3.0"}, "http_version": "1.1", "scheme": "http", "root_path": ""}
    return {**base, "method": method, "path": path, "raw_path": path.encode(), "query_string": b"", "headers": headers}


async def _post(app: AppState, path: str, data: Any) -> int:
    status, sent = 0, False

    async def receive() -> dict[str, Any]:
        nonlocal sent
        if sent:
            await asyncio.sleep(PATIENCE)
        sent = True
        return {"type": "http.request", "body": json.dumps(data).encode(), "more_body": False}

    async def send(message: Any) -> None:
        nonlocal status
        status = message.get("status", status)

    await app(_scope("POST", path), receive, send)
    return status


def until(happens: Callable[[], Any], patience: float = PATIENCE) -> Any:
    """Wait for it, and return what it gave: what Playwright has for this evaluates text as a script, which pages forbid."""
    deadline = time.monotonic() + patience
    while not (found := happens()):
        assert time.monotonic() < deadline, "it never happens"
        time.sleep(0.02)
    return found


@contextmanager
def serving(
    file: Path, catalog: GameCatalog, *, pace: float = 0.0, names: tuple[str, ...] = (), base_path: str = "", **limits: Any
) -> Iterator[LocalServer]:
    """A server of the tables in a file."""
    settings = ServerSettings(pace=pace, names=names, base_path=base_path, limits=Limits(**limits))
    store = Store(file, settings.limits)
    app = make_app(store, catalog, settings)
    with TestClient(app, base_url=f"http://{HOST}{base_path}", raise_server_exceptions=False) as client:
        yield LocalServer(app, client)
