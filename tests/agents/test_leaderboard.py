"""``ginkgo leaderboard``."""

from __future__ import annotations

import csv
import json

import numpy as np
import pytest
import typer
from rich.console import Console
from typer.testing import CliRunner

from ginkgo_agents import arena, leaderboard
from ginkgo_agents.cli import leaderboard as command
from ginkgo_agents.report import report_of, write_files
from ginkgo_agents.screen import show
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.records import Record, replay

APP = typer.Typer()
APP.command()(command)
FAST = ["--agents", "random,william", "--games", "6"]


def run(*arguments: object):
    return CliRunner().invoke(APP, [str(a) for a in arguments], env={"COLUMNS": "100"})


def test_report_and_files(tmp_path):
    result = run(*FAST, "--agents", "random,greedy,william", "--players", "2,3", "--players", 5, "--out", tmp_path / "a" / "b")
    assert result.exit_code == 0, result.output
    for text in ("Alone against William, advanced level, 6 games each", "2 players", "5 players", "Elo points", "Win %"):
        assert text in result.output
    folder = tmp_path / "a" / "b"
    report = json.loads((folder / "leaderboard.json").read_text())
    assert report["config"] == {"agents": ["random", "greedy", "william"], "games": 6, "players": [2, 3, 5], "seed": 0}
    assert report["complete"] is True
    assert {r["players"]: r["games"] for r in report["results"]} == {1: 6, 2: 6, 3: 6, 5: 10}
    for row in report["results"]:
        assert 0 <= row["win_rate"]["low"] <= row["win_rate"]["mean"] <= row["win_rate"]["high"] <= 1
        assert row["score"]["low"] <= row["score"]["mean"] <= row["score"]["high"]
    assert {r["agent"] for r in report["ratings"]} == {"random", "greedy", "william"}
    rows = list(csv.DictReader((folder / "leaderboard.csv").open()))
    assert [float(row["margin_low"]) for row in rows] == [row["margin"]["low"] for row in report["results"]]
    assert len((folder / "ratings.csv").read_text().splitlines()) == 4
    assert (folder / "leaderboard.png").read_bytes()[:4] == b"\x89PNG"
    assert len(report["records"]) == 2 * len({(r["players"], r["level"], *r["table"]) for r in report["results"]})
    for name in report["records"]:
        record = Record.read(folder / name)
        assert list(replay(record))
        assert set(record.header["players"]) <= {"random", "greedy", "william"}


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


