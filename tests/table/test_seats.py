"""Who sits at a table: invitations, taking and leaving seats, names, agents that take over."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_table.web.game_catalog import GameCatalog

from .conftest import Serve
from .served import ANN, BOB, BOT, GAME, SessionManager, WaitingAgent, until

EVE = {"name": "Eve", "agent": None}
AGENT = {"seat": 1, "agent": "random"}


def opened(manager: SessionManager, *seats: Any, **game: Any) -> str:
    """Open a table where nobody else has taken a seat yet; returns the opener's token."""
    answer = manager.post("/api/tables", {**GAME, **game, "seats": list(seats), "seed": None}, 201)
    (own,) = answer["seats"]
    return str(own["token"])


def invited(manager: SessionManager, token: str, seat: int) -> str:
    return str(manager.post(f"/api/seats/{token}/invite", {"seat": seat}, 201)["invitation"])


def claimed(manager: SessionManager, link: str, name: str, status: int = 201) -> Any:
    return manager.post(f"/api/invitations/{link}/claim", {"name": name}, status).get("token")


def decides(manager: SessionManager, *tokens: str) -> list[bool]:
    return [manager.view(token)["decision"] is not None for token in tokens]


def test_the_opener_has_no_key_to_other_seats(manager: SessionManager) -> None:
    own = opened(manager, BOT, ANN, BOB, options={"players": 3})
    view = manager.view(own)
    assert view["seat"] == 1 and view["empty"] == [False, False, True] and view["people"] == [False, True, True]
    link = invited(manager, own, 2)
    manager.get(f"/api/seats/{link}", 404)
    manager.get(f"/api/invitations/{own}", 404)
    offered = manager.get(f"/api/invitations/{link}")
    assert offered["seat"] == 2 and [assignment["empty"] for assignment in offered["seats"]] == [False, False, True]
    theirs = claimed(manager, link, "Eve")
    assert manager.view(theirs)["seat"] == 2 and manager.view(own)["names"] == ["Rob", "Ann", "Eve"]
    claimed(manager, link, "Mallory", 409)
    manager.post(f"/api/seats/{own}/invite", {"seat": 2}, 409)
    manager.post(f"/api/seats/{own}/invite", {"seat": 9}, 422)
    assert manager.get(f"/api/invitations/{link}")["seats"][2] == {"name": "Eve", "agent": None, "empty": False}
    for name in ("", " ", "x" * 41, "a\nb"):
        claimed(manager, link, name, 422)


def test_nobody_plays_while_a_seat_is_empty(serve: Serve, odd_catalog: Any, waiting: WaitingAgent) -> None:
    waiting.may.set()
    with serve(odd_catalog) as manager:
        own = opened(manager, {"name": "Rob", "agent": "waiting"}, ANN, BOB, options={"players": 3})
        view = manager.view(own)
        assert not view["working"] and view["decision"] is None and len(view["log"]) == 1 and waiting.most == 0
        manager.post(f"/api/seats/{own}/act", {"decision": 0, "action": 0}, 409)
        manager.post(f"/api/seats/{own}/hint", {"agent": None}, 409)
        theirs = claimed(manager, invited(manager, own, 2), "Bob")
        until(lambda: any(decides(manager, own, theirs)))
        assert waiting.most == 1


def test_all_links_to_an_empty_seat_work_until_it_is_taken(manager: SessionManager) -> None:
    own = opened(manager, ANN, BOB)
    watching = manager.post(f"/api/seats/{own}/watch", {}, 201)["token"]
    for path, data in (("invite", {"seat": 1}), ("assign", AGENT)):
        manager.post(f"/api/seats/{watching}/{path}", data, 409)  # spectators offer no seat
    links = [invited(manager, own, 1) for _ in range(10)]
    found = [manager.client.get(f"/api/invitations/{link}").status_code for link in links]
    assert found == [404] * 2 + [200] * 8  # only so many are stored
    assert claimed(manager, links[5], "Bob") and [claimed(manager, link, "Eve", 409) for link in links[6:]] == [None] * 4


