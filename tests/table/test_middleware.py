"""What the server refuses, and how: other sites, other names, bad requests of every kind."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any
from urllib.error import HTTPError

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ginkgo_table.web.game_catalog import GameCatalog

from .browsing import Served
from .served import ANN, GAME, LocalServer, serving

HEADERS = {
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-resource-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
}
JSON = {"content-type": "application/json"}
ALONE: dict[str, Any] = {"options": {"players": 1}}


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory, catalog: GameCatalog) -> Iterator[LocalServer]:
    """One server for tests that leave nothing behind."""
    with serving(tmp_path_factory.mktemp("table") / "table.sqlite3", catalog, names=("Play.Example",), body=2_000) as server:
        yield server


@pytest.fixture(scope="module")
def token(server: LocalServer) -> str:
    """Its only table."""
    return server.open(ANN, **ALONE)[0]


def error_of(answer: Any, status: int) -> str:
    """The sentence of an error, checked: short, without a stack trace."""
    assert answer.status_code == status, answer.text
    data = answer.json()
    assert list(data) == ["error"] and 0 < len(data["error"]) < 300 and "Traceback" not in data["error"]
    return str(data["error"])


@pytest.mark.parametrize("path", ["/", "/seat/x", "/assets/none", "/api/offer", "/api/seats/x", "/nothing", "/replays/x"])
def test_every_answer_has_the_headers(server: LocalServer, path: str) -> None:
    for method in ("GET", "POST", "PUT", "OPTIONS"):
        headers = server.client.request(method, path, headers=JSON).headers
        assert {name: headers.get(name) for name in HEADERS} == HEADERS
        assert headers["cache-control"] == "no-store" and "server" not in headers
        assert "default-src 'none'; script-src 'self'" in headers["content-security-policy"]
        assert "frame-ancestors 'none'" in headers["content-security-policy"]
        assert "access-control-allow-origin" not in headers


@pytest.mark.parametrize(
    "host", ["localhost", "LOCALHOST:8765", "127.0.0.1", "192.168.1.7:80", "[::1]:8765", "[fe80::1]", "play.example:1"]
)
def test_names_of_this_server(server: LocalServer, host: str) -> None:
    server.get("/api/health", headers={"host": host, "origin": f"http://{host}"})


@pytest.mark.parametrize(
    "host",
    ["evil.example", "localhost.evil.example", "127.0.0.1.evil.example", "play.example.evil:8765", "127.1.evil", "", "[x]", ":80",
     "evil.example:127.0.0.1", "user@localhost", "localhost@evil.example", "[::1].evil"],
)  # fmt: skip
def test_other_names_may_be_anybodys(server: LocalServer, host: str) -> None:
    for path in ("/", "/api/offer"):
        error_of(server.client.get(path, headers={"host": host}), 403)


@pytest.mark.parametrize(
    "origin",
    ["null", "", "http://evil.example", "http://127.0.0.1", "http://127.0.0.1:8766", "http://127.0.0.1:8765.evil", "file://"],
)
def test_pages_of_other_sites_are_refused(server: LocalServer, token: str, origin: str) -> None:
    for path in ("/", "/api/offer", f"/api/seats/{token}/events"):
        error_of(server.client.get(path, headers={"origin": origin}), 403)
    error_of(server.client.post("/api/tables", content=b"{}", headers={**JSON, "origin": origin}), 403)


def test_only_own_pages_may_ask(server: LocalServer, token: str) -> None:
    for site in ("cross-site", "same-site", "Something"):
        for path in ("/api/offer", f"/api/seats/{token}", f"/api/seats/{token}/events"):
            error_of(server.client.get(path, headers={"sec-fetch-site": site}), 403)
        server.get("/", headers={"sec-fetch-site": site})  # a link to the page
    for site in ("same-origin", "none"):
        server.get("/api/offer", headers={"sec-fetch-site": site})


@pytest.mark.parametrize(
    "kind", ["", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonp"]
)
def test_forms_of_other_sites_are_not_read(server: LocalServer, token: str, kind: str) -> None:
    """What a form can send without asking first."""
    for path in ("/api/tables", "/api/seats_of", f"/api/seats/{token}/act", f"/api/seats/{token}/remove"):
        error_of(server.client.post(path, content=b"{}", headers={"content-type": kind}), 415)
    error_of(server.client.post("/api/replays", content=b"{}", headers=JSON), 415)


@pytest.mark.parametrize("told", [True, False])
def test_large_requests_are_counted_while_they_are_read(server: LocalServer, told: bool) -> None:
    read = 0

    def parts() -> Iterator[bytes]:
        nonlocal read
        for _ in range(1_000):
            read += 1_000
            yield b" " * 1_000

    content = b" " * 2_001 if told else parts()
    answer = server.client.post("/api/tables", content=content, headers=JSON)
    assert answer.status_code == 413 and "Content Too Large" in answer.text
    fine = json.dumps({**GAME, "seats": [ANN], **ALONE, "seed": None}).encode().ljust(2_000)
    assert server.client.post("/api/seats_of", content=fine, headers=JSON).status_code == 400  # it has too many keys


def test_an_error_of_ours_is_a_short_answer_and_a_traceback_for_the_operator(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    served = Served(tmp_path / "x.sqlite3", GameCatalog())
    served._catalog.to_dict = lambda: 1 / 0
    with pytest.raises(HTTPError) as found:
        served.ask("/api/offer")
    served.stop()
    assert found.value.code == 500 and json.loads(found.value.read()) == {"error": "internal error"}
    assert found.value.headers["x-content-type-options"] == "nosniff" and "server" not in found.value.headers
    assert "ZeroDivisionError" in caplog.text


NOWHERE = """
    /assets/..%2fcommand.py /assets/../command.py /assets/%2e%2e/labels.py /assets/..\\x /assets/ /assets//etc/passwd /assets/%00
    /assets/lobby.html%00 /replays/..%2f..%2fetc%2fpasswd /replays/ /api/labels/..%2fen/- /api/labels/../- /api/labels/en.json/-
    /api/labels/en/..%2f..%2fmy_city /api/labels/en/no_game /api/labels/xx/- /api/labels/en /nothing /api /api/seats /%ff%fe