def test_open_intervals_are_shown_in_all_forms(tmp_path):
    names, totals = ("greedy", "random", "william"), np.ones((9, 2, 2), np.int64)
    totals[:, :, 0] = 2
    pairs = [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    finished = {}
    for pair in pairs:
        table = arena.Table(pair)
        finished[table] = arena.Played(table, np.arange(9, dtype=np.uint64), totals.copy())
    finished[arena.Table(pairs[2])].totals[:4, :, 1] = 3
    report = report_of(leaderboard.Plan(names, 18), finished)
    elo = {row["agent"]: row["elo"] for row in report["ratings"]}
    assert {row["reference"] for row in report["ratings"]} == {"random"}
    assert elo["greedy"]["mean"] is elo["greedy"]["high"] is None
    assert set(elo["random"].values()) == {0}
    console = Console(width=100, record=True)
    show(report, console)
    text = console.export_text()
    assert f" > {elo['greedy']['low']:.0f} " in text and "Elo points: difference to random" in " ".join(text.split())
    write_files(report, finished, tmp_path)

    def refuse(constant: str):
        raise AssertionError(f"{constant} is not JSON")

    assert json.loads((tmp_path / "leaderboard.json").read_text(), parse_constant=refuse) == report
    first = next(csv.DictReader((tmp_path / "ratings.csv").open()))
    assert (first["agent"], first["elo"], first["elo_high"]) == ("greedy", "", "")


def test_one_agent_needs_nobody_else(tmp_path):
    result = run("--agents", "random", "--games", 3, "--out", tmp_path)
    assert result.exit_code == 0
    assert json.loads((tmp_path / "leaderboard.json").read_text())["ratings"] == []


def test_with_modules_nobody_plays_alone(tmp_path):
    options = ["--modules", "keep_card,events", "--modules", "prestige", "--hand-size", 5, "--players", "2,3"]
    result = run(*FAST, *options, "--out", tmp_path)
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    assert said.startswith("The Experts: modules prestige, events, keep_card, hands of five. Alone against William there are")
    assert "those games are left out" in said and "level" not in said and "2 players, 6 games each" in said
    report = json.loads((tmp_path / "leaderboard.json").read_text())
    asked = {"agents": ["random", "william"], "games": 6, "players": [2, 3], "seed": 0}
    assert report["config"] == {**asked, "modules": ["prestige", "events", "keep_card"], "hand_size": 5}
    assert {row["players"] for row in report["results"]} == {2, 3}
    for name in report["records"]:
        record = Record.read(tmp_path / name)
        assert record.header["config"]["modules"] == ["prestige", "events", "keep_card"]
        assert list(replay(record))


def test_all_modules(tmp_path):
    result = run(*FAST, "--modules", "all", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert result.stdout.startswith("The Experts: all modules. ")
    config = json.loads((tmp_path / "leaderboard.json").read_text())["config"]
    assert config["modules"] == list(Ginkgopolis.modules) and config["hand_size"] == 4


def test_interrupted_it_shows_what_is_finished(tmp_path, monkeypatch):
    asked = []

    def play_blocks(table, *arguments, **options):
        asked.append(table)
        if len(asked) == 3:
            raise KeyboardInterrupt
        return arena.play_blocks(table, *arguments, **options)

    monkeypatch.setattr(leaderboard, "play_blocks", play_blocks)
    result = run(*FAST, "--out", tmp_path)
    assert result.exit_code == 130
    assert "standard level" in result.output
    assert "advanced level" not in result.output
    assert "interrupted: these are the games that were finished" in result.output
    report = json.loads((tmp_path / "leaderboard.json").read_text())
    assert report["complete"] is False
    assert [row["agent"] for row in report["results"]] == ["random", "william"]


def test_interrupted_at_once(tmp_path, monkeypatch):
    def play_blocks(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr(leaderboard, "play_blocks", play_blocks)
    result = run(*FAST, "--out", tmp_path / "out")
    assert result.exit_code == 130
    assert "nothing was finished yet" in result.output
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        (["--agents", "random,clever"], "there is no agent 'clever'; there are: random, greedy, william"),
        (["--agents", ","], "a leaderboard needs at least one agent"),
        (["--agents", "random,random"], "agent 'random' is there twice"),
        (["--games", "0"], "games must be a number from 1 to 1000000, not 0"),
        (["--seed", "-1"], "a seed must not be negative: -1"),
        (["--players", "1"], "players must be numbers from 2 to 5, not 1: alone everybody plays anyway"),
        (["--players", "6"], "players must be numbers from 2 to 5, not 6"),
        (["--players", "2,two"], "players must be numbers from 2 to 5, not 'two'"),
        (["--players", "2", "--players", "2"], "2 players are asked for twice"),
        (
            ["--modules", "parks"],
            "there is no module 'parks'; there are: new_buildings, prestige, green_spaces, events",
        ),
        (["--modules", ","], "modules must be all or some of new_buildings, prestige, green_spaces, events, keep_card, experts"),
        (["--modules", "all,events"], "all modules are asked for, and then some by name"),
        (["--modules", "events,prestige,events"], "the module 'events' is named twice"),
        (["--modules", "all", "--agents", "random"], "alone against William there are no modules: with them a leaderboard needs"),
        (["--modules", "all", "--hand-size", "6"], "hand_size must be 4 or 5, not 6"),
        (["--modules", "all", "--hand-size", "5", "--players", "4,5"], "hands of five are for 2 to 4 players (X5), not for 5"),
        (["--hand-size", "5"], "hand_size=5 needs the module 'keep_card'"),
        (["--threads", "0"], "threads must be at least 1, not 0"),
        (["--out", __file__], "is a file"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_bad_options(options, sentence):
    result = run(*FAST, *options)
    assert result.exit_code == 2
    assert sentence in result.output
    assert len(result.output.strip().splitlines()) == 1


def test_a_folder_that_cannot_be_written(tmp_path):
    (tmp_path / "records").write_text("in the way")
    result = run(*FAST, "--out", tmp_path)
    assert result.exit_code == 2
    assert "cannot write into" in result.output
