"""``ginkgo analyze``: what it prints and writes, what it refuses, and Ctrl-C."""

from __future__ import annotations

import inspect
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import ginkgo_agents.analysis.run
from ginkgo_agents import analyze
from ginkgo_agents.commands import analyze as command
from ginkgo_env.records import Record
from ginkgo_env.registry import make_game

from .analysed import actions_of, after, record_of
from .commands import check_refused, ginkgo, said

DOCS = Path(__file__).resolve().parents[2] / "docs"


def run(*arguments: object, columns: int = 80) -> Any:
    return ginkgo("analyze", *arguments, columns=columns)


@pytest.fixture
def record(tmp_path: Path) -> Path:
    """The first steps of a game."""
    path = tmp_path / "game.jsonl"
    record_of("my_city", players=2, steps=12).write(path)
    return path


@pytest.fixture
def plain(tmp_path: Path) -> Path:
    """The first steps of a game of Ginkgopolis for three: for what is refused before any work."""
    path = tmp_path / "plain.jsonl"
    record_of("ginkgopolis", players=3, steps=12).write(path)
    return path


@pytest.mark.parametrize("columns", [80, pytest.param(120, marks=pytest.mark.full)])
def test_a_record_as_tables(record: Path, columns: int):
    result = run(record, "--agent", "random", "--worlds", 4, columns=columns)
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert all(len(line) <= columns for line in lines)
    found = analyze(record, "random", worlds=4)
    rows = [line for line in lines if re.match(r" +\d+ ", line)]
    assert [int(row.split()[0]) for row in rows] == [decision.step for decision in found.decisions]
    for row, decision in zip(rows, found.decisions, strict=True):
        assert f" {100 * decision.value.mean:.1f} ±" in row
        assert "".join(re.split(" ", decision.taken.action)[0][:6]) in row
        assert (f" {100 * decision.lost:.1f} ±" in row.replace(f" {100 * decision.value.mean:.1f} ±", "", 1)) == (
            decision.taken is not decision.best
        )
    for player in found.players:
        assert any(player.name in line and f"{player.decisions} " in line for line in lines[len(rows) :])


def test_a_single_decision_and_files(record: Path, tmp_path: Path):
    data, picture = tmp_path / "a.json", tmp_path / "a.svg"
    result = run(record, "--agent", "random", "--worlds", 4, "--step", 2, "--json", data, "--picture", picture, "--top", 3)
    assert result.exit_code == 0, result.output
    found = analyze(record, "random", worlds=4, step=2, top=3)
    assert data.read_text() == found.to_json()
    assert all(option.action in result.stdout for option in found.decisions[0].options) and " yes" in result.stdout
    assert picture.read_text().lstrip().startswith("<?xml") and "chance to win" in result.stdout
    assert run(record, "--agent", "random", "--worlds", 4, "--picture", tmp_path / "b.png").exit_code == 0
    assert (tmp_path / "b.png").read_bytes().startswith(b"\x89PNG")
    assert not list(tmp_path.glob(".*"))


def test_a_position(tmp_path: Path):
    game = make_game("my_city", players=2)
    batch = after(game, 1, actions_of(game, 1, 3))
    path, actor = tmp_path / "p.json", int(batch.actor[0])
    path.write_text(json.dumps(batch.position(0), indent=1))
    shown = run(path, "--agent", "random", "--worlds", 2, "--seat", actor)
    assert shown.exit_code == 0 and f"player_{actor} decides: {game.decisions[int(batch.kind[0])]}" in shown.stdout
    result = run(path, "--seat", 1 - actor)
    assert result.exit_code == 2
    assert f"player_{1 - actor} (seat {1 - actor}) does not decide here: player_{actor} (seat {actor}) does" in said(result)
    assert "a position has no steps" in said(run(path, "--step", 1))


# --- refused -----------------------------------------------------------------------------------------------------------------


def cut(text: str) -> str:
    return "\n".join(text.splitlines()[:3]) + "\n"


