"""Who sits at a table: invitations, taking and leaving seats, names, agents that take over."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_table.web.game_catalog import GameCatalog

from .conftest import Serve
from .served import ANN, BOB, BOT, GAME, LocalServer, WaitingAgent, until

EVE = {"name": "Eve", "agent": None}
AGENT = {"seat": 1, "agent": "random"}


def opened(server: LocalServer, *seats: Any, **game: Any) -> str:
    """Open a table where nobody else has taken a seat yet; returns the opener's token."""
    answer = server.post("/api/tables", {**GAME, **game, "seats": list(seats), "seed": None}, 201)
    (own,) = answer["seats"]
    return str(own["token"])


def invited(server: LocalServer, token: str, seat: int) -> str:
    return str(server.post(f"/api/seats/{token}/invite", {"seat": seat}, 201)["invitation"])


def claimed(server: LocalServer, link: str, name: str, status: int = 201) -> Any:
    return server.post(f"/api/invitations/{link}/claim", {"name": name}, status).get("token")


def decides(server: LocalServer, *tokens: str) -> list[bool]:
    return [server.view(token)["decision"] is not None for token in tokens]


def test_the_opener_has_no_key_to_other_seats(server: LocalServer) -> None:
    own = opened(server, BOT, ANN, BOB, options={"players": 3})
    view = server.view(own)
    assert view["seat"] == 1 and view["empty"] == [False, False, True] and view["people"] == [False, True, True]
    link = invited(server, own, 2)
    server.get(f"/api/seats/{link}", 404)
    server.get(f"/api/invitations/{own}", 404)
    offered = server.get(f"/api/invitations/{link}")
    assert offered["seat"] == 2 and [assignment["empty"] for assignment in offered["seats"]] == [False, False, True]
    theirs = claimed(server, link, "Eve")
    assert server.view(theirs)["seat"] == 2 and server.view(own)["names"] == ["Rob", "Ann", "Eve"]
    claimed(server, link, "Mallory", 409)
    server.post(f"/api/seats/{own}/invite", {"seat": 2}, 409)
    server.post(f"/api/seats/{own}/invite", {"seat": 9}, 422)
    assert server.get(f"/api/invitations/{link}")["seats"][2] == {"name": "Eve", "agent": None, "empty": False}
    for name in ("", " ", "x" * 41, "a\nb"):
        claimed(server, link, name, 422)


def test_nobody_plays_while_a_seat_is_empty(serve: Serve, odd_catalog: Any, waiting: WaitingAgent) -> None:
    waiting.may.set()
    with serve(odd_catalog) as server:
        own = opened(server, {"name": "Rob", "agent": "waiting"}, ANN, BOB, options={"players": 3})
        view = server.view(own)
        assert not view["working"] and view["decision"] is None and len(view["log"]) == 1 and waiting.most == 0
        server.post(f"/api/seats/{own}/act", {"decision": 0, "action": 0}, 409)
        server.post(f"/api/seats/{own}/hint", {"agent": None}, 409)
        theirs = claimed(server, invited(server, own, 2), "Bob")
        until(lambda: any(decides(server, own, theirs)))
        assert waiting.most == 1


def test_all_links_to_an_empty_seat_work_until_it_is_taken(server: LocalServer) -> None:
    own = opened(server, ANN, BOB)
    watching = server.post(f"/api/seats/{own}/watch", {}, 201)["token"]
    for path, data in (("invite", {"seat": 1}), ("assign", AGENT)):
        server.post(f"/api/seats/{watching}/{path}", data, 409)  # spectators offer no seat
    links = [invited(server, own, 1) for _ in range(10)]
    found = [server.client.get(f"/api/invitations/{link}").status_code for link in links]
    assert found == [404] * 2 + [200] * 8  # only so many are stored
    assert claimed(server, links[5], "Bob") and [claimed(server, link, "Eve", 409) for link in links[6:]] == [None] * 4


