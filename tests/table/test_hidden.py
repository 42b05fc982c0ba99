"""What is sent to a seat tells nothing that the seat cannot know."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_env import Batch
from ginkgo_table.live import LiveGame

from .served import ANN, BOB, LocalServer, until


def dealt_anew(live: LiveGame, view: int, seed: int) -> Any:
    """A state in which everything that a seat cannot know is dealt anew."""
    batch = Batch(live.asked_game, 1)
    batch.set_states([0], live.state)
    batch.resample(view, seed=seed)
    return batch.state(0)


MODULES = {"game": "ginkgopolis", "options": {"players": 3, "modules": ["experts", "events"]}}
GAMES: list[Any] = [
    ({"game": "ginkgopolis", "options": {"players": 3}}, 11, 3),
    pytest.param({"game": "ginkgopolis", "options": {"players": 3}}, 11, 1_000, marks=pytest.mark.full),
    pytest.param(MODULES, 11, 1_000, marks=pytest.mark.full),
    pytest.param({"game": "golden_city", "options": {"players": 3}}, 11, 1_000, marks=pytest.mark.full),
]


@pytest.mark.full
@pytest.mark.parametrize(("game", "every", "most"), GAMES)
def test_what_is_sent_to_a_seat_tells_nothing_hidden(server: LocalServer, game: dict[str, Any], every: int, most: int) -> None:
    """Of a whole game, or of its beginning; the views of others, who know what is dealt anew, do change."""
    tokens = server.open(ANN, BOB, {"name": "Eve", "agent": "random"}, **game)
    portal = server.client.portal
    assert portal is not None
    with server.stream(tokens[0]) as stream:
        steps, changed = 0, 0
        while steps < most and server.settled(tokens[0])["result"] is None:
            server.play(*tokens, most=every, seed=steps)
            steps += 1
            if server.settled(tokens[0])["result"] is not None:
                break
            sent = server.client.get(f"/api/seats/{tokens[0]}").content
            until(lambda sent=sent: stream.bodies[-1:] == [sent])
            others = server.client.get(f"/api/seats/{tokens[1]}").content
            table = portal.call(server.manager.seat, tokens[0]).table
            stored, events = table.live.state, len(stream.bodies)
            table.live._playback.continue_from(dealt_anew(table.live, 0, steps))
            portal.call(table.notify)
            assert server.client.get(f"/api/seats/{tokens[0]}").content == sent
            changed += server.client.get(f"/api/seats/{tokens[1]}").content != others
            assert len(stream.bodies) == events and stream.bodies[-1] == sent
            table.live._playback.continue_from(stored)
            portal.call(table.notify)
    assert steps >= min(most, 4) and changed


PUBLIC: list[Any] = [
    ({"game": "ginkgopolis", "options": {"players": 3}}, 12),
    pytest.param(MODULES, 20, marks=pytest.mark.full),
    pytest.param({"game": "golden_city", "options": {"players": 3}}, 20, marks=pytest.mark.full),
    pytest.param({"game": "my_city", "options": {"players": 3}}, 9, marks=pytest.mark.full),
]


@pytest.mark.full
@pytest.mark.parametrize(("game", "most"), PUBLIC)
def test_spectators_are_sent_nothing_that_a_seat_cannot_know(server: LocalServer, game: dict[str, Any], most: int) -> None:
    """What any seat cannot know may be dealt anew, and spectators get the same bytes: they know what all seats know."""
    tokens = server.open(ANN, BOB, {"name": "Eve", "agent": "random"}, **game)
    link = server.post(f"/api/seats/{tokens[0]}/watch", {}, 201)["token"]
    portal, changed = server.client.portal, 0
    assert portal is not None
    for step in range(most):
        if server.settled(tokens[0])["result"] is not None:
            break
        sent = server.client.get(f"/api/seats/{link}").content
        table = portal.call(server.manager.seat, link).table
        stored, last = table.live.state, dict(table.live._last_seen)
        for seat in range(3):
            own = [server.client.get(f"/api/seats/{token}").content for token in tokens]
            table.live._playback.continue_from(dealt_anew(table.live, seat, step))
            portal.call(table.notify)
            assert server.client.get(f"/api/seats/{link}").content == sent
            changed += [server.client.get(f"/api/seats/{token}").content for token in tokens] != own
            table.live._playback.continue_from(stored)
            table.live._last_seen = dict(last)
            portal.call(table.notify)
        server.play(*tokens, most=1, seed=step)
    assert changed or game["game"] == "my_city"  # choices that have no effect yet are not in the state
