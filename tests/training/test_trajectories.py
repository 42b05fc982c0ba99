"""Advantages of each seat's own trajectory, against a slow reference that walks forward."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_env import BatchError
from ginkgo_training.trajectories import advantages_of


def slow(rewards, values, actors, done, last, gamma, lam):  # type: ignore[no-untyped-def]
    """For each decision: its own later decisions one by one, to the end of the game or of the data."""
    steps, rows = actors.shape
    out = np.zeros(values.shape)
    for b in range(rows):
        for t in range(steps):
            seat = actors[t, b]
            if seat < 0:
                continue
            total, weight, now, gained = 0.0, 1.0, values[t, b], 0.0
            for u in range(t, steps):
                if u > t and actors[u, b] == seat:
                    total = total + weight * (gained + gamma * values[u, b] - now)
                    weight, now, gained = weight * gamma * lam, values[u, b], 0.0
                gained = gained + rewards[u, b, seat]
                if done[u, b]:
                    total = total + weight * (gained - now)
                    break
            else:
                total = total + weight * (gained + gamma * last[b, seat] - now)
            out[t, b] = total
    return out


@pytest.mark.parametrize("components", [(), (2,)])
@pytest.mark.parametrize(("seats", "gamma", "lam"), [(1, 0.9, 0.5), (2, 1.0, 0.9), (3, 0.97, 1.0), (5, 1.0, 0.0)])
def test_advantages(seats: int, gamma: float, lam: float, components: tuple[int, ...]) -> None:
    random = np.random.default_rng(seats)
    steps, rows = 30, 7
    rewards = random.normal(size=(steps, rows, seats, *components))
    values, last = random.normal(size=(steps, rows, *components)), random.normal(size=(rows, seats, *components))
    actors = random.integers(-1, seats, size=(steps, rows))
    done = random.random((steps, rows)) < 0.1
    advantages, returns = advantages_of(rewards, values, actors, done, last, gamma=gamma, lam=lam)
    np.testing.assert_allclose(advantages, slow(rewards, values, actors, done, last, gamma, lam), atol=1e-9)
    live = actors >= 0
    np.testing.assert_allclose(returns[live], (advantages + values)[live])
    assert (advantages[~live] == 0).all()


def test_a_loss_reaches_the_loser() -> None:
    """Seat 0 decides, then seat 1 wins: seat 0's decision gets -1 though it did not act last."""
    rewards = np.array([[[0.0, 0.0]], [[-1.0, 1.0]]])
    advantages, _ = advantages_of(rewards, np.zeros((2, 1)), np.array([[0], [1]]), np.array([[False], [True]]), np.zeros((1, 2)))
    assert advantages.tolist() == [[-1.0], [1.0]]


@pytest.mark.parametrize("odd", [{"lam": -1.0}, {"gamma": float("inf")}, {"lam": float("nan")}])
def test_discounts_are_shares(odd: dict[str, float]) -> None:
    arrays = np.zeros((1, 1, 2)), np.zeros((1, 1)), np.zeros((1, 1), int), np.zeros((1, 1), bool), np.zeros((1, 2))
    with pytest.raises(BatchError, match="expected 0 to 1"):
        advantages_of(*arrays, **odd)