def test_who_leaves_has_no_access_any_more(server: LocalServer) -> None:
    ann, bob = server.open(ANN, BOB)
    server.play(ann, bob, most=3)
    log = server.view(ann)["log"]
    with server.stream(bob) as stream:
        stream.wait(1)
        server.post(f"/api/seats/{bob}/leave")
        until(lambda: stream.ended)
    server.get(f"/api/seats/{bob}", 404)
    view = server.view(ann)
    assert view["empty"] == [False, True] and view["decision"] is None and view["log"] == log
    server.post(f"/api/seats/{ann}/leave", {}, 409)  # nobody else sits there
    eve = claimed(server, invited(server, ann, 1), "Eve")
    server.play(ann, eve)
    assert server.view(eve)["result"] and server.view(ann)["names"] == ["Ann", "Eve"]
    for path, data in (("leave", {}), ("rename", {"name": "x"}), ("assign", AGENT)):
        server.post(f"/api/seats/{ann}/{path}", data, 409)  # the game is over


def test_before_the_first_decision_nobody_takes_along_what_he_has_seen(server: LocalServer) -> None:
    ann, bob = server.open(ANN, BOB, game="ginkgopolis")
    before = server.view(bob)["description"]
    server.post(f"/api/seats/{bob}/leave")
    eve = claimed(server, invited(server, ann, 1), "Bob")
    assert server.view(eve)["description"] != before


def test_a_seat_is_renamed(serve: Serve) -> None:
    with serve() as server:
        ann, bob = server.open(ANN, BOB)
        server.post(f"/api/seats/{bob}/rename", {"name": " Bob the Builder "})
        server.post(f"/api/seats/{bob}/rename", {"name": ""}, 422)
        assert server.view(ann)["names"] == ["Ann", "Bob the Builder"]
    with serve() as server:
        assert server.view(bob)["names"] == ["Ann", "Bob the Builder"]


def test_an_agent_takes_over(server: LocalServer) -> None:
    ann, bob = server.open(ANN, BOB, game="golden_city")
    server.play(ann, bob, most=4)
    server.post(f"/api/seats/{ann}/assign", AGENT, 409)  # Bob sits there
    for agent in ("nobody", "x.npz"):
        server.post(f"/api/seats/{bob}/assign", {"seat": 1, "agent": agent}, 422)
    server.post(f"/api/seats/{bob}/assign", AGENT)
    assert server.view(ann)["agents"] == [None, "random"] and server.view(bob)["seat"] == 1
    server.play(ann, most=2)
    server.post(f"/api/seats/{bob}/act", {"decision": 0, "action": 0}, 409)
    server.post(f"/api/seats/{bob}/assign", {"seat": 1, "agent": None})  # and back
    assert server.view(ann)["agents"] == [None, None]
    server.play(ann, bob, most=2)
    for token, seat in ((ann, 0), (bob, 1)):
        server.post(f"/api/seats/{token}/assign", {"seat": seat, "agent": "random"})
    view = server.settled(ann)  # agents finish
    assert view["result"] is not None and view["seat"] == 0 and server.view(bob)["result"] == view["result"]


def test_an_agent_takes_an_empty_seat(server: LocalServer) -> None:
    ann = opened(server, ANN, BOB, EVE, options={"players": 3})
    bob = claimed(server, invited(server, ann, 1), "Bob")
    link = invited(server, ann, 2)
    server.post(f"/api/seats/{bob}/assign", {"seat": 2, "agent": None}, 409)
    server.post(f"/api/seats/{bob}/assign", {"seat": 2, "agent": "random"})
    assert server.view(ann)["agents"] == [None, None, "random"] and server.view(ann)["empty"] == [False] * 3
    claimed(server, link, "Eve", 409)
    server.play(ann, bob, most=3)


