"""Tables through HTTP: whole games, tokens, agents, records, restarts."""

from __future__ import annotations

import json
import sqlite3
from importlib.resources import files
from pathlib import Path
from typing import Any

import pytest
from starlette.requests import Request

import ginkgo_env
from ginkgo_agents import registry
from ginkgo_env import Record
from ginkgo_table.web.game_catalog import GameCatalog
from ginkgo_table.web.limits import address_of

from .conftest import Serve
from .served import ANN, BOB, BOT, LocalServer, WaitingAgent, until

MODULES = {"game": "ginkgopolis", "options": {"players": 3, "modules": ["experts", "events"]}}
ALONE: dict[str, Any] = {"options": {"players": 1}}


def test_a_whole_game_and_its_record(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB)
    assert len(set(tokens)) == 2 and all(len(token) >= 22 for token in tokens)
    server.play(*tokens)
    views = [server.view(token) for token in tokens]
    assert [view["seat"] for view in views] == [0, 1] and views[0]["result"] == views[1]["result"] is not None
    answer = server.get(f"/api/seats/{tokens[1]}/record")
    record = Record.read(answer.text)
    list(ginkgo_env.replay(record))
    assert record.names == ["Ann", "Bob"] and "my_city.jsonl" in answer.headers["content-disposition"]
    assert server.get("/api/health") == {"ok": True, "tables": 1}


def test_a_view_says_who_plays(server: LocalServer) -> None:
    (token,) = server.open(BOT, ANN)
    view = server.settled(token)
    assert view["people"] == [False, True] and view["agents"] == ["random", None] and view["seat"] == 1
    assert view["watch"] is False and view["trouble"] is None and view["decision"]["actions"]


@pytest.mark.full
def test_the_same_seed_and_actions_give_the_same_record(server: LocalServer) -> None:
    records = []
    for seed in (3, 3, 4, None, None):
        (token,) = server.open(ANN, BOT, seed=seed)
        server.play(token)
        records.append(server.get(f"/api/seats/{token}/record").text)
    assert records[0] == records[1] and len(set(records)) == 4


def test_a_token_is_the_key_to_one_seat_only(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB, game="golden_city")
    others = server.open(ANN, BOB, game="golden_city")
    views = [server.view(token) for token in tokens]
    actor, other = sorted(tokens, key=lambda token: server.view(token)["decision"] is None)
    open_one = server.view(actor)["decision"]
    chosen = {"decision": open_one["number"], "action": open_one["actions"][0]["id"]}
    for path in ("act", "hint"):
        server.post(f"/api/seats/{other}/{path}", chosen if path == "act" else {"agent": None}, 409)
    server.act(next(token for token in others if server.view(token)["decision"]))
    for wrong in ("x", actor[:-1], actor + "x", actor.swapcase(), "%00", "%ff", "\u00e4"):
        for path in ("", "/record", "/events"):
            server.get(f"/api/seats/{wrong}{path}", 404)
        for path, data in (("act", chosen), ("hint", {"agent": None}), ("remove", {}), ("replay", {})):
            server.post(f"/api/seats/{wrong}/{path}", data, 404)
    assert [server.view(token) for token in tokens] == views
    server.post(f"/api/seats/{actor}/act", chosen)


def test_of_two_clients_with_one_decision_exactly_one_wins(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB)
    for _ in range(5):
        token = next(token for token in tokens if server.view(token)["decision"])
        decision = server.view(token)["decision"]
        calls = [
            (f"/api/seats/{token}/act", {"decision": decision["number"], "action": action["id"]})
            for action in (decision["actions"] * 3)[:3]
        ]
        assert sorted(server.together(*calls)) == [200, 409, 409]


def test_a_second_click_is_no_second_decision(server: LocalServer) -> None:
    (token,) = server.open(ANN, **ALONE)
    first = server.view(token)["decision"]
    chosen = {"decision": first["number"], "action": first["actions"][0]["id"]}
    server.post(f"/api/seats/{token}/act", chosen)
    after = server.view(token)
    assert after["decision"]["number"] == first["number"] + 1
    for number in (first["number"], first["number"] + 2, -1, 10**30):
        server.post(f"/api/seats/{token}/act", {**chosen, "decision": number}, 409)
    legal = {action["id"] for action in after["decision"]["actions"]}
    illegal = next(action for action in range(10_000) if action not in legal)
    for action in (illegal, -1, 2**63, 10**30):
        server.act(token, action, 422)
    assert server.view(token) == after


