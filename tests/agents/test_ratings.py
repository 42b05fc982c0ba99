"""Ratings of made-up games."""

from __future__ import annotations

import itertools
import math
import time

import choix
import numpy as np
import pytest
from scipy import optimize, stats
from scipy.special import logsumexp

from ginkgo_agents.evaluation.matches import MatchConfig, MatchResults, lineups
from ginkgo_agents.evaluation.ratings import ELO, first_places, rate, strengths

from .tournaments import LINEUPS, LUCK, Setting, coverage, tournaments

NAMES = ["a", "b", "c"]


def games_of(lineup: tuple[str, ...], totals: np.ndarray) -> MatchResults:
    """Games with the standings (deals, rotations, sides), which are the scores as well."""
    table = MatchConfig("ginkgopolis", lineup, {"players": len(lineup)})
    return MatchResults(table, np.arange(len(totals), dtype=np.uint64), totals, totals)


def made_up(lineup: tuple[str, ...], strength: dict[str, float], deals: int, seed: int) -> MatchResults:
    """Games whose scores are strengths and noise, with ties now and then."""
    rng = np.random.default_rng(seed)
    n = len(lineup)
    totals = rng.normal([strength[name] for name in lineup], 10, (deals, n, n)).round().astype(np.int64)
    return games_of(lineup, totals)


def shuffled(played: MatchResults) -> MatchResults:
    """The same deals in another order."""
    order = np.random.default_rng(0).permutation(played.deals)
    return MatchResults(played.match, played.seeds[order], played.totals[order], played.standings[order])


def certain(lineup: tuple[str, ...], firsts: int, deals: int) -> MatchResults:
    """Games of two or more in which each agent is before all later ones, but for the first deals, which go the other way."""
    n = len(lineup)
    totals = np.tile(np.arange(n, 0, -1), (deals, n, 1))
    totals[:firsts] = totals[:firsts, :, ::-1]
    return games_of(lineup, totals)


def elos(played: list[MatchResults], names: list[str] = NAMES) -> dict[str, tuple[float, float, float]]:
    return {r.agent: tuple(r.elo) for r in rate(played, names, seed=0)}


@pytest.fixture
def games() -> list[MatchResults]:
    strength = {"a": 0.0, "b": 5.0, "c": 12.0}
    return [made_up(pair, strength, 150, i) for i, pair in enumerate([("a", "b"), ("a", "c"), ("b", "c")])]


def test_the_better_agent_is_rated_higher(games):
    ratings = rate(games, NAMES, seed=0)
    assert [r.agent for r in ratings] == ["c", "b", "a"]
    assert [r.games for r in ratings] == [600] * 3
    assert [r.reference for r in ratings] == ["a"] * 3
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


def test_the_seed_changes_the_intervals_alone(games):
    one, two = rate(games, NAMES, seed=3), rate(games, NAMES, seed=4)
    assert one == rate(games, NAMES, seed=3) != two
    assert [r.elo.mean for r in one] == [r.elo.mean for r in two]
    for a, b in zip(one, two, strict=True):
        assert a.elo[1:] == pytest.approx(b.elo[1:], abs=5)


def test_the_strengths_are_those_of_choix():
    rng, names = np.random.default_rng(0), ["a", "b", "c", "d"]
    played = []
    for lineup in (*lineups(names, 2), *lineups(names, 3), *lineups(names, 4)):
        standings = rng.random((10, len(lineup), len(lineup))).argsort(axis=2)
        played.append(games_of(lineup, standings))
    orders = [
        [names.index(p.match.agents[seat]) for seat in np.argsort(-row)]
        for p in played
        for row in p.standings.reshape(-1, len(p.match.agents))
    ]
    firsts = first_places(played, names)
    found = strengths(firsts.sets, firsts.counts.sum(axis=0)[None], firsts.seats.sum(axis=0)[None], np.zeros(len(names)))[0]
    assert found == pytest.approx(choix.opt_rankings(4, orders), abs=1e-5)


@pytest.mark.parametrize("lineup", [("a", "b", "c"), ("a", "b", "a", "c"), ("b", "a", "b", "c", "a")], ids="".join)
def test_ties_are_the_mean_over_the_orders_that_they_leave_open(lineup):
    standings = np.random.default_rng(1).integers(0, 3, (6, len(lineup), len(lineup)))
    agents = np.array([NAMES.index(name) for name in lineup])
    orders = [
        [order for order in itertools.permutations(range(len(lineup))) if (np.diff(row[list(order)]) <= 0).all()]
        for row in standings.reshape(-1, len(lineup))
    ]
    finished = agents[[order for game in orders for order in game]]  # (orders, places)
    weights = np.concatenate([np.full(len(game), 1 / len(game)) for game in orders])

    def surprise(x):
        own = x[finished]
        return sum((logsumexp(own[:, k:], axis=1) - own[:, k]) @ weights for k in range(len(lineup))) + x.sum() ** 2

    firsts = first_places([games_of(lineup, standings)], NAMES)
    found = strengths(firsts.sets, firsts.counts.sum(axis=0)[None], firsts.seats.sum(axis=0)[None], np.zeros(3))[0]
    assert found == pytest.approx(optimize.minimize(surprise, np.zeros(3)).x, abs=1e-4)


