"""``ginkgo benchmark``: scores, files, and runs that go on where they stopped."""

from __future__ import annotations

import importlib.util
import json
import shutil
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from typer.testing import CliRunner

from ginkgo_agents.evaluation.benchmark import freeze, reports, runs
from ginkgo_agents.evaluation.benchmark.reports import figure_of, report_of
from ginkgo_agents.evaluation.benchmark.runs import (
    COLUMNS,
    Cell,
    Columns,
    Run,
    cells_of,
    games_of,
    normalized,
    play_cell,
    play_tasks,
    prepare_folder,
    with_gaps,
    write_parquet,
)
from ginkgo_agents.evaluation.benchmark.submissions import verified
from ginkgo_agents.evaluation.benchmark.tasks import Known, Task, all_tasks, budget_of, tasks_file, tasks_like, training_sets
from ginkgo_agents.evaluation.compare import read_results
from ginkgo_agents.registry import as_published
from ginkgo_env import ConfigError
from ginkgo_env.cli.app import app
from ginkgo_env.core.strict_json import convert

ROOT = Path(__file__).parents[2]
RUN = Run("builder", "reactive", False, True)
CHEAP = ("my_city/solo", "my_city/duel")
ONLY_CHEAP = ("--task", CHEAP[0], "--task", CHEAP[1])
EXACT = ("games", "score", "panel", "lost", "decisions")


def rows_of(run: Run, folder: Path | None = None, threads: int = 1) -> list[dict[str, Any]]:
    return [row for row, _ in play_tasks(run, tasks_like(*CHEAP), folder, threads)]


