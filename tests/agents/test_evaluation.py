"""``ginkgo evaluate`` and ``ginkgo compare``: what was played and what was lost is said; differences are over the same deals."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from ginkgo_agents.evaluation.compare import differences, read_results
from ginkgo_env.core.errors import ConfigError

from .commands import ginkgo, said


def evaluated(agent: str, path: Path, *options: object) -> Path:
    usual = ("--against", "random,william", "--players", 2, "--games", 8)
    result = ginkgo("evaluate", agent, *usual, *options, "--out", path)
    assert result.exit_code == 0, result.output
    return path


def test_a_result_says_what_was_played(tmp_path: Path) -> None:
    path = tmp_path / "greedy.json"
    result = ginkgo("evaluate", "greedy", "--against", "random,william", "--players", 2, "--games", 8, "--seed", 3, "--out", path)
    text = said(result)
    assert "ginkgopolis-v0, seed 3, ginkgo_env " in text and "2 players, 4 deals, 8 games each" in text
    assert "william (player)" in text and "says nothing about the game against William (automaton)" in text
    report = json.loads(path.read_text())
    assert report["config"]["seed"] == 3 and report["config"]["configurations"][0]["players"] == 2
    assert report["versions"]["game"] == "ginkgopolis-v0" and report["labels"] == {"william": "william (player)"}
    for row in report["results"]:
        assert 0 <= row["win_rate"]["low"] < row["win_rate"]["high"] <= 1
        assert (row["lost"], row["played_out"], row["deals"]) == ({}, 4, 4)
    alone = " ".join(ginkgo("evaluate", "random", "--players", 1, "--games", 4).stdout.split())
    assert "Alone against William, standard level" in alone


def test_the_only_opponent_of_one_player_is_the_automaton() -> None:
    result = ginkgo("evaluate", "random", "--set", "players=1", "--against", "greedy")
    assert result.exit_code == 2 and "for one player has the opponent william alone, got greedy" in result.output
    assert ginkgo("evaluate", "random", "--players", 1, "--against", "william", "--games", 2).exit_code == 0


@pytest.mark.parametrize("command", ["evaluate", "leaderboard"])
def test_lost_games_are_counted_and_nothing_is_measured_by_them(command: str, tmp_path: Path) -> None:
    bot = f"process:{sys.executable} -c 0"
    agents = [bot, "--against", "random"] if command == "evaluate" else ["--agents", f"random,{bot}"]
    out = tmp_path / "out"
    result = ginkgo(command, *agents, "--players", 2, "--games", 4, "--out", out)
    assert result.exit_code == 1
    text = said(result)
    assert "lost 4 of 4 games by errors of its own (4 crash)" in text and "crash: the process ended with exit status 0" in text
    report = json.loads((out / "leaderboard.json" if out.is_dir() else out).read_text())
    row = next(row for row in report["results"] if row["agent"] == bot)
    assert (row["lost"], row["played_out"], row["margin"]["mean"], row["score"]["mean"]) == ({"crash": 4}, 0, None, None)
    assert report["failed"] == [bot] and not report.get("ratings") and "Margin +" not in text


def test_the_difference_is_that_of_the_means(tmp_path: Path) -> None:
    paths = [evaluated(agent, tmp_path / f"{agent}.json") for agent in ("greedy", "random")]
    rows = differences([row for path in paths for row in read_results(path)], "greedy", "random")
    assert [row["opponents"] for row in rows] == ["random", "william", "all"]
    reports = [json.loads(path.read_text())["results"] for path in paths]
    for row, one, two in zip(rows, *reports, strict=False):
        assert row["win"]["mean"] == pytest.approx(one["win_rate"]["mean"] - two["win_rate"]["mean"], abs=1e-5)
        assert row["margin"]["mean"] == pytest.approx(one["margin"]["mean"] - two["margin"]["mean"], abs=1e-4)
    assert rows[2]["win"]["mean"] == pytest.approx((rows[0]["win"]["mean"] + rows[1]["win"]["mean"]) / 2, abs=1e-5)
    assert "greedy minus random" in ginkgo("compare", "greedy", "random", *paths).stdout


@pytest.mark.parametrize(
    ("options", "what"),
    [
        (("--seed", 1), "versions or seeds"),
        (("--set", "setup=introductory"), "configurations"),
        (("--against", "random"), "opponents"),
    ],
)
def test_results_that_differ_in_more_than_the_agent_are_refused(options: tuple[object, ...], what: str, tmp_path: Path) -> None:
    one, two = evaluated("greedy", tmp_path / "one.json"), evaluated("random", tmp_path / "two.json", *options)
    with pytest.raises(ConfigError, match=f"results of different {what} cannot be compared"):
        differences([*read_results(one), *read_results(two)], "greedy", "random")


def test_leaderboards_and_benchmarks_are_compared(tmp_path: Path) -> None:
    assert (
        ginkgo("leaderboard", "--agents", "random,william,greedy", "--players", 2, "--games", 6, "--out", tmp_path).exit_code == 0
    )
    (row,) = differences(read_results(tmp_path), "greedy", "random")
    assert (row["opponents"], row["deals"]) == ("william", 3) and row["win"]["mean"] > 0
    with pytest.raises(ConfigError, match="no results of 'ppo'; agents: random, william, greedy"):
        differences(read_results(tmp_path), "ppo", "random")
    for agent in ("builder", "random"):
        folder = tmp_path / agent
        assert ginkgo("benchmark", agent, "--quick", "--task", "my_city/solo", "--out", folder).exit_code == 0
    (row,) = differences([*read_results(tmp_path / "builder"), *read_results(tmp_path / "random")], "builder", "random")
    scores = [json.loads((tmp_path / agent / "benchmark.json").read_text())["tasks"][0] for agent in ("builder", "random")]
    means = [score["panel"][0]["points"]["mean"] for score in scores]
    assert row["deals"] == 60 and row["score"]["mean"] == pytest.approx(means[0] - means[1], abs=1e-3)


@pytest.mark.parametrize("command", ["evaluate", "leaderboard", "benchmark"])
def test_results_of_decisions_by_time_say_so_with_the_playouts_reached(command: str, tmp_path: Path) -> None:
    timed, out = "search:milliseconds=0.1", tmp_path / "out"
    game, names = ["--game", "my_city", "--players", 1, "--games", 4], {"evaluate": [timed], "leaderboard": ["--agents", timed]}
    words = (
        ["benchmark", timed, "--quick", "--task", "my_city/solo"] if command == "benchmark" else [command, *names[command], *game]
    )
    result = ginkgo(*words, "--out", out)
    assert result.exit_code == 0
    report = json.loads((out / f"{command}.json" if out.is_dir() else out).read_text())
    if command == "benchmark":
        (row,) = report["tasks"]
        playouts = row["timed_playouts"] / row["decisions"]
        text = (out / "benchmark.md").read_text()
    else:
        playouts, text = report["timed_playouts"][timed], said(result)
    assert playouts >= 10 and f"decides by time, {playouts:,.1f} playouts a decision here: these results do not repeat" in text
