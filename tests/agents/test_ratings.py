"""Ratings of made-up games."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_agents.arena import Played, Table
from ginkgo_agents.ratings import elo_points, pair_wins, rate

NAMES = ["a", "b", "c"]


def made_up(lineup: tuple[str, ...], strength: dict[str, float], deals: int, seed: int) -> Played:
    """Games whose scores are strengths and noise, with ties now and then."""
    rng = np.random.default_rng(seed)
    n = len(lineup)
    totals = rng.normal([strength[name] for name in lineup], 10, (deals, n, n)).round().astype(np.int64)
    return Played(Table(lineup, n), np.arange(deals, dtype=np.uint64), totals)


def shuffled(played: Played) -> Played:
    """The same deals in another order, and the rotations of each too."""
    order = np.random.default_rng(0).permutation(played.deals)
    return Played(played.table, played.seeds[order], played.totals[order][:, ::-1])


@pytest.fixture
def games() -> list[Played]:
    strength = {"a": 0.0, "b": 5.0, "c": 12.0}
    return [made_up(pair, strength, 150, i) for i, pair in enumerate([("a", "b"), ("a", "c"), ("b", "c")])]


def test_the_better_agent_is_rated_higher(games):
    ratings = rate(games, NAMES, seed=0)
    assert [r.agent for r in ratings] == ["c", "b", "a"]
    assert [r.games for r in ratings] == [600] * 3
    assert ratings[0].mu > ratings[1].mu > ratings[2].mu
    assert all(r.elo.low < r.elo.mean < r.elo.high for r in ratings)
    assert np.mean([r.elo.mean for r in ratings]) == pytest.approx(1500)


def test_elo_points_do_not_depend_on_the_order_of_games(games):
    elo = {r.agent: r.elo.mean for r in rate(games, NAMES, seed=0)}
    other = {r.agent: r.elo.mean for r in rate([shuffled(g) for g in reversed(games)], NAMES, seed=5)}
    assert elo == pytest.approx(other, abs=1e-6)


def test_the_same_seed_gives_the_same_ratings(games):
    assert rate(games, NAMES, seed=3) == rate(games, NAMES, seed=3) != rate(games, NAMES, seed=4)


def test_elo_points_of_two_agents_are_their_odds():
    points = elo_points(np.array([[0.0, 30.0], [10.0, 0.0]]))
    assert points[0] - points[1] == pytest.approx(400 * np.log10(30.5 / 10.5))
    never = elo_points(np.array([[0.0, 100.0], [0.0, 0.0]]))
    assert np.isfinite(never).all()


def test_pairs_of_a_table_with_many_seats():
    totals = np.array([[[5, 3, 3, 5]]])  # a, b, c, a
    wins = pair_wins(Played(Table(("a", "b", "c", "a"), 4), np.zeros(1, np.uint64), totals), NAMES)[0]
    assert wins * 3 == pytest.approx(np.array([[0, 2, 2], [0, 0, 0.5], [0, 0.5, 0]]))


def test_an_agent_with_several_seats_can_be_rated():
    games = [made_up(("a", "b", "a"), {"a": 0.0, "b": 9.0}, 40, 0), made_up(("b", "a", "b"), {"a": 0.0, "b": 9.0}, 40, 1)]
    assert [r.agent for r in rate(games, NAMES, seed=0)] == ["b", "a"]


def test_nothing_to_rate(games):
    assert rate([], NAMES, seed=0) == []
    assert rate([Played(Table(("a",), 1), np.zeros(1, np.uint64), np.zeros((1, 1, 2), np.int64))], NAMES, seed=0) == []
