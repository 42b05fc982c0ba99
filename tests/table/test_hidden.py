"""What is sent to a seat tells nothing that the seat cannot know."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_env import Batch
from ginkgo_table.live import LiveGame

from .served import ANN, BOB, SessionManager, until


def dealt_anew(live: LiveGame, view: int, seed: int) -> Any:
    """A state in which everything that a seat cannot know is dealt anew."""
    batch = Batch(live.game, 1)
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


@pytest.mark.parametrize(("game", "every", "most"), GAMES)
def test_what_is_sent_to_a_seat_tells_nothing_hidden(house: SessionManager, game: dict[str, Any], every: int, most: int) -> None:
    """Of a whole game, or of its beginning; the views of others, who know what is dealt anew, do change."""
    tokens = house.open(ANN, BOB, {"name": "Eve", "agent": "random"}, **game)
    portal = house.client.portal
    assert portal is not None
    with house.stream(tokens[0]) as stream:
        steps, changed = 0, 0
        while steps < most and house.settled(tokens[0])["result"] is None:
            house.play(*tokens, most=every, seed=steps)
            steps += 1
            if house.settled(tokens[0])["result"] is not None:
                break
            sent = house.client.get(f"/api/seats/{tokens[0]}").content
            until(lambda sent=sent: stream.bodies[-1:] == [sent])
            others = house.client.get(f"/api/seats/{tokens[1]}").content
            room = portal.call(house.house.seat, tokens[0]).room
            kept, events = room.live.state, len(stream.bodies)
            room.live._playback.continue_from(dealt_anew(room.live, 0, steps))
            portal.call(room.tell)
            assert house.client.get(f"/api/seats/{tokens[0]}").content == sent
            changed += house.client.get(f"/api/seats/{tokens[1]}").content != others
            assert len(stream.bodies) == events and stream.bodies[-1] == sent
            room.live._playback.continue_from(kept)
            portal.call(room.tell)
    assert steps >= min(most, 4) and changed
