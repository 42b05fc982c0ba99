"""Intervals. Everywhere the unit is the deal: a number for each deal, the mean over its games."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
PERCENT = (2.5, 97.5)
_SAMPLES = 2000
_CHUNK = 1 << 20  # numbers held at once


class Interval(NamedTuple):
    """A mean and the ends of its 95 % interval."""

    mean: float
    low: float
    high: float


def wilson(wins: float, n: int, z: float = Z95) -> Interval:
    """Wilson's score interval for a rate; wins need not be whole (a tie is half a win).

    With deals as trials it errs on the safe side: a deal of several games varies less than a single yes or no.

    >>> wilson(8, 10)
    Interval(mean=0.8, low=0.4901624715366, high=0.9433178485456)
    """
    if n == 0:
        return Interval(float("nan"), 0.0, 1.0)
    rate, square = wins / n, z * z / n
    middle = (rate + square / 2) / (1 + square)
    half = z * np.sqrt(rate * (1 - rate) / n + square / n / 4) / (1 + square)
    return Interval(rate, round(max(0.0, float(middle - half)), 13), round(min(1.0, float(middle + half)), 13))


def resampled_counts(n: int, samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """How often each of n deals is drawn in each sample of n with replacement: (samples, n), whole numbers."""
    drawn = rng.integers(n, size=(samples, n)) + np.arange(samples)[:, None] * n
    return np.bincount(drawn.ravel(), minlength=samples * n).reshape(samples, n).astype(np.float64)


def resampled_sums(values: NDArray[np.float64], samples: int, rng: np.random.Generator) -> NDArray[np.float64]:
    """Sums of values (deals, ...) over bootstrap samples of the deals: (samples, ...)."""
    n = len(values)
    chunk = max(1, _CHUNK // n)
    parts = [
        np.tensordot(resampled_counts(n, min(chunk, samples - start), rng), values, axes=1) for start in range(0, samples, chunk)
    ]
    return np.concatenate(parts)


def bootstrap(values: NDArray[np.float64], seed: int, samples: int = _SAMPLES) -> Interval:
    """The mean of values (deals,) and its percentile interval over bootstrap samples of the deals."""
    n = len(values)
    if n == 0:
        nan = float("nan")
        return Interval(nan, nan, nan)
    means = resampled_sums(values, samples, np.random.default_rng(seed)) / n
    low, high = np.percentile(means, PERCENT)
    return Interval(float(values.mean()), float(low), float(high))
