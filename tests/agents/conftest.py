"""Games and turns that the tests of the agents share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from ginkgo_agents.base import DecisionBatch
from ginkgo_env.core.batch import Batch
from ginkgo_env.registry import make_game

WORDS = np.random.SeedSequence(5).generate_state(1000, np.uint64)


def batch_after(steps: int, size: int, seed: int = 0, game: str = "ginkgopolis", **config: Any) -> Batch:
    """Games after so many random decisions."""
    batch = Batch(make_game(game, **config), size)
    batch.reset(seed=seed)
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


@pytest.fixture
def played() -> Callable[..., Batch]:
    """``played(steps, size, seed, game, **config)``: games after so many random decisions."""
    return batch_after


@pytest.fixture
def turn_of() -> Callable[[Batch], DecisionBatch]:
    """The turn of all rows in which a game goes on."""

    def make(batch: Batch) -> DecisionBatch:
        rows = np.flatnonzero(~batch.over)
        return DecisionBatch(batch, rows, WORDS[rows])

    return make
