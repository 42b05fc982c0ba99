"""What goes wrong while games are played: files that cannot be written, work that nobody waits for any more, long compiling."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from ginkgo_table.live import LiveGame
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.manager import TableManager
from ginkgo_table.web.replays import Replays

from .conftest import Serve
from .served import ANN, PATIENCE, LocalServer, WaitingAgent, until

ALONE: dict[str, Any] = {"options": {"players": 1}}
WAITING = {"name": "Rob", "agent": "waiting"}


def writable(server: LocalServer, on: bool) -> None:
    server.manager.store._db.execute(f"PRAGMA query_only = {int(not on)}")


def test_a_file_that_cannot_be_written(serve: Serve) -> None:
    with serve() as server:
        (token,) = server.open(ANN, **ALONE)
        server.act(token)
        before = server.view(token)
        writable(server, False)
        server.act(token, status=503)
        assert server.view(token) == before
        server.open(ANN, **ALONE, status=503)
        assert "cannot be stored" in server.post(f"/api/seats/{token}/remove", {}, 503)["error"]
        with server.stream(token) as stream:  # looking goes on
            stream.wait(1)
            assert stream.views == [before]
        writable(server, True)
        server.act(token)
        after = server.view(token)
    with serve() as server:
        assert server.view(token) == after != before


def test_an_agents_decision_that_could_not_be_kept_is_tried_again(
    serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent
) -> None:
    with serve(odd_catalog, retry_delay=0.02) as server:
        (token,) = server.open(ANN, WAITING)
        if server.view(token)["decision"]:
            server.act(token)
        until(lambda: waiting.asked)
        writable(server, False)
        waiting.may.set()
        until(lambda: "cannot be stored" in (server.view(token)["trouble"] or ""))
        writable(server, True)
        assert until(lambda: (view := server.view(token))["decision"] and view)["trouble"] is None


def test_an_action_that_breaks_half_way_has_not_happened(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    with serve() as server:
        (token,) = server.open(ANN, **ALONE)
        before = server.view(token)
        with monkeypatch.context() as broken:
            broken.setattr(LiveGame, "_append_history", lambda *_: 1 / 0)
            server.act(token, status=500)
        assert server.view(token) == before
        server.act(token)
        after = server.view(token)
    with serve() as server:
        assert server.view(token) == after


def test_a_file_that_cannot_be_read(server: LocalServer, capfd: pytest.CaptureFixture[str]) -> None:
    (token,) = server.open(ANN, **ALONE)
    with server.stream(token) as stream:
        stream.wait(1)
        table = server.client.portal.call(server.manager.seat, token).table  # type: ignore[union-attr]
        server.manager.store.close()
        table.live = None
        server.client.portal.call(table.notify)  # type: ignore[union-attr]
        until(lambda: stream.ended)
    for path in ("", "/events", "/record"):
        assert "cannot be read" in server.get(f"/api/seats/{token}{path}", 503)["error"]
    assert capfd.readouterr().err == ""


# --- work that nobody waits for any more


def test_agents_of_removed_tables_keep_their_place_until_they_end(
    serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent
) -> None:
    """Else whoever opens and removes tables has as many agents think as they like."""
    with serve(odd_catalog, long_tasks=1) as server:
        for _ in range(4):
            (token,) = server.open({**WAITING, "name": "A"}, WAITING)
            until(lambda: waiting.asked)
            server.post(f"/api/seats/{token}/remove")
        (token,) = server.open({**WAITING, "name": "A"}, WAITING)
        waiting.may.set()
        until(lambda token=token: len(server.view(token)["log"]) > 3)
        assert waiting.most == 1


def test_a_hint_for_a_client_that_has_gone_is_not_computed(serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent) -> None:
    odd_catalog._extra_agents["waiting"] = "waiting"
    with serve(odd_catalog, long_tasks=1) as server:
        (busy,), (token,) = server.open(WAITING, WAITING), server.open(ANN, **ALONE)
        until(lambda: waiting.asked)
        with server.stream(token, "POST", "hint", b'{"agent": "greedy"}') as asking:
            table = server.client.portal.call(server.manager.seat, token).table  # type: ignore[union-attr]
            until(lambda: table.is_hinting)
        assert asking.ended and not table.is_hinting and asking.status == 400
        waiting.may.set()
        server.post(f"/api/seats/{token}/hint", {"agent": "greedy"})
        server.post(f"/api/seats/{busy}/remove")


# --- long compiling


def test_while_games_are_compiled_all_else_is_answered(serve: Serve, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled, begun, load = threading.Event(), 0, TableManager._load_game

    def compile_long(tables: TableManager, stored: Any, *views: Any) -> LiveGame:
        nonlocal begun
        begun += 1
        if stored.game == "my_city":
            compiled.wait(PATIENCE)
        return load(tables, stored, *views)

    with serve() as server:
        (token,) = server.open(ANN, game="ginkgopolis", options={"players": 1})
        monkeypatch.setattr(TableManager, "_load_game", compile_long)
        opened: list[Any] = []
        threads = [threading.Thread(target=lambda: opened.append(server.open(ANN, **ALONE))) for _ in range(12)]
        for thread in threads:
            thread.start()
        try:
            until(lambda: begun >= 8)
            server.act(token)
            with server.stream(token) as stream:
                stream.wait(1)
            for path in ("/", "/api/health", "/api/labels/en/my_city"):
                server.get(path)
            server.post("/api/seats_of", {"game": "my_city", "options": {}})
            assert not opened
        finally:
            compiled.set()
        for thread in threads:
            thread.join()
        assert len(opened) == 12


def test_one_replay_is_drawn_at_a_time(server: LocalServer) -> None:
    """The others wait, and those beyond are refused."""
    import asyncio

    from ginkgo_table.web.limits import TableError

    may, drawing, most = threading.Event(), 0, 0
    replays = Replays(server.manager)

    def read() -> Any:
        nonlocal drawing, most
        drawing += 1
        most = max(most, drawing)
        may.wait(0.05)
        drawing -= 1
        raise TableError(422, "no record")

    async def several() -> list[Any]:
        return await asyncio.gather(*(replays._add(read) for _ in range(6)), return_exceptions=True)

    assert server.client.portal is not None
    refused = [error.status for error in server.client.portal.call(several)]
    assert most == 1 and sorted(refused) == [422] * 4 + [503] * 2
