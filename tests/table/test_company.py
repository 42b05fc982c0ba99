"""People see who is at the table, and send each other three signals."""

from __future__ import annotations

from typing import Any

import pytest
from anyio import from_thread

from ginkgo_table.live import LiveGame
from ginkgo_table.web.manager import SIGNALS, SeatSnapshot, Table, snapshot_of

from .browsing import CHROMIUM, Served, Visitor
from .conftest import Serve
from .served import ANN, BOB, LocalServer, until


def test_others_see_whose_page_is_open(server: LocalServer) -> None:
    ann, bob = server.open(ANN, BOB, options={"players": 2})
    assert server.view(ann)["present"] == [True, False]
    with server.stream(ann) as stream:
        stream.wait(1)
        with server.stream(bob) as other:
            stream.wait(2)
            other.wait(1)
            assert stream.views[-1]["present"] == other.views[-1]["present"] == [True, True]
        stream.wait(3)
        assert stream.views[-1]["present"] == [True, False]


def test_a_second_page_of_a_seat_changes_nothing_for_others(server: LocalServer) -> None:
    ann, bob = server.open(ANN, BOB, options={"players": 2})
    with server.stream(ann), server.stream(bob) as stream:
        until(lambda: server.view(bob)["present"] == [True, True])
        version = server.view(bob)["version"]
        with server.stream(ann) as other:
            other.wait(1)
            assert server.view(bob)["version"] == version
        assert server.view(bob)["version"] == version and stream.views[-1]["present"][1]


def test_a_view_made_while_somebody_comes_is_not_kept(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    _, bob = server.open(ANN, BOB, options={"players": 2})

    def made(live: LiveGame, view: int | None, table: Table) -> SeatSnapshot:
        monkeypatch.undo()
        snapshot = snapshot_of(live, view, table)
        table.streams[0] += 1
        from_thread.run_sync(table.notify)
        return snapshot

    monkeypatch.setattr("ginkgo_table.web.manager.snapshot_of", made)
    assert server.view(bob)["present"] == [False, True]
    assert server.view(bob)["present"] == [True, True]


@pytest.mark.parametrize("signal", SIGNALS)
def test_everybody_sees_a_signal(server: LocalServer, signal: str) -> None:
    ann, bob = server.open(ANN, BOB, options={"players": 2})
    server.post(f"/api/seats/{bob}/signal", {"signal": signal})
    assert server.view(ann)["signals"] == server.view(bob)["signals"] == [[1, signal, 1]]


def test_signals_are_no_chat(serve: Serve) -> None:
    with serve(signal_interval=3600.0) as server:
        ann, bob = server.open(ANN, BOB, options={"players": 2})
        assert "must be one of: hello" in server.post(f"/api/seats/{ann}/signal", {"signal": "<b>hi</b>"}, 422)["error"]
        server.post(f"/api/seats/{ann}/signal", {"signal": "hello"})
        assert server.post(f"/api/seats/{ann}/signal", {"signal": "moment"}, 429)["error"] == "one signal after the other"
        server.post(f"/api/seats/{bob}/signal", {"signal": "moment"})
        assert server.view(ann)["signals"] == [[0, "hello", 1], [1, "moment", 2]]
        watch = server.post(f"/api/seats/{ann}/watch", status=201)["token"]
        server.post(f"/api/seats/{watch}/signal", {"signal": "hello"}, 409)


# --- in the page -----------------------------------------------------------------------------------------------------------


@pytest.mark.full
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM")
def test_a_signal_stands_beside_the_name(served: Served, visitor: Visitor) -> None:
    ann, bob = served.table("my_city", None, None)
    page, other = visitor.seat(ann), visitor.seat(bob)
    row = page.locator('#sides [data-side="1"].side')
    until(lambda: row.locator(".here").count() == 1)
    other.click('[data-signal="well_played"]')
    until(lambda: "Well played!" in row.inner_text())
    assert page.locator('#sides [data-side="0"].side .here').count() == 0  # one knows where one is
    again = visitor.seat(ann)
    assert again.locator(".signal").count() == 0  # what was said before
    other.close()
    until(lambda: row.locator(".away").count() == 1)
    (alone,) = served.table("my_city", None, "random")
    assert not visitor.seat(alone).is_visible("#signals")


@pytest.mark.full
@pytest.mark.skipif(CHROMIUM is None, reason="needs Chromium: apt-get install chromium, or its path in GINKGO_CHROMIUM")
def test_a_sound_when_it_is_my_turn_is_off_until_wanted(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, "random", seed=1)
    served.turn(token)
    page: Any = visitor.seat(token)
    until(lambda: page.evaluate("isMyTurn()"))
    page.evaluate("() => { const before = ring; window.rung = 0; ring = () => { rung += 1; before(); }; }")
    page.evaluate("notifyTurn(null)")  # as when a view brings the turn
    assert page.evaluate("rung") == 0
    page.click("#sound")
    assert page.get_attribute("#sound", "aria-pressed") == "true" and page.evaluate("rung") == 1  # how it sounds
    page.evaluate("notifyTurn(null)")
    assert page.evaluate("rung") == 2
    page.evaluate("notifyTurn(game.decision)")  # it was my turn before
    assert page.evaluate("rung") == 2
