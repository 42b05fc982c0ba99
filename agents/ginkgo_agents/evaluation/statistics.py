"""Intervals. The unit is the deal: one number for each deal, the mean over its games."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from ginkgo_env.core.arguments import NATURAL, checked
from ginkgo_env.core.checks import shaped
from ginkgo_env.core.errors import BatchError

Z95 = float(stats.norm.ppf(0.975))
PERCENTS = (10, 50, 90)
"""The quantiles that are reported for scores in games without an opponent."""
_SAME = 0.001  # share of the range of values below which differences do not count


class Interval(NamedTuple):
    """A mean and the ends of its 95 % interval; an open end is infinite."""

    mean: float
    low: float
    high: float


@checked()
def win_shares(standings: NDArray[np.number[Any]]) -> NDArray[np.float64]:
    """The share of each side in the win, from standings (..., sides); ties share it equally."""
    if not standings.shape or not standings.shape[-1]:
        raise BatchError(f"invalid standings of shape {standings.shape}; expected (..., sides) for at least one side")
    best = standings == standings.max(axis=-1, keepdims=True)
    return np.asarray(best / best.sum(axis=-1, keepdims=True), np.float64)


@checked(n=NATURAL)
def wilson(wins: float, n: int, z: float = Z95) -> Interval:
    """Wilson's score interval for a rate; a tie counts as half a win.

    With deals as trials it is conservative: a deal of several games varies less than a single win or loss.

    >>> wilson(8, 10)
    Interval(mean=0.8, low=0.4901624715366, high=0.9433178485456)
    """
    if n == 0:
        return Interval(float("nan"), 0.0, 1.0)
    rate, square = wins / n, z * z / n
    middle = (rate + square / 2) / (1 + square)
    half = z * np.sqrt(rate * (1 - rate) / n + square / n / 4) / (1 + square)
    return Interval(rate, round(max(0.0, float(middle - half)), 13), round(min(1.0, float(middle + half)), 13))


@checked()
def quantiles(values: NDArray[np.int64]) -> dict[str, int]:
    """The smallest of the values (games,) that at least 10, 50 and 90 % do not exceed, by percentage.

    >>> quantiles(np.arange(1, 11))
    {'10': 1, '50': 5, '90': 9}
    """
    if not shaped(values, (None,), "values").size:
        raise BatchError("invalid values; expected at least one")
    ends = np.quantile(values, [percent / 100 for percent in PERCENTS], method="inverted_cdf")
    return {str(percent): int(value) for percent, value in zip(PERCENTS, ends, strict=True)}


@checked()
def student(values: NDArray[np.float64]) -> Interval:
    """The mean of values (deals,), with Student's interval.

    Unlike the percentile bootstrap, it keeps its coverage even for few deals. With one deal both ends are infinite.
    Equal values in all deals give an interval of width 0: no difference has been observed, which does not prove that there is
    none.

    >>> student(np.array([1.0, 2.0, 3.0]))
    Interval(mean=2.0, low=-0.4841377118, high=4.4841377118)
    """
    n = len(shaped(values, (None,), "values"))
    mean = float(values.mean()) if n else math.nan
    if n < 2:
        return Interval(mean, -math.inf, math.inf) if n else Interval(mean, mean, mean)
    half = float(stats.t.ppf(0.975, n - 1) * values.std(ddof=1) / math.sqrt(n))
    return Interval(mean, round(mean - half, 10), round(mean + half, 10))


@checked()
def student_between(values: NDArray[np.float64], low: float, high: float) -> Interval:
    """The mean of values from low to high, with Student's interval, or Wilson's where Student's fails.

    Values that all lie at the bounds are wins and losses: their interval is Wilson's. If all values are equal,
    values that were not drawn may still differ: as often as Wilson's interval for 0 in n allows, and by as much as the bounds
    allow. In both cases values count as equal if they differ by less than a thousandth of the range.

    >>> student_between(np.ones(8), 0.0, 1.0)
    Interval(mean=1.0, low=0.6755929240862, high=1.0)
    """
    interval, n, reach = student(values), len(values), high - low
    if n < 2:
        return interval
    rates = (values - low) / reach
    if (np.minimum(rates, 1 - rates) < _SAME).all():
        rate = wilson(float(rates.sum()), n)
        return Interval(interval.mean, low + reach * rate.low, low + reach * rate.high)
    if np.ptp(rates) > _SAME:
        return interval
    mean, others = interval.mean, wilson(0, n).high
    return Interval(mean, round(mean - others * (mean - low), 10), round(mean + others * (high - mean), 10))
