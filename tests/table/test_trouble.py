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


def writable(manager: SessionManager, on: bool) -> None:
    manager.manager.store._db.execute(f"PRAGMA query_only = {int(not on)}")


def test_a_file_that_cannot_be_written(serve: Serve) -> None:
    with serve() as manager:
        (token,) = manager.open(ANN, **ALONE)
        manager.act(token)
        before = manager.view(token)
        writable(manager, False)
        manager.act(token, status=503)
        assert manager.view(token) == before
        manager.open(ANN, **ALONE, status=503)
        assert "cannot be stored" in manager.post(f"/api/seats/{token}/remove", {}, 503)["error"]
        with manager.stream(token) as stream:  # looking goes on
            stream.wait(1)
            assert stream.views == [before]
        writable(manager, True)
        manager.act(token)
        after = manager.view(token)
    with serve() as manager:
        assert manager.view(token) == after != before


def test_an_agents_decision_that_could_not_be_kept_is_tried_again(
    serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent
) -> None:
    with serve(odd_catalog, retry_delay=0.02) as manager:
        (token,) = manager.open(ANN, WAITING)
        if manager.view(token)["decision"]:
            manager.act(token)
        until(lambda: waiting.asked)
        writable(manager, False)
        waiting.may.set()
        until(lambda: "cannot be stored" in (manager.view(token)["trouble"] or ""))
        writable(manager, True)
        assert until(lambda: (view := manager.view(token))["decision"] and view)["trouble"] is None


def test_an_action_that_breaks_half_way_has_not_happened(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve() as manager:
        (token,) = manager.open(ANN, **ALONE)
        before = manager.view(token)
        with monkeypatch.context() as broken:
            broken.setattr(LiveGame, "_append_history", lambda *_: 1 / 0)
            manager.act(token, status=500)
        assert manager.view(token) == before
        manager.act(token)
        after = manager.view(token)
    with serve() as manager:
        assert manager.view(token) == after


def test_a_file_that_cannot_be_read(manager: SessionManager, capfd: pytest.CaptureFixture[str]) -> None:
    (token,) = manager.open(ANN, **ALONE)
    with manager.stream(token) as stream:
        stream.wait(1)
        session = manager.client.portal.call(manager.manager.seat, token).session  # type: ignore[union-attr]
        manager.manager.store.close()
        session.live = None
        manager.client.portal.call(session.notify)  # type: ignore[union-attr]
        until(lambda: stream.ended)
    for path in ("", "/events", "/record"):
        assert "cannot be read" in manager.get(f"/api/seats/{token}{path}", 503)["error"]
    assert capfd.readouterr().err == ""


# --- work that nobody waits for any more


def test_agents_of_removed_tables_keep_their_place_until_they_end(
    serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent
) -> None:
    """Else whoever opens and removes tables has as many agents think as they like."""
    with serve(odd_catalog, long_tasks=1) as manager:
        for _ in range(4):
            (token,) = manager.open({**WAITING, "name": "A"}, WAITING)
            until(lambda: waiting.asked)
            manager.post(f"/api/seats/{token}/remove")
        (token,) = manager.open({**WAITING, "name": "A"}, WAITING)
        waiting.may.set()
        until(lambda token=token: len(manager.view(token)["log"]) > 3)
        assert waiting.most == 1


def test_a_hint_for_a_client_that_has_gone_is_not_computed(serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent) -> None:
    odd_catalog._extra_agents["waiting"] = "waiting"
    with serve(odd_catalog, long_tasks=1) as manager:
        (busy,), (token,) = manager.open(WAITING, WAITING), manager.open(ANN, **ALONE)
        until(lambda: waiting.asked)
        with manager.stream(token, "POST", "hint", b'{"agent": "greedy"}') as asking:
            session = manager.client.portal.call(manager.manager.seat, token).session  # type: ignore[union-attr]
            until(lambda: session.is_hinting)
        assert asking.ended and not session.is_hinting and asking.status == 400
        waiting.may.set()
        manager.post(f"/api/seats/{token}/hint", {"agent": "greedy"})
        manager.post(f"/api/seats/{busy}/remove")


# --- long compiling


def test_while_games_are_compiled_all_else_is_answered(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, begun, load = threading.Event(), 0, Tables._load_game

    def compile_long(tables: Tables, stored: Any, *views: Any) -> LiveGame:
        nonlocal begun
        begun += 1
        if stored.game == "my_city":
            compiled.wait(PATIENCE)
        return load(tables, stored, *views)

    with serve() as manager:
        (token,) = manager.open(ANN, game="ginkgopolis", options={"players": 1})
        monkeypatch.setattr(Tables, "_load_game", compile_long)
        opened: list[Any] = []
        threads = [threading.Thread(target=lambda: opened.append(manager.open(ANN, **ALONE))) for _ in range(12)]
        for thread in threads:
            thread.start()
        try:
            until(lambda: begun >= 8)
            manager.act(token)
            with manager.stream(token) as stream:
                stream.wait(1)
            for path in ("/", "/api/health", "/api/labels/en/my_city"):
                manager.get(path)
            manager.post("/api/seats_of", {"game": "my_city", "options": {}})
            assert not opened
        finally:
            compiled.set()
        for thread in threads:
            thread.join()
        assert len(opened) == 12


def test_one_replay_is_drawn_at_a_time(manager: SessionManager) -> None:
    """The others wait, and those beyond are refused."""
    import asyncio

    from ginkgo_table.web.limits import TableError

    may, drawing, most = threading.Event(), 0, 0
    replays = Replays(manager.manager)

    def read() -> Any:
        nonlocal drawing, most
        drawing += 1
        most = max(most, drawing)
        may.wait(0.05)
        drawing -= 1
        raise TableError(422, "no record")

    async def several() -> list[Any]:
        return await asyncio.gather(*(replays._add(read) for _ in range(6)), return_exceptions=True)

    assert manager.client.portal is not None
    refused = [error.status for error in manager.client.portal.call(several)]
    assert most == 1 and sorted(refused) == [422] * 4 + [503] * 2
