"""``ginkgo benchmark --verify``: a submission's figures follow from its games, and whatever was changed is found."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from typer.testing import CliRunner

from ginkgo_agents.evaluation.benchmark.reports import GAMES, REPORT
from ginkgo_agents.evaluation.benchmark.submissions import STATEMENT, read_submission, verified
from ginkgo_env.cli.app import app
from ginkgo_env.core.errors import ConfigError

from .test_benchmark import loaded

ROOT = Path(__file__).parents[2]
TEXT = {
    "name": "Builder",
    "kind": "agent",
    "authors": "The authors of ginkgo_env",
    "decides": "It builds what it can.",
    "hardware": "one core",
    "published": "",
}


def ginkgo(*words: object) -> Any:
    return CliRunner().invoke(app, ["benchmark", *map(str, words)])


@pytest.fixture(scope="module")
def stated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A submission with a task alone, and one with two seats."""
    folder = tmp_path_factory.mktemp("submission") / "builder"
    tasks = ("--task", "my_city/solo", "--task", "my_city/duel")
    assert ginkgo("builder", *tasks, "--quick", "--out", folder, "--threads", 1).exit_code == 0
    (folder / STATEMENT).write_text(json.dumps(TEXT))
    return folder


@pytest.fixture
def folder(stated: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(stated, tmp_path / "builder"))


def test_all_figures_follow_from_the_games(folder: Path) -> None:
    result = ginkgo("--verify", folder)
    assert result.exit_code == 0, result.output
    report = json.loads((folder / REPORT).read_text())
    assert f"verified, {sum(row['games'] for row in report['tasks']):,} games" in result.output
    assert [row for _, row in verified(folder)] == report["tasks"]


@pytest.mark.parametrize(
    "path", sorted((ROOT / "benchmarks" / "submissions").glob(f"*/{STATEMENT}")), ids=lambda path: path.parent.name
)
def test_the_submissions_of_the_leaderboard(path: Path) -> None:
    submission = read_submission(path.parent)
    assert {name for name, _ in verified(path.parent)} == {*submission.reports}
    if submission.statement.kind == "learning method":
        agents = [report["agent"] for report in submission.reports.values()]
        seeds = {agent["training_seed"] for agent in agents}
        assert len(seeds) == len(agents) and all(agent["trained_on"] for agent in agents)


def test_each_run_of_a_learning_method_is_verified(folder: Path, tmp_path: Path) -> None:
    method = tmp_path / "method"
    for seed in (1, 2):
        (method / f"seed{seed}").mkdir(parents=True)
        for name in (REPORT, GAMES):
            shutil.copy(folder / name, method / f"seed{seed}")
    (method / STATEMENT).write_text(json.dumps(TEXT | {"kind": "learning method"}))
    assert {name for name, _ in verified(method)} == {*read_submission(method).reports} == {"seed1", "seed2"}
    (method / "seed2" / GAMES).unlink()
    with pytest.raises(ConfigError, match=r"cannot read .*seed2"):
        [*verified(method)]


def test_the_leaderboard_gives_percent_of_the_ceiling(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    generate = loaded(ROOT / "docs" / "generate_benchmark.py")
    monkeypatch.setattr(generate, "SUBMISSIONS", folder.parent)
    solo, duel = (table.rpartition("quick | ")[2] for table in generate.leaderboard_text().split("\n\n`my_city/duel-v1`"))
    score = {row["task"]: row["percent"] for row in json.loads((folder / REPORT).read_text())["tasks"]}
    assert score["my_city/solo-v1"] is None and "%" not in solo
    assert duel.endswith(f"] {score['my_city/duel-v1']['mean']:.0f} % |\n")


@pytest.mark.full
def test_games_that_a_process_lost_count_as_lost(tmp_path: Path) -> None:
    folder = tmp_path / "bot"
    assert ginkgo(f"process:{sys.executable} -c 0", "--task", "my_city/duel", "--quick", "--out", folder).exit_code == 1
    (folder / STATEMENT).write_text(json.dumps(TEXT | {"kind": "bot"}))
    ((_, row),) = verified(folder)
    assert row["lost"] == {"crash": row["games"]}


def change(
    report: Callable[[dict[str, Any]], object] | None = None, games: Callable[[dict[str, Any]], object] | None = None
) -> Any:
    def apply(folder: Path) -> None:
        if report:
            document = json.loads((folder / REPORT).read_text())
            report(document["tasks"][1])
            (folder / REPORT).write_text(json.dumps(document))
        if games:
            table = pq.read_table(folder / GAMES)
            columns = table.to_pydict()
            games(columns)
            pq.write_table(pa.table(columns, schema=table.schema), folder / GAMES)

    return apply


def last_game(columns: dict[str, Any], **values: Any) -> None:
    for name, value in values.items():
        columns[name][-1] = value


def without_last(columns: dict[str, Any]) -> None:
    for values in columns.values():
        values.pop()


@pytest.mark.parametrize(
    ("apply", "message"),
    [
        (change(report=lambda row: row["score"].update(mean=99.0)), "my_city/duel-v1: the games give .* as score"),
        (change(report=lambda row: row.update(decisions=1)), "as decisions, the report has 1"),
        (change(report=lambda row: row["panel"][0].update(games=1)), "as panel"),
        (change(report=lambda row: row.pop("lost")), "as lost, the report has None"),
        (change(report=lambda row: row.update(task="my_city/solo-v9")), "unknown or missing task 'my_city/solo-v9'"),
        (change(games=lambda all_: last_game(all_, win=0.5)), "win is not what"),
        (change(games=lambda all_: last_game(all_, seed=1)), "seed is not what"),
        (change(games=lambda all_: last_game(all_, lost="crash", win=1.0)), "is not what"),
        (change(games=lambda all_: all_["actions"][-1].pop()), "a game does not reach its end"),
        (change(games=lambda all_: all_["actions"][-1].append(0)), "a game goes on after its end"),
        (change(games=lambda all_: all_["actions"][-1].__setitem__(0, 9999)), "my_city/duel-v1 against"),
        (change(games=lambda all_: last_game(all_, actions=None)), "games without actions"),
        (change(games=lambda all_: all_["actions"][-1].__setitem__(0, None)), "games without actions"),
        (change(games=without_last), "1 games against .* are missing"),
    ],
)
def test_what_was_changed_is_found(apply: Callable[[Path], None], message: str, folder: Path) -> None:
    apply(folder)
    with pytest.raises(ConfigError, match=message):
        [*verified(folder)]


@pytest.mark.parametrize("wrong", [{"kind": "human"}, {"name": ""}, {"more": 1}])
def test_a_statement_has_a_fixed_form(wrong: dict[str, Any], folder: Path) -> None:
    (folder / STATEMENT).write_text(json.dumps(TEXT | wrong))
    with pytest.raises(ConfigError, match=STATEMENT):
        read_submission(folder)


def test_either_an_agent_or_a_submission(folder: Path) -> None:
    for words in ((), ("random", "--verify", folder)):
        assert "expected one of: an agent, --runs DIR, --verify FOLDER" in ginkgo(*words).output
