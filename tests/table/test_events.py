"""Streams of events: what they send, when, how many there may be."""

from __future__ import annotations

from ginkgo_table.web.game_catalog import GameCatalog

from .conftest import Serve
from .served import ANN, BOB, SessionManager, WaitingAgent, until


def test_a_stream_sends_what_the_view_is_and_becomes(house: SessionManager) -> None:
    tokens = house.open(ANN, BOB)
    with house.stream(tokens[0]) as one, house.stream(tokens[1]) as other:
        for n in range(1, 6):
            one.wait(n)
            other.wait(n)
            assert one.bodies[-1] == house.client.get(f"/api/seats/{tokens[0]}").content
            assert other.views[-1] == house.view(tokens[1])
            house.act(next(token for token in tokens if house.view(token)["decision"]))
        one.wait(6)
        versions = [view["version"] for view in one.views]
        assert len(set(versions)) == len(versions) == 6 and one.status == 200


def test_what_a_seat_cannot_notice_sends_nothing(house: SessionManager) -> None:
    tokens = house.open(ANN, BOB)
    with house.stream(tokens[0]) as stream:
        stream.wait(1)
        room = house.client.portal.call(house.house.seat, tokens[0]).room  # type: ignore[union-attr]
        for _ in range(3):
            house.client.portal.call(room.tell)  # type: ignore[union-attr]
        house.act(next(token for token in tokens if house.view(token)["decision"]))
        stream.wait(2)
        assert len(stream.bodies) == 2


def test_a_stream_that_is_dropped_can_be_taken_up_again(house: SessionManager) -> None:
    tokens = house.open(ANN, BOB)
    with house.stream(tokens[0]) as stream:
        stream.wait(1)
    assert stream.ended
    house.act(next(token for token in tokens if house.view(token)["decision"]))
    with house.stream(tokens[0]) as again:
        again.wait(1)
        assert again.views[0] == house.view(tokens[0]) != stream.views[-1]


def test_a_quiet_stream_is_kept_alive(serve: Serve) -> None:
    with serve(heartbeat=0.02) as house:
        (token,) = house.open(ANN, options={"players": 1})
        with house.stream(token) as stream:
            until(lambda: stream.chunks.count(b": waiting\n\n") >= 3)
            assert len(stream.bodies) == 1


def refused(house: SessionManager, token: str) -> int | None:
    """The status of a stream that is opened."""
    with house.stream(token) as stream:
        until(lambda: stream.status)
        return stream.status


def test_streams_are_counted_and_dropped_ones_make_room(serve: Serve) -> None:
    with serve(streams=3, streams_each=2) as house:
        one, other, third = (house.open(ANN, options={"players": 1})[0] for _ in range(3))
        for _ in range(2):
            with house.stream(one) as a, house.stream(one) as b, house.stream(other) as c:
                for stream in (a, b, c):
                    stream.wait(1)
                assert refused(house, third) == 503
            with house.stream(one) as a, house.stream(one) as b:
                a.wait(1)
                b.wait(1)
                assert refused(house, one) == 429


def test_streams_end_with_their_table_and_with_the_server(serve: Serve) -> None:
    with serve() as house:
        one, other = (house.open(ANN, options={"players": 1})[0] for _ in range(2))
        with house.stream(one) as gone, house.stream(other) as stays:
            gone.wait(1)
            stays.wait(1)
            house.post(f"/api/seats/{one}/remove")
            until(lambda: gone.ended)
            assert not stays.ended
            house.client.portal.call(house.house.end_streams)  # type: ignore[union-attr]
            until(lambda: stays.ended)


def test_a_stream_tells_that_an_agent_thinks_and_what_it_did(serve: Serve, odd_offer: GameCatalog, waiting: WaitingAgent) -> None:
    with serve(odd_offer) as house:
        (token,) = house.open({"name": "Rob", "agent": "waiting"}, ANN)
        with house.stream(token) as stream:
            stream.wait(1)
            if not stream.views[-1]["working"]:
                house.act(token)
                stream.wait(2)
            assert stream.views[-1]["working"]
            seen = len(stream.bodies)
            waiting.may.set()
            stream.wait(seen + 1)
            assert stream.views[seen]["decision"] is not None and stream.views[seen - 1]["decision"] is None