def seen(text: str) -> str:
    return "\n".join(json.dumps(line) for line in Record.read(text).seen_by(0))


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (cut, "line 4: the result is missing: the record is incomplete"),
        (lambda text: text.replace('"seat": 0', '"seat": 1', 1), "decides here, not seat 1"),
        (seen, "a record of what one seat saw cannot be replayed"),
        (lambda text: "", "the file holds no JSON object"),
        (lambda text: "No game", "the file holds no JSON object"),
        (lambda text: "[1, 2]", "the file holds no JSON object"),
        (lambda text: '{"a": 1}', "the source names no game"),
        (lambda text: '{"game": "chess", "config": {}}', "unknown game 'chess'"),
        (lambda text: '{"game": "my_city", "config": {"players": 99}}', "position:"),
        (lambda text: '{"game": "my_city", "config": {"players": 2}}', "position:"),
        (lambda text: '{"format": "ginkgo-analysis"}', "the source is an analysis"),
        (lambda text: "\udcff", "not UTF-8"),
    ],
)
def test_broken_files(plain: Path, change: Callable[[str], str], sentence: str):
    plain.write_text(change(plain.read_text()), errors="surrogateescape")
    check_refused(run(plain), sentence)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["--seat", 3], "seat"),
        (["--seat", -1], "seat"),
        (["--step", 0], "step"),
        (["--step", 13], "step"),
        (["--worlds", 1], "worlds"),
        (["--top", 0], "top"),
        (["--ahead", -1], "ahead"),
        (["--seed", -1], "seed"),
        (["--playouts", "--ahead", 2], "--playouts and --ahead exclude each other"),
        (["--agent", "nobody"], "unknown agent 'nobody'"),
        (["--agent", "builder"], "does not play ginkgopolis"),
        (["--agent", "missing.npz"], "cannot read 'missing.npz': No such file"),
        (["--picture", "a.gif"], ".png or .svg"),
        (["--json", "no/such/a.json"], "no such folder"),
        (["--json", "."], "it is a folder"),
    ],
)
def test_refused(plain: Path, arguments: list[Any], sentence: str, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.chdir(plain.parent)
    monkeypatch.setattr(ginkgo_agents.analysis.run, "_decision", None)  # before any work
    check_refused(run(plain, *arguments), sentence)


def test_the_record_itself_is_never_replaced(plain: Path):
    before = plain.read_text()
    assert "must be different files" in said(run(plain, "--json", plain)) and plain.read_text() == before


def test_a_game_that_is_over_and_one_without_decisions(tmp_path: Path):
    game = make_game("my_city", players=1)
    path = tmp_path / "over.json"
    path.write_text(json.dumps(after(game, 1, actions_of(game, 1)).position(0)))
    assert "the game is over in this position" in said(run(path))
    Record.from_actions(game, 1, []).write(path)
    assert "there is no decision in this record" in said(run(path))


def test_an_agent_that_was_trained_for_other_configurations(tmp_path: Path):
    path = tmp_path / "five.jsonl"
    record_of("ginkgopolis", players=5, modules=("events",), steps=1).write(path)
    result = run(path)
    assert result.exit_code == 2 and "there is no pretrained lookahead agent" in said(result)


@pytest.mark.parametrize("given", [None, 7, [], b"x"], ids=repr)
def test_what_is_no_source(given: Any):
    with pytest.raises(ginkgo_agents.analysis.run.AnalysisError, match="source must be a Record, a position"):
        analyze(given)


# --- Ctrl-C ------------------------------------------------------------------------------------------------------------------


def interrupted_after(done: int, monkeypatch: pytest.MonkeyPatch) -> None:
    real, made = ginkgo_agents.analysis.run._decision, []

    def decide(*arguments: Any, **options: Any) -> Any:
        if len(made) == done:
            raise KeyboardInterrupt
        made.append(real(*arguments, **options))
        return made[-1]

    monkeypatch.setattr(ginkgo_agents.analysis.run, "_decision", decide)


def test_ctrl_c_gives_what_is_done(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    whole = json.loads(analyze(record, "random", worlds=2).to_json())["decisions"]
    interrupted_after(3, monkeypatch)
    target = tmp_path / "a.json"
    result = run(record, "--agent", "random", "--worlds", 2, "--json", target)
    assert result.exit_code == 130 and "interrupted: the results are of the decisions that were finished" in said(result)
    data = json.loads(target.read_text())
    assert data["complete"] is False and data["decisions"] == whole[:3]


def test_ctrl_c_before_anything_is_done(record: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    interrupted_after(0, monkeypatch)
    result = run(record, "--agent", "random", "--json", tmp_path / "a.json")
    assert result.exit_code == 130 and "interrupted" in result.output and not (tmp_path / "a.json").exists()


# --- documented --------------------------------------------------------------------------------------------------------------


def test_the_fields_of_the_json_are_those_on_the_page(record: Path):
    """Every key is explained in a table of the page, level by level, and every key there exists."""
    page = (DOCS / "analysis.md").read_text()
    data = json.loads(analyze(record, "random", worlds=2).to_json())
    levels = {"the file": data, "a decision": data["decisions"][0], "an action": data["decisions"][0]["actions"][0]}
    levels |= {"a player": data["summary"][0], "the record": data["record"]}
    for level, found in levels.items():
        table = page.partition(f"| {level} | ")[2].partition("\n\n")[0]
        documented = re.findall(r"`(\w+)`", "\n".join(row.split("|")[1] for row in table.splitlines()[2:] if "|" in row))
        assert documented == list(found), level


def test_the_defaults_of_the_command_are_those_of_python():
    ours, theirs = (inspect.signature(function).parameters for function in (command, analyze))
    for name in ("agent", "worlds", "top", "seed", "ahead", "seat", "step"):
        assert ours[name].default == theirs[name].default