def exact(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """All but the processor time."""
    return [{name: row[name] for name in EXACT} for row in rows]


def ginkgo(*words: str) -> Any:
    return CliRunner().invoke(app, ["benchmark", *words])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run."""
    path = tmp_path_factory.mktemp("run") / "builder"
    result = ginkgo("builder", *ONLY_CHEAP, "--quick", "--out", str(path), "--threads", "1")
    assert result.exit_code == 0, result.output
    assert "my_city/duel-v1: players=2, seed 20261113" in result.output
    return path


def games(task: Task, values: np.ndarray) -> Columns:
    """Games with values (opponents, deals), one game a deal."""
    columns: Columns = {name: [] for name in COLUMNS}
    for opponent, own in zip(task.panel, values, strict=True):
        for deal, value in enumerate(own):
            row = {
                "task": task.id,
                "opponent": opponent,
                "deal": deal,
                "seed": deal,
                "win": value,
                "value": value,
                "lost": None,
                "actions": [],
            }
            for name in COLUMNS:
                columns[name].append(row.get(name, 0))
    return columns


def test_the_frozen_results_are_0_and_100() -> None:
    task = all_tasks()["ginkgopolis/duel-v1"]
    for name, frozen in task.frozen.items():
        assert np.allclose(normalized(task, name, [frozen.random.mean, frozen.reference.mean]), [0, 100])


def test_a_score_is_the_mean_over_the_panel_with_an_interval_over_deals() -> None:
    task = all_tasks()["golden_city/duel-v1"]
    values = np.random.default_rng(0).random((len(task.panel), 40))
    row = runs.scored(task, games(task, values))
    joint = np.mean([normalized(task, name, own) for name, own in zip(task.panel, values, strict=True)], axis=0)
    assert row["score"]["mean"] == pytest.approx(joint.mean(), abs=1e-3)
    half = 2.0227 * joint.std(ddof=1) / np.sqrt(40)
    assert [row["score"]["low"], row["score"]["high"]] == pytest.approx([joint.mean() - half, joint.mean() + half], abs=0.5)
    assert [against["win"]["mean"] for against in row["panel"]] == pytest.approx(values.mean(axis=1), abs=1e-3)


def test_intervals_of_games_that_are_all_lost_or_won_have_a_width_and_stay_within_the_scale() -> None:
    task = all_tasks()["golden_city/duel-v1"]
    lost, won = (runs.scored(task, games(task, np.full((len(task.panel), 30), value))) for value in (0.0, 1.0))
    assert lost["score"]["low"] == lost["score"]["mean"] == 0 and 2 < lost["score"]["high"] < 5
    assert won["score"]["high"] == won["score"]["mean"] == pytest.approx(won["ceiling"], abs=0.01)
    assert won["percent"]["mean"] == 100 > won["percent"]["low"] > 95
    assert won["panel"][0]["played_out"] == 30


def test_the_gap_of_a_training_set() -> None:
    """The difference of two independent scores; rows without a counterpart have none."""
    task = all_tasks()["ginkgopolis/held-out-players-v1"]
    rng, panel = np.random.default_rng(0), len(task.panel)
    pair = [
        runs.scored(one, games(one, rng.random((panel, 60)) ** power))
        for one, power in ((task, 2), (training_sets()[task.id], 1))
    ]
    held_out, trained = with_gaps(pair)
    assert trained == pair[1] and held_out == pair[0] | {"gap": held_out["gap"]}
    gap, (two, one) = held_out["gap"], (row["score"] for row in pair)
    assert gap["mean"] == pytest.approx(one["mean"] - two["mean"], abs=1e-3) and gap["low"] > 0
    widths = [score["high"] - score["low"] for score in (one, two, gap)]
    assert widths[2] == pytest.approx(np.hypot(*widths[:2]), rel=0.02)
    unable: dict[str, Any] = {"task": training_sets()[task.id].id, "unable": "why"}
    assert with_gaps([pair[0]]) == [pair[0]] and with_gaps([pair[0], unable]) == [pair[0], unable]


@pytest.mark.full
def test_a_run_with_a_training_set(tmp_path: Path) -> None:
    """Its report holds to the schema and is verified, gap included; without the option its tasks compare with those of others."""
    words = ("random", "--task", "ginkgopolis/held-out-players", "--quick")
    assert ginkgo(*words, "--out", str(tmp_path / "without")).exit_code == 0
    result = ginkgo(*words, "--training-sets", "--out", str(tmp_path / "run"))
    assert result.exit_code == 0 and "the score of its training set minus its own is" in " ".join(result.output.split())
    path = tmp_path / "run" / "benchmark.json"
    report, (alone,) = json.loads(path.read_text()), json.loads((tmp_path / "without" / "benchmark.json").read_text())["tasks"]
    assert [row["task"].removeprefix("ginkgopolis/held-out-players") for row in report["tasks"]] == ["-v1", "-train-v1"]
    assert exact(report["tasks"][:1]) == exact([alone]) and report["tasks"][1]["configurations"][0]["players"] == 2
    assert [len(read_results(tmp_path / name)) for name in ("run", "without")] == [1, 1]
    schema = json.loads(Path(str(tasks_file())).with_name("schema.json").read_text())
    pytest.importorskip("jsonschema").Draft202012Validator(schema).validate(report)
    statement = dict.fromkeys(("name", "authors", "decides", "hardware"), "x") | {"kind": "agent", "published": ""}
    (tmp_path / "run" / "statement.json").write_text(json.dumps(statement))
    assert ginkgo("--verify", str(tmp_path / "run")).exit_code == 0
    report["tasks"][0]["gap"]["mean"] += 1
    path.write_text(json.dumps(report))
    with pytest.raises(ConfigError, match="held-out-players-v1: the games give another gap than the report has"):
        [*verified(tmp_path / "run")]


def test_several_opponents_at_one_table() -> None:
    (task,) = tasks_like("ginkgopolis/table-3-mixed")
    assert task.panel[0] == "greedy + lookahead"
    assert next(cells_of(task)).match("random").agents == ("random", "greedy", "lookahead:version=1")
    assert Cell(task, "greedy", {"players": 3}).match("random").agents == ("random", "greedy", "greedy")
    assert task.label_of("william + greedy") == "william (player) + greedy"


def test_ceilings_and_the_error_of_100() -> None:
    tasks = [task for task in all_tasks().values() if task.metric == "wins"]
    assert (round(min(map(runs.ceiling, tasks))), round(max(map(runs.ceiling, tasks)))) == (115, 299)  # type: ignore[type-var]
    assert [round(end(map(runs.anchor_error, tasks)), 1) for end in (min, max)] == [0.9, 3.7]
    assert runs.ceiling(all_tasks()["my_city/solo-v1"]) is None


@pytest.mark.full
def test_threads_and_repetition_change_nothing() -> None:
    one, two = (exact(rows_of(RUN, threads=threads)) for threads in (1, 2))
    assert one == two


@pytest.mark.full
def test_a_run_goes_on_where_it_stopped(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Finished tasks are read, only what is missing is played, and the result is the same."""
    copy = tmp_path / "run"
    shutil.copytree(folder, copy)
    (copy / "tasks" / "my_city--duel-v1.json").unlink()
    again, played = runs._play, list[str]()

    def play(run: Run, task: Task, *more: Any) -> Any:
        played.append(task.id)
        return again(run, task, *more)

    monkeypatch.setattr(runs, "_play", play)
    prepare_folder(RUN, copy)
    rows = rows_of(RUN, copy)
    assert played == ["my_city/duel-v1"]
    assert exact(rows) == exact(json.loads((folder / "benchmark.json").read_text())["tasks"])


def test_ctrl_c_keeps_finished_tasks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    again = runs._play

    def play(run: Run, task: Task, *more: Any) -> Any:
        if task.name == "my_city/duel":
            raise KeyboardInterrupt
        return again(run, task, *more)

    monkeypatch.setattr(runs, "_play", play)
    result = ginkgo("builder", *ONLY_CHEAP, "--quick", "--out", str(tmp_path / "run"))
    assert result.exit_code == 130
    assert "interrupted: the same command goes on" in result.stderr
    report = json.loads((tmp_path / "run" / "benchmark.json").read_text())
    assert [row["task"] for row in report["tasks"]] == ["my_city/solo-v1"] and not report["complete"]
    assert [path.name for path in (tmp_path / "run" / "tasks").iterdir()] == ["my_city--solo-v1.json"]


@pytest.mark.full
def test_other_runs_and_folders_are_refused(folder: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="holds another run, which differs in agent"):
        prepare_folder(Run("greedy", "reactive", False, True), folder)
    with pytest.raises(ConfigError, match="holds another run, which differs in quick"):
        prepare_folder(Run("builder", "reactive", False, False), folder)
    (tmp_path / "letter").write_text("dear")
    with pytest.raises(ConfigError, match="it holds other files"):
        prepare_folder(RUN, tmp_path)


@pytest.mark.full
def test_an_agent_that_was_edited_does_not_get_its_old_results(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = tmp_path / "edited_bot.py"
    text = "from ginkgo_agents import FunctionAgent\n@FunctionAgent\ndef bot(decision): return decision.legal[{}]\n"
    source.write_text(text.format(0))
    monkeypatch.syspath_prepend(str(tmp_path))
    run, task = Run("edited_bot:bot", "reactive", True, True), tasks_like("my_city/solo-v1")
    prepare_folder(run, tmp_path / "run")
    ((row, _),) = play_tasks(run, task, tmp_path / "run")
    digest = sha256(source.read_bytes()).hexdigest()
    assert row["identities"]["edited_bot:bot"] == [{"name": "edited_bot:bot", "options": {}, "files": {"edited_bot.py": digest}}]
    assert [exact([row])] == [exact([again]) for again, _ in play_tasks(run, task, tmp_path / "run")]
    source.write_text(text.format(-1))
    with pytest.raises(ConfigError, match="has results of another 'edited_bot:bot'; give another folder"):
        list(play_tasks(run, task, tmp_path / "run"))


def test_a_plain_name_in_a_task_means_version_1() -> None:
    """So released tasks keep their opponents; the name of the agent that is measured means the latest."""
    (task,) = tasks_like("ginkgopolis/duel-v1")
    names = {name for cell in cells_of(task) for name in cell.match("search").agents}
    assert names == {
        *("search", "william", "greedy", "ppo:version=1", "lookahead:version=1", "held_out_lookahead", "held_out_ppo")
    }
    identities = Run("search").identities(task)
    assert identities["search"][0]["version"] == 2 and identities["lookahead:version=1"][0]["version"] == 1
    for name in ("greedy", "lookahead:version=2", "search:version=2:simulations=4", "runs/agent.npz", "process:lookahead"):
        assert as_published(name) == name
    assert as_published("lookahead:worlds=4") == "lookahead:version=1:worlds=4"


def means(row: dict[str, Any]) -> dict[str, Any]:
    """The numbers of a row that do not depend on how intervals are computed."""
    named = ("normalized", "win", "points", "margin")
    panel = [{name: one[name] and one[name]["mean"] for name in named} | {"games": one["games"]} for one in row["panel"]]
    return {name: row[name] for name in ("games", "lost", "decisions", "identities")} | {
        "score": row["score"]["mean"],
        "panel": panel,
    }


PUBLISHED = Path(__file__).parents[2] / "benchmarks" / "results"


@pytest.mark.full
@pytest.mark.parametrize("name", sorted(path.stem for path in PUBLISHED.glob("*.json")))
def test_published_results_repeat(name: str) -> None:
    """All numbers but the processor time, in some tasks of each agent."""
    report = json.loads((PUBLISHED / f"{name}.json").read_text())
    agent = report["agent"]["name"]
    assert agent in (name, as_published(name))
    patterns = {"search": "my_city/solo", "lookahead": "golden_city/duel", "held_out_lookahead": "my_city/duel"}
    patterns |= {"ppo": "ginkgopolis/solo-*", "william": "ginkgopolis/solo-*"}
    rows = {row["task"]: row for row in report["tasks"]}
    tasks = tasks_like(patterns.get(name, "golden_city/table-3-mixed"))
    played = [row for row, _ in play_tasks(Run(agent, *budget_of(agent)), tasks)]
    for row in played:
        if "unable" not in row:
            assert means(row) == means(rows[row["task"]])
    assert any("unable" not in row for row in played)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"games": {}, "decisions": 1, "seconds": 1.0, "messages": []}'])
def test_damaged_files_are_refused(folder: Path, tmp_path: Path, text: str) -> None:
    copy = tmp_path / "run"
    shutil.copytree(folder, copy)
    (copy / "tasks" / "my_city--duel-v1.json").write_text(text)
    with pytest.raises(ConfigError, match=r"my_city--duel-v1.json"):
        rows_of(RUN, copy)


def test_what_an_agent_cannot_play_is_said_and_not_scored() -> None:
    result = ginkgo("william", "--task", "golden_city/table-3", "--quick")
    assert result.exit_code == 0
    assert "golden_city/table-3-v1 is not scored: agent 'william' does not play golden_city" in " ".join(result.stdout.split())


def test_the_report_holds_to_its_schema(folder: Path) -> None:
    jsonschema = pytest.importorskip("jsonschema")
    schema = json.loads(Path(str(tasks_file())).with_name("schema.json").read_text())
    checker = jsonschema.Draft202012Validator(schema)
    checker.check_schema(schema)
    unable = report_of(RUN, [row for row, _ in play_tasks(Run("ppo", None, True, True), tasks_like("my_city/duel"))], False)
    for report in (json.loads((folder / "benchmark.json").read_text()), unable):
        checker.validate(report)
        with pytest.raises(jsonschema.ValidationError):
            checker.validate({**report, "more": 1})
    for path in (ROOT / "benchmarks" / "results").glob("*.json"):
        checker.validate(json.loads(path.read_text()))


def test_files_tell_the_same(folder: Path) -> None:
    pq = pytest.importorskip("pyarrow.parquet")
    report, text = json.loads((folder / "benchmark.json").read_text()), (folder / "benchmark.md").read_text()
    table = pq.read_table(folder / "games.parquet")
    assert table.column_names == list(COLUMNS)
    assert table.schema.field("value").metadata[b"meaning"].decode() == COLUMNS["value"]
    for row in report["tasks"]:
        assert f"{row['score']['mean']:.1f} [" in text
        own = [one for one in table.to_pylist() if one["task"] == row["task"]]
        assert len(own) == row["games"]
        assert np.mean([one["normalized"] for one in own]) == pytest.approx(row["score"]["mean"], abs=1e-3)
    assert (folder / "benchmark.png").read_bytes().startswith(b"\x89PNG")


def test_a_sentence_where_parquet_cannot_be_written(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow.parquet", None)
    report = json.loads((folder / "benchmark.json").read_text())
    names, note = reports.write_files(report, {name: ["x"] for name in COLUMNS}, tmp_path)
    assert "games.parquet" not in names and "pip install 'ginkgo-env[data]'" in note


def test_lost_games_count_as_lost(tmp_path: Path) -> None:
    """In a game alone at most as random's result."""
    (tmp_path / "bot.py").write_text("import sys; sys.exit(1)")
    task = all_tasks()["my_city/solo-v1"]
    (cell,) = cells_of(task)
    results, seconds = play_cell(cell, f"process:{sys.executable} {tmp_path / 'bot.py'}", 3)
    played = games_of(cell, results)
    assert played["lost"] == ["crash"] * 3
    assert max(played["value"]) <= task.frozen["alone"].random.mean
    assert runs.scored(task, played)["lost"] == {"crash": 3}
    assert seconds > 0


@pytest.mark.full
def test_processor_time_of_children_counts(tmp_path: Path) -> None:
    """A bot that works once in each game: games end after any number of decisions, as its random choices depend on its path."""
    bot, ready = (ROOT / "benchmarks" / "client.py").read_text(), 'return {"type": "ready"'
    assert ready in bot
    (tmp_path / "bot.py").write_text(bot.replace(ready, f"sum(range(2 * 10**7)); {ready}"))
    (cell,) = cells_of(all_tasks()["my_city/solo-v1"])
    name = f"process:{sys.executable}"
    slow, fast = (play_cell(cell, f"{name} {path}", 2)[1] for path in (tmp_path / "bot.py", ROOT / "benchmarks" / "client.py"))
    assert slow > 2 * fast > 0


def test_freezing_plays_what_counts_as_0_and_100() -> None:
    task = all_tasks()["my_city/duel-v1"]
    small: Task = convert({**msgspec.to_builtins(task), "deals": 20}, Task)
    assert freeze.known(small, "lookahead", "lookahead") == Known(0.5, 0.0, 0)
    known = freeze.known(small, "builder", "random")
    cell = Cell(small, "builder", small.configurations[0])
    wins = play_cell(cell, "random", 20)[0].wins[:, :, 0].mean()
    assert known.mean == pytest.approx(wins, abs=1e-6) and known.deals == 20


def loaded(path: Path) -> Any:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_of_results_is_up_to_date() -> None:
    generate = loaded(ROOT / "docs" / "generate_benchmark.py")
    text = generate.PAGE.read_text("utf-8")
    assert text == generate.page(text), "run: python docs/generate_benchmark.py"
    assert {report["agent"]["name"] for report in generate.reports()} >= {"random", "lookahead:version=1"}
    for report in generate.reports():  # the page marks no results of fewer deals or tasks
        assert report["complete"] and not report["quick"], report["agent"]["name"]
        assert [row["task"] for row in report["tasks"]] == list(all_tasks()), report["agent"]["name"]
    assert all(f"`{name}`" in text for name in all_tasks())
    text = generate.LEADERBOARD.read_text("utf-8")
    assert text == generate.leaderboard(text), "run: python docs/generate_benchmark.py"


def test_stored_results_are_on_the_scale_of_the_tasks() -> None:
    for path in sorted((ROOT / "benchmarks" / "results").glob("*.json")):
        for part in json.loads(path.read_text("utf-8"))["tasks"]:
            frozen = all_tasks()[part["task"]].frozen
            for row in part.get("panel", ()):  # none where the agent is unable
                for kind in ("random", "reference"):
                    expected = getattr(frozen[row["opponent"]], kind).mean
                    assert row[kind] == pytest.approx(expected, abs=1e-4), (path.name, part["task"], row["opponent"])


def test_the_picture_gives_percent_of_the_ceiling() -> None:
    report = json.loads((PUBLISHED / "search.json").read_text("utf-8"))
    (axes,) = figure_of(report).axes
    labels = [label.get_text() for label in axes.get_yticklabels()]
    rows = [row for row in report["tasks"] if "score" in row]
    of_ceiling = [f", {row['percent']['mean']:.0f} % of {row['ceiling']:.0f}" if row["percent"] else "" for row in rows]
    assert labels == [row["task"] + text for row, text in zip(rows, of_ceiling, strict=True)] and "" in of_ceiling


def test_means_over_deals_are_aggregated(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """An agent that wins a quarter of its deals scores 25, although the middle half of the deals scores 0."""
    pytest.importorskip("pyarrow")
    columns: Columns = {name: [0] * 40 for name in COLUMNS}
    columns |= {"task": ["duel"] * 40, "opponent": ["x"] * 40, "lost": [None] * 40, "actions": [[]] * 40}
    columns |= {"deal": [*range(40)], "normalized": [100.0 * (k < 10) for k in range(40)]}
    write_parquet(columns, tmp_path / "games.parquet")
    report = {"tasks": [{"task": "duel", "percent": {"mean": 12.5}}, {"task": "other", "percent": {"mean": 90}}]}
    (tmp_path / "benchmark.json").write_text(json.dumps(report))
    loaded(ROOT / "benchmarks" / "aggregate.py").main([str(tmp_path)], resamples=400)
    line = capsys.readouterr().out
    assert ": mean 25.0 [" in line and "over deals of 1 tasks, 12 % of the ceiling" in line
    low, high = map(float, line.partition("[")[2].partition("]")[0].split(", "))
    assert 8 < low < 17 < 33 < high < 42