def test_agents_alone_offer_no_seat(server: LocalServer) -> None:
    (token,) = server.open(BOT, BOT)
    for path, data in (("invite", {"seat": 0}), ("leave", {}), ("rename", {"name": "x"}), ("assign", AGENT)):
        server.post(f"/api/seats/{token}/{path}", data, 409)


def test_a_link_as_a_code(server: LocalServer) -> None:
    """Of at least 21 x 21 modules and a border of 4; its corners are those of every code."""
    found = server.post("/api/qr", {"text": "http://127.0.0.1:8765/join/abc"})
    assert found["size"] >= 29 and found["path"].startswith("M4 4h1v1h-1zM5 4") and "M3 " not in found["path"]
    assert found != server.post("/api/qr", {"text": "http://127.0.0.1:8765/join/abd"})
    for text in ("", "x" * 501):
        server.post("/api/qr", {"text": text}, 422)


@pytest.mark.full
def test_one_link_and_two_who_click_at_once(server: LocalServer) -> None:
    own = opened(server, ANN, BOB)
    link = invited(server, own, 1)
    calls = [(f"/api/invitations/{link}/claim", {"name": name}) for name in ("Bob", "Eve", "Mallory")]
    assert sorted(server.together(*calls)) == [201, 409, 409]


# --- choosing at the same time -----------------------------------------------------------------------------------------------


def test_what_people_have_chosen_survives_a_restart(serve: Serve) -> None:
    """Nobody is told who has chosen: neither the views nor the stream of others change."""
    with serve() as server:
        ann, bob = server.open(ANN, BOB)
        before = server.client.get(f"/api/seats/{ann}").content
        assert decides(server, ann, bob) == [True, True] and server.view(ann)["actor"] is None
        with server.stream(ann) as stream:
            stream.wait(1)
            server.act(bob)
            server.post(f"/api/seats/{bob}/act", {"decision": 1, "action": 0}, 409)
            assert server.client.get(f"/api/seats/{ann}").content == before and len(stream.bodies) == 1
        chosen = server.view(bob)["pending"]
        assert decides(server, ann, bob) == [True, False] and len(chosen) == 1
    with serve() as server:
        assert server.client.get(f"/api/seats/{ann}").content == before and server.view(bob)["pending"] == chosen
        server.post(f"/api/seats/{bob}/rename", {"name": "Bobby"})
        assert server.view(bob)["pending"] == chosen
        server.act(ann)
        assert decides(server, ann, bob) == [True, True] and server.view(bob)["log"][-1]["seats"][-1] == 1
        server.act(bob)
        server.post(f"/api/seats/{bob}/leave")  # what somebody chose who is gone has no effect
        eve = claimed(server, invited(server, ann, 1), "Eve")
        assert decides(server, ann, eve) == [True, True]


# --- hints and spectators ----------------------------------------------------------------------------------------------------


def test_hints_can_be_forbidden(serve: Serve) -> None:
    with serve() as server:
        answer = server.post("/api/tables", {**GAME, "seats": [ANN, BOT], "seed": 1, "hints": False}, 201)
        token = answer["seats"][0]["token"]
        assert server.settled(token)["hints"] is False
    with serve() as server:
        until(lambda: server.view(token)["decision"])
        assert "not allowed" in server.post(f"/api/seats/{token}/hint", {"agent": "greedy"}, 403)["error"]
        (other,) = server.open(ANN, BOT)
        assert server.settled(other)["hints"] is True


@pytest.mark.full
def test_spectators_have_no_seat(server: LocalServer) -> None:
    ann, bob = server.open(ANN, BOB)
    link = server.post(f"/api/seats/{bob}/watch", {}, 201)["token"]
    view = server.view(link)
    assert view["watch"] and view["public"] and view["seat"] is None and view["decision"] is None
    calls: list[tuple[str, Any]] = [("act", {"decision": 0, "action": 0}), ("hint", {"agent": None}), ("invite", {"seat": 0})]
    calls += [("leave", {}), ("rename", {"name": "x"}), ("assign", AGENT), ("watch", {})]
    for path, data in calls:
        server.post(f"/api/seats/{link}/{path}", data, 409)
    server.get(f"/api/invitations/{link}", 404)
    server.get(f"/api/seats/{link}/record", 409)
    server.play(ann, bob)
    end = server.view(link)
    assert end["result"] == server.view(ann)["result"] is not None and len(end["log"]) == len(server.view(ann)["log"])


