"""What goes wrong while games are played: files that cannot be written, work that nobody waits for any more, long compiling."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ginkgo_table.live import LiveGame
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.manager import SessionManager as Tables
from ginkgo_table.web.replays import Replays

from .conftest import Serve
from .served import ANN, PATIENCE, SessionManager, WaitingAgent, until

ALONE: dict[str, Any] = {"options": {"players": 1}}
WAITING = {"name": "Rob", "agent": "waiting"}


def writable(house: SessionManager, on: bool) -> None:
    house.house.store._db.execute(f"PRAGMA query_only = {int(not on)}")


def test_a_file_that_cannot_be_written(serve: Serve) -> None:
    with serve() as house:
        (token,) = house.open(ANN, **ALONE)
        house.act(token)
        before = house.view(token)
        writable(house, False)
        house.act(token, status=503)
        assert house.view(token) == before
        house.open(ANN, **ALONE, status=503)
        assert "cannot be kept" in house.post(f"/api/seats/{token}/remove", {}, 503)["error"]
        with house.stream(token) as stream:  # looking goes on
            stream.wait(1)
            assert stream.views == [before]
        writable(house, True)
        house.act(token)
        after = house.view(token)
    with serve() as house:
        assert house.view(token) == after != before


def test_an_agents_decision_that_could_not_be_kept_is_tried_again(
    serve: Serve, odd_offer: GameCatalog, waiting: WaitingAgent
) -> None:
    with serve(odd_offer, again=0.02) as house:
        (token,) = house.open(ANN, WAITING)
        if house.view(token)["decision"]:
            house.act(token)
        until(lambda: waiting.asked)
        writable(house, False)
        waiting.may.set()
        until(lambda: "cannot be kept" in (house.view(token)["trouble"] or ""))
        writable(house, True)
        assert until(lambda: (view := house.view(token))["decision"] and view)["trouble"] is None


def test_an_action_that_breaks_half_way_has_not_happened(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve() as house:
        (token,) = house.open(ANN, **ALONE)
        before = house.view(token)
        with monkeypatch.context() as broken:
            broken.setattr(LiveGame, "_tell", lambda *_: 1 / 0)
            house.act(token, status=500)
        assert house.view(token) == before
        house.act(token)
        after = house.view(token)
    with serve() as house:
        assert house.view(token) == after


def test_a_file_that_cannot_be_read(house: SessionManager, capfd: pytest.CaptureFixture[str]) -> None:
    (token,) = house.open(ANN, **ALONE)
    with house.stream(token) as stream:
        stream.wait(1)
        room = house.client.portal.call(house.house.seat, token).room  # type: ignore[union-attr]
        house.house.store.close()
        room.live = None
        house.client.portal.call(room.tell)  # type: ignore[union-attr]
        until(lambda: stream.ended)
    for path in ("", "/events", "/record"):
        assert "cannot be read" in house.get(f"/api/seats/{token}{path}", 503)["error"]
    assert capfd.readouterr().err == ""


# --- work that nobody waits for any more


def test_agents_of_removed_tables_keep_their_place_until_they_end(
    serve: Serve, odd_offer: GameCatalog, waiting: WaitingAgent
) -> None:
    """Else whoever opens and removes tables has as many agents think as he likes."""
    with serve(odd_offer, heavy=1) as house:
        for _ in range(4):
            (token,) = house.open({**WAITING, "name": "A"}, WAITING)
            until(lambda: waiting.asked)
            house.post(f"/api/seats/{token}/remove")
        (token,) = house.open({**WAITING, "name": "A"}, WAITING)
        waiting.may.set()
        until(lambda token=token: len(house.view(token)["log"]) > 3)
        assert waiting.most == 1


def test_a_hint_for_somebody_who_has_gone_is_not_worked_out(serve: Serve, odd_offer: GameCatalog, waiting: WaitingAgent) -> None:
    odd_offer._more["waiting"] = "waiting"
    with serve(odd_offer, heavy=1) as house:
        (busy,), (token,) = house.open(WAITING, WAITING), house.open(ANN, **ALONE)
        until(lambda: waiting.asked)
        with house.stream(token, "POST", "hint", b'{"agent": "greedy"}') as asking:
            room = house.client.portal.call(house.house.seat, token).room  # type: ignore[union-attr]
            until(lambda: room.hinting)
        assert asking.ended and not room.hinting and asking.status == 400
        waiting.may.set()
        house.post(f"/api/seats/{token}/hint", {"agent": "greedy"})
        house.post(f"/api/seats/{busy}/remove")


# --- long compiling


def test_while_games_are_compiled_all_else_is_answered(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, begun, load = threading.Event(), 0, Tables._game_of

    def compile_long(tables: Tables, kept: Any) -> LiveGame:
        nonlocal begun
        begun += 1
        if kept.game == "my_city":
            compiled.wait(PATIENCE)
        return load(tables, kept)

    with serve() as house:
        (token,) = house.open(ANN, game="ginkgopolis", options={"players": 1})
        monkeypatch.setattr(Tables, "_game_of", compile_long)
        opened: list[Any] = []
        threads = [threading.Thread(target=lambda: opened.append(house.open(ANN, **ALONE))) for _ in range(12)]
        for thread in threads:
            thread.start()
        try:
            until(lambda: begun >= 8)
            house.act(token)
            with house.stream(token) as stream:
                stream.wait(1)
            for path in ("/", "/api/health", "/api/labels/en/my_city"):
                house.get(path)
            house.post("/api/seats_of", {"game": "my_city", "options": {}})
            assert not opened
        finally:
            compiled.set()
        for thread in threads:
            thread.join()
        assert len(opened) == 12


def test_one_replay_is_drawn_at_a_time(house: SessionManager) -> None:
    """The others wait, and those beyond are refused."""
    import asyncio

    from ginkgo_table.web.limits import TableError

    may, drawing, most = threading.Event(), 0, 0
    replays = Replays(house.house)

    def read() -> Any:
        nonlocal drawing, most
        drawing += 1
        most = max(most, drawing)
        may.wait(0.05)
        drawing -= 1
        raise TableError(422, "no record")

    async def several() -> list[Any]:
        return await asyncio.gather(*(replays._make(read) for _ in range(6)), return_exceptions=True)

    assert house.client.portal is not None
    refused = [error.status for error in house.client.portal.call(several)]
    assert most == 1 and sorted(refused) == [422] * 4 + [503] * 2
