"""Running of the server: socket, startup message, browser, connections, shutdown."""

from __future__ import annotations

import asyncio
import errno
import ipaddress
import logging
import os
import re
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, ClassVar, cast

import h11
import typer
import uvicorn
from uvicorn.protocols.http.h11_impl import H11Protocol

from ginkgo_env.cli import SIGNALS
from ginkgo_env.core.errors import GinkgoError, short_repr
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import Limits, ServerSettings, network_of
from ginkgo_table.web.server import AppState, make_app
from ginkgo_table.web.store import Store, default_file

_SHUTDOWN_SECONDS = 1  # seconds for open requests to end
_USER_TIMEOUT = 60  # seconds until the system gives up a connection that does not acknowledge data
_BACKLOG = 64  # connections that the system holds until they are accepted


def serve(settings: ServerSettings) -> None:
    """Serve tables until Ctrl-C.

    Raises GinkgoError for an unusable address, path, file or agent.
    """
    settings = replace(settings, base_path=checked_path(settings.base_path))
    check_proxies(settings.proxies)
    listening = bind_socket(settings.host, settings.port)
    with listening:
        catalog = GameCatalog(settings.agents)
        store = Store(default_file() if settings.file is None else settings.file, settings.limits)
        message = StartupMessage(settings.host, listening, settings.browser, settings.base_path)
        server = TableServer(make_app(store, catalog, settings), message, settings.proxies)
        for number in SIGNALS:
            if signal.getsignal(number) is not signal.SIG_IGN:
                signal.signal(number, server.handle_exit)  # uvicorn handles only some of them
        with suppress(KeyboardInterrupt):
            server.run([listening])
    typer.echo("ended: all tables are kept", err=True)
    _exit_process()


