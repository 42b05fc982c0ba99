"""Ratings of made-up games."""

from __future__ import annotations

import itertools
import time

import choix
import numpy as np
import pytest

from ginkgo_agents.evaluation.bradley_terry import best_fit, design, differences, reachable
from ginkgo_agents.evaluation.matches import Played, Table, lineups
from ginkgo_agents.evaluation.ratings import ELO, pair_wins, rate
from ginkgo_agents.evaluation.statistics import wilson

from .tournaments import LINEUPS, LUCK, Setting, coverage, tournaments

NAMES = ["a", "b", "c"]


def games_of(lineup: tuple[str, ...], totals: np.ndarray) -> Played:
    """Games with the standings (deals, rotations, sides), which are the scores as well."""
    table = Table("ginkgopolis", lineup, {"players": len(lineup)})
    return Played(table, np.arange(len(totals), dtype=np.uint64), totals, totals)


def made_up(lineup: tuple[str, ...], strength: dict[str, float], deals: int, seed: int) -> Played:
    """Games whose scores are strengths and noise, with ties now and then."""
    rng = np.random.default_rng(seed)
    n = len(lineup)
    totals = rng.normal([strength[name] for name in lineup], 10, (deals, n, n)).round().astype(np.int64)
    return games_of(lineup, totals)


def shuffled(played: Played) -> Played:
    """The same deals in another order."""
    order = np.random.default_rng(0).permutation(played.deals)
    return Played(played.table, played.seeds[order], played.totals[order], played.standings[order])


def certain(lineup: tuple[str, ...], firsts: int, deals: int) -> Played:
    """Games of two or more in which each agent is before all later ones, but for the first deals, which go the other way."""
    n = len(lineup)
    totals = np.tile(np.arange(n, 0, -1), (deals, n, 1))
    totals[:firsts] = totals[:firsts, :, ::-1]
    return games_of(lineup, totals)


def elos(played: list[Played], names: list[str] = NAMES) -> dict[str, tuple[float, float, float]]:
    return {r.agent: tuple(r.elo) for r in rate(played, names, seed=0)}


@pytest.fixture
def games() -> list[Played]:
    strength = {"a": 0.0, "b": 5.0, "c": 12.0}
    return [made_up(pair, strength, 150, i) for i, pair in enumerate([("a", "b"), ("a", "c"), ("b", "c")])]


def test_the_better_agent_is_rated_higher(games):
    ratings = rate(games, NAMES, seed=0)
    assert [r.agent for r in ratings] == ["c", "b", "a"]
    assert [r.games for r in ratings] == [600] * 3
    assert [r.reference for r in ratings] == ["a"] * 3
    assert ratings[0].mu > ratings[1].mu > ratings[2].mu
    assert all(r.elo.low < r.elo.mean < r.elo.high for r in ratings[:2])
    assert ratings[2].elo == (0, 0, 0)


def test_ratings_depend_on_no_order(games):
    expected = rate(games, NAMES, seed=3)
    for order in itertools.permutations(range(3)):
        assert rate([shuffled(games[i]) for i in order], [NAMES[i] for i in order], seed=3) == expected


def test_ratings_do_not_depend_on_who_is_named_first_at_a_table():
    games = made_up(("a", "b", "c"), {"a": 0.0, "b": 5.0, "c": 12.0}, 30, 0)
    turned = games_of(("b", "c", "a"), np.roll(np.roll(games.standings, -1, axis=2), -1, axis=1))
    assert rate([turned], NAMES, seed=0) == rate([games], NAMES, seed=0)


def test_the_seed_orders_the_games_of_openskill_alone(games):
    one, two = rate(games, NAMES, seed=3), rate(games, NAMES, seed=4)
    assert one == rate(games, NAMES, seed=3) != two
    assert [r.elo for r in one] == [r.elo for r in two]


