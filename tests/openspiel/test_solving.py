"""Small configurations of all games are solved: exact exploitability, which CFR lowers."""

from __future__ import annotations

import time

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.python.algorithms import cfr, exploitability, outcome_sampling_mccfr
from open_spiel.python.policy import UniformRandomPolicy

from .small import OPTIONS, small

pytestmark = pytest.mark.full


@pytest.mark.parametrize("name", OPTIONS)
def test_cfr_lowers_exploitability(name: str) -> None:
    game, started = small(name), time.process_time()
    before = exploitability.exploitability(game, UniformRandomPolicy(game))
    assert time.process_time() - started < 60
    solver = cfr.CFRSolver(game)
    for _ in range(10):
        solver.evaluate_and_update_policy()
    after = exploitability.exploitability(game, solver.average_policy())
    assert 0 <= after < before / 3


@pytest.mark.parametrize("name", OPTIONS)
def test_the_solver_in_c(name: str) -> None:
    """The solvers in C++ take Python games, and find the same."""
    game = small(name)
    solvers = cfr.CFRSolver(game), pyspiel.CFRSolver(game)
    for solver in solvers:
        for _ in range(2):
            solver.evaluate_and_update_policy()
    one, two = (exploitability.nash_conv(game, solver.average_policy()) for solver in solvers)
    assert one == pytest.approx(two)


def test_general_sum_utilities() -> None:
    """With points as utilities players do not only fight each other: NashConv."""
    game = small("my_city", "deals=4,reward=score")
    solver = cfr.CFRSolver(game)
    before = exploitability.nash_conv(game, UniformRandomPolicy(game))
    for _ in range(10):
        solver.evaluate_and_update_policy()
    assert exploitability.nash_conv(game, solver.average_policy()) < before / 3
    with pytest.raises(ValueError, match="zero-sum"):
        exploitability.exploitability(game, solver.average_policy())


def test_outcome_sampling(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(np.random, "choice", np.random.RandomState(1).choice)
    game = small("my_city")
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(game)
    before = exploitability.exploitability(game, UniformRandomPolicy(game))
    for _ in range(2000):
        solver.iteration()
    assert exploitability.exploitability(game, solver.average_policy()) < before


def test_outcome_sampling_of_a_whole_game() -> None:
    solver = outcome_sampling_mccfr.OutcomeSamplingSolver(pyspiel.load_game("python_my_city(deals=2,reward=win)"))
    solver.iteration()
    assert len(solver._infostates) > 10
