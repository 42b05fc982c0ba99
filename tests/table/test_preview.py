"""Previews of actions: what the seat would gain, and nothing that it cannot know."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from ginkgo_env import Batch
from ginkgo_env.core.playback import Playback
from ginkgo_env.registry import OWN_GAMES, make_game
from ginkgo_table.hints import preview_at

from .browsing import Served, Visitor
from .served import ANN, BOB, LocalServer


def visited(name: str, every: int, most: int) -> Iterator[tuple[Any, Any, Any]]:
    """States of a random game of three, with their masks."""
    game, chance = make_game(name, players=3), np.random.default_rng(2)
    playback, steps = Playback(game), 0
    playback.start(9)
    while playback.actor is not None and steps < most:
        if steps % every == 0:
            yield game, playback.state(), playback.mask[0].copy()
        playback.play(int(chance.choice(np.flatnonzero(playback.mask[0]))))
        steps += 1


@pytest.mark.parametrize("name", OWN_GAMES)
@pytest.mark.parametrize(("every", "most"), [(9, 40), pytest.param(7, 400, marks=pytest.mark.full)])
def test_a_preview_tells_nothing_hidden(name: str, every: int, most: int) -> None:
    """States that the seat cannot tell apart have the same previews."""
    tried = 0
    for game, state, mask in visited(name, every, most):
        seat, actions = int(game.actor(state)[0]), np.flatnonzero(mask)
        for seed in (1, 2):
            batch = Batch(game, 1)
            batch.set_states([0], state)
            batch.resample(seat, seed=seed)
            for action in actions[:: max(1, len(actions) // 3)]:
                tried += 1
                assert preview_at(game, batch.state(0), int(action)) == preview_at(game, state, int(action))
    assert tried >= 12


def test_a_preview_is_what_happens_where_nothing_is_left_to_chance() -> None:
    """My City alone: the points after the action."""
    game, playback = make_game("my_city", players=1), Playback(make_game("my_city", players=1))
    playback.start(5)
    for _ in range(6):
        action = int(np.flatnonzero(playback.mask[0])[0])
        found = preview_at(game, playback.state(), action)["sources"]
        before = playback.game.points(playback.state())[0][0].tolist()
        playback.play(action)
        after = playback.game.points(playback.state())[0][0].tolist()
        assert [one["before"] for one in found] == [sum(before), *before]
        assert [one["least"] for one in found] == [one["most"] for one in found] == [sum(after), *after]


def test_only_who_decides_gets_previews(server: LocalServer) -> None:
    tokens = server.open(ANN, BOB, game="golden_city", options={"players": 2}, seed=None)
    mine, other = sorted(tokens, key=lambda token: server.view(token)["decision"] is None)
    decision = server.view(mine)["decision"]
    sent = {"decision": decision["number"], "action": decision["actions"][0]["id"]}
    before = server.view(mine)["version"]
    found = server.post(f"/api/seats/{mine}/preview", sent)
    assert found["sources"][0]["name"] == "total" and server.view(mine)["version"] == before
    server.post(f"/api/seats/{other}/preview", sent, 409)
    server.post(f"/api/seats/{mine}/preview", {**sent, "decision": 7}, 409)
    server.post(f"/api/seats/{mine}/preview", {**sent, "action": 10**6}, 422)


@pytest.mark.full
def test_the_page_shows_the_preview_of_what_is_chosen(served: Served, visitor: Visitor) -> None:
    (token,) = served.table("my_city", None, "random", seed=3)
    page = visitor.seat(token)
    page.click("#left-title")
    page.locator("#actions [role=option]").first.click()
    page.locator("#preview").wait_for(state="visible")
    assert page.locator("#preview").inner_text().startswith("Then: total")