def test_the_best_fit_is_that_of_choix():
    wins = np.random.default_rng(0).integers(1, 30, (3, 5, 5)) * (1.0 - np.eye(5))
    reference = np.array([0, 2, 4])
    for w, r, found in zip(wins, reference, best_fit(wins, reachable(wins), reference), strict=True):
        expected = choix.ilsr_pairwise_dense(w)
        assert found == pytest.approx(expected - expected[r], abs=1e-6)


@pytest.mark.parametrize(("won", "games"), [(3, 6), (6, 6), (0, 6), (40, 100), (99, 100), (100, 100)])
def test_two_agents_get_the_interval_of_wilson(won, games):
    wins = np.zeros((1, 1, 2, 2))  # a single deal: dispersion 1
    wins[0, 0, 1, 0], wins[0, 0, 0, 1] = won, games - won
    found = differences(wins, design([([0, 1], games)], 2), np.array([0]))
    rate_of = wilson(won, games, z=2.1199052992)  # Student, 16 degrees of freedom
    with np.errstate(divide="ignore"):
        expected = [np.log(rate) - np.log1p(-rate) for rate in rate_of]
    assert [float(x[0, 1]) for x in found] == pytest.approx(expected, abs=1e-6)


def test_who_never_lost_gets_a_lower_end():
    lower = []
    for deals in (3, 12, 500):
        elo = elos(
            [certain(("c", "a"), 0, deals), certain(("c", "b"), 0, deals), made_up(("a", "b"), {"a": 0, "b": 0}, deals, 1)]
        )
        mean, low, high = elo["c"]
        assert mean == high == np.inf
        lower.append(low)
    assert 0 < lower[0] < lower[1] < lower[2] < np.inf
    few = 6 / (6 + 2.12**2)  # Wilson's lower end for 6 of 6, were there no other games
    assert lower[0] > ELO * np.log(few / (1 - few))


def test_who_never_won_is_the_mirror_image():
    up, down = (
        [certain(pair[::way], 0, 10) for pair in (("a", "c"), ("b", "c"))] + [certain(("a", "b"), 5, 10)] for way in (1, -1)
    )
    one, two = elos(up)["c"], elos(down)["c"]
    assert one == pytest.approx([-np.inf, -np.inf, -two[1]])
    assert two[0] == two[2] == np.inf


def test_groups_that_never_lost_to_each_other():
    pairs = itertools.product(("c", "d"), ("a", "b"))
    played = [certain(pair, 0, 20) for pair in pairs] + [certain(("a", "b"), 7, 20), certain(("c", "d"), 7, 20)]
    ratings = rate(played, ["d", "c", "b", "a"], seed=0)
    assert [r.agent for r in ratings] == ["c", "d", "a", "b"]
    assert {r.reference for r in ratings} == {"a"}
    for rating in ratings[:2]:
        assert rating.elo.mean == rating.elo.high == np.inf and 0 < rating.elo.low < np.inf
    assert np.isfinite(ratings[3].elo).all()


def test_the_reference_is_in_the_largest_group():
    played = [certain(("a", "b"), 0, 20), certain(("a", "c"), 0, 20), certain(("b", "c"), 7, 20)]
    assert {r.reference for r in rate(played, NAMES, seed=0)} == {"b"}


def test_who_never_met_is_not_compared():
    ratings = rate([certain(("a", "b"), 7, 20), certain(("c", "d"), 7, 20)], ["a", "b", "c", "d"], seed=0)
    elo = {r.agent: r.elo for r in ratings}
    assert [r.agent for r in ratings][:2] == ["a", "b"] and ratings[0].reference == "a"
    for name in "cd":
        assert np.isnan(elo[name].mean) and elo[name][1:] == (-np.inf, np.inf)


def test_who_met_through_another_is_compared():
    elo = elos([certain(("a", "b"), 7, 20), certain(("b", "c"), 7, 20)])
    assert np.isfinite(elo["c"]).all()
    assert elo["c"][2] - elo["c"][1] > elo["b"][2] - elo["b"][1]


