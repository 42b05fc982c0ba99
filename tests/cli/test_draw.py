"""``ginkgo draw``: which files come out, and what is refused with one line and nothing written."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from typer.testing import CliRunner

import ginkgo_env
from ginkgo_env.cli.app import app

GOLDEN = Path(__file__).parent.parent / "golden"
SOLO, TWO = GOLDEN / "solo_advanced.jsonl", GOLDEN / "two_players.jsonl"


def draw(*arguments: str | Path) -> Any:
    return CliRunner().invoke(app, ["draw", *map(str, arguments)])


@pytest.fixture
def position(tmp_path: Path) -> Path:
    batch = ginkgo_env.Batch(ginkgo_env.make_game("ginkgopolis", players=2), 1)
    batch.reset(seed=1)
    file = tmp_path / "position.json"
    file.write_text(json.dumps(batch.position(0), indent=1))
    return file


def test_a_step_of_a_record(tmp_path: Path) -> None:
    out = tmp_path / "step.svg"
    result = draw(TWO, "--out", out, "--step", 5, "--seat", 1, "--theme", "dark")
    assert result.exit_code == 0, result.output
    assert out.read_text() == ginkgo_env.draw(ginkgo_env.Record.read(TWO), 1, step=5).svg("dark")


def test_a_position_in_pixels(tmp_path: Path, position: Path) -> None:
    out = tmp_path / "position.PNG"
    assert draw(position, "--out", out, "--width", 300).exit_code == 0
    with Image.open(out) as image:
        assert image.size[0] == 300
    assert draw(position, "--out", tmp_path / "position.svg").exit_code == 0


def test_whole_games(tmp_path: Path) -> None:
    short = tmp_path / "short.jsonl"
    ginkgo_env.Record.from_actions(ginkgo_env.make_game("ginkgopolis", players=1), 7, []).write(short)
    for name, option in (("game.gif", []), ("game.webp", ["--seconds", "0.1"]), ("game.svg", ["--moving"])):
        result = draw(short, "--out", tmp_path / name, "--width", 100, *option)
        assert result.exit_code == 0 and (tmp_path / name).stat().st_size > 500, result.output


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ([SOLO, "--out", "game.pdf"], "out must end in .svg, .png, .gif, .webp, got"),
        ([SOLO, "--out", "game.png", "--moving"], "an animation needs a record"),
        ([SOLO, "--out", "game.gif", "--step", "3"], "an animation needs a record"),
        ([SOLO, "--out", "game.svg", "--step", "9999"], "step must be between 0 and "),
        ([SOLO, "--out", "game.svg", "--seat", "3"], "invalid seat 3"),
        ([SOLO, "--out", "game.svg", "--theme", "pink"], "invalid theme 'pink'"),
        ([SOLO, "--out", "game.png", "--width", "90000"], "invalid width 90000"),
        ([SOLO, "--out", "no/such/folder/game.svg"], "cannot write"),
        (["missing.jsonl", "--out", "game.svg"], "cannot read 'missing.jsonl'"),
        ([GOLDEN / "README.md", "--out", "game.svg"], "line 1"),
    ],
)
def test_refusals(arguments: list[str | Path], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    result = draw(*arguments)
    assert result.exit_code == 2 and told in " ".join(result.output.split()), result.output
    assert not list(tmp_path.iterdir())


def test_the_report_of_a_leaderboard_is_told_apart(tmp_path: Path) -> None:
    report = tmp_path / "leaderboard.json"
    report.write_text('{\n  "format": "ginkgo-leaderboard",\n  "version": 2\n}\n')
    result = draw(report, "--out", tmp_path / "game.svg")
    told = "is the report of a leaderboard, not a record or a position: draw one of its games, in its folder records"
    assert result.exit_code == 2 and told in " ".join(result.output.split())


def test_positions_have_no_steps_and_make_no_animations(tmp_path: Path, position: Path) -> None:
    assert "--step needs a record, got a position" in draw(position, "--out", tmp_path / "a.svg", "--step", 1).output
    assert draw(position, "--out", tmp_path / "a.gif").exit_code == 2
    position.write_text(position.read_text().replace('"floors": 1', '"floors": 0', 1))
    assert "city[" in draw(position, "--out", tmp_path / "a.svg").output
