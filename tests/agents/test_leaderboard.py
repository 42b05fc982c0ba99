"""``ginkgo leaderboard``."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
from rich.console import Console

from ginkgo_agents.evaluation import leaderboard, matches
from ginkgo_agents.evaluation.console import show
from ginkgo_agents.evaluation.files import read_folder, write_files
from ginkgo_agents.evaluation.leaderboard import report_of
from ginkgo_agents.registry import suggested_agents
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.records import Record, replay

from .commands import check_refused, ginkgo

FAST = ["--agents", "random,william", "--games", "6"]


def run(*arguments: object, columns: int = 100):
    return ginkgo("leaderboard", *arguments, columns=columns)


@pytest.mark.full
def test_report_and_files(tmp_path):
    result = run(*FAST, "--agents", "random,greedy,william", "--players", "1,2", "--players", 5, "--out", tmp_path / "a" / "b")
    assert result.exit_code == 0, result.output
    for text in ("Alone against William, advanced level, 6 deals, 6 games each", "2 players", "5 players", "Elo points", "Win %"):
        assert text in result.output
    folder = tmp_path / "a" / "b"
    report = json.loads((folder / "leaderboard.json").read_text())
    configurations = [{"players": 1, "level": level} for level in ("standard", "advanced")]
    configurations += [{"players": n} for n in (2, 5)]
    asked = {"game": "ginkgopolis", "agents": ["random", "greedy", "william"], "games": 6, "seed": 0}
    assert report["config"] == {**asked, "configurations": configurations}
    assert report["complete"] is True
    assert {r["players"]: r["games"] for r in report["results"]} == {1: 6, 2: 6, 5: 10}
    assert {r["players"]: r["sides"] for r in report["results"]} == {1: 2, 2: 2, 5: 5}
    for row in report["results"]:
        assert 0 <= row["win_rate"]["low"] <= row["win_rate"]["mean"] <= row["win_rate"]["high"] <= 1
        assert row["score"]["low"] <= row["score"]["mean"] <= row["score"]["high"]
    assert {r["agent"] for r in report["ratings"]} == {"random", "greedy", "william"}
    rows = list(csv.DictReader((folder / "leaderboard.csv").open()))
    assert [float(row["margin_low"]) for row in rows] == [row["margin"]["low"] for row in report["results"]]
    assert len((folder / "ratings.csv").read_text().splitlines()) == 4
    assert (folder / "leaderboard.png").read_bytes()[:4] == b"\x89PNG"
    assert len(report["records"]) == 2 * len({(r["configuration"], *r["table"]) for r in report["results"]})
    assert read_folder(folder) == report
    for name in report["records"]:
        record = Record.read(folder / name)
        assert list(replay(record))
        assert set(record.header["players"]) <= {"random", "greedy", "william"}


@pytest.mark.full
def test_the_same_seed_gives_the_same_bytes(tmp_path):
    runs = {"one": ("--threads", 1), "two": ("--threads", 2), "other": ("--seed", 1)}
    for name, options in runs.items():
        assert run(*FAST, *options, "--out", tmp_path / name).exit_code == 0
    names = sorted(path.relative_to(tmp_path / "one") for path in (tmp_path / "one").rglob("*") if path.is_file())
    assert len(names) > 5
    for name in names:
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes(), name
    one, other = (json.loads((tmp_path / name / "leaderboard.json").read_text()) for name in ("one", "other"))
    assert one["results"] != other["results"]


def test_an_agent_that_always_wins_is_rated_in_all_forms(tmp_path):
    names, totals = ("greedy", "random", "william"), np.ones((9, 2, 2), np.int64)
    totals[:, :, 0] = 2
    finished = []
    for pair in matches.lineups(names, 2):
        scores = totals.copy()
        if "greedy" not in pair:
            scores[:4, :, 1] = 3
        finished.append(
            matches.MatchResults(matches.MatchConfig("ginkgopolis", pair), np.arange(9, dtype=np.uint64), scores, scores)
        )
    report = report_of(leaderboard.Plan("ginkgopolis", names, 18), finished)
    elo = {row["agent"]: row["elo"] for row in report["ratings"]}
    assert {row["reference"] for row in report["ratings"]} == {"random"}
    assert 0 < elo["greedy"]["low"] < elo["greedy"]["mean"] < elo["greedy"]["high"]
    assert set(elo["random"].values()) == {0}
    console = Console(width=100, record=True)
    show(report, console)
    text = console.export_text()
    assert "+{mean:.0f} [{low:.0f},{high:.0f}]".format(
        **elo["greedy"]
    ) in text and "Elo points: difference to random" in " ".join(text.split())
    write_files(report, finished, tmp_path)

    def refuse(constant: str):
        raise AssertionError(f"{constant} is not JSON")

    read = json.loads((tmp_path / "leaderboard.json").read_text(), parse_constant=refuse)
    assert {**report, "files": read["files"]} == read
    first = next(csv.DictReader((tmp_path / "ratings.csv").open()))
    assert (first["agent"], float(first["elo"])) == ("greedy", elo["greedy"]["mean"])
    assert first.keys() == {"ranking", "agent", "games", "reference", "elo", "elo_low", "elo_high"}


def test_one_agent_needs_nobody_else(tmp_path):
    result = run("--agents", "random", "--games", 3, "--out", tmp_path)
    assert result.exit_code == 0
    assert json.loads((tmp_path / "leaderboard.json").read_text())["ratings"] == []


@pytest.mark.full
def test_the_order_of_agents_and_the_other_agents_change_no_number(tmp_path):
    orders = {"one": "random,greedy,william", "two": "william,random,greedy", "few": "william,random"}
    reports = {}
    for name, order in orders.items():
        assert run("--agents", order, "--games", 6, "--players", "1,2,3,4", "--out", tmp_path / name).exit_code == 0
        reports[name] = json.loads((tmp_path / name / "leaderboard.json").read_text())
    rows = {
        name: {(row["configuration"], *row["table"], row["agent"]): row for row in report["results"]}
        for name, report in reports.items()
    }
    assert rows["one"] == rows["two"]
    assert reports["one"]["ratings"] == reports["two"]["ratings"]
    shared = rows["few"].keys() & rows["one"].keys()
    assert len(shared) == 2 * 2 + 2  # alone at both levels, and two players
    assert all(rows["few"][key] == rows["one"][key] for key in shared)


@pytest.mark.full
def test_modules(tmp_path):
    options = ["--modules", "keep_card,events", "--modules", "prestige", "--hand-size", 5, "--set", "players=2,3"]
    result = run(*FAST, *options, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    title = "2 players, modules prestige, events and keep_card, hand size 5, 3 deals, 6 games each"
    assert title in " ".join(result.stdout.split())
    report = json.loads((tmp_path / "leaderboard.json").read_text())
    chosen = {"modules": ["keep_card", "events", "prestige"], "hand_size": 5}
    assert report["config"]["configurations"] == [{"players": n, **chosen} for n in (2, 3)]
    for name in report["records"]:
        record = Record.read(tmp_path / name)
        assert record.header["config"]["modules"] == ["prestige", "events", "keep_card"]
        assert list(replay(record))


def test_what_does_not_go_with_the_options_is_told(tmp_path):
    result = run(*FAST, "--modules", "all", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    assert (
        "Not played: alone against William, standard level; alone against William, advanced level (modules require players >= 2"
        in said
    )
    assert "2 players, all modules, 3 deals, 6 games each" in said
    config = json.loads((tmp_path / "leaderboard.json").read_text())["config"]
    assert config["configurations"] == [{"players": 2, "modules": list(Ginkgopolis.modules)}]


def test_a_suggested_agent_plays_what_it_was_trained_for():
    options = {"players": [2, 5], "modules": [list(Ginkgopolis.modules)]}
    plan = leaderboard.Plan("ginkgopolis", games=2, options=options)
    assert plan.agents == (*suggested_agents("ginkgopolis"), "search")
    names = {n: {name for match in plan.matches if match.seats == n for name in match.agents} for n in (2, 5)}
    assert names[2] == set(plan.agents)
    assert {"random", "william", "greedy"} <= names[5] and not {"ppo", "lookahead"} & names[5]
    assert "Without lookahead, which was not trained for it: 5 players, all modules." in plan.omissions


@pytest.mark.full  # compiles lookahead with modules
def test_tables_fit_80_columns(tmp_path):
    for players in ("2", "4"):
        result = run("--games", 4, "--modules", "all", "--players", players, columns=80)
        assert result.exit_code == 0, result.output
        assert max(map(len, result.stdout.splitlines())) <= 80
        assert "greedy" in result.stdout and "william" in result.stdout
        assert "Again…" not in result.stdout and "willi…" not in result.stdout


def test_interrupted_it_shows_what_is_finished(tmp_path, monkeypatch):
    asked = []

    def chunks_of(table, *arguments, **options):
        asked.append(table)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return matches.chunks_of(table, *arguments, **options)

    monkeypatch.setattr(leaderboard, "chunks_of", chunks_of)
    result = run(*FAST, "--out", tmp_path)
    assert result.exit_code == 130
    assert "standard level" in result.output
    assert "advanced level" not in result.output
    assert "interrupted: the results are of the finished games" in result.output
    report = json.loads((tmp_path / "leaderboard.json").read_text())
    assert report["complete"] is False
    assert [row["agent"] for row in report["results"]] == ["random", "william"]


def test_interrupted_at_once(tmp_path, monkeypatch):
    def chunks_of(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(leaderboard, "chunks_of", chunks_of)
    result = run(*FAST, "--out", tmp_path / "out")
    assert result.exit_code == 130
    assert "no game was finished" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--agents", "random,clever"], "unknown agent 'clever'; expected one of: random, greedy, william"),
        (["--agents", ","], "a leaderboard requires at least one agent"),
        (["--agents", "random,random"], "duplicate agent 'random'"),
        (["--games", "0"], "invalid games 0; expected 1..1000000"),
        (["--seed", "-1"], "invalid seed -1; expected an integer >= 0"),
        (["--game", "chess"], "unknown game 'chess'"),
        (["--players", "6"], "players must be between 1 and 5, got 6"),
        (["--players", "2", "--agents", "random"], "2 players: a leaderboard requires at least two agents"),
        (["--modules", "all", "--agents", "random"], "2 players, all modules: a leaderboard requires at least two agents"),
        (["--hand-size", "5"], "hand_size=5 requires the module 'keep_card'"),
        (["--set", "players"], "--set requires KEY=VALUE, got 'players'"),
        (["--set", "=2"], "--set requires KEY=VALUE, got '=2'"),
        (["--agents", "random,ppo", "--modules", "all", "--players", "3"], "agent 'ppo': there is no pretrained ppo agent"),
        (["--out", __file__], "is not a folder"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_options(options, sentence):
    check_refused(run(*FAST, *options), sentence)