@pytest.mark.full
def test_spectators_of_another_game_see_no_hand(serve: Serve, trial_game: str) -> None:
    with serve(GameCatalog()) as server:
        token = server.open(ANN, BOB, game=trial_game, options={})[0]
        spectator = server.post(f"/api/seats/{token}/watch", {}, 201)["token"]
        own, others = (server.view(viewer)["description"] for viewer in (token, spectator))
        assert "Ann: face down" not in own and "Ann: face down" in others and "Bob: face down" in others


# --- playing again, taking back ----------------------------------------------------------------------------------------------


@pytest.mark.full
def test_the_same_people_play_again(serve: Serve) -> None:
    with serve() as server:
        ann, bob, eve = server.open(ANN, BOB, EVE, {**BOT, "name": "Rob"}, options={"players": 4})
        server.post(f"/api/seats/{ann}/rematch", {}, 409)  # the game is not over
        server.play(ann, bob, eve)
        assert server.view(ann)["rematch"] is False
        again = server.post(f"/api/seats/{bob}/rematch", {}, 201)
        view = server.view(again["token"])
        assert (
            again["seat"] == 1 and view["names"] == ["Ann", "Bob", "Eve", "Rob"] and view["empty"] == [True, False, True, False]
        )
        assert server.view(ann)["rematch"] is True
        claimed(server, invited(server, again["token"], 2), "Mallory")
    with serve() as server:
        first = server.post(f"/api/seats/{ann}/rematch", {}, 201)
        server.post(f"/api/seats/{ann}/rematch", {}, 409)
        server.post(f"/api/seats/{eve}/rematch", {}, 409)  # somebody else sits there
        view = server.settled(first["token"])
        assert view["names"] == ["Ann", "Bob", "Mallory", "Rob"] and not any(view["empty"]) and view["decision"]
        server.post(f"/api/seats/{server.post(f'/api/seats/{ann}/watch', {}, 201)['token']}/rematch", {}, 409)


def test_a_decision_is_taken_back_against_agents(serve: Serve) -> None:
    with serve() as server:
        (token,) = server.open(ANN, BOT, game="golden_city", options={"players": 2})
        before = server.settled(token)
        assert not before["takes_back"]
        server.post(f"/api/seats/{token}/takeback", {}, 409)
        chosen = before["decision"]["actions"][0]["id"]
        server.act(token, chosen)
        later = server.settled(token)
        server.act(token)
        assert server.settled(token)["takes_back"]
        server.post(f"/api/seats/{token}/takeback")
        assert server.settled(token) == later
        server.post(f"/api/seats/{token}/takeback")
        assert server.settled(token) == before
    with serve() as server:
        assert server.settled(token) == before
        server.act(token, chosen)
        assert server.settled(token) == later  # the agent plays as before


def test_between_people_only_what_has_no_effect_is_taken_back(server: LocalServer) -> None:
    ann, bob = server.open(ANN, BOB)
    before = [server.view(token) for token in (ann, bob)]
    server.act(bob)
    assert server.view(bob)["takes_back"] and not server.view(ann)["takes_back"]
    server.post(f"/api/seats/{ann}/takeback", {}, 409)
    server.post(f"/api/seats/{bob}/takeback")
    assert [server.view(token) for token in (ann, bob)] == before
    server.act(ann)
    server.act(bob)
    for token in (ann, bob):
        server.post(f"/api/seats/{token}/takeback", {}, 409)