class TableServer(uvicorn.Server):
    """A server that shuts down without waiting for open event streams.

    proxies : addresses and networks whose ``X-Forwarded-For`` and ``X-Forwarded-Proto`` are believed
    """

    def __init__(self, app: AppState, message: StartupMessage, proxies: Sequence[str] = ()) -> None:
        quiet: dict[str, Any] = {"log_config": None, "access_log": False, "server_header": False}
        limits = app.manager.limits
        protocol = connection_class(replace(limits, connections=max_connections(limits.connections)), proxies)
        super().__init__(
            uvicorn.Config(
                app,
                http=protocol,
                proxy_headers=bool(proxies),
                forwarded_allow_ips=list(proxies),
                backlog=_BACKLOG,
                ws="none",
                lifespan="on",
                timeout_graceful_shutdown=_SHUTDOWN_SECONDS,
                **quiet,
            )
        )
        logging.getLogger("uvicorn").setLevel(logging.ERROR)  # messages of lower levels contain URLs, which contain tokens
        self._manager, self._message = app.manager, message

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """Start serving, then show the startup message."""
        await super().startup(sockets)
        self._message.show()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End event streams, then shut down."""
        self._manager.end_streams()
        await super().shutdown(sockets)


class StartupMessage:
    """The message that the server prints at startup; it also opens the browser."""

    def __init__(self, host: str, listening: socket.socket, browser: bool | None, base_path: str = "") -> None:
        self._host, self._port, self._browser, self._base_path = host, listening.getsockname()[1], browser, base_path

    @property
    def address(self) -> str:
        """The URL to open in a browser on this machine."""
        is_wildcard = self._host in ("", "0.0.0.0", "::")
        name = "localhost" if is_wildcard else f"[{self._host}]" if ":" in self._host else self._host
        return f"http://{name}:{self._port}{self._base_path}/"

    def show(self) -> None:
        """Print the URL and warnings; open the browser."""
        typer.echo(f"The table is set at {self.address} (Ctrl-C ends)")
        if not is_loopback(self._host):
            typer.secho(
                "Warning: nothing is encrypted, and anyone who reaches this machine can open tables: for trusted networks only",
                fg=typer.colors.YELLOW,
                err=True,
            )
        if has_desktop() if self._browser is None else self._browser:
            threading.Thread(target=webbrowser.open, args=(self.address,), daemon=True).start()


def bind_socket(host: str, port: int) -> socket.socket:
    """Return a socket bound to an address. Raises GinkgoError if that fails."""
    try:
        family, kind, protocol, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)[0]
    except (OSError, UnicodeError):
        raise GinkgoError(f"unknown address {short_repr(host)}; expected one of this machine, such as 127.0.0.1") from None
    listening = socket.socket(family, kind, protocol)
    try:
        if os.name == "posix":
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        if hasattr(socket, "TCP_USER_TIMEOUT"):  # a stream whose client is gone ends; accepted sockets inherit this
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _USER_TIMEOUT * 1000)
        listening.bind(address)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise GinkgoError(f"port {port} is in use: choose another one by --port, or --port 0 for any that is free") from None
        raise GinkgoError(f"cannot listen at {short_repr(host)}, port {port}: {error.strerror or error}") from None
    return listening


def checked_path(base_path: str) -> str:
    """Return a path without a slash at its end. Raises GinkgoError if it is not one."""
    if not re.fullmatch(r"(/[\w-][\w.~-]*)*/?", base_path, re.ASCII):
        raise GinkgoError(f"invalid base path {short_repr(base_path)}; expected one such as /ginkgo")
    return base_path.rstrip("/")


def check_proxies(proxies: Sequence[str]) -> None:
    """Raise GinkgoError unless all are IP addresses or networks."""
    for proxy in proxies:
        try:
            ipaddress.ip_network(proxy)
        except ValueError:
            raise GinkgoError(
                f"invalid proxy {short_repr(proxy)}; expected an IP address or network, such as 127.0.0.1"
            ) from None


def is_loopback(host: str) -> bool:
    """Return whether an address can be reached from this machine only."""
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host.lower() == "localhost"


def has_desktop() -> bool:
    """Return whether a browser would be visible to the user."""
    if not sys.stdout.isatty() or "SSH_CONNECTION" in os.environ:
        return False
    return sys.platform in ("darwin", "win32") or bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _exit_process() -> None:
    """End the process, although threads may still be compiling or searching."""
    if any(thread is not threading.main_thread() and not thread.daemon for thread in threading.enumerate()):
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)


# --- connections: their number, timeouts, and the answer to malformed requests ------------------------------------------------


_RESERVED_FILES = 64  # open files besides connections


class Connection(H11Protocol):
    """A connection with timeouts for requests and for clients that read nothing.

    Beyond the limits the longest idle connection is closed. The base class keeps connections without a request open for ever.
    """

    limits: ClassVar[Limits] = Limits()
    proxies: ClassVar[Sequence[str]] = ()
    _timer: asyncio.TimerHandle | None = None
    _write_timer: asyncio.TimerHandle | None = None
    _network = ""
    _since = 0.0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the timeout, and close the longest idle connection if there are too many."""
        super().connection_made(transport)
        self._since = self.loop.time()
        self._start_timer()
        if self.client and not self._is_trusted(self.client[0]):
            self._network = network_of(self.client[0])
        neighbors = [other for other in self._open() if self._network and other._network == self._network]
        for group, most in ((neighbors, self.limits.connections_per_address), (self._open(), self.limits.connections)):
            if len(group) > most and not self.transport.is_closing():
                idle = [other for other in group if other.is_idle and other is not self]
                min(idle or [self], key=lambda connection: connection._since).transport.abort()

    def _is_trusted(self, host: str) -> bool:
        """Whether an address is this machine's or a proxy's, through which many clients come."""
        address = ipaddress.ip_address(host)
        return address.is_loopback or any(address in ipaddress.ip_network(proxy) for proxy in self.proxies)

    def _open(self) -> list[Connection]:
        ours = cast("set[Connection]", self.connections)
        return [connection for connection in ours if not connection.transport.is_closing()]

    @property
    def is_idle(self) -> bool:
        """Whether no request has begun since the connection was opened or the last request was answered."""
        return self.conn.their_state is h11.IDLE

    def data_received(self, data: bytes) -> None:
        """Process received data."""
        super().data_received(data)
        self._start_timer()

    def _start_timer(self) -> None:
        """Start the timeout for the next request, or stop it when the request is complete."""
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_timer()
        elif self._timer is None:
            self._timer = self.loop.call_later(self.limits.request_timeout, self.transport.abort)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = None

    def pause_writing(self) -> None:
        """Start the timeout for a client that does not read."""
        super().pause_writing()
        self._write_timer = self.loop.call_later(self.limits.write_timeout, self.transport.abort)

    def resume_writing(self) -> None:
        """Stop the timeout."""
        super().resume_writing()
        if self._write_timer is not None:
            self._write_timer.cancel()

    def connection_lost(self, exc: Exception | None) -> None:
        """Stop the timeouts."""
        self._stop_timer()
        if self._write_timer is not None:
            self._write_timer.cancel()
        super().connection_lost(exc)

    def send_400_response(self, msg: str) -> None:
        """Answer a malformed request and close, unless the answer to an earlier request has begun."""
        if self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE):
            super().send_400_response(msg)
        self.transport.close()


def connection_class(limits: Limits, proxies: Sequence[str] = ()) -> type[Connection]:
    """Return the protocol class for a server with these limits and trusted proxies."""
    return type("LimitedConnection", (Connection,), {"limits": limits, "proxies": proxies})


def max_connections(limit: int) -> int:
    """Return how many connections this process can open, at most ``limit``."""
    try:
        import resource
    except ImportError:  # not on this system
        return limit
    files = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return limit if files == resource.RLIM_INFINITY else max(1, min(limit, files - _RESERVED_FILES))
