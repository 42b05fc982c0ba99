"""The report of a run as plain data, as Markdown, and as a picture of the scores.

``benchmark.json`` holds the plain data; ``schema.json`` is its JSON schema.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from ginkgo_agents.evaluation.benchmark.runs import Columns, Row, Run, with_gaps, write_parquet
from ginkgo_agents.evaluation.benchmark.tasks import budget_text, scored_tasks, training_of
from ginkgo_agents.evaluation.leaderboard import lost_text
from ginkgo_agents.evaluation.options import notes_on_names, timed_text
from ginkgo_agents.evaluation.plot import STYLE, Figure, draw_dots, rc_context
from ginkgo_agents.evaluation.statistics import interval_text
from ginkgo_env.core.errors import MissingPackageError
from ginkgo_env.core.files import atomic_write, write_file
from ginkgo_env.core.text import markdown_table

Report = dict[str, Any]
SHORT = (
    "In brackets: 95 % intervals over deals; 0 is random's frozen result and 100 that of the reference agent, lookahead. "
    "The ceiling is the score of winning every game. A task fixes game, configurations, opponents, seed and deals."
)


def report_of(run: Run, rows: Sequence[Row], complete: bool) -> Report:
    """The report of a run.

    complete : whether all chosen tasks were played
    """
    head = {name: run.settings[name] for name in ("format", "version", "ginkgo_env")}
    agent = {"name": run.agent, "budget": budget_text(run.budget), "declared": run.declared}
    training = training_of(run.agent)
    agent |= msgspec.to_builtins(training) | {"training_track": training.track}
    return head | {"agent": agent, "quick": run.quick, "complete": complete, "tasks": with_gaps(rows)}


def title_of(report: Mapping[str, Any]) -> str:
    """What was measured, in words."""
    agent = report["agent"]
    budget = agent["budget"] + (" as declared" if agent["declared"] and agent["budget"] != "unknown" else "")
    return f"{agent['name']}, budget {budget}{', quick' if report['quick'] else ''}, ginkgo_env {report['ginkgo_env']}"


def text_of(interval: Mapping[str, float | None], scale: float = 1.0, digits: int = 1) -> str:
    """An interval as ``12.3 [10.1, 14.5]``."""
    return interval_text(interval.values(), digits, scale, separator=", ")


def milliseconds(row: Row) -> str:
    """Processor time of a decision."""
    return f"{1000 * row['seconds'] / row['decisions']:.3g}" if row.get("decisions") else ""


HEAD = ("task", "score", "of the ceiling", "deals", "games", "ms a decision", "lost")


def cells_of_row(row: Row) -> list[str]:
    """A row of the table of results, in the columns of :data:`HEAD`."""
    if "unable" in row:
        return [row["task"], "unable", *[""] * (len(HEAD) - 2)]
    of_ceiling = f"{row['percent']['mean']:z.0f} % of {row['ceiling']:.0f}" if row["ceiling"] else ""
    counts = (str(row["panel"][0]["deals"]), str(row["games"]))
    return [row["task"], text_of(row["score"]), of_ceiling, *counts, milliseconds(row), lost_text(row)]


def all_lost(report: Mapping[str, Any]) -> bool:
    """Whether the agent lost all its games by errors of its own."""
    scored = [row for row in report["tasks"] if "score" in row]
    return bool(scored) and all(sum(row["lost"].values()) == row["games"] for row in scored)


RAW_HEAD = ("task", "opponent", "result", "random's", "the reference's")


def raw_rows(report: Report) -> list[list[str]]:
    """The raw results, in the columns of :data:`RAW_HEAD`: wins in percent, or points in solo games."""
    rows = []
    for row in report["tasks"]:
        for against in row.get("panel", ()):
            wins = row["metric"] == "wins"
            raw, scale = (against["win"], 100) if wins else (against["points"], 1)
            known = (f"{scale * against[name]:.1f}" for name in ("random", "reference"))
            rows.append([row["task"], scored_tasks()[row["task"]].label_of(against["opponent"]), text_of(raw, scale), *known])
    return rows


def markdown(report: Report) -> str:
    """The report as Markdown."""
    lines = [f"# {title_of(report)}", "", SHORT, "", markdown_table(HEAD, map(cells_of_row, report["tasks"]))]
    lines += ["Raw results: wins in percent, or points in solo games.", "", markdown_table(RAW_HEAD, raw_rows(report))]
    return "\n".join([*lines, *notes(report), ""])


def notes(report: Report) -> list[str]:
    """Sentences on how the agent was trained, how tasks were played, what is missing, and lost games."""
    found = [] if report["complete"] else ["Interrupted: finished tasks only."]
    if (agent := report["agent"])["trained_on"] is not None:  # JSON escapes what a file could do to a terminal
        on = json.dumps({name: value for name, value in agent["trained_on"].items() if value})
        decisions, seed, track = (agent[f"training_{name}"] for name in ("decisions", "seed", "track"))
        found.append(f"trained on {on}: {decisions} decisions, seed {seed}; track {track}")
    for task in {scored_tasks()[row["task"]].game: scored_tasks()[row["task"]] for row in report["tasks"]}.values():
        found += notes_on_names(task.panel, task.game)
    for row in report["tasks"]:
        if "unable" in row:
            found.append(f"{row['task']} is not scored: {row['unable']}")
            continue
        configs = [", ".join(f"{name}={value}" for name, value in config.items()) for config in row["configurations"]]
        conditions = configs[0] if len(configs) == 1 else f"{len(configs)} configurations"
        found.append(f"{row['task']}: {conditions}, seed {row['seed']}")
        if gap := row.get("gap"):
            found.append(f"{row['task']}: the score of its training set minus its own is {text_of(gap)}")
        if playouts := row.get("timed_playouts"):
            found.append(f"{row['task']}: {timed_text(agent['name'], playouts / row['decisions'])}")
        found += [f"{row['task']}: lost by {message}" for message in row["messages"]]
    return found


REPORT, TEXT, PICTURE, GAMES = "benchmark.json", "benchmark.md", "benchmark.png", "games.parquet"


def write_files(report: Report, games: Columns, folder: Path) -> tuple[list[str], str]:
    """Write all files, each whole or not at all; return their names, and a sentence on what is missing."""
    texts = {REPORT: json.dumps(report, indent=1) + "\n", TEXT: markdown(report)}
    for name, text in texts.items():
        write_file(folder / name, text)
    names = [*texts]
    if not all_lost(report):
        with atomic_write(folder / PICTURE) as temporary, rc_context(STYLE):
            figure_of(report).savefig(temporary, metadata={"Software": None})
        names.append(PICTURE)
    if not games["task"]:
        return names, ""
    try:
        write_parquet(games, folder / GAMES)
    except MissingPackageError as error:
        return names, f"; no {GAMES}, as {error}"
    return [*names, GAMES], ""


_ROW, _EDGE, _WIDTH, _DPI = 0.32, 1.4, 8.0, 120  # inches, dots per inch
_LONGEST = 70  # characters of the title


def figure_of(report: Report) -> Figure:
    """The figure: a dot and a line for each task that was scored; dotted lines at 0 and 100."""
    rows = [row for row in report["tasks"] if "score" in row]
    with rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH, _EDGE + _ROW * max(1, len(rows))), dpi=_DPI, layout="constrained")
        ax = figure.subplots()
        for x in (0, 100):
            ax.axvline(x, color="0.6", linewidth=1, linestyle=":")
        labels = [", ".join(filter(None, (task, of_ceiling))) for task, _, of_ceiling, *_ in map(cells_of_row, rows)]
        draw_dots(ax, labels, [row["score"].values() for row in rows], ["C0"] * len(rows), digits=0)
        ends = "score with 95 % interval over deals: 0 is random, 100 the reference agent"
        ax.set_xlabel(f"{ends}\nbeside the tasks: the score in percent of the ceiling")
        title = title_of(report)
        ax.set_title(title if len(title) <= _LONGEST else f"… {title[-_LONGEST:]}", loc="left", fontsize="medium")
    return figure
