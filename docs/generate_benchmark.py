"""Generate the tables of ``docs/benchmark.md`` and ``docs/leaderboard.md``.

The sources are reports of ``ginkgo benchmark`` in ``benchmarks/results`` and ``benchmarks/submissions``. A test checks that the
pages are up to date.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path
from textwrap import fill, wrap
from typing import Any

import numpy as np

from ginkgo_agents.evaluation.benchmark.reports import text_of
from ginkgo_agents.evaluation.benchmark.runs import anchor_error, ceiling
from ginkgo_agents.evaluation.benchmark.submissions import STATEMENT, read_submission
from ginkgo_agents.evaluation.benchmark.tasks import Known, Task, all_tasks, learning_protocol, training_sets
from ginkgo_agents.evaluation.statistics import interval_text, student
from ginkgo_env.core.text import markdown_table

DOCS = Path(__file__).resolve().parent
PAGE, RESULTS = DOCS / "benchmark.md", DOCS.parent / "benchmarks" / "results"
LEADERBOARD, SUBMISSIONS = DOCS / "leaderboard.md", DOCS.parent / "benchmarks" / "submissions"
Report = dict[str, Any]


def reports() -> list[Report]:
    """The results of the agents, by their mean score."""

    def mean(report: Report) -> float:
        scores = [float(row["score"]["mean"]) for row in report["tasks"] if "score" in row]
        return sum(scores) / len(scores)

    return sorted((json.loads(path.read_text("utf-8")) for path in sorted(RESULTS.glob("*.json"))), key=mean)


def tasks_table() -> str:
    """The tasks, without opponents of the held-out agents that are in nearly all panels."""
    rows = []
    for task in all_tasks().values():
        games = task.deals * sum(game.seats if game.seats_matter else 1 for game in task.games())
        others = [name for name in task.panel if "held_out_" not in name]
        ends = [f"{top:.0f}" if (top := ceiling(task)) else "", f"{anchor_error(task):.1f}"]
        title = task.title.partition("; trained")[0]
        rows.append([f"`{task.id}`", title, ", ".join(map(task.label_of, others)), f"{games:,}", *ends])
    head = ["task", "what", "panel besides held-out agents", "games each", "ceiling", "error of 100"]
    return markdown_table(head, rows)


def learning_methods_text() -> str:
    """The protocol for learning methods, as a list."""
    own = learning_protocol()
    (first, end), tracks = own.reserved_seeds, ", ".join(f"{size:,}" for size in own.tracks)
    numbers = [f"Tracks: at most {tracks} training decisions, or any number in the track `open`."]
    numbers += [f"Training runs: at least {own.training_seeds}, each with a seed of its own."]
    rules = [*numbers, *own.rules, f"Reserved seeds: {first} to {end - 1}."]
    return "".join(fill(f"* {rule}", 130, subsequent_indent="  ") + "\n" for rule in rules)


def by_track(found: list[Report], table: Callable[[list[Report]], str]) -> str:
    """A table for each track, as results compare within a track."""
    tracks: dict[str, list[Report]] = {}
    for report in found:
        tracks.setdefault(_tracks(report), []).append(report)
    return "\n".join(f"Track: {track}.\n\n{table(reports)}" for track, reports in sorted(tracks.items(), reverse=True))


def _tracks(report: Report) -> str:
    return ", ".join(sorted({row["track"] for row in report["tasks"]}))


def scores_table(found: list[Report]) -> str:
    """The scores: a row for each task that was measured, a column for each agent."""
    rows = [[f"`{name}`", *(_score(row) for row in _rows(name, found))] for name in all_tasks() if any(_rows(name, found))]
    return markdown_table(["task", *(f"`{report['agent']['name']}`" for report in found)], rows)


def _rows(name: str, found: list[Report]) -> list[dict[str, Any]]:
    return [next((row for row in report["tasks"] if row["task"] == name), {}) for report in found]


def _score(row: dict[str, Any]) -> str:
    if "score" not in row:
        return "unable" if "unable" in row else ""
    return text_of(row["score"], digits=0) + _percent_text([row["percent"] and row["percent"]["mean"]])


def _percent_text(percents: list[Any]) -> str:
    """The mean of scores in percent of the ceiling, if there is one."""
    return "" if percents[0] is None else f" {np.mean(percents):z.0f} %"


def cost_table(found: list[Report]) -> str:
    """The budget and the processor time of each agent, by game."""
    games = list(dict.fromkeys(task.game for task in all_tasks().values()))
    rows = []
    for report in found:
        costs = []
        for game in games:
            own = [row for row in report["tasks"] if row["task"].startswith(f"{game}/") and row.get("decisions")]
            decisions, seconds = (sum(row[name] for row in own) for name in ("decisions", "seconds"))
            costs.append(f"{1000 * seconds / decisions:.2g}" if decisions else "")
        rows.append([f"`{report['agent']['name']}`", report["agent"]["budget"], _tracks(report), *costs])
    return markdown_table(["agent", "budget", "track", *(f"{game}, ms" for game in games)], rows)


def raw_table(found: list[Report]) -> str:
    """What counts against each opponent: the frozen results, and those of the agents."""
    rows = []
    for task in all_tasks().values():
        for opponent in task.panel if any(_rows(task.id, found)) else ():
            frozen = task.frozen[opponent]
            cells = [_raw(next((one for one in row.get("panel", ()) if one["opponent"] == opponent), None), task)
                     for row in _rows(task.id, found)]  # fmt: skip
            rows.append(
                [f"`{task.id}`", task.label_of(opponent), _known(frozen.random, task), _known(frozen.reference, task), *cells]
            )
    return markdown_table(["task", "opponent", "0", "100", *(f"`{report['agent']['name']}`" for report in found)], rows)


def baselines_text() -> str:
    """The baselines of the protocol for learning methods, with their commands.

    Scores are means over training runs, with Student's intervals.
    """
    rows, commands = [], []
    for path in sorted((RESULTS / "baselines").glob("*.json")):
        found = json.loads(path.read_text("utf-8"))
        runs = sorted(found["runs"], key=lambda run: int(run["seed"]))
        each = np.array([run["score"] for run in runs])
        decisions, minutes = max(run["decisions"] for run in runs), sum(run["seconds"] for run in runs) / 60 / len(runs)
        row = [f"`{path.stem}`", f"`{found['task']}`", f"{decisions:,}", f"{minutes:.1f}", str(len(runs))]
        score = interval_text(student(each), separator=", ") + _percent_text([run["percent"] for run in runs])
        row += [score, " ".join(f"{one:.0f}" for one in each)]
        rows.append(row)
        commands += [f"# {path.stem}", *wrap(found["command"], 120, subsequent_indent="    ", break_on_hyphens=False)]
    table = markdown_table(["baseline", "task", "decisions", "minutes", "runs", "score", "score of each run"], rows)
    lines = [f"{line} \\" if after.startswith(" ") else line for line, after in pairwise([*commands, ""])]
    return "\n".join([table, "```bash", *lines, "```", ""])


def generalization_table() -> str:
    """The scores of baselines and agents on training sets and on what is scored, and the gaps.

    Intervals are over training runs, or over deals.
    """
    rows = []
    for path in [*sorted((RESULTS / "baselines").glob("*.json")), *sorted((RESULTS / "generalization").glob("*.json"))]:
        found = json.loads(path.read_text("utf-8"))
        if pairs := [(run["training_set"], run["score"]) for run in found.get("runs", ()) if "training_set" in run]:
            each = np.array([(trained, score, trained - score) for trained, score in pairs]).T
            texts = [interval_text(student(values), separator=", ") for values in each]
            rows.append([f"`{path.stem}`, {len(pairs)} runs", f"`{found['task']}`", *texts])
        scores = {row["task"]: row["score"] for row in found.get("tasks", ()) if "score" in row}
        for row in (row for row in found.get("tasks", ()) if "gap" in row):
            texts = [text_of(one) for one in (scores[training_sets()[row["task"]].id], row["score"], row["gap"])]
            rows.append([f"`{found['agent']['name']}`", f"`{row['task'].rpartition('-')[0]}`", *texts])
    return markdown_table(["agent", "task", "training set", "score of the task", "gap"], rows)


def leaderboard_text() -> str:
    """A table for each task, the best submission first.

    The interval of a score is over deals or, of several runs, over runs. A learning method with fewer runs than the protocol
    requires is shown as such.
    """
    required = learning_protocol().training_seeds
    tasks: dict[str, list[tuple[float, list[str]]]] = {}
    for folder in sorted(path.parent for path in SUBMISSIONS.glob(f"*/{STATEMENT}")):
        statement, found = read_submission(folder)
        methods = [report["agent"] for report in found.values() if statement.kind == "learning method"]
        training = ", ".join(sorted({agent["training_track"].removesuffix(" decisions") for agent in methods}))
        rows = [row | {"quick": report["quick"]} for report in found.values() for row in report["tasks"] if "score" in row]
        for task in dict.fromkeys(row["task"] for row in rows):
            runs = [row for row in rows if row["task"] == task]
            scores = [row["score"]["mean"] for row in runs]
            score = interval_text(student(np.array(scores)), separator=", ") if len(runs) > 1 else text_of(runs[0]["score"])
            size = "quick" if any(row["quick"] for row in runs) else "full"
            cells = [f"{statement.name} (`{folder.name}`)", statement.kind, runs[0]["track"]]
            score += _percent_text([row["percent"] and row["percent"]["mean"] for row in runs])
            fewer = f" of {required}" if methods and len(runs) < required else ""
            cells += [training, f"{len(runs)}{fewer}", size, score]
            tasks.setdefault(task, []).append((float(np.mean(scores)), cells))
    head = ["submission", "kind", "track", "training", "runs", "deals", "score"]
    tables = [
        f"`{task}`\n\n{markdown_table(head, [cells for _, cells in sorted(tasks[task], key=lambda one: -one[0])])}"
        for task in all_tasks()
        if task in tasks
    ]
    return "\n".join(tables)


def _known(known: Known, task: Task) -> str:
    scale = 1 if task.metric == "score" else 100
    return f"{scale * known.mean:.1f} ± {scale * known.error:.1f}" if known.deals else f"{scale * known.mean:.1f}"


def _raw(against: dict[str, Any] | None, task: Task) -> str:
    if against is None:
        return ""
    return f"{against['points']['mean']:.1f}" if task.metric == "score" else f"{100 * against['win']['mean']:.0f}"


def page(text: str) -> str:
    """The page with its tables made anew."""
    found = reports()
    tables = {"tasks": tasks_table(), "costs": cost_table(found), "learning methods": learning_methods_text()}
    tables |= {"baselines": baselines_text(), "generalization": generalization_table()}
    tables |= {"scores": by_track(found, scores_table), "raw": by_track(found, raw_table)}
    return _filled(text, tables)


def leaderboard(text: str) -> str:
    """The page of the leaderboard with its tables made anew."""
    return _filled(text, {"submissions": leaderboard_text()})


def _filled(text: str, tables: dict[str, str]) -> str:
    for name, table in tables.items():
        block = re.compile(rf"(<!-- {name}: generated -->\n).*?(<!-- end -->)", re.DOTALL)
        text = block.sub(lambda at, table=table: f"{at[1]}\n{table}\n{at[2]}", text)  # type: ignore[misc]
    return text


if __name__ == "__main__":
    PAGE.write_text(page(PAGE.read_text("utf-8")), "utf-8")
    LEADERBOARD.write_text(leaderboard(LEADERBOARD.read_text("utf-8")), "utf-8")
