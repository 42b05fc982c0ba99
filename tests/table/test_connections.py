"""What the server does below requests: silent connections, too many of them, what is no HTTP, slow readers."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ginkgo_table.web import runner
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import Limits
from ginkgo_table.web.runner import max_connections

from .browsing import Served
from .served import PATIENCE, until

resource = pytest.importorskip("resource")
ASK = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
Listen = Callable[..., AbstractContextManager[int]]


@pytest.fixture
def listen(tmp_path: Path, catalog: GameCatalog) -> Listen:
    """``with listen(**limits) as port``: the server as the command runs it."""

    @contextmanager
    def listening(**limits: Any) -> Iterator[int]:
        served = Served(tmp_path / "x.sqlite3", catalog, **limits)
        yield served.port
        served.stop()

    return listening


def connected(port: int, sent: bytes = b"") -> socket.socket:
    made = socket.create_connection(("127.0.0.1", port), timeout=PATIENCE)
    made.sendall(sent)
    return made


def heard(made: socket.socket) -> bytes:
    """All that comes until the server closes."""
    parts = b""
    try:
        while part := made.recv(65536):
            parts += part
    except ConnectionResetError:
        pass
    made.close()
    return parts


def answered(port: int, begun: bytes = b"") -> bool:
    """Whether a request is answered; the one that is begun after it must not be."""
    with connected(port) as made, suppress(ConnectionError):
        made.sendall(ASK)
        if not made.recv(65536).startswith(b"HTTP/1.1 200"):
            return False
        if begun:
            made.sendall(begun)
            assert b"HTTP" not in heard(made)
        return True
    return False


def test_who_says_nothing_makes_room_for_others(listen: Listen) -> None:
    with listen(connections=10) as port:
        silent = [connected(port) for _ in range(40)]
        assert all(answered(port) for _ in range(5))
        for made in silent[:25]:
            assert heard(made) == b""


@pytest.mark.full
def test_among_those_that_ask_there_are_not_too_many(listen: Listen) -> None:
    slow = b"POST /api/seats_of HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n"
    with listen(connections=3) as port:
        asking = [connected(port, slow + b"Expect: 100-continue\r\n\r\n") for _ in range(3)]
        assert all(made.recv(65536).startswith(b"HTTP/1.1 100") for made in asking)  # the server has read them
        assert heard(connected(port, ASK)) == b""
        asking[0].close()
        until(lambda: answered(port))


@pytest.mark.parametrize(
    "begun", [b"", *(pytest.param(begun, marks=pytest.mark.full) for begun in (b"GET / HT", ASK[:-2] + b"X-Slow: 1"))]
)
def test_a_request_has_to_begin_in_time(listen: Listen, begun: bytes) -> None:
    with listen(request_timeout=0.4) as port:
        assert heard(connected(port, begun)) == b""
        until(lambda: answered(port, b"GET / "))  # on a slow machine, a request may come too late


SLOW = b"POST /api/seats_of HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9\r\n\r\n{"


@pytest.mark.full
def test_a_request_has_to_end_in_time(listen: Listen) -> None:
    with listen(request_timeout=0.5) as port:
        slow = connected(port, SLOW)
        for _ in range(4):  # a byte now and then does not help
            time.sleep(0.1)
            with suppress(OSError):  # it may have been closed already
                slow.sendall(b" ")
        assert heard(slow) == b""
        until(lambda: answered(port))


@pytest.mark.full
@pytest.mark.skipif(resource.getrlimit(resource.RLIMIT_NOFILE)[0] < 2_000, reason="opens many connections")
def test_unfinished_bodies_of_one_address_lock_nobody_out(listen: Listen) -> None:
    with listen() as port:
        slow = [connected(port, SLOW) for _ in range(600)]
        statuses = dict[socket.socket, bytes]()

        def refused() -> int:
            for made in set(slow) - statuses.keys():
                made.setblocking(False)
                with suppress(OSError):
                    statuses[made] = made.recv(65536)[9:12]
            return list(statuses.values()).count(b"429")

        until(lambda: refused() >= 600 - 16)
        assert all(answered(port) for _ in range(5))
        assert refused() == 600 - 16
        other = socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0))
        other.sendall(SLOW + b" " * 8)
        assert other.recv(65536).startswith(b"HTTP/1.1 400")  # its own body is read
        for made in (*slow, other):
            made.close()


def test_connections_of_one_address_lock_nobody_out(listen: Listen, monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond their number the address makes room itself; what is trusted is not counted."""
    monkeypatch.setattr(runner.Connection, "_is_trusted", lambda _, host: host != "127.0.0.2")
    with listen(connections=30, connections_per_address=5) as port:
        trusted = [connected(port) for _ in range(12)]
        greedy = [socket.create_connection(("127.0.0.1", port), PATIENCE, ("127.0.0.2", 0)) for _ in range(40)]
        for made in greedy[:35]:
            assert heard(made) == b""
        for made in (*trusted, *greedy[35:]):
            made.sendall(ASK)
            assert made.recv(65536).startswith(b"HTTP/1.1 200")
            made.close()