# --- agents


def test_agents_alone_play_to_the_end_before_a_watcher(server: LocalServer) -> None:
    (token,) = server.open(BOT, {**BOT, "name": "Eve"})
    view = server.settled(token)
    assert view["watch"] and view["seat"] is None and view["result"] is not None and view["people"] == [False, False]
    server.post(f"/api/seats/{token}/act", {"decision": 0, "action": 0}, 409)
    server.post(f"/api/seats/{token}/hint", {"agent": None}, 409)


def test_watched_agents_pause_between_decisions(serve: Serve) -> None:
    with serve(pace=60.0) as server:
        (token,) = server.open(BOT, BOT)
        until(lambda: len(server.view(token)["log"]) > 1)
        before = server.view(token)
        assert before["working"] and server.view(token) == before


def test_an_agent_that_fails_stops_its_table_only(
    serve: Serve, odd_catalog: GameCatalog, capfd: pytest.CaptureFixture[str]
) -> None:
    with serve(odd_catalog) as server:
        (token,) = server.open(ANN, {"name": "Rob", "agent": "failing"})
        if (view := server.settled(token))["decision"]:
            server.act(token)
            view = server.settled(token)
        assert view["trouble"] == "Rob, played by the agent failing, has failed: the game cannot go on"
        assert not view["working"] and "secret" not in json.dumps(view)
        assert "secret" in capfd.readouterr().err
        server.finished()


def test_while_an_agent_thinks_the_table_can_be_seen(serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent) -> None:
    with serve(odd_catalog, long_tasks=2) as server:
        seats = [server.open(ANN, {"name": "Rob", "agent": "waiting"})[0] for _ in range(5)]
        for token in seats:
            if server.view(token)["decision"]:
                server.act(token)
        until(lambda: waiting.asked == 2)
        for token in seats:
            view = server.view(token)
            assert view["working"] and view["decision"] is None
            server.post(f"/api/seats/{token}/act", {"decision": 0, "action": 0}, 409)
        waiting.may.set()
        assert all(server.settled(token)["decision"] for token in seats)
        assert waiting.most == 2


@pytest.mark.full
def test_a_hint_names_legal_actions_and_comes_alone(serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent) -> None:
    odd_catalog._extra_agents["waiting"] = "waiting"
    with serve(odd_catalog) as server:
        (token,) = server.open(ANN, **ALONE)
        before = server.view(token)
        found = server.post(f"/api/seats/{token}/hint", {"agent": "greedy"})
        assert {action["id"] for action in found["actions"]} <= {action["id"] for action in before["decision"]["actions"]}
        assert found["agent"] == "greedy" and "as greedy does" in found["meaning"] and server.view(token) == before
        for agent in ("random", "lookahead:worlds=9999", "x.npz", "os:system", "", "\ud800"):
            server.post(f"/api/seats/{token}/hint", {"agent": agent}, 422)
        assert sorted(server.together(*[(f"/api/seats/{token}/hint", {"agent": "greedy"})] * 3)) == [200, 409, 409]
        server.post(f"/api/seats/{token}/hint", {"agent": "greedy"})


@pytest.mark.full
def test_a_hint_by_an_agent_that_fails(serve: Serve, odd_catalog: GameCatalog, capfd: pytest.CaptureFixture[str]) -> None:
    odd_catalog._extra_agents["failing"] = "failing"
    with serve(odd_catalog) as server:
        (token,) = server.open(ANN, **ALONE)
        found = server.post(f"/api/seats/{token}/hint", {"agent": "failing"}, 500)
        assert found == {"error": "agent failing has failed: there is no hint"}
        server.post(f"/api/seats/{token}/hint", {"agent": "greedy"})


def test_earlier_moments_go_with_the_log(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB)
    seen: dict[int, Any] = {}
    for _ in range(4):
        view = server.view(tokens[0])
        seen.setdefault(len(view["log"]), view)
        server.act(next(token for token in tokens if server.view(token)["decision"]))
    for length, view in seen.items():
        moment = server.get(f"/api/seats/{tokens[0]}/moments/{length - 1}")
        assert len(seen) > 1 and moment["description"] == view["description"]
        assert moment["picture"].keys() == {"width", "height", "body"}
    for number in (max(seen) + 2, 10**6, "9" * 5_000, "-1", "x"):
        server.get(f"/api/seats/{tokens[0]}/moments/{number}", 404)


