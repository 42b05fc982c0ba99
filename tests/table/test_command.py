"""``ginkgo table`` as people call it: the socket, the file, Ctrl-C."""

from __future__ import annotations

import json
import os
import re
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.request import Request, urlopen

import pytest

from ginkgo_env.core.errors import GinkgoError
from ginkgo_table.web import runner

START = """
import sys
from importlib.metadata import EntryPoint
from ginkgo_env.cli import main
from ginkgo_env.cli.app import GROUP, OWN
OWN.append(EntryPoint("table", "ginkgo_table.web.command:table", GROUP))  # as if this checkout were installed
sys.argv[1:1] = ["table"]
main()
"""
HEARD = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.default_int_handler)} if os.name == "posix" else {}


@contextmanager
def running(*options: str) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """The command in a process, and its address."""
    command = [sys.executable, "-c", START, "--port", "0", "--no-open", *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **HEARD)  # type: ignore[call-overload]
    try:
        assert process.stdout is not None
        found = re.search(r"http://\S+", process.stdout.readline())
        assert found, process.communicate()
        yield process, found[0]
    finally:
        process.kill()
        process.communicate()


def refusal(*options: str) -> str:
    """What the command says before it gives up."""
    found = subprocess.run([sys.executable, "-c", START, *options], capture_output=True, text=True, check=False)
    assert found.returncode == 2 and len(found.stderr.splitlines()) == 1, found.stderr
    return found.stderr


def ask(address: str, path: str, data: Any = None) -> Any:
    body = None if data is None else json.dumps(data).encode()
    with urlopen(Request(address + path, body, {"Content-Type": "application/json"}), timeout=60) as answer:
        return json.loads(answer.read())


@pytest.mark.full
@pytest.mark.skipif(os.name != "posix", reason="sends Ctrl-C as a signal")
def test_ctrl_c_ends_it_at_once_and_all_is_kept(tmp_path: Path) -> None:
    file = str(tmp_path / "x.sqlite3")
    with running("--data", file) as (process, address):
        seats = [{"name": "Ann", "agent": None}]
        opened = ask(address, "api/tables", {"game": "my_city", "options": {"players": 1}, "seats": seats, "seed": None})
        token = opened["seats"][0]["token"]
        decision = ask(address, f"api/seats/{token}")["decision"]
        ask(address, f"api/seats/{token}/act", {"decision": 0, "action": decision["actions"][0]["id"]})
        view = ask(address, f"api/seats/{token}")
        assert "another ginkgo table has it open" in refusal("--port", "0", "--data", file)
        with urlopen(f"{address}api/seats/{token}/events", timeout=60) as stream:
            assert stream.readline() == b"event: view\n"
            process.send_signal(signal.SIGINT)
            out, err = process.communicate()  # though the stream stays open
        assert process.returncode == 0
        assert err.splitlines()[-1] == "ended: all tables are kept" and token not in out + err and "Traceback" not in err
    with running("--data", file) as (_, address):
        assert ask(address, f"api/seats/{token}") == view


@pytest.mark.full
def test_a_server_that_cannot_start_says_why(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("no database" * 100)
    for options, why in (
        (["--data", str(tmp_path / "text")], "it is not a file of ginkgo table"),
        (["--agent", "nobody"], "unknown agent 'nobody'"),
        (["--agent", "no/such.npz"], "such.npz"),
        (["--host", "192.0.2.1"], "cannot listen"),
    ):
        assert why in refusal("--port", "0", *options)


def test_a_port_that_is_taken() -> None:
    with runner.bind_socket("127.0.0.1", 0) as taken:
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(GinkgoError, match=f"port {port} is in use: choose another one by --port, or --port 0"):
            runner.bind_socket("127.0.0.1", port)


def test_addresses_that_are_not_of_this_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GinkgoError, match=r"cannot listen at '192\.0\.2\.1'"):
        runner.bind_socket("192.0.2.1", 0)
    for bad in ("a" * 70, "\0", "."):
        with pytest.raises(GinkgoError, match="unknown address"):
            runner.bind_socket(bad, 0)

    def refuse(*_: Any, **__: Any) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", refuse)
    with pytest.raises(GinkgoError, match="unknown address 'nowhere'"):
        runner.bind_socket("nowhere", 0)


@pytest.mark.parametrize(
    ("host", "address", "warned"),
    [
        ("127.0.0.1", "http://127.0.0.1:", False),
        ("localhost", "http://localhost:", False),
        ("::1", "http://[::1]:", False),
        ("0.0.0.0", "http://localhost:", True),
    ],
)
def test_the_welcome(host: str, address: str, warned: bool, capsys: pytest.CaptureFixture[str]) -> None:
    try:
        listening = runner.bind_socket(host, 0)
    except GinkgoError:
        pytest.skip("no such address on this machine")
    with listening:
        runner.StartupMessage(host, listening, False).show()
    out, err = capsys.readouterr()
    assert address in out and ("nothing is encrypted" in err) is warned


def test_the_browser_is_opened_where_somebody_sits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("SSH_CONNECTION", raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    for name in ("DISPLAY", "WAYLAND_DISPLAY"):
        monkeypatch.delenv(name, raising=False)
    assert not runner.has_desktop()
    monkeypatch.setenv("DISPLAY", ":0")
    assert runner.has_desktop()
    monkeypatch.setenv("SSH_CONNECTION", "somewhere")
    assert not runner.has_desktop()


@pytest.mark.full
def test_the_help_imports_no_server() -> None:
    code = "import sys; import ginkgo_table.web.command; assert not {'starlette', 'uvicorn', 'anyio'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
