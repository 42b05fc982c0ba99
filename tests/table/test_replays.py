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
from .served import SessionManager

TEXT = {"content-type": "text/plain; charset=utf-8"}


def send(house: SessionManager, text: str | bytes, status: int = 201) -> str:
    """Send a record in; returns the id of its page, or the error."""
    answer = house.client.post("/api/replays", content=text, headers=TEXT)
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


def test_a_record_becomes_a_page(house: SessionManager, record: str) -> None:
    page = house.get(f"/replays/{send(house, record)}")
    assert "Ann" in page.text and "<script>alert" not in page.text


@pytest.mark.full
def test_only_the_last_pages_are_kept(serve: Serve, record: str) -> None:
    with serve(replays=2) as house:
        names = [send(house, record) for _ in range(3)]
        assert len(set(names)) == 3
        house.get(f"/replays/{names[0]}", 404)
        for name in names[1:]:
            house.get(f"/replays/{name}")


def changed(record: str, **changes: Any) -> str:
    header, rest = record.split("\n", 1)
    return json.dumps(json.loads(header) | changes) + "\n" + rest


def test_what_is_no_record_is_refused(house: SessionManager, record: str) -> None:
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
        assert why in send(house, text, 422)
    assert send(house, b"{\xff", 400)


def test_records_are_bounded(serve: Serve, record: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve(record=len(record.encode()), steps=3) as house:
        send(house, record)
        send(house, record + "\n", 413)
    with serve(steps=2) as house:
        assert "too long: 3 steps" in send(house, record, 422)
    with serve(drawing=0.0) as house:
        assert "takes longer" in send(house, record, 422)
    with serve(waiting=0) as house:
        assert "busy" in send(house, record, 503)


@pytest.mark.full
def test_one_page_is_made_at_a_time(house: SessionManager, record: str) -> None:
    replays, running, most = Replays(house.house), 0, 0

    def read() -> Record:
        nonlocal running, most
        running += 1
        most = max(most, running)
        found = Record.read(record)
        running -= 1
        return found

    async def several() -> None:
        await asyncio.gather(*(replays._make(read) for _ in range(4)))

    assert house.client.portal is not None
    house.client.portal.call(several)
    assert most == 1