def test_who_leaves_has_no_access_any_more(manager: SessionManager) -> None:
    ann, bob = manager.open(ANN, BOB)
    manager.play(ann, bob, most=3)
    log = manager.view(ann)["log"]
    with manager.stream(bob) as stream:
        stream.wait(1)
        manager.post(f"/api/seats/{bob}/leave")
        until(lambda: stream.ended)
    manager.get(f"/api/seats/{bob}", 404)
    view = manager.view(ann)
    assert view["empty"] == [False, True] and view["decision"] is None and view["log"] == log
    manager.post(f"/api/seats/{ann}/leave", {}, 409)  # nobody else sits there
    eve = claimed(manager, invited(manager, ann, 1), "Eve")
    manager.play(ann, eve)
    assert manager.view(eve)["result"] and manager.view(ann)["names"] == ["Ann", "Eve"]
    for path, data in (("leave", {}), ("rename", {"name": "x"}), ("assign", AGENT)):
        manager.post(f"/api/seats/{ann}/{path}", data, 409)  # the game is over


def test_before_the_first_decision_nobody_takes_along_what_he_has_seen(manager: SessionManager) -> None:
    ann, bob = manager.open(ANN, BOB, game="ginkgopolis")
    before = manager.view(bob)["description"]
    manager.post(f"/api/seats/{bob}/leave")
    eve = claimed(manager, invited(manager, ann, 1), "Bob")
    assert manager.view(eve)["description"] != before


def test_a_seat_is_renamed(serve: Serve) -> None:
    with serve() as manager:
        ann, bob = manager.open(ANN, BOB)
        manager.post(f"/api/seats/{bob}/rename", {"name": " Bob the Builder "})
        manager.post(f"/api/seats/{bob}/rename", {"name": ""}, 422)
        assert manager.view(ann)["names"] == ["Ann", "Bob the Builder"]
    with serve() as manager:
        assert manager.view(bob)["names"] == ["Ann", "Bob the Builder"]


def test_an_agent_takes_over(manager: SessionManager) -> None:
    ann, bob = manager.open(ANN, BOB, game="golden_city")
    manager.play(ann, bob, most=4)
    manager.post(f"/api/seats/{ann}/assign", AGENT, 409)  # Bob sits there
    for agent in ("nobody", "x.npz"):
        manager.post(f"/api/seats/{bob}/assign", {"seat": 1, "agent": agent}, 422)
    manager.post(f"/api/seats/{bob}/assign", AGENT)
    assert manager.view(ann)["agents"] == [None, "random"] and manager.view(bob)["seat"] == 1
    manager.play(ann, most=2)
    manager.post(f"/api/seats/{bob}/act", {"decision": 0, "action": 0}, 409)
    manager.post(f"/api/seats/{bob}/assign", {"seat": 1, "agent": None})  # and back
    assert manager.view(ann)["agents"] == [None, None]
    manager.play(ann, bob, most=2)
    for token, seat in ((ann, 0), (bob, 1)):
        manager.post(f"/api/seats/{token}/assign", {"seat": seat, "agent": "random"})
    view = manager.settled(ann)  # agents finish
    assert view["result"] is not None and view["seat"] == 0 and manager.view(bob)["result"] == view["result"]


def test_an_agent_takes_an_empty_seat(manager: SessionManager) -> None:
    ann = opened(manager, ANN, BOB, EVE, options={"players": 3})
    bob = claimed(manager, invited(manager, ann, 1), "Bob")
    link = invited(manager, ann, 2)
    manager.post(f"/api/seats/{bob}/assign", {"seat": 2, "agent": None}, 409)
    manager.post(f"/api/seats/{bob}/assign", {"seat": 2, "agent": "random"})
    assert manager.view(ann)["agents"] == [None, None, "random"] and manager.view(ann)["empty"] == [False] * 3
    claimed(manager, link, "Eve", 409)
    manager.play(ann, bob, most=3)


