"""A report as a picture: the score of each task with its interval."""

from __future__ import annotations

from pathlib import Path

import matplotlib as mpl
from matplotlib.figure import Figure

from ginkgo_agents.evaluation.benchmark.reports import Report, title_of
from ginkgo_agents.evaluation.plot import STYLE
from ginkgo_env.core.files import written

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
