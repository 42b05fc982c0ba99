"""Pages of records that people send in."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env import Record
from ginkgo_table.web.replays import Replays

from .conftest import Serve
from .served import LocalServer

TEXT = {"content-type": "text/plain; charset=utf-8"}


def send(server: LocalServer, text: str | bytes, status: int = 201) -> str:
    """Send a record in; returns the id of its page, or the error."""
    answer = server.client.post("/api/replays", content=text, headers=TEXT)
    assert answer.status_code == status, answer.text
    (found,) = answer.json().values()
    return str(found)


@pytest.fixture(scope="module")
def record() -> str:
    """A record of a few decisions."""
    game = ginkgo_env.make_game("my_city", players=2)
    batch = ginkgo_env.Batch(game, 1)
    batch.reset(seed=[4])
    actions = []
    for _ in range(3):
        actions.append(int(batch.sample()[0]))
        batch.step(actions[-1:])
    return Record.from_actions(game, 4, actions, ["Ann", "<script>alert(1)</script>"]).dumps()


def test_a_record_becomes_a_page(server: LocalServer, record: str) -> None:
    page = server.get(f"/replays/{send(server, record)}")
    assert "Ann" in page.text and "<script>alert" not in page.text


@pytest.mark.full
def test_only_the_last_pages_are_kept(serve: Serve, record: str) -> None:
    with serve(replays=2) as server:
        names = [send(server, record) for _ in range(3)]
        assert len(set(names)) == 3
        server.get(f"/replays/{names[0]}", 404)
        for name in names[1:]:
            server.get(f"/replays/{name}")


def changed(record: str, **changes: Any) -> str:
    header, rest = record.split("\n", 1)
    return json.dumps(json.loads(header) | changes) + "\n" + rest


def test_what_is_no_record_is_refused(server: LocalServer, record: str) -> None:
    config = json.loads(record.split("\n")[0])["config"]
    deep = "[" * 900 + "]" * 900
    for text, why in (
        ("", "begin"),
        ("/etc/passwd", "begin"),
        ("tests/golden", "begin"),
        ("[]\n[]", "begin"),
        ("{}", "format"),
        ("{" * 2000, "JSON"),
        (record.replace('"action": "', '"action": "x', 1), "line"),
        (record[:-40], "line"),
        (changed(record, game="chess"), "chess"),
        (changed(record, game="os:system"), "os:system"),
        (changed(record, config=config | {"board": "/etc/hostname"}), "/etc/hostname"),
        (changed(record, config=config | {"buildings": ["/etc"]}), "/etc"),
        (changed(record, config={}), "config"),
        (changed(record, components={}), "components"),
        (changed(record, config="DEEP").replace('"DEEP"', '{"players": ' + deep + "}"), ""),
        (changed(record, components="DEEP").replace('"DEEP"', '{"players": ' + deep + "}"), ""),
    ):
        assert why in send(server, text, 422)
    assert send(server, b"{\xff", 400)


def test_records_are_bounded(serve: Serve, record: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(record=len(record.encode()), record_steps=3) as server:
        send(server, record)
        assert server.client.post("/api/replays", content=record + "\n", headers=TEXT).status_code == 413
    with serve(record_steps=2) as server:
        assert "at most 2 steps, got 3" in send(server, record, 422)
    with serve(drawing_timeout=0.0) as server:
        assert "takes longer" in send(server, record, 422)
    with serve(replay_queue=0) as server:
        assert "busy" in send(server, record, 503)


@pytest.mark.full
def test_one_page_is_made_at_a_time(server: LocalServer, record: str) -> None:
    replays, running, most = Replays(server.manager), 0, 0

    def read() -> Record:
        nonlocal running, most
        running += 1
        most = max(most, running)
        found = Record.read(record)
        running -= 1
        return found

    async def several() -> None:
        await asyncio.gather(*(replays._add(read) for _ in range(4)))

    assert server.client.portal is not None
    server.client.portal.call(several)
    assert most == 1