"""


@pytest.mark.parametrize("path", NOWHERE.split())
def test_there_is_nothing_else_to_be_had(server: LocalServer, path: str) -> None:
    error_of(server.client.get(path), 404)


def test_other_methods_are_refused(server: LocalServer, token: str) -> None:
    for method in ("PUT", "DELETE", "PATCH", "OPTIONS", "TRACE"):
        for path in ("/", "/api/offer", f"/api/seats/{token}/act"):
            error_of(server.client.request(method, path, headers=JSON), 405)
    error_of(server.client.post("/", headers=JSON), 405)
    error_of(server.client.get("/api/tables"), 405)
    assert server.client.head(f"/api/seats/{token}/events").status_code == 405


BAD = [
    b"", b"{", b"[]", b"null", b"1", b'"x"', b"NaN", b'{"game": NaN}', b'{"seed": Infinity}', b"\xff\xfe", b'{"game": "\xff"}',
    b"[" * 1_900, b'{"a":' * 300, b"1" * 1_900, b'{"game": ' + b"9" * 1_900 + b"}", b"{}", b'{"game": null}', b'{"unknown": 1}',
    b"\x00", b'{"game": "my_city"}', b'{"game": "my_city", "options": [], "seats": [], "seed": null}',
]  # fmt: skip


@pytest.mark.parametrize("body", BAD)
def test_bad_requests_get_a_sentence(server: LocalServer, token: str, body: bytes) -> None:
    for path in ("/api/tables", "/api/seats_of", f"/api/seats/{token}/act", f"/api/seats/{token}/hint"):
        if not (path.endswith("hint") and body == b"{}"):  # the best agent is asked then
            error_of(server.client.post(path, content=body, headers=JSON), 400)


SEATS = [{"name": "Ann", "agent": None}, {"name": "Bob", "agent": "random"}]


@pytest.mark.parametrize(
    ("status", "changes"),
    [
        (422, {"game": "chess"}),
        (422, {"game": "../my_city"}),
        (422, {"game": "os:system"}),
        (422, {"options": {"board": "/etc"}}),
        (422, {"options": {"board": "own"}}),
        (422, {"options": {"players": 5}}),
        (422, {"options": {"players": 2.0}}),
        (422, {"options": {"players": True}}),
        (422, {"options": {"players": "2"}}),
        (422, {"options": {"players": [2]}}),
        (422, {"options": {"players": {"a": [1]}}}),
        (422, {"options": {"x" * 500: 2}}),
        (422, {"game": "ginkgopolis", "options": {"max_rounds": 10_000}}),
        (422, {"game": "ginkgopolis", "options": {"modules": ["experts", "experts"]}}),
        (422, {"game": "ginkgopolis", "options": {"modules": ["../x"]}}),
        (422, {"game": "ginkgopolis", "options": {"modules": [[]]}}),
        (422, {"game": "ginkgopolis", "options": {"level": "advanced"}}),
        (422, {"seats": []}),
        (422, {"seats": SEATS[:1]}),
        (422, {"seats": SEATS * 2}),
        (400, {"seats": [1, 2]}),
        (400, {"seats": [{}, {}]}),
        (400, {"seats": [{"name": 5, "agent": None}, SEATS[1]]}),
        (400, {"seats": [{"name": "Ann", "agent": None, "more": 1}, SEATS[1]]}),
        *(
            (422, {"seats": [{"name": name, "agent": None}, SEATS[1]]})
            for name in ("", " ", "x" * 41, "a\nb", "\u202e", "\ud800")
        ),
        *(
            (422, {"seats": [SEATS[0], {"name": "Bob", "agent": agent}]})
            for agent in ("", "nobody", "william", "os:system", "/x.npz", "x.npz", "lookahead:worlds=9999", "random:", "\ud800")
        ),
        (400, {"seed": "1"}),
        (400, {"seed": 1.5}),
        (400, {"seed": True}),
        (422, {"seed": -1}),
        (422, {"seed": 2**64}),
        (422, {"seed": 1, "seats": [SEATS[0], {"name": "Bob", "agent": None}]}),
    ],
)
def test_only_what_is_offered_can_be_opened(server: LocalServer, status: int, changes: dict[str, Any]) -> None:
    before = server.get("/api/health")["tables"]
    asked = {**GAME, "seats": SEATS, "seed": None} | changes
    error_of(server.client.post("/api/tables", content=json.dumps(asked).encode(), headers=JSON), status)
    assert server.get("/api/health")["tables"] == before


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=10), inside, max_size=4),
    max_leaves=12,
)
KEYS = ("game", "options", "seats", "seed", "decision", "action", "agent")
GOOD = st.sampled_from(["my_city", {}, {"players": 1}, [{"name": "Ann", "agent": None}], None, 0, 3, "random"])


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(
    st.dictionaries(st.sampled_from(KEYS), GOOD | JUNK, max_size=5) | JUNK, st.sampled_from(["tables", "seats_of", "act", "hint"])
)
def test_no_request_breaks_the_server(server: LocalServer, token: str, data: Any, name: str) -> None:
    path = f"/api/seats/{token}/{name}" if name in ("act", "hint") else f"/api/{name}"
    if name == "hint" and (data == {} or data == {"agent": None}):
        return
    answer = server.client.post(path, content=json.dumps(data).encode()[:2_000], headers=JSON)
    assert answer.status_code < 500
    if answer.status_code >= 400:
        error_of(answer, answer.status_code)


def test_names_may_be_those_of_any_language(server: LocalServer) -> None:
    (one,) = server.open({"name": " Bj\u00f6rk \u674e ", "agent": None}, **ALONE)
    assert server.view(one)["names"] == ["Bj\u00f6rk \u674e"]
