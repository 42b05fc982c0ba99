"""Everything below a path, by requests: the pages and their files, playing, events, replays; and what a proxy has to tell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any
from urllib.parse import urljoin

import pytest

from ginkgo_env.core.errors import GinkgoError
from ginkgo_table.web import runner

from .conftest import Serve
from .served import ANN, GAME, HOST, LocalServer

BASE = "/ginkgo"
JSON = {"content-type": "application/json"}


@pytest.fixture
def below(serve: Serve) -> Iterator[LocalServer]:
    """A server of everything below a path."""
    with serve(base_path=BASE, names=("play.example.org",)) as server:
        yield server


def test_pages_find_their_files_wherever_they_are(below: LocalServer) -> None:
    for page in ("/", "/seat/x"):
        html = below.get(page).text
        named = [name for name in re.findall(r'(?:src|href)="([^"#]*)"', html) if not name.startswith("data:")]
        assert len(named) >= 2
        for name in named:
            path = urljoin(f"{BASE}{page}", name)
            assert path.startswith(f"{BASE}/") and below.get(path.removeprefix(BASE)).text


HTML = {"accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
WRONG = ("/x", "/x/y/", "/seat/x/y", "/rules/chess", "/replays/old", "/assets/x.css", "/x%2Fy")


@pytest.mark.parametrize("base_path", ["", BASE])
@pytest.mark.parametrize("wrong", WRONG)
def test_a_wrong_address_is_a_page_for_browsers(serve: Serve, base_path: str, wrong: str) -> None:
    with serve(base_path=base_path) as server:
        for path in (base_path + wrong, f"/elsewhere{wrong}"):
            answer = server.client.get(f"http://{HOST}{path}", headers=HTML)
            assert answer.status_code == 404 and answer.headers["content-type"].startswith("text/html")
            named = [urljoin(path, name) for name in re.findall(r'(?:src|href)="([^"#]*)"', answer.text) if "data:" not in name]
            assert len(named) == 4 and all(server.client.get(f"http://{HOST}{name}").status_code == 200 for name in named)
            assert server.client.get(f"http://{HOST}{path}", headers={"accept": "*/*"}).json()["error"]
        for path in ("/api/x", "/api/seats/x"):
            assert server.get(path, 404, headers=HTML)["error"]


@pytest.mark.full
def test_a_game_and_its_replay_are_below_the_path(below: LocalServer) -> None:
    token = below.finished()
    assert below.view(token)["result"] and below.get(f"/api/seats/{token}/record").text
    replay = below.post(f"/api/seats/{token}/replay", status=201)["replay"]
    page = below.get(f"/replays/{replay}")
    assert "sandbox" in page.headers["content-security-policy"] and not re.search(r'(?:src|href)="(?!data:|#)', page.text)
    with below.stream(token, base_path=BASE) as stream:
        stream.wait(1)
        assert stream.views == [below.view(token)]


def test_nothing_is_elsewhere_and_the_path_alone_leads_to_the_lobby(below: LocalServer) -> None:
    def status(path: str) -> int:
        return int(below.client.get(f"http://{HOST}{path}", follow_redirects=False).status_code)

    assert [status(path) for path in ("/", "/api/offer", "/ginkgo2/", "/ginkgo/ginkgo/", "/assets/lobby.js")] == [404] * 5
    moved = below.client.get(f"http://{HOST}{BASE}", follow_redirects=False)
    assert moved.is_redirect and moved.headers["location"] == f"{BASE}/"


def test_requests_are_checked_below_the_path_as_well(below: LocalServer) -> None:
    ask = below.client.get
    assert ask("/api/offer", headers={"sec-fetch-site": "cross-site"}).status_code == 403
    assert below.client.post("/api/replays", content=b"{}", headers=JSON).status_code == 415
    wrong = ask("/api/offer", headers={"host": "play.example"})
    assert wrong.status_code == 403 and "--allow-host 'play.example'" in wrong.json()["error"]


@pytest.mark.parametrize(
    ("origin", "told"),
    [
        ("https://play.example.org", "name the proxy between them by --proxy ADDRESS"),
        ("https://play.example.com", "a proxy has to leave the header Host as it is"),
    ],
)
def test_a_proxy_that_tells_too_little_is_a_sentence(below: LocalServer, origin: str, told: str) -> None:
    headers = {**JSON, "host": "play.example.org", "origin": origin}
    answer = below.client.post("/api/seats_of", content=b"{}", headers=headers)
    assert answer.status_code == 403 and told in answer.json()["error"]


@pytest.mark.parametrize(("trusted", "known"), [((), False), (("127.0.0.0/8",), True), (("10.0.0.1",), False)])
def test_only_a_named_proxy_is_believed(serve: Serve, trusted: tuple[str, ...], known: bool) -> None:
    """An encrypted page that a proxy tells of may ask, and what it opens counts for its own address."""
    with serve(tables_per_address=1) as server:
        served = runner.TableServer(server.app, None, trusted)  # type: ignore[arg-type]
        served.config.load()
        server.client = type(server.client)(served.config.loaded_app, base_url=f"http://{HOST}", client=("127.0.0.1", 1))
        asked = {**GAME, "options": {"players": 1}, "seats": [ANN], "seed": None}

        def opened(address: str, **more: str) -> Any:
            headers = {"x-forwarded-for": address, "x-forwarded-proto": "https", "origin": f"https://{HOST}"}
            return server.client.post("/api/tables", json=asked, headers=headers | more).status_code

        assert opened("192.0.2.1") == (201 if known else 403)
        assert opened("192.0.2.2") == (201 if known else 403)
        assert opened("192.0.2.2") == (429 if known else 403)
        assert opened("192.0.2.3", origin=f"http://{HOST}") == (403 if known else 201)


def test_paths_and_proxies_that_are_none_are_refused() -> None:
    assert [runner.checked_path(path) for path in ("", "/", "/ginkgo", "/a/b-c/")] == ["", "", "/ginkgo", "/a/b-c"]
    for path in ("ginkgo", "//ginkgo", "/gin kgo", "/../x", "/x/..", "/a//b", "https://play.example.org/ginkgo"):
        with pytest.raises(GinkgoError, match="expected one such as /ginkgo"):
            runner.checked_path(path)
    runner.check_proxies(["127.0.0.1", "::1", "10.0.0.0/8"])
    with pytest.raises(GinkgoError, match="invalid proxy 'nginx'"):
        runner.check_proxies(["nginx"])


def test_the_welcome_tells_the_path() -> None:
    with runner.bind_socket("127.0.0.1", 0) as listening:
        assert runner.StartupMessage("127.0.0.1", listening, False, BASE).address.endswith(f"{BASE}/")
