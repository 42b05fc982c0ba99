"""Intervals against published values and first principles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ginkgo_agents.evaluation.statistics import student, student_between, wilson, win_shares
from ginkgo_env.core.errors import BatchError

from ..tiers import by_tier


@pytest.mark.parametrize(
    ("wins", "n", "low", "high"),
    [(15, 50, 0.1910, 0.4375), (8, 10, 0.4902, 0.9433), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0), (81, 263, 0.2553, 0.3662)],
)  # Newcombe 1998 (81/263: 0.2553 to 0.3662); the others as in tables of the score method
def test_wilson_known_values(wins, n, low, high):
    found = wilson(wins, n)
    assert found.mean == wins / n
    assert (found.low, found.high) == (pytest.approx(low, abs=1e-4), pytest.approx(high, abs=1e-4))


def test_wilson_agrees_with_scipy_and_takes_half_wins():
    for wins, n in ((3, 7), (500, 1000), (1, 300)):
        expected = stats.binomtest(wins, n).proportion_ci(method="wilson")
        assert wilson(wins, n)[1:] == pytest.approx((expected.low, expected.high), abs=1e-12)
    assert wilson(3, 7).low < wilson(3.5, 7).low < wilson(4, 7).low
    assert wilson(0, 0)[1:] == (0.0, 1.0)


def test_student_agrees_with_scipy():
    for n in (2, 3, 400):
        values = np.random.default_rng(n).normal(5, 2, n)
        found = student(values)
        assert found.mean == values.mean()
        assert found[1:] == pytest.approx(stats.t.interval(0.95, n - 1, values.mean(), stats.sem(values)), abs=1e-9)


@pytest.mark.parametrize("deals", by_tier([2, 3, 6, 30], [6]))
def test_student_covers_with_few_deals(deals):
    values = np.random.default_rng(deals).normal(5, 2, (4000, deals))
    found = np.array([student(row)[1:] for row in values])
    assert 0.94 < ((found[:, 0] < 5) & (found[:, 1] > 5)).mean() < 0.96


@pytest.mark.parametrize("n", [8, 32])
@pytest.mark.parametrize("rate", [0.01, 0.05, 0.5, 0.9, 0.97, 0.999])
def test_intervals_between_bounds_cover_rates_near_them(rate, n):
    """Of 8 games that are won with 0.97, Student's interval covers 22 in 100: the others are all won."""
    values = np.random.default_rng(n).random((400, n)) < rate
    found = np.array([student_between(row.astype(float), 0, 1)[1:] for row in values])
    assert ((found[:, 0] <= rate) & (found[:, 1] >= rate)).mean() > 0.9


@pytest.mark.parametrize("n", [2, 8, 32])
def test_values_at_the_bounds_or_all_equal_have_the_interval_of_wilson(n):
    for wins in range(n + 1):
        known = stats.binomtest(wins, n).proportion_ci(method="wilson")
        found = student_between((np.arange(n) < wins) * 4.0 - 3.0, -3.0, 1.0)
        assert found == pytest.approx((4 * wins / n - 3, 4 * known.low - 3, 4 * known.high - 3))
    mean, low, high = student_between(np.full(n, 0.5) + np.linspace(0, 1e-5, n), 0, 1)
    assert 0 < low < mean < high < 1
    assert high - low == pytest.approx(stats.binomtest(0, n).proportion_ci(method="wilson").high)
    spread = np.linspace(0.3, 0.6, n)
    assert student_between(spread, 0, 1) == student(spread)
    assert student_between(np.ones(1), 0, 1) == student(np.ones(1))


def test_student_without_spread():
    assert student(np.full(9, 3.0)) == (3.0, 3.0, 3.0)
    assert student(np.array([3.0])) == (3.0, -np.inf, np.inf)
    assert np.isnan(student(np.zeros(0))).all()


@pytest.mark.parametrize("shape", [(), (0,), (3, 0)])
def test_a_win_is_shared_among_sides(shape):
    with pytest.raises(BatchError, match="at least one side"):
        win_shares(np.zeros(shape))
    assert win_shares(np.array([[3, 3, 1], [0, 1, 0]])).tolist() == [[0.5, 0.5, 0], [0, 1, 0]]
