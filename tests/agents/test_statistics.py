"""Intervals against published values and first principles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ginkgo_agents.evaluation.statistics import mean_rate, student, wilson, win_shares

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
    found = np.array([mean_rate(row.astype(float))[1:] for row in values])
    assert ((found[:, 0] <= rate) & (found[:, 1] >= rate)).mean() > 0.9


@pytest.mark.parametrize("n", [2, 8, 32])
def test_single_wins_and_losses_have_the_interval_of_wilson(n):
    for wins in range(n + 1):
        known = stats.binomtest(wins, n).proportion_ci(method="wilson")
        found = mean_rate((np.arange(n) < wins) * 4.0 - 3.0, -3.0, 1.0)
        assert found == pytest.approx((4 * wins / n - 3, 4 * known.low - 3, 4 * known.high - 3))


@pytest.mark.parametrize("n", [1, 2, 8, 32])
def test_equal_rates_have_an_interval_of_positive_width(n):
    mean, low, high = mean_rate(np.full(n, 0.5) + np.linspace(0, 1e-5, n))
    assert 0 < low < mean < high < 1
    assert high - low == pytest.approx(stats.binomtest(0, n).proportion_ci(method="wilson").high)
    assert np.isnan(mean_rate(np.zeros(0)).mean)


def test_games_of_deals_that_are_all_lost_are_trials():
    """After 300 losses in 15 deals, the same as after 299 losses and a win, but for that win."""
    none, one = np.zeros(15), np.eye(15)[0] / 20
    assert mean_rate(none, games=300)[1:] == wilson(0, 300)[1:]
    assert mean_rate(1 - none, games=300)[1:] == wilson(300, 300)[1:]
    assert mean_rate(one, games=300).high == pytest.approx(wilson(1, 300).high, abs=0.005)


def test_rates_far_from_the_bounds_have_nearly_the_interval_of_student_and_none_passes_them():
    values = np.random.default_rng(3).uniform(0.3, 0.7, 100)
    assert mean_rate(values)[1:] == pytest.approx(student(values)[1:], abs=0.002)
    near = np.array([1.0] * 12 + [0.5])
    assert student(near).high > 1 > mean_rate(near).high > near.mean()


@pytest.mark.parametrize("deals", by_tier([5, 15, 60], [15]))
@pytest.mark.parametrize("rate", [0.03, 0.2, 0.5])
def test_intervals_of_duplicate_deals_cover(rate, deals):
    """Whether the games of a deal depend on each other or not."""
    rng = np.random.default_rng(deals)
    own = [np.full((400, deals), rate), rng.beta(2 * rate, 2 * (1 - rate), (400, deals))]
    for chances in own:
        values = rng.binomial(2, chances) / 2
        found = np.array([mean_rate(row, games=2 * deals)[1:] for row in values])
        assert ((found[:, 0] <= rate) & (found[:, 1] >= rate)).mean() > 0.9


def test_student_without_spread():
    assert student(np.full(9, 3.0)) == (3.0, 3.0, 3.0)
    assert student(np.array([3.0])) == (3.0, -np.inf, np.inf)
    assert np.isnan(student(np.zeros(0))).all()


def test_a_win_is_shared_among_sides():
    assert win_shares(np.array([[3, 3, 1], [0, 1, 0]])).tolist() == [[0.5, 0.5, 0], [0, 1, 0]]