# --- records and removing


@pytest.mark.full
def test_records_are_for_finished_games(server: LocalServer) -> None:
    (token,) = server.open(ANN, **ALONE)
    server.get(f"/api/seats/{token}/record", 409)
    server.post(f"/api/seats/{token}/replay", {}, 409)
    server.play(token)
    name = server.post(f"/api/seats/{token}/replay", {}, 201)["replay"]
    page = server.get(f"/replays/{name}")
    assert "Ann" in page.text and page.headers["content-type"].startswith("text/html")
    policy = page.headers["content-security-policy"].split("; ")
    assert policy == ["sandbox allow-scripts", "form-action 'none'", "frame-ancestors 'none'"]  # it shares no storage
    assert "default-src 'none'" in page.text  # the viewer's own policy


@pytest.mark.full
def test_what_may_be_removed(server: LocalServer) -> None:
    (alone,) = server.open(ANN, BOT)
    server.settled(alone)
    server.post(f"/api/seats/{alone}/remove")
    server.get(f"/api/seats/{alone}", 404)
    tokens = server.open(ANN, BOB)
    server.post(f"/api/seats/{tokens[0]}/remove", {}, 409)
    server.play(*tokens)
    link = server.post(f"/api/seats/{tokens[0]}/watch", {}, 201)["token"]
    end = server.view(tokens[0])
    server.post(f"/api/seats/{tokens[1]}/remove")
    server.get(f"/api/seats/{tokens[1]}", 404)
    server.post(f"/api/seats/{link}/remove")
    assert server.view(tokens[0]) == end and server.view(link)["result"]  # others keep it
    server.post(f"/api/seats/{tokens[0]}/remove")
    for token in (*tokens, link):
        server.get(f"/api/seats/{token}", 404)
    assert server.get("/api/health")["tables"] == 0


# --- bounds and restarts


@pytest.mark.full
def test_a_checkpoint_plays_and_gives_hints(serve: Serve) -> None:
    """One that whoever started the server has named; from a browser no file can be."""
    name = str(files("ginkgo_agents") / "models" / "my_city_2p.npz")
    with serve(GameCatalog([name])) as server:
        (mine,) = [one for one in server.get("/api/offer")["games"] if one["name"] == "my_city"]
        assert "my_city_2p.npz" in mine["agents"] and not any("/" in agent for agent in mine["agents"])
        (token,) = server.open(ANN, {"name": "Net", "agent": "my_city_2p.npz"}, seed=1)
        found = server.post(f"/api/seats/{token}/hint", {"agent": "my_city_2p.npz"})
        server.play(token, most=3)
        view = server.settled(token)
        assert view["trouble"] is None and sum(1 in told["seats"] for told in view["log"]) >= 2
        assert found["actions"] and {"id", "action", "value", "low", "high"} <= found["actions"][0].keys()


@pytest.mark.full
def test_games_make_room_in_memory_and_come_back(serve: Serve) -> None:
    with serve(games=2) as server:
        seats = [server.open(ANN, seed=seed, **ALONE)[0] for seed in range(4)]
        for token in seats:
            server.play(token, most=2)
        views = [server.view(token) for token in seats]
        assert server.manager.loaded_games == 2 and [server.view(token) for token in seats] == views
        assert all(view["decision"]["number"] == 2 for view in views)


@pytest.mark.full
def test_a_full_house_forgets_finished_tables_first(serve: Serve) -> None:
    with serve(tables=3) as server:
        first, done = server.open(ANN, **ALONE)[0], server.finished()
        (third,) = server.open(ANN, **ALONE)
        (fourth,) = server.open(ANN, **ALONE)
        server.get(f"/api/seats/{done}", 404)
        server.open(ANN, **ALONE, status=503)
        for token in (first, third, fourth):
            server.view(token)
        assert server.get("/api/health")["tables"] == 3


@pytest.mark.parametrize(
    "offered",
    [
        {},
        pytest.param(MODULES, marks=pytest.mark.full),
    ],
)
def test_games_go_on_after_a_restart(serve: Serve, offered: dict[str, Any]) -> None:
    seats = [ANN, BOB] if not offered else [ANN, BOB, BOT]
    with serve() as server:
        tokens = server.open(*seats, **offered)
        server.play(*tokens, most=9)
        before = [server.settled(token) for token in tokens]
    with serve() as server:
        assert [server.view(token) for token in tokens] == before
        server.play(*tokens, most=3)