def test_agents_alone_offer_no_seat(manager: SessionManager) -> None:
    (token,) = manager.open(BOT, BOT)
    for path, data in (("invite", {"seat": 0}), ("leave", {}), ("rename", {"name": "x"}), ("assign", AGENT)):
        manager.post(f"/api/seats/{token}/{path}", data, 409)


def test_a_link_as_a_code(manager: SessionManager) -> None:
    """Of at least 21 x 21 modules and a border of 4; its corners are those of every code."""
    found = manager.post("/api/qr", {"text": "http://127.0.0.1:8765/join/abc"})
    assert found["size"] >= 29 and found["path"].startswith("M4 4h1v1h-1zM5 4") and "M3 " not in found["path"]
    assert found != manager.post("/api/qr", {"text": "http://127.0.0.1:8765/join/abd"})
    for text in ("", "x" * 501):
        manager.post("/api/qr", {"text": text}, 422)


@pytest.mark.full
def test_one_link_and_two_who_click_at_once(manager: SessionManager) -> None:
    own = opened(manager, ANN, BOB)
    link = invited(manager, own, 1)
    calls = [(f"/api/invitations/{link}/claim", {"name": name}) for name in ("Bob", "Eve", "Mallory")]
    assert sorted(manager.together(*calls)) == [201, 409, 409]


# --- choosing at the same time -----------------------------------------------------------------------------------------------


def test_what_people_have_chosen_survives_a_restart(serve: Serve) -> None:
    """Nobody is told who has chosen: neither the views nor the stream of others change."""
    with serve() as manager:
        ann, bob = manager.open(ANN, BOB)
        before = manager.client.get(f"/api/seats/{ann}").content
        assert decides(manager, ann, bob) == [True, True] and manager.view(ann)["actor"] is None
        with manager.stream(ann) as stream:
            stream.wait(1)
            manager.act(bob)
            manager.post(f"/api/seats/{bob}/act", {"decision": 1, "action": 0}, 409)
            assert manager.client.get(f"/api/seats/{ann}").content == before and len(stream.bodies) == 1
        chosen = manager.view(bob)["pending"]
        assert decides(manager, ann, bob) == [True, False] and len(chosen) == 1
    with serve() as manager:
        assert manager.client.get(f"/api/seats/{ann}").content == before and manager.view(bob)["pending"] == chosen
        manager.post(f"/api/seats/{bob}/rename", {"name": "Bobby"})
        assert manager.view(bob)["pending"] == chosen
        manager.act(ann)
        assert decides(manager, ann, bob) == [True, True] and manager.view(bob)["log"][-1]["seats"][-1] == 1
        manager.act(bob)
        manager.post(f"/api/seats/{bob}/leave")  # what somebody chose who is gone has no effect
        eve = claimed(manager, invited(manager, ann, 1), "Eve")
        assert decides(manager, ann, eve) == [True, True]


# --- hints and spectators ----------------------------------------------------------------------------------------------------


def test_hints_can_be_forbidden(serve: Serve) -> None:
    with serve() as manager:
        answer = manager.post("/api/tables", {**GAME, "seats": [ANN, BOT], "seed": 1, "hints": False}, 201)
        token = answer["seats"][0]["token"]
        assert manager.settled(token)["hints"] is False
    with serve() as manager:
        until(lambda: manager.view(token)["decision"])
        assert "not allowed" in manager.post(f"/api/seats/{token}/hint", {"agent": "greedy"}, 403)["error"]
        (other,) = manager.open(ANN, BOT)
        assert manager.settled(other)["hints"] is True


