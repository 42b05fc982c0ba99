"""The compiled loops of the greedy agent are announced with those of the game."""

from __future__ import annotations

from ginkgo_agents.agents.ginkgopolis.greedy import GreedyAgent
from ginkgo_agents.agents.ginkgopolis.lookahead import LOOK_AHEAD
from ginkgo_agents.agents.random import RandomAgent
from ginkgo_agents.evaluation import matches
from ginkgo_env.registry import make_game


def test_each_variant_has_its_lookahead():
    greedy = GreedyAgent(worlds=1)
    base, with_modules = (greedy.entries(make_game("ginkgopolis", modules=modules)) for modules in ((), ("events",)))
    assert base == [LOOK_AHEAD[False]] != with_modules == [LOOK_AHEAD[True]]
    assert not RandomAgent().entries(make_game("ginkgopolis"))


def test_they_are_expected_before_a_game_is_played(monkeypatch):
    expected = []
    monkeypatch.setattr(matches, "expect", lambda name, entries: expected.append((name, list(entries))))
    matches.play_table(matches.Table("ginkgopolis", ("random", "greedy")), 1, seed=0)
    assert expected == [("random", []), ("greedy", [LOOK_AHEAD[False]])]
