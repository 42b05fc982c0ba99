"""Observations of several numbers of players in one layout: what a seat sees stands at the same place, and nothing else."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import pytest

import ginkgo_env
from ginkgo_env import Batch, ConfigError, Observation, SeatPadding, make_game

GAMES: list[tuple[str, dict[str, Any], int]] = [
    ("ginkgopolis", {"players": 2}, 5),
    ("ginkgopolis", {"players": 3, "modules": ["events", "experts"]}, 5),
    ("golden_city", {"players": 2}, 4),
    ("my_city", {"players": 3}, 4),
]


def observed(name: str, config: dict[str, Any]) -> Batch:
    batch = Batch(make_game(name, **config), 8)
    batch.reset(seed=3)
    for _ in range(12):
        batch.step(batch.sample())
    return batch


@pytest.mark.parametrize(("name", "config", "players"), GAMES)
def test_numbers_keep_their_places_and_the_rest_is_zero(name: str, config: dict[str, Any], players: int) -> None:
    batch = observed(name, config)
    game, own = batch.game, batch.observe()
    padding = SeatPadding(game, players)
    padded = Observation(padding.layout, padding.pad(own))
    assert padded.vector.sum(dtype=np.int64) == own.sum(dtype=np.int64)
    for block, values in Observation(game.observation, own).items():
        if block == "events":
            first, n, more = 2, game.sides, players
            seats = [*range(first + n), *range(first + more, first + more + n)]
            assert np.array_equal(padded[block][:, seats], values)
        else:
            assert np.array_equal(padded[block][(slice(None), *map(slice, values.shape[1:]))], values)


def test_as_many_players_change_nothing() -> None:
    batch = observed("ginkgopolis", {"players": 5})
    assert np.array_equal(SeatPadding(batch.game, 5).pad(batch.observe()), batch.observe())


def test_as_a_wrapper_of_gymnasium() -> None:
    spaces = set()
    for players in (2, 3, 4, 5):
        env = gymnasium.make("ginkgo_env:ginkgo_env/Ginkgopolis-v0", players=players)
        game: Any = env.unwrapped
        padding = SeatPadding(game.game)
        wrapped: Any = gymnasium.wrappers.TransformObservation(env, padding.pad, padding.space)
        observation, _ = wrapped.reset(seed=1)
        assert wrapped.observation_space.contains(observation)
        spaces.add(str(wrapped.observation_space))
    assert len(spaces) == 1


def test_fewer_players_are_refused() -> None:
    with pytest.raises(ConfigError, match="invalid players 2; the layout would have 2 sides, the game has 3"):
        SeatPadding(make_game("ginkgopolis", players=3), 2)
    with pytest.raises(ginkgo_env.BatchError, match=r"invalid observations of shape \(7,\); expected \(..., 1757\)"):
        SeatPadding(make_game("ginkgopolis", players=2)).pad(np.zeros(7, np.uint8))
