"""A real server in a thread and Debian's Chromium, driven by Playwright: for tests of the pages."""

from __future__ import annotations

import json
import os
import shutil
import threading
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Self

import pytest

from ginkgo_table.web import runner
from ginkgo_table.web.limits import Limits, ServerSettings
from ginkgo_table.web.server import make_app
from ginkgo_table.web.store import Store

from .served import PATIENCE, claim_all, until

CHROMIUM = os.environ.get("GINKGO_CHROMIUM") or shutil.which("chromium")

Json = dict[str, Any]


class Quiet(runner.StartupMessage):
    """Tells nobody."""

    def show(self) -> None:
        pass


class Served:
    """The command's server of tables at a port of this machine that can be stopped and started anew; limits as in ``Limits``."""

    def __init__(
        self,
        file: Path,
        catalog: Any,
        *,
        pace: float = 0.1,
        names: tuple[str, ...] = (),
        base_path: str = "",
        proxies: tuple[str, ...] = (),
        **limits: Any,
    ) -> None:
        self._file, self._catalog, self.port = file, catalog, 0
        self._settings = ServerSettings(pace=pace, names=names, base_path=base_path, proxies=proxies, limits=Limits(**limits))
        self.start()

    @property
    def address(self) -> str:
        """Where it answers."""
        return f"http://127.0.0.1:{self.port}"

    def start(self) -> None:
        """Answer, at the same port as before."""
        listening = runner.bind_socket("127.0.0.1", self.port)
        self.port = listening.getsockname()[1]
        limits = self._settings.limits
        store = Store(self._file, limits)
        app = make_app(store, self._catalog, self._settings)
        self.manager = app.manager
        self._server = runner.TableServer(app, Quiet("127.0.0.1", listening, False), self._settings.proxies)
        self._thread = threading.Thread(target=self._server.run, args=([listening],), daemon=True)
        self._thread.start()
        until(lambda: self._server.started)

    def stop(self) -> None:
        """End it, streams included."""
        self._server.should_exit = True
        self._thread.join(PATIENCE)

    def ask(self, path: str, data: Json | None = None) -> Any:
        """A question without a browser."""
        body = None if data is None else json.dumps(data).encode()
        request = urllib.request.Request(self.address + path, body, {"content-type": "application/json"})
        with urllib.request.urlopen(request, timeout=PATIENCE) as answer:
            return json.loads(answer.read())

    def table(self, game: str, *agents: str | None, seed: int | None = None, **options: Any) -> list[str]:
        """Open a table; None stands for a person. Returns the tokens."""
        seats = [{"name": f"Player {seat}", "agent": agent} for seat, agent in enumerate(agents)]
        asked = {"game": game, "options": {"players": len(agents), **options}, "seats": seats, "seed": seed}
        return claim_all(lambda path, data, _: self.ask(path, data), self.ask("/api/tables", asked)["seats"][0], seats)

    def view(self, token: str) -> Json:
        """What a seat sees."""
        found: Json = self.ask(f"/api/seats/{token}")
        return found

    def live(self, token: str) -> Any:
        """The game at which a seat is."""
        self.view(token)  # loads it
        access = self.manager.store.access(token)
        assert access is not None
        return self.manager._tables[access.table_id].live

    def turn(self, token: str) -> Json:
        """What a seat sees when it decides."""
        return until(lambda: view if (view := self.view(token))["decision"] else None)  # type: ignore[no-any-return]

    def act(self, token: str) -> None:
        """Take the decision that is open, with the first legal action."""
        decision = self.turn(token)["decision"]
        self.ask(f"/api/seats/{token}/act", {"decision": decision["number"], "action": decision["actions"][0]["id"]})


@contextmanager
def chromium(*arguments: str) -> Iterator[Any]:
    """A browser; the test is skipped where there is none."""
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        made = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", *arguments])
        yield made
        made.close()


class Visitor:
    """Opens pages, and closes them at the end; then nothing may have gone wrong in them: ``trouble`` has what did."""

    def __init__(self, browser: Any, served: Served) -> None:
        self._browser, self._served = browser, served
        self.trouble: list[str] = []
        self._contexts: list[Any] = []

    def open(self, path: str, **options: Any) -> Any:
        """A page in a browser of its own; other servers must not be asked for anything."""
        context = self._browser.new_context(**{"viewport": {"width": 1280, "height": 800}, "locale": "en-US"} | options)
        self._contexts.append(context)
        return self.tab(context, path)

    def tab(self, context: Any, path: str) -> Any:
        """A page in a browser that is open."""
        page = context.new_page()
        page.on("pageerror", lambda error: self.trouble.append(f"error: {error}"))
        page.on("console", lambda line: "Failed to load" in line.text or self.trouble.append(f"console: {line.text}"))
        own = (self._served.address, "data:")
        page.on("request", lambda one: one.url.startswith(own) or self.trouble.append(f"request: {one.url}"))
        page.goto(self._served.address + path)
        return page

    def seat(self, token: str, **options: Any) -> Any:
        """The page of a seat, with its picture."""
        page = self.open(f"/seat/{token}", **options)
        page.wait_for_selector("#figure svg")
        return page

    def __enter__(self) -> Self:
        return self

    def __exit__(self, error: type[BaseException] | None, *_: object) -> None:
        for context in self._contexts:
            context.close()
        assert error is not None or not self.trouble, self.trouble
