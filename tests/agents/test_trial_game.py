"""The leaderboard of a game from another package: three-card poker (``tests/trial_game``)."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import typer
from typer.testing import CliRunner

from ginkgo_agents.arena import Table, play_table
from ginkgo_agents.base import Agent
from ginkgo_agents.cli import leaderboard as command
from ginkgo_agents.files import read_folder
from ginkgo_agents.registry import agent_names, register_agent
from ginkgo_env.records import Record, replay

APP = typer.Typer()
APP.command()(command)


class Caller(Agent):
    """Always takes the last legal action: bets and calls."""

    def act(self, turn):
        return turn.masks.shape[1] - 1 - turn.masks[:, ::-1].argmax(axis=1)


register_agent("caller", Caller)


def run(game: str, *arguments: object):
    return CliRunner().invoke(APP, ["--game", game, *map(str, arguments)], env={"COLUMNS": "80"})


def test_a_leaderboard_with_reports_plot_and_records(trial_game: str, tmp_path: Path):
    result = run(trial_game, "--agents", "random,caller", "--games", 30, "--set", "players=2,1", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    said = " ".join(result.stdout.split())
    for title in ("2 players, kuhn deck, 30 games each", "Alone, pairs deck, 30 games each", "Ratings among players"):
        assert title in said
    report = read_folder(tmp_path)
    assert report["config"]["game"] == trial_game
    assert [row["deals"] for row in report["results"]] == [15, 15, 15, 15, 30, 30, 30, 30]
    assert {row["agent"] for row in report["ratings"]} == {"random", "caller"}
    for row in report["results"]:
        alone = row["sides"] == 1
        assert (row["win_rate"] is None) == (row["margin"] is None) == alone
        assert row["score"]["mean"] is not None
    for name in report["records"]:
        assert list(replay(Record.read(tmp_path / name)))


def test_alone_there_are_scores_and_nothing_else(trial_game: str, tmp_path: Path):
    result = run(trial_game, "--games", 30, "--players", 1, "--set", "deck=kuhn", "--out", tmp_path)
    assert result.exit_code == 0, result.output
    assert "Score" in result.stdout and "Win %" not in result.stdout and "Margin" not in result.stdout
    assert json.loads((tmp_path / "leaderboard.json").read_text())["ratings"] == []


def test_all_values_of_an_option(trial_game: str):
    result = run(trial_game, "--agents", "random,caller", "--games", 4, "--set", "deck=kuhn", "--set", "cards=all")
    assert result.exit_code == 0, result.output
    for cards in ("closed", "open", "sorted"):
        assert f"2 players, kuhn deck, {cards} cards, 4 games each" in result.stdout


def test_who_has_the_best_standing_wins(trial_game: str):
    played = play_table(Table(trial_game, ("caller", "random"), {"deck": "pairs"}), 300, seed=0)
    tied = played.totals[..., 0] == played.totals[..., 1]
    assert tied.any()
    first = played.wins.max(axis=2) == 1
    assert first[tied].any()  # a tie in chips is won by who bet first
    assert np.array_equal(played.wins.argmax(axis=2)[first], played.standings.argmax(axis=2)[first])


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ([], "2 players, kuhn deck: a leaderboard requires at least two agents"),
        (["--modules", "all"], "three_cards has no option 'modules'; options: players, deck, cards"),
        (["--hand-size", "5"], "three_cards has no option 'hand_size'"),
        (["--set", "deck=tarot"], "deck must be one of kuhn, pairs, not 'tarot'"),
        (["--set", "players=3"], "players must be 1 or 2, not 3"),
        (["--agents", "random,greedy"], "agent 'greedy' does not play three_cards; agents that do: random"),
        (["--agents", "william"], "agent 'william' does not play three_cards"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_what_is_refused(trial_game: str, options: list[str], sentence: str):
    result = run(trial_game, *options)
    assert result.exit_code == 2
    assert sentence in " ".join(result.output.split())
    assert len(result.output.strip().splitlines()) == 1


def test_agents_that_play_it(trial_game: str):
    names = agent_names(trial_game)
    assert "random" in names and not {"greedy", "william"} & {*names}