@pytest.mark.full
def test_spectators_have_no_seat(manager: SessionManager) -> None:
    ann, bob = manager.open(ANN, BOB)
    link = manager.post(f"/api/seats/{bob}/watch", {}, 201)["token"]
    view = manager.view(link)
    assert view["watch"] and view["public"] and view["seat"] is None and view["decision"] is None
    calls: list[tuple[str, Any]] = [("act", {"decision": 0, "action": 0}), ("hint", {"agent": None}), ("invite", {"seat": 0})]
    calls += [("leave", {}), ("rename", {"name": "x"}), ("assign", AGENT), ("watch", {})]
    for path, data in calls:
        manager.post(f"/api/seats/{link}/{path}", data, 409)
    manager.get(f"/api/invitations/{link}", 404)
    manager.get(f"/api/seats/{link}/record", 409)
    manager.play(ann, bob)
    end = manager.view(link)
    assert end["result"] == manager.view(ann)["result"] is not None and len(end["log"]) == len(manager.view(ann)["log"])


@pytest.mark.full
def test_a_game_that_does_not_say_what_is_public_has_no_spectators(serve: Serve, trial_game: str) -> None:
    with serve(GameCatalog()) as manager:
        token = manager.open(ANN, BOB, game=trial_game, options={})[0]
        manager.post(f"/api/seats/{token}/watch", {}, 409)


# --- playing again, taking back ----------------------------------------------------------------------------------------------


@pytest.mark.full
def test_the_same_people_play_again(serve: Serve) -> None:
    with serve() as manager:
        ann, bob, eve = manager.open(ANN, BOB, EVE, {**BOT, "name": "Rob"}, options={"players": 4})
        manager.post(f"/api/seats/{ann}/rematch", {}, 409)  # the game is not over
        manager.play(ann, bob, eve)
        assert manager.view(ann)["rematch"] is False
        again = manager.post(f"/api/seats/{bob}/rematch", {}, 201)
        view = manager.view(again["token"])
        assert (
            again["seat"] == 1 and view["names"] == ["Ann", "Bob", "Eve", "Rob"] and view["empty"] == [True, False, True, False]
        )
        assert manager.view(ann)["rematch"] is True
        claimed(manager, invited(manager, again["token"], 2), "Mallory")
    with serve() as manager:
        first = manager.post(f"/api/seats/{ann}/rematch", {}, 201)
        manager.post(f"/api/seats/{ann}/rematch", {}, 409)
        manager.post(f"/api/seats/{eve}/rematch", {}, 409)  # somebody else sits there
        view = manager.settled(first["token"])
        assert view["names"] == ["Ann", "Bob", "Mallory", "Rob"] and not any(view["empty"]) and view["decision"]
        manager.post(f"/api/seats/{manager.post(f'/api/seats/{ann}/watch', {}, 201)['token']}/rematch", {}, 409)


def test_a_decision_is_taken_back_against_agents(serve: Serve) -> None:
    with serve() as manager:
        (token,) = manager.open(ANN, BOT, game="golden_city", options={"players": 2})
        before = manager.settled(token)
        assert not before["takes_back"]
        manager.post(f"/api/seats/{token}/takeback", {}, 409)
        chosen = before["decision"]["actions"][0]["id"]
        manager.act(token, chosen)
        later = manager.settled(token)
        manager.act(token)
        assert manager.settled(token)["takes_back"]
        manager.post(f"/api/seats/{token}/takeback")
        assert manager.settled(token) == later
        manager.post(f"/api/seats/{token}/takeback")
        assert manager.settled(token) == before
    with serve() as manager:
        assert manager.settled(token) == before
        manager.act(token, chosen)
        assert manager.settled(token) == later  # the agent plays as before


def test_between_people_only_what_has_no_effect_is_taken_back(manager: SessionManager) -> None:
    ann, bob = manager.open(ANN, BOB)
    before = [manager.view(token) for token in (ann, bob)]
    manager.act(bob)
    assert manager.view(bob)["takes_back"] and not manager.view(ann)["takes_back"]
    manager.post(f"/api/seats/{ann}/takeback", {}, 409)
    manager.post(f"/api/seats/{bob}/takeback")
    assert [manager.view(token) for token in (ann, bob)] == before
    manager.act(ann)
    manager.act(bob)
    for token in (ann, bob):
        manager.post(f"/api/seats/{token}/takeback", {}, 409)
