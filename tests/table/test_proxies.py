"""Behind nginx and Caddy with encryption, configured as the docs say: playing, events, addresses of clients, a whole browser."""

from __future__ import annotations

import http.client
import json
import re
import shutil
import socket
import ssl
import subprocess
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest

from ginkgo_table.web.game_catalog import GameCatalog

from .browsing import CHROMIUM, Served, Visitor, chromium
from .served import ANN, GAME, PATIENCE, texts_of, until

pytestmark = [pytest.mark.full, pytest.mark.skipif(shutil.which("openssl") is None, reason="needs openssl for a certificate")]
HOST, BASE = "play.example.org", "/ginkgo"
DOCS = Path(__file__).parents[2] / "docs/table.md"
NGINX = """
pid {folder}/nginx.pid; error_log stderr; daemon off; worker_processes 1;
events {{ }}
http {{
    access_log off; client_body_temp_path {folder}/body; proxy_temp_path {folder}/proxy; fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi; scgi_temp_path {folder}/scgi; types {{ text/html html; }} gzip on; gzip_proxied any;
    {server}
}}
"""
CADDY = "{{\n admin off\n auto_https off\n storage file_system {folder}\n}}\n{server}"


def documented(language: str) -> str:
    """The configuration in the docs."""
    (found,) = re.findall(rf"```{language}\n(.*?)```", DOCS.read_text(encoding="utf-8"), re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Made here: a certificate and its key."""
    folder = tmp_path_factory.mktemp("certificate")
    files = folder / "play.pem", folder / "play.key"
    kind = "-x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2"
    names = ["-subj", f"/CN={HOST}", "-addext", f"subjectAltName=DNS:{HOST}"]
    command = ["openssl", "req", *kind.split(), *names, "-out", str(files[0]), "-keyout", str(files[1])]
    subprocess.run(command, check=True, capture_output=True)
    return files


class Proxy:
    """A proxy in front of a server of tables."""

    def __init__(self, served: Served, port: int, certificate: Path) -> None:
        self.served, self.port = served, port
        self.address = f"https://{HOST}:{port}{BASE}"
        self._context = ssl.create_default_context(cafile=str(certificate))

    def connect(self, source: str = "127.0.0.1") -> http.client.HTTPConnection:
        """An encrypted connection of a client with an address of its own."""
        plain = socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE, source_address=(source, 0))
        made = http.client.HTTPConnection(HOST, self.port)
        made.sock = self._context.wrap_socket(plain, server_hostname=HOST)
        return made

    def ask(self, path: str, data: Any = None, source: str = "127.0.0.1", **headers: str) -> tuple[int, Any]:
        """The status of an answer, and its JSON or text."""
        made = self.connect(source)
        body, method = (None, "GET") if data is None else (json.dumps(data), "POST")
        known = {"Content-Type": "application/json", "Origin": f"https://{HOST}:{self.port}"}
        made.request(method, f"{BASE}{path}", body, known | headers)
        answer = made.getresponse()
        text = answer.read().decode()
        made.close()
        return answer.status, json.loads(text) if answer.headers["Content-Type"] == "application/json" else text

    @contextmanager
    def events(self, token: str, source: str = "127.0.0.1") -> Iterator[http.client.HTTPResponse]:
        """An open stream of events."""
        made = self.connect(source)
        made.request("GET", f"{BASE}/api/seats/{token}/events")
        with made.getresponse() as answer:
            yield answer
        made.close()


@contextmanager
def proxied(name: str, served: Served, certificate: tuple[Path, Path], folder: Path) -> Iterator[Proxy]:
    """A proxy as a process, on a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    server = documented(name).replace("127.0.0.1:8765", f"127.0.0.1:{served.port}")
    if name == "nginx":
        server = server.replace("443", f"127.0.0.1:{port}")
        server = re.sub(r"/etc/ssl/\S*?\.(pem|key);", lambda found: f"{certificate[found[1] == 'key']};", server)
        command = ["nginx", "-p", str(folder), "-e", "stderr", "-c"]
    else:
        server = server.replace(
            f"{HOST} {{", f"https://{HOST}:{port} {{\n tls {certificate[0]} {certificate[1]}\n bind 127.0.0.1"
        )
        command = ["caddy", "run", "--adapter", "caddyfile", "--config"]
    file = folder / name
    file.write_text({"nginx": NGINX, "caddy": CADDY}[name].format(folder=folder, server=server))
    with (folder / "log").open("w+") as log:
        process = subprocess.Popen([*command, str(file)], stdout=log, stderr=log)
        proxy = Proxy(served, port, certificate[0])

        def answers() -> bool:
            assert process.poll() is None, (folder / "log").read_text()
            with suppress(OSError):
                return proxy.ask("/api/health")[0] == 200
            return False

        try:
            until(answers)
            yield proxy
        finally:
            process.terminate()
            process.wait(PATIENCE)


@pytest.fixture(scope="module", params=["nginx", "caddy"])
def proxy(
    request: pytest.FixtureRequest, catalog: GameCatalog, certificate: tuple[Path, Path], tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Proxy]:
    """Each of them, before the server as the docs start it."""
    if shutil.which(request.param) is None:
        pytest.skip(f"needs {request.param}: apt-get install nginx-light caddy")
    folder = tmp_path_factory.mktemp(request.param)
    served = Served(
        folder / "tables.sqlite3", catalog, names=(HOST,), base_path=BASE, proxies=("127.0.0.1",), streams_per_address=1
    )
    with ExitStack() as stack:
        stack.callback(served.stop)
        yield stack.enter_context(proxied(request.param, served, certificate, folder))


def opened(proxy: Proxy) -> str:
    status, table = proxy.ask("/api/tables", {**GAME, "options": {"players": 1}, "seats": [ANN], "seed": None})
    assert status == 201
    return str(table["seats"][0]["token"])


def play_on(proxy: Proxy, token: str) -> None:
    """To the end, by requests."""
    while decision := proxy.ask(f"/api/seats/{token}")[1]["decision"]:
        data = {"decision": decision["number"], "action": decision["actions"][0]["id"]}
        assert proxy.ask(f"/api/seats/{token}/act", data)[0] == 200


def next_event(stream: http.client.HTTPResponse) -> tuple[str, str]:
    """The name and data of the next event, which comes while the stream stays open."""
    while not (line := stream.readline()).startswith(b"event: "):
        assert line
    return line[7:].decode().strip(), stream.readline()[6:].decode().strip()


def test_events_come_through_at_once(proxy: Proxy) -> None:
    token = opened(proxy)
    with proxy.events(token) as stream:
        assert stream.status == 200
        events = [next_event(stream)]
        for number in range(3):
            view = json.loads(texts_of(events)[-1])
            action = view["decision"]["actions"][0]["id"]
            assert proxy.ask(f"/api/seats/{token}/act", {"decision": number, "action": action})[0] == 200
            events.append(next_event(stream))
            assert json.loads(texts_of(events)[-1]) == proxy.ask(f"/api/seats/{token}")[1]


def test_limits_count_clients_and_not_the_proxy(proxy: Proxy) -> None:
    token = opened(proxy)
    with proxy.events(token, "127.1.0.1") as one, proxy.events(token, "127.2.0.1") as other:
        assert [one.status, other.status] == [200, 200]
        forged = {"X-Forwarded-For": "192.0.2.1"}
        status, told = proxy.ask(f"/api/seats/{token}/events", source="127.1.0.1", **forged)
        assert status == 429 and "at your address" in told["error"]


def test_the_proxy_tells_that_pages_are_encrypted(proxy: Proxy) -> None:
    asked = {"game": "my_city", "options": {"players": 1}}
    assert proxy.ask("/api/seats_of", asked)[0] == 200
    assert proxy.ask("/api/seats_of", asked, Origin=f"http://{HOST}:{proxy.port}")[0] == 403
    assert proxy.ask("/api/seats_of", asked, Origin="https://evil.example")[0] == 403


@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM")
def test_a_person_plays_in_a_browser(proxy: Proxy) -> None:
    """From the lobby to the replay; the visitor notices requests that are not below the path."""
    pytest.importorskip("playwright.sync_api", reason="needs Playwright: pip install playwright")
    from .clicking import Person
    from .lobbying import choose, option

    with chromium(f"--host-resolver-rules=MAP {HOST} 127.0.0.1") as browser, Visitor(browser, proxy) as visitor:  # type: ignore[arg-type]
        page = visitor.open("/", ignore_https_errors=True)
        page.wait_for_selector("#seats li")
        choose(page, "my_city")
        option(page, "players", "1")
        page.click("#open")
        page.wait_for_url(f"{proxy.address}/seat/*")
        page.wait_for_selector("#figure svg")
        person = Person(page, seed=1, avoid=("instead",))  # who gives up by chance has no game to play on
        assert not person.play(2)
        play_on(proxy, page.url.rpartition("/")[2])
        until(lambda: person.seen()["over"])  # the page hears of it
        assert page.get_attribute("#record", "href").startswith(f"{BASE}/api/seats/")
        page.click("#replay")
        page.wait_for_url(f"{proxy.address}/replays/*")
        page.wait_for_selector("#figure svg")
        page.go_back()
        page.click("#lobby")
        page.wait_for_selector(f'#tables a[href^="{BASE}/seat/"]')
        assert page.url == f"{proxy.address}/"
