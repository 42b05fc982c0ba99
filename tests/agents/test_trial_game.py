"""The leaderboard of a game from another package: three-card poker (``tests/trial_game``)."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import numpy as np
import pytest

from ginkgo_agents.base import Agent
from ginkgo_agents.evaluation.files import read_folder
from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_agents.registry import register_agent
from ginkgo_env.records import Record, replay

from .commands import ginkgo


class Caller(Agent):
    """Always takes the last legal action: bets and calls."""

    def act(self, turn):
        return turn.masks.shape[1] - 1 - turn.masks[:, ::-1].argmax(axis=1)


@pytest.fixture(autouse=True)
def caller(agents_as_before: None) -> None:
    register_agent("caller", Caller)


def run(game: str, *arguments: object):
    return ginkgo("leaderboard", "--game", game, *arguments, columns=80)


@pytest.mark.full
def test_a_leaderboard_with_reports_plot_and_records(trial_game: str, tmp_path: Path):
    result = run(trial_game, "--agents", "random,caller", "--games", 30, "--set", "players=2,1", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    for title in (
        "2 players, kuhn deck, 15 deals, 30 games each",
        "Alone, pairs deck, 30 deals, 30 games each",
        "Ratings among players",
    ):
        assert title in said
    report = read_folder(tmp_path)
    assert report["config"]["game"] == trial_game
    assert [row["deals"] for row in report["results"]] == [15, 15, 15, 15, 30, 30, 30, 30]
    assert {row["agent"] for row in report["ratings"]} == {"random", "caller"}
    for row in report["results"]:
        alone = row["sides"] == 1
        assert (row["win_rate"] is None) == (row["margin"] is None) == alone
        assert row["score"]["mean"] is not None and ("quantiles" in row) == alone
    for name in report["records"]:
        assert list(replay(Record.read(tmp_path / name)))


def test_alone_there_are_scores_and_their_quantiles(trial_game: str, tmp_path: Path):
    result = run(trial_game, "--games", 30, "--players", 1, "--set", "deck=kuhn", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "Score" in result.stdout and "Win %" not in result.stdout and "Margin" not in result.stdout
    report = json.loads((tmp_path / "leaderboard.json").read_text())
    assert report["ratings"] == []
    scores = np.sort(play_match(MatchConfig(trial_game, ("random",), {"players": 1, "deck": "kuhn"}), 30, seed=0).totals.ravel())
    wanted = {"10": int(scores[2]), "50": int(scores[14]), "90": int(scores[26])}  # the third, the fifteenth, the 27th of 30
    assert report["results"][0]["quantiles"] == wanted and len(set(wanted.values())) > 1
    assert " / ".join(map(str, wanted.values())) in result.stdout and "10 / 50 / 90 %" in result.stdout
    row = next(csv.DictReader((tmp_path / "leaderboard.csv").open()))
    assert [int(row[f"score_{percent}"]) for percent in (10, 50, 90)] == list(wanted.values())


def test_what_the_names_of_options_stand_for_is_told(trial_game: str, tmp_path: Path):
    result = run(trial_game, "--agents", "random,caller", "--games", 2, "--out", tmp_path, "--players", 2)
    told = "With deck kuhn (one card of each rank, bets of one chip); cards closed ("
    assert " ".join(result.stdout.split()).find(told) > 0
    (note,) = read_folder(tmp_path)["notes"]
    assert note.startswith(told)


def test_all_values_of_an_option(trial_game: str):
    result = run(trial_game, "--agents", "random,caller", "--games", 4, "--set", "deck=kuhn", "--set", "cards=all")
    assert result.exit_code == 0, result.output
    for cards in ("closed", "open", "sorted"):
        assert f"2 players, kuhn deck, {cards} cards, 2 deals, 4 games each" in " ".join(result.stdout.split())


def test_who_has_the_best_standing_wins(trial_game: str):
    played = play_match(MatchConfig(trial_game, ("caller", "random"), {"deck": "pairs"}), 300, seed=0)
    tied = played.totals[..., 0] == played.totals[..., 1]
    assert tied.any()
    first = played.wins.max(axis=2) == 1
    assert first[tied].any()  # a tie in chips is won by who bet first
    assert np.array_equal(played.wins.argmax(axis=2)[first], played.standings.argmax(axis=2)[first])
