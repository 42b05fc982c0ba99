"""Intervals against published values and first principles."""

from __future__ import annotations

import numpy as np
import pytest
from scipy import stats

from ginkgo_agents.statistics import bootstrap, resampled_counts, wilson


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


def test_bootstrap():
    values = np.random.default_rng(1).normal(5, 2, 400)
    found = bootstrap(values, seed=0)
    assert found.mean == values.mean()
    expected = stats.t.interval(0.95, 399, values.mean(), stats.sem(values))
    assert found[1:] == pytest.approx(expected, abs=0.03)
    assert found == bootstrap(values, seed=0) != bootstrap(values, seed=1)
    assert bootstrap(np.full(9, 3.0), seed=0) == (3.0, 3.0, 3.0)
    assert np.isnan(bootstrap(np.zeros(0), seed=0)).all()


def test_resampled_counts():
    counts = resampled_counts(7, 50, np.random.default_rng(0))
    assert counts.shape == (50, 7)
    assert (counts.sum(axis=1) == 7).all()
    assert (counts == counts.astype(int)).all()
    assert counts.mean(axis=0) == pytest.approx(np.ones(7), abs=0.6)
