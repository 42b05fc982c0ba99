"""The server on a port of its own, and Debian's Chromium driven by Playwright."""

from __future__ import annotations

import os
import shutil
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import uvicorn

from ginkgo_agents.table.limits import Limits
from ginkgo_agents.table.offer import Offer
from ginkgo_agents.table.server import make_app
from ginkgo_agents.table.store import Store

CHROMIUM = os.environ.get("GINKGO_CHROMIUM") or shutil.which("chromium")
PATIENCE = 60.0  # seconds: rules may have to be compiled
EXPECTED = "Failed to load resource"  # what the console says of a refusal, which the page tells in its own words


@contextmanager
def on_a_port(file: Path, offer: Offer, *, pace: float = 3600.0, **limits: Any) -> Iterator[str]:
    """A server of the tables in a file, in a thread; gives its address."""
    bounds = Limits(**limits)
    app = make_app(Store(file, bounds.tables), offer, limits=bounds, pace=pace)
    listening = socket.create_server(("127.0.0.1", 0))
    server = uvicorn.Server(uvicorn.Config(app, ws="none", log_config=None, lifespan="on", timeout_graceful_shutdown=1))
    thread = threading.Thread(target=server.run, args=([listening],), daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield f"http://127.0.0.1:{listening.getsockname()[1]}"
    finally:
        app.house.end_streams()
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()


@contextmanager
def pages_of(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """``page(path, **options)``: a page in a browser of its own. In the end no error has come and nobody else was asked."""
    trouble: list[str] = []
    contexts: list[Any] = []

    def page(path: str = "/", *, before: Callable[[Any], Any] | None = None, **options: Any) -> Any:
        given = {"viewport": {"width": 1200, "height": 900}, "locale": "en-GB"} | options
        contexts.append(browser.new_context(**given))
        made = contexts[-1].new_page()
        made.set_default_timeout(1000 * PATIENCE)
        made.on("console", lambda message: message.text.startswith(EXPECTED) or trouble.append(f"console: {message.text}"))
        made.on("pageerror", lambda error: trouble.append(f"error: {error}"))
        made.on("dialog", lambda dialog: (trouble.append("a dialog"), dialog.dismiss()))
        own = (address, "data:")
        made.on("request", lambda request: request.url.startswith(own) or trouble.append(f"request: {request.url}"))
        if before is not None:
            before(made)
        made.goto(address + path)
        return made

    yield page
    for context in contexts:
        context.close()
    assert trouble == []


def until(true: Callable[[], Any]) -> Any:
    """Wait for it; what Playwright has for this evaluates text as a script, which the pages forbid."""
    end = time.monotonic() + PATIENCE
    while not (found := true()):
        assert time.monotonic() < end, "it never happens"
        time.sleep(0.02)
    return found
