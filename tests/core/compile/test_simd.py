"""Four sets moved at once, against Python's integers."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.jit import entry
from ginkgo_env.core.compile.simd import LANES, add_moved


@entry
def move_all(sets: Any, distances: Any, out: Any) -> None:
    """Each set (n, 2) moved by each row of distances (K, 4), into out (n, 2, 4)."""
    for i in range(sets.shape[0]):
        for k in range(distances.shape[0]):
            add_moved(sets[i, 0], sets[i, 1], distances, k, out[i])


def test_sets_are_moved_by_any_distance() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        sets = rng.integers(0, 2**64, (5, 2), np.uint64)
        distances = rng.integers(0, 128, (3, LANES)).astype(np.int16)
        distances[0] = rng.choice([0, 1, 63, 64, 65, 127], LANES)
        out = np.zeros((5, 2, LANES), np.uint64)
        out[0, 0, 0] = 1 << 40  # what is there stays
        move_all(sets, distances, out)
        for i, (low, high) in enumerate(sets.tolist()):
            for lane in range(LANES):
                expected = (1 << 40) * (i == lane == 0)
                for distance in distances[:, lane].tolist():
                    expected |= (low | high << 64) >> distance
                assert int(out[i, 0, lane]) | int(out[i, 1, lane]) << 64 == expected