@pytest.mark.parametrize(("won", "games"), [(60, 120), (115, 120), (120, 120), (0, 120)])
def test_two_agents_and_one_game_a_deal_get_the_interval_of_jeffreys(won, games):
    standings = np.zeros((games, 1, 2), np.int64)
    standings[:won, :, 1], standings[won:, :, 0] = 1, 1
    mean, low, high = elos([games_of(("a", "b"), standings)])["b"]
    rates = stats.beta.ppf([0.025, 0.975], won + 0.5, games - won + 0.5)
    assert mean == pytest.approx(ELO * math.log((won + 0.5) / (games - won + 0.5)), abs=1e-4)
    assert [low, high] == pytest.approx([ELO * math.log(rate / (1 - rate)) for rate in rates], rel=0.1, abs=12)


def test_who_never_lost_is_finite_with_an_interval_of_positive_width():
    lower = []
    for deals in (3, 12, 500):
        mean, low, high = elos(
            [certain(("c", "a"), 0, deals), certain(("c", "b"), 0, deals), made_up(("a", "b"), {"a": 0, "b": 0}, deals, 1)]
        )["c"]
        assert low + 100 < mean < high - 100 and math.isfinite(high)
        lower.append(low)
    assert lower[0] < 0 < lower[1] < lower[2]  # three deals prove nothing


def test_who_never_won_is_the_mirror_image():
    up, down = (
        [certain(pair[::way], 0, 10) for pair in (("a", "c"), ("b", "c"))] + [certain(("a", "b"), 5, 10)] for way in (1, -1)
    )
    one, two = elos(up)["c"], elos(down)["c"]
    assert one[0] == pytest.approx(-two[0])
    assert [-one[2], -one[1]] == pytest.approx(two[1:], rel=0.15)


def test_groups_that_never_lost_to_each_other():
    pairs = itertools.product(("c", "d"), ("a", "b"))
    played = [certain(pair, 0, 20) for pair in pairs] + [certain(("a", "b"), 7, 20), certain(("c", "d"), 7, 20)]
    ratings = rate(played, ["d", "c", "b", "a"], seed=0)
    assert [r.agent for r in ratings] == ["c", "d", "a", "b"]
    assert {r.reference for r in ratings} == {"a"}
    for rating in ratings[:2]:
        assert 100 < rating.elo.low < rating.elo.mean < rating.elo.high
    assert np.isfinite(ratings[3].elo).all()


def test_the_reference_is_in_the_largest_group():
    played = [certain(("a", "b"), 0, 20), certain(("a", "c"), 0, 20), certain(("b", "c"), 7, 20)]
    assert {r.reference for r in rate(played, NAMES, seed=0)} == {"b"}


def test_who_never_met_has_a_wide_interval_around_even():
    ratings = rate([certain(("a", "b"), 7, 20), certain(("c", "d"), 7, 20)], ["a", "b", "c", "d"], seed=0)
    elo = {r.agent: r.elo for r in ratings}
    assert {r.reference for r in ratings} == {"a"}
    for name in "cd":
        assert abs(elo[name].mean) < 200 and elo[name].low < -500 and elo[name].high > 500


def test_who_met_through_another_is_compared():
    elo = elos([certain(("a", "b"), 7, 20), certain(("b", "c"), 7, 20)])
    assert np.isfinite(elo["c"]).all()
    assert elo["c"][2] - elo["c"][1] > elo["b"][2] - elo["b"][1]


def test_only_ties():
    played = certain(("a", "b"), 0, 20)
    played.totals[:] = 5
    mean, low, high = elos([played])["b"]
    assert mean == 0 and low == pytest.approx(-high, rel=0.3) and 0 < high < 100


def test_dependent_games_widen_the_interval():
    played = made_up(("a", "b"), {"a": 0, "b": 4}, 200, 0)
    usual = elos([played])["b"]
    played.totals[:, 1] = played.totals[:, 0]  # each deal the same game twice
    wide = elos([played])["b"]
    assert 1.3 < (wide[2] - wide[1]) / (usual[2] - usual[1]) < 1.55


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


FEW = [Setting(5, 2, 24, tournaments=100), Setting(3, 5, 24, gap=250), Setting(2, 2, 1000, luck="agent", share=0.1)]
MANY = [
    Setting(agents, players, games, gap, random, luck, share, tournaments=500)
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


@pytest.mark.full
@pytest.mark.parametrize("setting", FEW, ids=str)
def test_intervals_hold_the_truth(setting):
    check(setting)


@pytest.mark.exhaustive
@pytest.mark.parametrize("setting", MANY, ids=str)
def test_intervals_hold_the_truth_in_all_settings(setting):
    check(setting)


@pytest.mark.full
def test_the_lower_end_of_who_never_lost_holds_the_truth():
    held, unbeaten = [], []
    for true, ratings in tournaments(Setting(2, 2, 24, gap=400, random=True, tournaments=200)):
        (elo,) = [r.elo for r in ratings if r.agent != r.reference]
        names = {r.agent: true[r.agent] - true[r.reference] for r in ratings if r.agent != r.reference}
        (truth,) = names.values()
        held.append(elo.low < truth < elo.high)
        if elo.mean > ELO * math.log(23.9 / 0.6):
            unbeaten.append(truth > elo.low)
    assert len(unbeaten) > 40
    assert 0.95 <= np.mean(unbeaten) <= 1
    assert 0.95 <= np.mean(held) <= 0.99
