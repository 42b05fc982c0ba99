"""The kinds of observation that show features."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_env import Batch, make_game
from ginkgo_env.envs.observation_writer import ObservationWriter, RowSubset

TWO = make_game(players=2)


@pytest.mark.parametrize("kind", ["features", "both"])
def test_features_as_the_batch_gives_them(kind: str) -> None:
    batch = Batch(TWO, 3)
    for _ in range(20):
        batch.step(batch.sample())
    view, seats = ObservationWriter(TWO, kind), np.array([1, 0, 1])
    out = view.empty(3)
    view.write(batch, seats, out)
    parts = [batch.features(seats)] if kind == "features" else [batch.observe(seats), batch.features(seats)]
    assert isinstance(out, np.ndarray) and out.dtype == np.float32
    assert np.array_equal(out, np.concatenate(parts, axis=1))
    assert all(view.space.contains(row) for row in out)
    assert np.array_equal(view.rows(RowSubset(batch), np.array([2, 0]), seats[[2, 0]]), out[[2, 0]])  # type: ignore[arg-type]