def test_only_ties():
    played = certain(("a", "b"), 0, 20)
    played.totals[:] = 5
    mean, low, high = elos([played])["b"]
    assert mean == 0 and low == pytest.approx(-high) and high < 100


def test_dependent_games_widen_the_interval():
    played = made_up(("a", "b"), {"a": 0, "b": 4}, 200, 0)
    usual = elos([played])["b"]
    played.totals[:, 1] = played.totals[:, 0]  # each deal the same game twice
    wide = elos([played])["b"]
    assert 1.3 < (wide[2] - wide[1]) / (usual[2] - usual[1]) < 1.5


def test_pairs_of_a_table_with_many_seats():
    totals = np.array([[[5, 3, 3, 5]]])  # a, b, c, a
    wins = pair_wins(games_of(("a", "b", "c", "a"), totals), NAMES)[0]
    assert wins * 3 == pytest.approx(np.array([[0, 2, 2], [0, 0, 0.5], [0, 0.5, 0]]))


def test_an_agent_with_several_seats_can_be_rated():
    games = [made_up(("a", "b", "a"), {"a": 0.0, "b": 9.0}, 40, 0), made_up(("b", "a", "b"), {"a": 0.0, "b": 9.0}, 40, 1)]
    assert [r.agent for r in rate(games, NAMES, seed=0)] == ["b", "a"]


def test_standings_rank_and_scores_do_not(games):
    expected = rate(games, NAMES, seed=0)
    for played in games:
        played.totals = -played.standings
    assert rate(games, NAMES, seed=0) == expected


def test_nothing_to_rate(games):
    assert rate([], NAMES, seed=0) == []
    assert rate([games_of(("a",), np.zeros((1, 1, 2), np.int64))], NAMES, seed=0) == []


def test_rating_many_games_takes_seconds():
    strength = {name: 3.0 * i for i, name in enumerate("abcde")}
    played = [made_up(lineup, strength, 500, i) for i, lineup in enumerate(lineups("abcde", 2))]
    start = time.process_time()
    assert len(rate(played, list("abcde"), seed=0)) == 5
    assert time.process_time() - start < 10  # takes about 1


# --- coverage: the table is printed by tournaments.py ----------------------------------------------------------------------


FEW = [Setting(5, 2, 6), Setting(3, 5, 24, gap=250), Setting(2, 2, 1000, luck="agent", share=0.1)]
MANY = [
    Setting(agents, players, games, gap, random, luck, share)
    for agents, players in LINEUPS
    for games in (24, 200)
    for gap, random in ((100.0, False), (200.0, True))
    for luck, share in LUCK
]


def check(setting: Setting) -> None:
    found = coverage(setting)
    few_deals = setting.luck == "seat" and setting.games < 100  # the seats cancel, but so few deals do not show it
    assert 92 <= found.held <= (99 if few_deals else 98)
    assert 90 <= found.least <= found.most <= 99  # each agent's share of 500 alone: two standard errors are 2 %
    assert found.below < 5 and found.above < 5


@pytest.mark.parametrize("setting", FEW, ids=str)
def test_intervals_hold_the_truth(setting):
    check(setting)


@pytest.mark.exhaustive
@pytest.mark.parametrize("setting", MANY, ids=str)
def test_intervals_hold_the_truth_in_all_settings(setting):
    check(setting)


def test_the_lower_end_of_who_never_lost_holds_the_truth():
    true, reference, found = tournaments(Setting(2, 2, 24, gap=400, random=True, tournaments=4000))
    rows = np.arange(len(true))
    truth = (true - true[rows, reference][:, None])[rows, 1 - reference]
    low, high = found.low[rows, 1 - reference], found.high[rows, 1 - reference]
    unbeaten = np.isposinf(high)
    assert unbeaten.sum() > 500
    assert np.isfinite(low[unbeaten]).all()
    assert 0.975 < (truth > low)[unbeaten].mean() < 1
    assert 0.95 < ((low < truth) & (truth < high)).mean() < 0.98
