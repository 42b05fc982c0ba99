"""The files of a run: ``benchmark.json``, ``.md``, ``.png`` with the scores, and ``games.parquet``."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from ginkgo_agents.evaluation.benchmark.games import Columns, write_parquet
from ginkgo_agents.evaluation.benchmark.reports import Report, all_lost, markdown, title_of
from ginkgo_agents.evaluation.plot import STYLE
from ginkgo_env.core.files import written
from ginkgo_env.data.metadata import DataError

REPORT, TEXT, PICTURE, GAMES = "benchmark.json", "benchmark.md", "benchmark.png", "games.parquet"


def write_files(report: Report, games: Columns, folder: Path) -> tuple[list[str], str]:
    """Write all files, each whole or not at all; return their names, and a sentence on what is missing."""
    texts = {REPORT: json.dumps(report, indent=1) + "\n", TEXT: markdown(report)}
    for name, text in texts.items():
        with written(folder / name) as beside:
            beside.write_text(text, "utf-8", newline="\n")
    names = [*texts]
    if not all_lost(report):
        draw(report, folder / PICTURE)
        names.append(PICTURE)
    if not games["task"]:
        return names, ""
    try:
        write_parquet(games, folder / GAMES)
    except DataError:
        return names, f"; {GAMES} needs pyarrow: pip install 'ginkgo-env[data]'"
    return [*names, GAMES], ""


_ROW, _EDGE, _WIDTH, _DPI = 0.32, 1.4, 8.0, 120  # inches, dots per inch
_LONGEST = 70  # characters of the title


def draw(report: Report, path: Path) -> None:
    """Write a PNG."""
    with mpl.rc_context(STYLE), written(path) as beside:
        figure_of(report).savefig(beside, metadata={"Software": None})


def figure_of(report: Report) -> Figure:
    """The figure: a dot and a line for each task that was scored; dotted lines at 0 and 100."""
    rows = [row for row in report["tasks"] if "score" in row]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH, _EDGE + _ROW * max(1, len(rows))), dpi=_DPI, layout="constrained")
        ax = figure.subplots()
        for x in (0, 100):
            ax.axvline(x, color="0.6", linewidth=1, linestyle=":")
        for y, row in enumerate(rows):
            mean, *ends = (end for end in row["score"].values() if end is not None)
            ax.plot(ends, [y] * len(ends), color="C0", linewidth=2, solid_capstyle="butt")
            ax.plot(mean, y, "o", color="C0", markersize=6)
            ax.annotate(f"{round(mean)}", (mean, y), (0, 6), textcoords="offset points", ha="center", fontsize=8)
        ax.set_yticks(range(len(rows)), [row["task"] for row in rows])
        ax.set_ylim(max(1, len(rows)) - 0.5, -0.8)
        ax.tick_params(axis="y", length=0)
        ax.grid(axis="x", color="0.9")
        ax.set_xlabel("score with 95 % interval over deals: 0 is random, 100 the reference agent")
        title = title_of(report)
        ax.set_title(title if len(title) <= _LONGEST else f"… {title[-_LONGEST:]}", loc="left", fontsize="medium")
    return figure