@pytest.mark.parametrize(
    ("host", "is_trusted"), [("127.0.0.1", True), ("::1", True), ("10.1.2.3", True), ("10.2.0.1", False), ("2001:db8::1", False)]
)
def test_this_machine_and_proxies_are_trusted(host: str, is_trusted: bool) -> None:
    protocol = runner.connection_class(Limits(), ("10.1.0.0/16", "192.168.0.7"))
    assert protocol._is_trusted(protocol.__new__(protocol), host) == is_trusted


def test_who_reads_nothing_is_disconnected(listen: Listen) -> None:
    with listen(write_timeout=0.5) as port:
        made = socket.socket()
        made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        made.connect(("127.0.0.1", port))
        ask = b"GET /rules/ginkgopolis HTTP/1.1\r\nHost: localhost\r\n\r\n"
        made.settimeout(PATIENCE)
        with pytest.raises(ConnectionError):
            while True:  # its requests fill all buffers, as long as the server reads them
                made.sendall(ask * 50)
        made.close()
        assert answered(port)


NO_HTTP = [
    b"\x16\x03\x01\x02\x00\x01\n\n",
    b"hello\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET /\xff HTTP/1.1\r\nHost: localhost\r\n\r\n",
]
CHUNKED = b"POST /api/tables HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n"


def test_what_is_no_http_gets_a_sentence_too(listen: Listen, capfd: pytest.CaptureFixture[str]) -> None:
    with listen() as port:
        for sent in NO_HTTP:
            head, _, body = heard(connected(port, sent)).partition(b"\r\n\r\n")
            assert head.startswith(b"HTTP/1.1 400") and b"text/plain" in head and body == b"Invalid HTTP request received."
        for sent in (CHUNKED + b"zz\r\n", ASK + b"\x00\r\n\r\n"):
            assert b"Traceback" not in heard(connected(port, sent))
        flood = connected(port)
        with suppress(OSError):
            flood.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n" + b"x: y\r\n" * 1_000_000)
        assert b" 200 " not in heard(flood) and answered(port)
    assert "Traceback" not in capfd.readouterr().err


def test_odd_requests_are_answered(listen: Listen) -> None:
    with listen() as port:
        for line, more, status in (
            (b"GET / HTTP/1.0", b"", b"400"),
            (b"GET http://evil.example/api/offer HTTP/1.1", b"Host: localhost\r\n", b"404"),
            (b"OPTIONS * HTTP/1.1", b"Host: localhost\r\n", b"404"),
            (b"CONNECT evil.example:443 HTTP/1.1", b"Host: localhost\r\n", b"404"),
            (b"GET //evil.example/ HTTP/1.1", b"Host: localhost\r\n", b"404"),
            (b"GET /api/health HTTP/1.1", b"Host: localhost\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n", b"200"),
        ):
            answer = heard(connected(port, line + b"\r\n" + more + b"Connection: close\r\n\r\n"))
            assert answer.startswith(b"HTTP/1.1 " + status) and b"location" not in answer.lower()


def test_connections_that_broke_off_are_found() -> None:
    with runner.bind_socket("127.0.0.1", 0) as at:
        if hasattr(socket, "TCP_USER_TIMEOUT"):
            assert at.getsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT) == 60_000


def test_there_are_no_more_connections_than_the_process_can_have(monkeypatch: pytest.MonkeyPatch) -> None:
    for files, most in ((256, 192), (65, 1), (10, 1), (20_000, 512), (resource.RLIM_INFINITY, 512)):
        monkeypatch.setattr(resource, "getrlimit", lambda _, files=files: (files, files))
        assert max_connections(512) == most
