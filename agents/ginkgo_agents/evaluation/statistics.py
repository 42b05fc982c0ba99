"""Intervals. The unit is the deal: one number for each deal, the mean over its games."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.imports import extra

Z95 = 1.959963984540054  # the 97.5 % quantile of the normal distribution
PERCENTS = (10, 50, 90)
"""The quantiles that are reported for scores in games without an opponent."""
_SAME = 0.001  # share of the range of values below which differences do not count


class Interval(NamedTuple):
    """A mean and the ends of its 95 % interval; an open end is infinite."""

    mean: float
    low: float
    high: float


def plain_interval(interval: Interval, digits: int = 6) -> dict[str, float | None]:
    """An interval as plain data, rounded, with None for what is not finite."""
    return {key: round(float(value), digits) + 0.0 if math.isfinite(value) else None for key, value in interval._asdict().items()}


def interval_text(ends: Iterable[float | None], digits: int = 1, scale: float = 1.0, sign: str = "", separator: str = ",") -> str:
    """A mean with the ends of its interval, as far as they are known and finite.

    >>> interval_text((0.5, 0.25, 0.75), scale=100), interval_text((2.0, None, None), sign="+")
    ('50.0 [25.0,75.0]', '+2.0')
    """
    known = [scale * end for end in ends if end is not None and math.isfinite(end)]
    mean, *texts = [f"{end:{sign if k == 0 else ''}z.{digits}f}" for k, end in enumerate(known)] or [""]
    return f"{mean} [{separator.join(texts)}]" if texts else mean


def win_shares(standings: NDArray[np.number[Any]]) -> NDArray[np.float64]:
    """The share of each side in the win, from standings (..., sides); ties share it equally."""
    best = standings == standings.max(axis=-1, keepdims=True)
    return np.asarray(best / best.sum(axis=-1, keepdims=True), np.float64)


def wilson(wins: float, n: float, z: float = Z95) -> Interval:
    """Wilson's score interval for a rate of n independent trials; a tie counts as half a win.

    >>> wilson(8, 10)
    Interval(mean=0.8, low=0.4901624715366, high=0.9433178485456)
    """
    if n == 0:
        return Interval(float("nan"), 0.0, 1.0)
    rate, square = wins / n, z * z / n
    middle = (rate + square / 2) / (1 + square)
    half = z * np.sqrt(max(0.0, rate * (1 - rate)) / n + square / n / 4) / (1 + square)
    return Interval(rate, round(max(0.0, float(middle - half)), 13), round(min(1.0, float(middle + half)), 13))


def quantiles(values: NDArray[np.int64]) -> dict[str, int]:
    """The smallest of the values (games,) that at least 10, 50 and 90 % do not exceed, by percentage.

    >>> quantiles(np.arange(1, 11))
    {'10': 1, '50': 5, '90': 9}
    """
    ends = np.quantile(values, [percent / 100 for percent in PERCENTS], method="inverted_cdf")
    return {str(percent): int(value) for percent, value in zip(PERCENTS, ends, strict=True)}


def student_quantile(freedom: int) -> float:
    """The 97.5 % quantile of Student's distribution. Raises MissingPackageError without SciPy."""
    with extra("eval"):
        from scipy import stats
    return float(stats.t.ppf(0.975, freedom))


def student(values: NDArray[np.float64]) -> Interval:
    """The mean of values (deals,), with Student's interval.

    Unlike the percentile bootstrap, it keeps its coverage even for few deals. With one deal both ends are infinite.
    Equal values in all deals give an interval of width 0: no difference has been observed, which does not prove that there is
    none. Values between known bounds have :func:`mean_rate`.

    >>> student(np.array([1.0, 2.0, 3.0]))
    Interval(mean=2.0, low=-0.4841377118, high=4.4841377118)
    """
    n = len(values)
    mean = float(values.mean()) if n else math.nan
    if n < 2:
        return Interval(mean, -math.inf, math.inf) if n else Interval(mean, mean, mean)
    half = student_quantile(n - 1) * float(values.std(ddof=1)) / math.sqrt(n)
    return Interval(mean, round(mean - half, 10), round(mean + half, 10))


def mean_rate(values: NDArray[np.float64], low: float = 0.0, high: float = 1.0, games: int | None = None) -> Interval:
    """The mean of rates (deals,), with Wilson's interval for the trials that the deals are worth.

    games : number of games of all deals; by default one each

    This is the interval of all rates. Deals are worth as many independent wins and losses as would vary as much as their mean
    does; this effective sample size is reduced by the ratio of Student's quantile to the normal one, as the variance is estimated
    (Korn and Graubard 1998). Two cases have no variance to estimate it by. If all games are won, or all lost, each game is a
    trial: games of duplicate deals are worth 1.0 trials each, on average over 232 results of the benchmark. If all deals have the
    same value between the bounds, others may differ from it as often as Wilson's interval for 0 in n allows, and by as much as
    the bounds allow. Values count as equal if they differ by less than a thousandth of the range.

    >>> mean_rate(np.ones(8), games=16)
    Interval(mean=1.0, low=0.8063923194656, high=1.0)
    """
    n, reach = len(values), high - low
    if not n:
        return Interval(math.nan, low, high)
    rates = (values - low) / reach
    mean, spread = float(values.mean()), float(rates.mean() * (1 - rates.mean()))
    if (np.minimum(rates, 1 - rates) < _SAME).all():
        trials: float = (games or n) if np.ptp(rates) < _SAME else n
    elif np.ptp(rates) < _SAME:
        others = wilson(0, n).high
        return Interval(mean, round(mean - others * (mean - low), 10), round(mean + others * (high - mean), 10))
    else:
        trials = spread * n / float(rates.var(ddof=1)) * (Z95 / student_quantile(n - 1)) ** 2
    ends = wilson(float(rates.mean()) * trials, trials)
    return Interval(mean, low + reach * ends.low, low + reach * ends.high)
