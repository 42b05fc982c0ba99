"""``ginkgo agents``, the measurements that it prints, and the leaderboard without named agents."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from ginkgo_agents.evaluation.leaderboard import Plan
from ginkgo_agents.pretrained import models_of
from ginkgo_agents.registry import agent_names
from ginkgo_agents.strengths import BUDGETS, LEVELS, Strength, levels, read_strengths, strongest
from ginkgo_env.registry import OWN_GAMES, make_game

from .commands import check_refused, ginkgo

ROOT = Path(__file__).parents[2]
SPEC: Any = importlib.util.spec_from_file_location("agents", ROOT / "benchmarks" / "agents.py")
measuring = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(measuring)


def agents(*words: str) -> Any:
    return ginkgo("agents", *words, columns=160)


def test_the_page_has_the_measurements() -> None:
    page, strengths = (ROOT / "docs" / "agents.md").read_text("utf-8"), read_strengths()
    assert measuring.with_table(page, strengths) == page, "run: python benchmarks/agents.py"
    for game, config in measuring.CONFIGURATIONS:
        own = [one for one in strengths if (one.game, one.config) == (game, config)]
        costs = [one.milliseconds for budget in BUDGETS if (one := strongest(own, budget))]
        assert len(costs) == len(BUDGETS), "there is an agent for each budget"
        assert all(cost <= budget for cost, budget in zip(costs, BUDGETS, strict=True))


def test_the_strongest_within_a_budget() -> None:
    quick, slow = (Strength("my_city", {}, name, 10, [value] * 3, cost) for name, value, cost in (("a", 0.2, 0.1), ("b", 0.6, 2)))
    assert strongest([quick, slow], 0.05) is None
    assert strongest([quick, slow], 0.1) is strongest([slow, quick], 1.9) is quick
    assert strongest([quick, slow], 2) is slow


def test_measuring() -> None:
    one = measuring.measure("my_city", {"players": 2}, "random", 4)
    assert one.value[0] < 0.5 and one.games == 4 and one.milliseconds > 0
    assert "%" not in measuring.measure("my_city", {"players": 1}, "random", 4).text


def test_the_list_of_agents() -> None:
    result = agents()
    assert result.exit_code == 0 and "Ginkgopolis, 2 players; strength against lookahead:version=1" in result.output
    assert "1, 2 (played)" in result.output and "needs none" in result.output and "held_out" not in result.output
    result = agents("search", "--game", "my_city", "--players", "3")
    assert "my_city_3p_search.npz" in result.output and "greedy" not in result.output
    result = agents("lookahead:version=1", "--game", "ginkgopolis", "--players", "2")
    assert "1 (played), 2" in result.output and "ginkgopolis_2p_ppo.npz" in result.output


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["nobody"], "no agent 'nobody'; expected one of: random, greedy"),
        (["--players", "9"], "no game has 9 players"),
        (["ppo", "--game", "my_city"], "no agent 'ppo'; expected one of: random, greedy, builder"),
        (["ppo:version=2", "--players", "5"], "ppo:version=2 plays no such game"),
        (["--game", "chess"], "chess"),
    ],
)
def test_what_is_not_there(words: list[str], message: str) -> None:
    check_refused(agents(*words), message)


def test_a_leaderboard_without_named_agents_has_the_strongest_in_fewer_games() -> None:
    plan = Plan("ginkgopolis", games=500)
    games = {match.agents: plan.deals(match) * match.rotations for match in plan.matches}
    assert games["lookahead", "search"] == games["search",] == 24 and games["greedy", "lookahead"] == 500
    assert "Matches with search have 24 games: its decisions take longer." in plan.omissions
    few, named = Plan("my_city", games=4), Plan("my_city", ("greedy", "search"), games=500)
    assert {few.deals(match) * match.rotations for match in few.matches if match.seats == 2} == {4}
    assert {named.deals(match) * match.rotations for match in named.matches if match.seats == 2} == {500}
    assert not any("search" in sentence for sentence in named.omissions)


@pytest.mark.parametrize("name", OWN_GAMES)
def test_agents_have_words_for_their_strength(name: str) -> None:
    for players in (1, 2, 3, 4):
        if name == "golden_city" and players == 1:
            continue
        game = make_game(name, players=players)
        playing = [agent for agent in agent_names(name) if agent != "ppo" or models_of("ppo", game)]
        words = levels(game, [*playing, "mine.npz"])
        assert list(words)[-2:] == ["search", "mine.npz"] and words["search"] == "strongest" and words["mine.npz"] is None
        known = [LEVELS.index(word) for word in words.values() if word]
        assert set(known) == {0, 1, 2, 3}
        assert known == sorted(known) and known.count(3) == 1 and words["random"] == "easy" and words["greedy"] == "medium"
        assert list(words).index("greedy") < list(words).index("lookahead") and words["lookahead"] == "strong"
        measured = {one.agent: one.value[0] for one in read_strengths() if (one.game, one.config["players"]) == (name, players)}
        if players > 1:
            values = [measured[agent] for agent in words if agent in measured]
            assert values == sorted(values)


def test_an_agent_that_was_not_measured_is_as_strong_as_the_suggestion_before_it() -> None:
    words = levels(make_game("ginkgopolis"), ["search", "william", "greedy"])
    assert words == {"william": "easy", "greedy": "medium", "search": "strongest"}
    assert list(levels(make_game("ginkgopolis"), ["lookahead", "greedy"]).values()) == ["medium", "strongest"]
