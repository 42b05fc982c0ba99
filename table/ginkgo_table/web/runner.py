"""Running the server: socket, browser, end."""

from __future__ import annotations

import errno
import ipaddress
import logging
import os
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import typer
import uvicorn

from ginkgo_env.core.errors import GinkgoError, shown
from ginkgo_table.web.connections import connections, room_for, watch_over
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.server import AppState, make_app
from ginkgo_table.web.store import Store, default_file

_GRACE = 1  # seconds for requests to end
_BACKLOG = 64  # connections that are accepted at once, before they are counted


def serve(
    host: str, port: int, browser: bool | None, data: Path | None, agents: Sequence[str], pace: float, names: Sequence[str]
) -> None:
    """Serve tables until Ctrl-C: see ``ginkgo table --help``. Raises GinkgoError for what cannot be served."""
    listening = bound(host, port)
    with listening:
        catalog = GameCatalog(agents)
        store = Store(default_file() if data is None else data)
        server = Server(make_app(store, catalog, names=names, pace=pace), StartupMessage(host, listening, browser))
        with suppress(KeyboardInterrupt):
            server.run([listening])
    typer.echo("ended: all tables are kept", err=True)
    _leave()


class Server(uvicorn.Server):
    """A server that ends without waiting for open streams."""

    def __init__(self, app: AppState, welcome: StartupMessage) -> None:
        quiet: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False, "proxy_headers": False}
        limits = app.manager.limits
        spoken = connections(replace(limits, connections=room_for(limits.connections)))
        super().__init__(
            uvicorn.Config(
                app, http=spoken, backlog=_BACKLOG, ws="none", lifespan="on", timeout_graceful_shutdown=_GRACE, **quiet
            )
        )
        logging.getLogger("uvicorn").setLevel(logging.CRITICAL)  # what it would tell names addresses with tokens
        self._manager, self._welcome = app.manager, welcome

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Begin to answer, then say so."""
        await super().startup(sockets)
        self._welcome.say()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End the streams, then all else."""
        self._manager.end_streams()
        await super().shutdown(sockets)


class StartupMessage:
    """What is printed at the start, and the browser."""

    def __init__(self, host: str, listening: socket.socket, browser: bool | None) -> None:
        self._host, self._port, self._browser = host, listening.getsockname()[1], browser

    @property
    def address(self) -> str:
        """What to open in a browser on this machine."""
        anywhere = self._host in ("", "0.0.0.0", "::")
        name = "localhost" if anywhere else f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{name}:{self._port}/"

    def say(self) -> None:
        """Tell the address, and what to beware of; open the browser."""
        typer.echo(f"The table is set at {self.address} (Ctrl-C ends)")
        if not is_loopback(self._host):
            typer.secho(
                "Warning: nothing is encrypted, and anyone who reaches this machine can open tables: for trusted networks only",
                fg=typer.colors.YELLOW,
                err=True,
            )
        if has_desktop() if self._browser is None else self._browser:
            threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()


def bound(host: str, port: int) -> socket.socket:
    """A socket at an address. Raises GinkgoError if it cannot be had."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise GinkgoError(f"unknown address {shown(host)}; expected one of this machine, such as 127.0.0.1") from None
    found = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        watch_over(found)
        found.bind(address)
    except OSError as error:
        found.close()
        if error.errno == errno.EADDRINUSE:
            raise GinkgoError(f"port {port} is in use: choose another one by --port, or --port 0 for any that is free") from None
        raise GinkgoError(f"cannot listen at {shown(host)}, port {port}: {error.strerror or error}") from None
    return found


def is_loopback(host: str) -> bool:
    """Whether an address is reached from this machine alone."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def has_desktop() -> bool:
    """Whether somebody sits at this machine who would see a browser."""
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _leave() -> None:
    """End the process although a thread may still be compiling or thinking."""
    if any(thread is not threading.main_thread() and not thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
