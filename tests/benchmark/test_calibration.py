"""What ``search`` expects of positions comes about, also for seats that choose after others whose choices are hidden."""

from __future__ import annotations

from pathlib import Path
from runpy import run_path
from typing import Any

import pytest

import ginkgo_env
from ginkgo_agents.pretrained import models_of

SCRIPT: dict[str, Any] = run_path(str(Path(__file__).parents[2] / "benchmarks" / "calibration.py"))
GAME = ginkgo_env.make_game("my_city", players=2)


@pytest.mark.full
def test_expected_wins_are_actual_wins() -> None:
    """In My City, where the second seat is promised too much if the first one is taken to choose at random."""
    found = SCRIPT["expectations"](GAME, games=100, simulations=16, seed=1)
    again, as_resampled = found.expected.T
    for seat in (0, 1):
        own = found.seats == seat
        assert abs(again[own].mean() - found.won[own].mean()) < 0.1, "beyond two standard errors of 100 games"
    second = found.seats == 1
    assert as_resampled[second].mean() > again[second].mean() + 0.05
    assert (again[~second] == as_resampled[~second]).all(), "nothing is hidden from the first seat"
    assert 0.97 < sum(again[found.seats == seat].mean() for seat in (0, 1)) < 1.06
    brier = ((found.expected - found.won[:, None]) ** 2).mean(axis=0)
    assert brier[0] < brier[1]
    best = SCRIPT["TEMPERATURES"][found.likelihoods.mean(axis=1).argmax()]
    assert 0.7 < best / models_of("search", GAME)[2].belief < 1.5, "the temperature of the manifest or the next one"


def test_an_even_share_of_three_players_is_a_third() -> None:
    found = SCRIPT["expectations"](ginkgo_env.make_game("my_city", players=3), games=4, simulations=4, seed=1)
    assert 0.25 < found.expected.mean() < 0.45
