"""Environments that are stored as arrays and go on from them."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_env import ConfigError, make_game
from ginkgo_env.envs.learner import Learner
from ginkgo_env.envs.snapshot import restore, snapshot

from .playing import played

TWO = make_game(players=2, max_rounds=3)


@pytest.mark.parametrize("reward", ["win", pytest.param("score", marks=pytest.mark.full)])
def test_it_goes_on_as_the_original(reward: str) -> None:
    original, other = (Learner(TWO, 5, seat="random", reward=reward) for _ in range(2))  # type: ignore[arg-type]
    original.reset([1, 2, 3, 4, 5])
    played(original, 30)
    kept = snapshot(original)
    bytes_then = {name: array.tobytes() for name, array in kept.items()}
    after = played(original, 30, seed=1)
    assert {name: array.tobytes() for name, array in kept.items()} == bytes_then  # copies
    other.reset([6, 7, 8, 9, 10])
    restore(other, kept)
    assert played(other, 30, seed=1) == after and other.decisions == original.decisions


def test_another_size_or_game_is_refused() -> None:
    learner = Learner(TWO, 3)
    learner.reset([1, 2, 3])
    before = learner.batch.states.tobytes()
    for other in (Learner(TWO, 2), Learner(make_game(players=2, modules=["events"]), 3)):
        with pytest.raises(ConfigError, match="does not fit"):
            restore(learner, snapshot(other))
    kept = snapshot(learner)
    del kept["learner/_words"]
    with pytest.raises(ConfigError, match="_words"):
        restore(learner, kept)
    assert np.array_equal(learner.batch.states.tobytes(), before)
