"""Pages of records that people send in."""

from __future__ import annotations

import asyncio
import json
from typing import Any

import pytest

import ginkgo_env
from ginkgo_env import Record
from ginkgo_table import hints
from ginkgo_table.web.replays import Replays

from .conftest import Serve
from .served import ANN, BOT, FailingAgent, LocalServer, until

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


# --- a finished game: its page is kept, and a seat's decisions are looked at -------------------------------------------------


def reviewed(server: LocalServer, token: str) -> Any:
    """The review of a seat, when it is made."""
    return until(lambda: None if "of" in (found := server.post(f"/api/seats/{token}/review")) else found)


def test_the_page_of_a_table_is_made_once(server: LocalServer, record: str) -> None:
    token, other = server.finished(), server.finished()
    first = server.post(f"/api/seats/{token}/replay", status=201)["replay"]
    assert server.post(f"/api/seats/{token}/replay", status=201)["replay"] == first
    assert server.post(f"/api/seats/{other}/replay", status=201)["replay"] != first
    for _ in range(server.manager.limits.replays):
        send(server, record)
    again = server.post(f"/api/seats/{token}/replay", status=201)["replay"]
    assert again != first and server.get(f"/replays/{again}").status_code == 200


def test_a_review_has_the_course_and_the_largest_mistakes(server: LocalServer) -> None:
    token = server.finished()
    found = reviewed(server, token)
    record = Record.read(server.get(f"/api/seats/{token}/record").text)
    assert found["complete"] and found["unit"] == "score" and found["end"] == server.view(token)["scores"][0]["total"]
    actions = [line["action"] for line in record.lines if "action" in line]
    assert found["decisions"] == len(found["course"]) == found["steps"] == len(actions)
    losses = [one["loss"] for one in found["mistakes"]]
    assert len(losses) == 3 and losses == sorted(losses, reverse=True) and losses[-1] > 0
    for mistake in found["mistakes"]:
        assert mistake["taken"]["text"] == actions[mistake["step"] - 1] != mistake["best"]["text"]
        assert mistake["taken"]["picks"] and mistake["low"] <= mistake["loss"] <= mistake["high"]
    assert server.post(f"/api/seats/{token}/review") == found


def test_a_review_ends_with_its_time(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hints, "REVIEW_SECONDS", 0.0)
    found = reviewed(server, server.finished())
    assert not found["complete"] and len(found["course"]) == 1


def test_who_has_no_finished_game_of_their_own_gets_no_review(server: LocalServer) -> None:
    (token,) = server.open(ANN, BOT)
    server.post(f"/api/seats/{token}/review", status=409)
    done = server.finished()
    watch = server.post(f"/api/seats/{done}/watch", status=201)["token"]
    server.post(f"/api/seats/{watch}/review", status=409)


def test_a_review_that_fails_says_so(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server.manager.catalog, "agent", lambda name, game: FailingAgent())
    assert reviewed(server, server.finished()) == {"error": "agent search has failed: there is no review"}
