"""Duplicate matches."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_agents.evaluation.matches import MatchConfig, MatchResults, choice_keys, deal_seeds, lineups, play_match
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.game import Game
from ginkgo_env.registry import make_game

NAMES = ("random", "greedy", "william")


def table(*lineup: str, **options: object) -> MatchConfig:
    """A table of Ginkgopolis with as many players as agents."""
    return MatchConfig("ginkgopolis", lineup, {"players": len(lineup), **options})


def replayed(played: MatchResults) -> list[tuple[list[str], list[int]]]:
    """Who sat where in the kept games, and their scores by seat, played again from seed and actions."""
    found = []
    for kept in played.recorded:
        batch = Batch(make_game("ginkgopolis", **kept.config), 1)
        batch.reset([kept.seed])
        for action in kept.actions:
            batch.step([action])
        assert batch.over.all()
        found.append((list(kept.players), batch.totals[0].tolist()))
    return found


@pytest.mark.parametrize("lineup", [("random", "william"), ("random", "william", "random", "william", "random")], ids=len)
def test_each_deal_is_played_in_every_rotation(lineup):
    n = len(lineup)
    played = play_match(table(*lineup), 3, seed=2, record=2 * n)
    assert played.totals.shape == (3, n, n)
    for game, (players, scores) in enumerate(replayed(played)):
        deal, rotation = divmod(game, n)
        assert played.recorded[game].seed == played.seeds[deal]
        assert players == [lineup[(seat + rotation) % n] for seat in range(n)]
        assert scores == [played.totals[deal, rotation, (seat + rotation) % n] for seat in range(n)]


def test_alone():
    played = play_match(table("william", level="advanced"), 4, seed=2, record=4)
    assert [scores for _, scores in replayed(played)] == played.totals[:, 0].tolist()
    assert [k.config["level"] for k in played.recorded] == ["advanced"] * 4


@pytest.mark.full
def test_the_first_deals_do_not_depend_on_how_many_are_played_nor_on_threads():
    pair = table("random", "greedy")
    few, many = play_match(pair, 5, seed=7), play_match(pair, 20, seed=7, threads=3)
    assert np.array_equal(few.totals, many.totals[:5])
    assert not np.array_equal(few.totals, play_match(pair, 5, seed=8).totals)


def test_chunks_join(monkeypatch):
    three = table("random", "william", "random")
    whole = play_match(three, 10, seed=1, record=20)
    monkeypatch.setattr("ginkgo_agents.evaluation.matches._CHUNK", 9)
    parts = play_match(three, 10, seed=1, record=20)
    assert np.array_equal(whole.totals, parts.totals)
    assert np.array_equal(whole.standings, parts.standings)
    assert np.array_equal(whole.seeds, parts.seeds)
    assert whole.recorded == parts.recorded


def test_all_tables_play_the_same_deals():
    one, two = play_match(table("random", "william"), 3, seed=1), play_match(table("william", "william"), 3, seed=1)
    assert np.array_equal(one.seeds, two.seeds)
    keys = (choice_keys(1, one.match.game_object, 25, name) for name in ("random", "william"))
    assert len({*deal_seeds(1, 2, 50), *next(keys), *next(keys)}) == 100


def test_results_do_not_depend_on_who_is_named_first():
    one, two = (play_match(table(*lineup), 4, seed=3) for lineup in (("random", "william"), ("william", "random")))
    assert np.array_equal(one.totals[:, 0], two.totals[:, 1, ::-1])  # the same agents on the same seats
    assert np.array_equal(one.totals[:, 1], two.totals[:, 0, ::-1])
    three = [play_match(table(*lineup), 2, seed=3) for lineup in (NAMES, (*NAMES[1:], NAMES[0]))]
    assert np.array_equal(three[0].totals, np.roll(np.roll(three[1].totals, 1, axis=2), 1, axis=1))


def test_no_two_games_of_a_deal_are_the_same():
    played = play_match(table("random", "william", "random", "william"), 6, seed=1, record=24)
    assert len({kept.actions for kept in played.recorded}) == 24  # rotations 0 and 2 have the same agents on the same seats


def test_seats_that_do_not_matter_are_not_rotated(monkeypatch):
    monkeypatch.setattr(Game, "seats_matter", False)
    played = play_match(table("random", "william", "random"), 5, seed=1, record=2)
    assert played.totals.shape == played.standings.shape == (5, 1, 3)
    assert (played.deals, played.games) == (5, 5)
    assert [kept.players for kept in played.recorded] == [("random", "william", "random")] * 2
    assert [scores for _, scores in replayed(played)] == played.totals[:2, 0].tolist()


def test_an_agent_against_itself_is_even():
    played = play_match(table("random", "random"), 30, seed=1)
    assert played.wins.sum(axis=2) == pytest.approx(np.ones((30, 2)))
    assert played.margins.sum() == 0


def test_lineups():
    assert lineups(NAMES, 2) == [("greedy", "random"), ("random", "william"), ("greedy", "william")]
    assert lineups(NAMES, 3) == [("greedy", "random", "william")]
    assert lineups(NAMES, 4) == [
        ("greedy", "random", "william", "greedy"),
        ("random", "william", "greedy", "random"),
        ("william", "greedy", "random", "william"),
    ]
    assert lineups(NAMES, 1) == [("random",), ("greedy",), ("william",)]
    assert len(lineups(NAMES[:2], 4)) == 1
    assert len(lineups((*NAMES, "a"), 3)) == 4
    assert lineups(NAMES[:1], 2) == []
    for names, n in ((NAMES, 5), (NAMES[:2], 5), ((*NAMES, "a"), 5)):
        seats = [name for lineup in lineups(names, n) for name in lineup]
        assert len({seats.count(name) for name in names}) == 1  # everybody has as many seats


@pytest.mark.parametrize("n", range(1, 6))
def test_lineups_do_not_depend_on_the_order_of_names(n):
    names = ("d", "a", "c", "b")
    assert {*lineups(names, n)} == {*lineups(sorted(names), n)}


def test_a_table_has_an_agent_for_each_seat():
    with pytest.raises(ConfigError, match="3 players need 3 agents, got 2"):
        MatchConfig("ginkgopolis", ("random", "greedy"), {"players": 3})
    with pytest.raises(ConfigError, match="unknown game 'chess'"):
        MatchConfig("chess", ("random", "greedy"))
    assert table("random", level="advanced").title == "alone against William, advanced level: random"
    with pytest.raises(ConfigError, match="invalid deals 0"):
        play_match(table("random"), 0, seed=0)


def four(totals: list[list[int]], standings: list[list[int]]) -> MatchResults:
    return MatchResults(table("a", "b", "a", "c"), np.zeros(1, np.uint64), np.array([totals]), np.array([standings]))


def test_wins_and_margins():
    totals = [[5, 3, 5, 1], [0, 0, 0, 0]]
    played = four(totals, totals)
    assert played.wins[0].tolist() == [[0.5, 0, 0.5, 0], [0.25] * 4]
    assert played.margins[0, 0].tolist() == [2, 3 - 11 / 3, 2, 1 - 13 / 3]
    assert played.positions_of("a").tolist() == [0, 2]
    assert (played.deals, played.games) == (1, 2)


def test_wins_come_from_standings():
    blocked, tied = [-1, 2, 1, 0], [2, 7, 7, 1]
    played = four([[9, 3, 5, 1], [4, 4, 4, 4]], [blocked, tied])
    assert played.wins[0].tolist() == [[0, 1, 0, 0], [0, 0.5, 0.5, 0]]  # the most points do not win
    assert played.margins[0, 0].tolist() == [6, 3 - 5, 5 - 13 / 3, 1 - 17 / 3]
