"""Uniform play against recorded figures, within sampling error.

``python -m tests.golden_city.test_figures`` prints the table of docs/trust.md.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.games.golden_city.constants import Ending

GAMES = 4000
RECORDED_GAMES = 1000  # behind the recorded figures


class Figures(NamedTuple):
    """Means over games, or over players of all games."""

    decisions: float
    rounds: float
    by_cards: float
    by_houses: float
    score: float
    winner: float
    outer: float
    inner: float
    goods: float
    rivers: float
    quarters: float
    bonus: float


KNOWN = {
    2: Figures(92, 15.8, 0.64, 0.36, 33, 42, 2.9, 0.4, 15.6, 5.6, 1.6, 6.8),
    3: Figures(130, 16.0, 0.97, 0.03, 38, 51, 6.7, 1.6, 14.8, 5.4, 3.6, 6.1),
    4: Figures(166, 15.9, 0.78, 0.21, 41, 57, 9.4, 3.3, 13.7, 5.0, 4.8, 5.2),
}
DIGIT = Figures(0.5, 0.05, 0.005, 0.005, 0.5, 0.5, *[0.05] * 6)
"""By how much a figure may be off because it was rounded."""


@cache
def measured(players: int) -> tuple[Figures, Figures]:
    """Figures of uniform play, and their standard errors over games."""
    batch = ginkgo_env.Batch(ginkgo_env.make_game("golden_city", players=players), GAMES)
    batch.reset(seed=2026)
    decisions = np.zeros(GAMES)
    while not batch.over.all():
        decisions += ~batch.over
        batch.step(batch.sample())
    points = batch.scores().astype(float)
    totals = points.sum(axis=2)
    sources = points.mean(axis=1)
    states = batch.states
    games = [
        *(decisions, states["rounds"], states["ending"] == Ending.CARDS, states["ending"] == Ending.HOUSES),
        *(totals.mean(axis=1), totals.max(axis=1), *sources[:, :5].T, sources[:, 5:].sum(axis=1)),
    ]
    return Figures(*(float(np.mean(each)) for each in games)), Figures(*(float(np.std(each) / GAMES**0.5) for each in games))


@pytest.mark.full
@pytest.mark.parametrize("players", KNOWN)
def test_uniform_play_meets_the_known_figures(players: int) -> None:
    ours, errors = measured(players)
    for name, mine, error, recorded, digit in zip(Figures._fields, ours, errors, KNOWN[players], DIGIT, strict=True):
        allowed = 3.5 * error * (1 + GAMES / RECORDED_GAMES) ** 0.5 + digit
        assert abs(mine - recorded) <= allowed, f"{name}: {mine:.2f} here, {recorded} recorded, at most {allowed:.2f} apart"


def main() -> None:
    """Print the table."""
    print("| uniform play | " + " | ".join(f"{n} players: here (standard error) | recorded" for n in KNOWN) + " |")
    print("|---" * (1 + 2 * len(KNOWN)) + "|")
    for k, name in enumerate(Figures._fields):
        cells = [f"{measured(n)[0][k]:.2f} ({measured(n)[1][k]:.2f}) | {KNOWN[n][k]}" for n in KNOWN]
        print(f"| {name.replace('_', ' ')} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
