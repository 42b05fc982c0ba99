"""Whole batches held against what an oracle shows (observations are written twice: by kernels and by oracles)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

import ginkgo_env


def no_chance(name: str, items: list[Any]) -> Any:
    """For oracles that have nothing to draw."""
    raise AssertionError(f"asked for {name}")


def check_views(batch: ginkgo_env.Batch, oracle_at: Callable[[dict[str, Any]], Any]) -> None:
    """Compare all blocks of all seats in all rows with the views of an oracle at the same position, and with the bounds."""
    game, (low, high) = batch.game, batch.game.observation.bounds(np.int64)
    oracles = [oracle_at(batch.position(row)) for row in range(batch.size)]
    for seat in range(game.seats):
        found = batch.observe(seat)
        assert (found >= low).all() and (found <= high).all()
        for row, oracle in enumerate(oracles):
            seen = ginkgo_env.Observation(game.observation, found[row])
            wanted = oracle.view(seat)
            assert list(wanted) == list(seen)
            for name, block in wanted.items():
                assert seen[name].tolist() == block, f"{name}, row {row}, seat {seat}"
