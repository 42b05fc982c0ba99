"""Rewards from totals."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.rewards import RewardName, chosen_reward, final_rewards, margin, win

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
    assert not final_rewards("score", totals, totals).any()


def test_standings_tell_who_wins_and_scores_by_how_much() -> None:
    totals, standings = np.array([[50, 50, 60]]), np.array([[2, 1, -7]])
    assert final_rewards("win", totals, standings).tolist() == [[1, -0.5, -0.5]]
    assert final_rewards("margin", totals, standings).tolist() == margin(totals).tolist()


def test_names() -> None:
    names: tuple[RewardName, ...] = ("win", "margin", "score")
    assert [chosen_reward(name, sides) for name in names for sides in (2, 5)] == [name for name in names for _ in range(2)]
    assert chosen_reward(None, 2) == "win"
    with pytest.raises(ConfigError, match="win, margin, score"):
        chosen_reward("wins", 2)  # type: ignore[arg-type]


def test_a_side_alone_has_its_score_only() -> None:
    assert chosen_reward(None, 1) == chosen_reward("score", 1) == "score"
    for name in ("win", "margin"):
        with pytest.raises(ConfigError, match=f"{name}.*requires at least two.*use 'score'"):
            chosen_reward(name, 1)  # type: ignore[arg-type]
