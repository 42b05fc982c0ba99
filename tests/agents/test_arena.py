"""Duplicate matches."""

from __future__ import annotations

import numpy as np
import pytest

from ginkgo_agents.arena import Played, Table, choice_words, deal_seeds, play_table, solo_tables, tables_of
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game

NAMES = ("random", "greedy", "william")


def replayed(played: Played) -> list[tuple[list[str], list[int]]]:
    """Who sat where in the kept games, and their scores by seat, played again from seed and actions."""
    found = []
    for kept in played.kept:
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
    played = play_table(Table(lineup, n), 3, seed=2, keep=2 * n)
    assert played.totals.shape == (3, n, n)
    for game, (players, scores) in enumerate(replayed(played)):
        deal, rotation = divmod(game, n)
        assert played.kept[game].seed == played.seeds[deal]
        assert players == [lineup[(seat + rotation) % n] for seat in range(n)]
        assert scores == [played.totals[deal, rotation, (seat + rotation) % n] for seat in range(n)]


def test_alone():
    played = play_table(Table(("william",), 1, "advanced"), 4, seed=2, keep=4)
    assert [scores for _, scores in replayed(played)] == played.totals[:, 0].tolist()
    assert [k.config["level"] for k in played.kept] == ["advanced"] * 4


def test_the_first_deals_do_not_depend_on_how_many_are_played_nor_on_threads():
    table = Table(("random", "greedy"))
    few, many = play_table(table, 5, seed=7), play_table(table, 20, seed=7, threads=3)
    assert np.array_equal(few.totals, many.totals[:5])
    assert not np.array_equal(few.totals, play_table(table, 5, seed=8).totals)


def test_blocks_join(monkeypatch):
    table = Table(("random", "william", "random"), 3)
    whole = play_table(table, 10, seed=1, keep=20)
    monkeypatch.setattr("ginkgo_agents.arena._BLOCK", 9)
    parts = play_table(table, 10, seed=1, keep=20)
    assert np.array_equal(whole.totals, parts.totals)
    assert np.array_equal(whole.seeds, parts.seeds)
    assert whole.kept == parts.kept


def test_all_tables_play_the_same_deals():
    one, two = play_table(Table(("random", "william")), 3, seed=1), play_table(Table(("william", "william")), 3, seed=1)
    assert np.array_equal(one.seeds, two.seeds)
    assert len({*deal_seeds(1, 2, 50), *choice_words(1, 2, 25).flat}) == 100


def test_an_agent_against_itself_is_even():
    played = play_table(Table(("random", "random")), 30, seed=1)
    assert played.wins.sum(axis=2) == pytest.approx(np.ones((30, 2)))
    assert played.margins.sum() == 0


def test_tables():
    assert [t.lineup for t in tables_of(NAMES, 2)] == [("random", "greedy"), ("random", "william"), ("greedy", "william")]
    assert [t.lineup for t in tables_of(NAMES, 3)] == [NAMES]
    four = [t.lineup for t in tables_of(NAMES, 4)]
    assert four == [(*NAMES, "random"), ("greedy", "william", "random", "greedy"), ("william", "random", "greedy", "william")]
    assert len(tables_of(NAMES[:2], 4)) == 1
    assert len(tables_of((*NAMES, "a"), 3)) == 4
    assert tables_of(NAMES[:1], 2) == []
    for names, n in ((NAMES, 5), (NAMES[:2], 5), ((*NAMES, "a"), 5)):
        seats = [name for table in tables_of(names, n) for name in table.lineup]
        assert len({seats.count(name) for name in names}) == 1  # everybody has as many seats
    assert [(t.level, t.lineup) for t in solo_tables(("a", "b"))] == [
        *(("standard", ("a",)), ("standard", ("b",))),
        *(("advanced", ("a",)), ("advanced", ("b",))),
    ]
    with pytest.raises(ConfigError, match="3 players need as many agents, not 2"):
        Table(("random", "greedy"), 3)


def test_wins_and_margins():
    totals = np.array([[[5, 3, 5, 1], [0, 0, 0, 0]]])
    played = Played(Table(("a", "b", "a", "c"), 4), np.zeros(1, np.uint64), totals)
    assert played.wins[0].tolist() == [[0.5, 0, 0.5, 0], [0.25] * 4]
    assert played.margins[0, 0].tolist() == [2, 3 - 11 / 3, 2, 1 - 13 / 3]
    assert played.seats_of("a").tolist() == [0, 2]
    assert (played.deals, played.games) == (1, 2)
