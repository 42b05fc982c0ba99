"""Streams of events: what they send, when, how many there may be."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_table.web.game_catalog import GameCatalog

from .conftest import Serve
from .served import ANN, BOB, LocalServer, WaitingAgent, until

GOLDEN = {"game": "golden_city", "options": {"players": 2}}  # one decides after the other


def test_a_stream_sends_what_the_view_is_and_becomes(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB, **GOLDEN)
    with server.stream(tokens[0]) as one, server.stream(tokens[1]) as other:
        for n in range(1, 6):
            one.wait(n)
            other.wait(n)
            assert one.bodies[-1] == server.client.get(f"/api/seats/{tokens[0]}").content
            assert other.views[-1] == server.view(tokens[1])
            server.act(next(token for token in tokens if server.view(token)["decision"]))
        one.wait(6)
        versions = [view["version"] for view in one.views]
        assert len(set(versions)) == len(versions) == 6 and one.status == 200


def test_what_a_seat_cannot_notice_sends_nothing(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB, **GOLDEN)
    with server.stream(tokens[0]) as stream:
        stream.wait(1)
        table = server.client.portal.call(server.manager.seat, tokens[0]).table  # type: ignore[union-attr]
        for _ in range(3):
            server.client.portal.call(table.notify)  # type: ignore[union-attr]
        server.act(next(token for token in tokens if server.view(token)["decision"]))
        stream.wait(2)
        assert len(stream.bodies) == 2


def test_a_stream_that_is_dropped_can_be_taken_up_again(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB, **GOLDEN)
    with server.stream(tokens[0]) as stream:
        stream.wait(1)
    assert stream.ended
    server.act(next(token for token in tokens if server.view(token)["decision"]))
    with server.stream(tokens[0]) as again:
        again.wait(1)
        assert again.views[0] == server.view(tokens[0]) != stream.views[-1]


def test_a_quiet_stream_is_kept_alive(serve: Serve) -> None:
    with serve(heartbeat=0.02) as server:
        (token,) = server.open(ANN, options={"players": 1})
        with server.stream(token) as stream:
            until(lambda: stream.chunks.count(b": waiting\n\n") >= 3)
            assert len(stream.bodies) == 1


def refused(server: LocalServer, token: str) -> int | None:
    """The status of a stream that is opened."""
    with server.stream(token) as stream:
        until(lambda: stream.status)
        return stream.status


def test_streams_are_counted_and_dropped_ones_make_room(serve: Serve) -> None:
    with serve(streams=3, streams_per_seat=2) as server:
        one, other, third = (server.open(ANN, options={"players": 1})[0] for _ in range(3))
        for _ in range(2):
            with server.stream(one) as a, server.stream(one) as b, server.stream(other) as c:
                for stream in (a, b, c):
                    stream.wait(1)
                assert refused(server, third) == 503
            with server.stream(one) as a, server.stream(one) as b:
                a.wait(1)
                b.wait(1)
                assert refused(server, one) == 429


def test_streams_of_one_address_are_counted(serve: Serve) -> None:
    with serve(streams_per_address=1) as server:
        one, other = (server.open(ANN, options={"players": 1})[0] for _ in range(2))
        for _ in range(2):
            with server.stream(one) as stream:
                stream.wait(1)
                assert refused(server, other) == 429


def test_streams_end_with_their_table_and_with_the_server(serve: Serve) -> None:
    with serve() as server:
        one, other = (server.open(ANN, options={"players": 1})[0] for _ in range(2))
        with server.stream(one) as is_removed, server.stream(other) as stays:
            is_removed.wait(1)
            stays.wait(1)
            server.post(f"/api/seats/{one}/remove")
            until(lambda: is_removed.ended)
            assert not stays.ended
            server.client.portal.call(server.manager.end_streams)  # type: ignore[union-attr]
            until(lambda: stays.ended)


def test_a_stream_shows_an_agent_at_work(serve: Serve, odd_catalog: GameCatalog, waiting: WaitingAgent) -> None:
    with serve(odd_catalog) as server:
        (token,) = server.open({"name": "Rob", "agent": "waiting"}, ANN)
        with server.stream(token) as stream:
            stream.wait(1)
            if not stream.views[-1]["working"]:
                server.act(token)
                stream.wait(2)
            assert stream.views[-1]["working"]
            seen = len(stream.bodies)
            waiting.may.set()
            stream.wait(seen + 1)
            assert stream.views[seen]["decision"] is not None and stream.views[seen - 1]["decision"] is None


def check_small_changes(server: LocalServer, game: str, options: dict[str, Any]) -> list[int]:
    """Play a whole game with a compressed stream open; returns the sizes of changes in bytes, as they are sent."""
    seats = [ANN, *[{"name": f"Rob {seat}", "agent": "random"} for seat in range(1, options["players"])]]
    (token,) = server.open(*seats, game=game, options=options, seed=1)
    with server.stream(token, zipped=True) as stream:
        stream.wait(1)
        server.play(token)
        end = server.client.get(f"/api/seats/{token}").content
        until(lambda: stream.chunks[-1].startswith(b"event: ") and stream.bodies[-1] == end)
        sizes = [size for size, chunk in zip(stream.sizes, stream.chunks, strict=True) if chunk.startswith(b"event: change")]
        assert len(sizes) == len(stream.bodies) - 1 and max(sizes) < 10_000
        return sizes


def test_a_change_is_small(server: LocalServer) -> None:
    assert len(check_small_changes(server, "my_city", {"players": 2})) > 10


@pytest.mark.full
@pytest.mark.parametrize(
    ("game", "options"),
    [
        ("ginkgopolis", {"players": 3, "modules": ["experts", "events", "keep_card"]}),
        ("golden_city", {"players": 3}),
        ("my_city", {"players": 4}),
    ],
)
def test_changes_are_small_in_whole_games(server: LocalServer, game: str, options: dict[str, Any]) -> None:
    assert len(check_small_changes(server, game, options)) > 15


def test_answers_are_compressed_and_not_sent_again(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB)
    path = f"/api/seats/{tokens[0]}"
    answer = server.client.get(path)
    assert answer.headers["content-encoding"] == "gzip" and int(answer.headers["content-length"]) < len(answer.content) / 4
    known = {"if-none-match": answer.headers["etag"]}
    assert answer.headers["etag"] == f'"{answer.json()["version"]}"' and answer.headers["cache-control"] == "no-store"
    again = server.client.get(path, headers=known)
    assert again.status_code == 304 and again.content == b""
    server.act(next(token for token in tokens if server.view(token)["decision"]))
    assert server.client.get(path, headers=known).status_code == 200
