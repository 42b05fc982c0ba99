"""Environments that are stored as arrays and go on from them."""

from __future__ import annotations

from typing import Any

import pytest

from ginkgo_env import ConfigError, make_game
from ginkgo_env.core.running_games import RunningGames
from ginkgo_env.envs.learner import Learner
from ginkgo_env.envs.snapshot import restore, snapshot

from .playing import played

TWO = make_game(players=2, max_rounds=3)


def learner_of(*arguments: Any, **options: Any) -> Learner:
    learner = Learner(*arguments, **options)
    RunningGames(learner.batch)
    return learner


@pytest.mark.parametrize("reward", ["win", pytest.param("score", marks=pytest.mark.full)])
def test_it_goes_on_as_the_original(reward: str) -> None:
    original, other = (learner_of(TWO, 5, seat="random", reward=reward) for _ in range(2))
    original.reset([1, 2, 3, 4, 5])
    played(original, 30)
    kept = snapshot(original)
    bytes_then = {name: array.tobytes() for name, array in kept.items()}
    after = played(original, 30, seed=1)
    assert {name: array.tobytes() for name, array in kept.items()} == bytes_then  # copies
    other.reset([6, 7, 8, 9, 10])
    restore(other, kept)
    assert played(other, 30, seed=1) == after and other.decisions == original.decisions


def test_without_actions_there_is_no_snapshot() -> None:
    with pytest.raises(ConfigError, match="RunningGames"):
        snapshot(Learner(TWO, 2))


def test_another_size_or_game_is_refused() -> None:
    learner = learner_of(TWO, 3)
    learner.reset([1, 2, 3])
    played(learner, 10)
    kept = snapshot(learner)
    for other in (learner_of(TWO, 2), learner_of(make_game(players=2, modules=["events"]), 3)):
        other.reset(list(range(other.batch.size)))
        played(other, 10)
        with pytest.raises(ConfigError, match="does not fit"):
            restore(learner, snapshot(other))
    restore(learner, kept)
    del kept["learner/words"]
    with pytest.raises(ConfigError, match="words"):
        restore(learner, kept)


@pytest.mark.parametrize(
    ("name", "change"),
    [
        ("games/actions", lambda array: array + 1),
        ("games/actions", lambda array: array[:-1]),
        ("games/actions", lambda array: array - array.max() - 1),
        ("games/actions", lambda array: array.astype("int64")),
        ("games/counts", lambda array: array + 2**62),
        ("games/counts", lambda array: array[::-1]),
        ("games/counts", lambda array: array - 1),
        ("games/seeds", lambda array: array + 1),
        ("learner/seats", lambda array: array + 1),
        ("learner/seats", lambda array: array - 1),
        ("learner/over", lambda array: array[:2]),
    ],
)
def test_other_values_are_refused(name: str, change: Any) -> None:
    learner = learner_of(TWO, 3)
    learner.reset([1, 2, 3])
    played(learner, 11)
    kept = snapshot(learner)
    kept[name] = change(kept[name])
    with pytest.raises(ConfigError, match="invalid snapshot"):
        restore(learner, kept)
