"""Rewards from totals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.rewards import check_reward, final_rewards, margin, win

TOTALS = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 200), min_size=n, max_size=n), min_size=1, max_size=6)
)


def test_win() -> None:
    totals = np.array([[5, 3, 1], [5, 5, 1], [4, 4, 4]])
    assert win(totals).tolist() == [[1, -0.5, -0.5], [0.5, 0.5, -1], [0, 0, 0]]


def test_margin() -> None:
    assert margin(np.array([[50, 30], [10, 10]])).tolist() == [[pytest.approx(0.2), pytest.approx(-0.2)], [0, 0]]
    assert margin(np.array([[60, 30, 0]])).tolist() == [[pytest.approx(0.45), 0, pytest.approx(-0.45)]]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(TOTALS)
def test_zero_sum_and_order(rows: list[list[int]]) -> None:
    totals = np.array(rows)
    for paid in (win(totals), margin(totals)):
        assert paid.dtype == np.float32 and paid.shape == totals.shape
        assert np.allclose(paid.sum(axis=1), 0, atol=1e-5)
        for row in range(len(rows)):
            order = np.argsort(totals[row])
            assert (np.diff(paid[row][order]) >= -1e-6).all()
    assert not final_rewards("score", totals).any()


def test_names() -> None:
    for name in ("win", "margin", "score"):
        check_reward(name)
    with pytest.raises(ConfigError, match="win, margin, score"):
        check_reward("wins")