def test_an_agent_to_move_plays_on_after_a_restart(serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent) -> None:
    with serve(odd_catalog) as server:
        (token,) = server.open(ANN, {"name": "Rob", "agent": "waiting"})
        if server.view(token)["decision"]:
            server.act(token)
        assert server.view(token)["working"]
    waiting.may.set()
    with serve(odd_catalog) as server:
        assert server.view(token)["working"] or server.view(token)["decision"]
        assert server.settled(token)["decision"]["number"] == 1


@pytest.mark.full
def test_a_table_that_cannot_be_played_any_more_says_so(
    serve: Serve, odd_catalog: GameCatalog, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with serve(odd_catalog) as server:
        (agent,) = server.open(ANN, {"name": "Rob", "agent": "failing"})
        is_removed, other, fine = (server.open(ANN, **ALONE)[0] for _ in range(3))
        tables = [server.client.portal.call(server.manager.seat, token).table.stored.id for token in (is_removed, other)]  # type: ignore[union-attr]
    file = sqlite3.connect(tmp_path / "table.sqlite3")
    file.execute("UPDATE tables SET game = 'chess' WHERE id = ?", (tables[0],))
    file.execute("UPDATE tables SET fingerprint = '{}' WHERE id = ?", (tables[1],))
    file.commit()
    file.close()
    monkeypatch.delitem(registry._AGENTS, "failing")
    with serve(GameCatalog()) as server:
        for token, why in ((agent, "'failing'"), (is_removed, "'chess'"), (other, "has changed since")):
            for _ in range(2):
                assert why in server.get(f"/api/seats/{token}", 410)["error"]
            server.get(f"/api/seats/{token}/events", 410)
        record = Record.read(server.get(f"/api/seats/{agent}/record").text)
        assert record.names[1] == "Rob" and record.result is None  # only its agent is gone
        for token, game in ((is_removed, "chess"), (other, "my_city")):
            header, *actions = map(json.loads, server.get(f"/api/seats/{token}/record").text.splitlines())
            assert header["game"] == game and header["players"] == ["Ann"] and "seed" in header and actions == []
        for token in (agent, is_removed, other):
            server.post(f"/api/seats/{token}/remove")
            server.get(f"/api/seats/{token}", 404)
        server.play(fine)


def test_tables_expire_while_the_server_runs(serve: Serve) -> None:
    with serve(expiry_interval=0.01) as server:
        (token,) = server.open(ANN, **ALONE)
        with server.manager.store._transaction() as db:
            db.execute("UPDATE tables SET touched = 0")
        until(lambda: server.client.get(f"/api/seats/{token}").status_code == 404)


def test_one_address_opens_only_so_many_tables(serve: Serve) -> None:
    with serve(tables_per_address=1) as server:
        (token,) = server.open(ANN, **ALONE)
        server.open(ANN, **ALONE, status=429)
        server.post(f"/api/seats/{token}/remove")
        server.open(ANN, **ALONE)


def test_addresses_of_one_customer_are_one() -> None:
    def of(host: str) -> str:
        return address_of(Request({"type": "http", "client": (host, 1), "headers": []}))

    assert of("192.0.2.7") == of("::ffff:192.0.2.7") == "192.0.2.7"
    assert of("2001:db8:1:2:3::4") == of("2001:db8:1:2::9") != of("2001:db8:1:3::9")
    assert of("testclient") == "testclient" and address_of(Request({"type": "http", "headers": []})) == ""


def test_what_cannot_be_kept_has_not_happened(server: LocalServer, monkeypatch: pytest.MonkeyPatch) -> None:
    (token,) = server.open(ANN, **ALONE)
    before = server.view(token)
    with monkeypatch.context() as broken:
        broken.setattr(server.manager.store, "append", lambda *_: 1 / 0)
        server.act(token, status=500)
    assert server.view(token) == before
    server.act(token)


@pytest.mark.full
def test_a_game_of_another_package(serve: Serve, trial_game: str) -> None:
    with serve(GameCatalog()) as server:
        tokens = server.open(ANN, BOB, game=trial_game, options={})
        server.play(*tokens)
        assert server.view(tokens[0])["title"]
        assert server.post("/api/seats_of", {"game": trial_game, "options": {}})["hint_agents"] == ["search"]
