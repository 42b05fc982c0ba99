"""A leaderboard as a plot."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import matplotlib as mpl
from matplotlib.figure import Figure

from ginkgo_agents.evaluation.reports import Ends, Report, Row, by_configuration, by_ranking, opponents, ranking_title
from ginkgo_env.registry import game_class

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW, _PANEL, _EDGE, _WIDTH = 0.3, 0.95, 0.45, 6.5  # inches
_FEWEST_ROWS = 2
_LABEL, _TITLE, _NOTE = 36, 56, 90  # characters in a line
_DPI = 120
_CHANCE = "0.6"
_SCORE = "mean score, 95 % interval (thin: from the 10 % to the 90 % quantile)"
STYLE: Any = {
    "font.size": 9,
    "axes.axisbelow": True,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "svg.hashsalt": "ginkgo",
}
"""The style that the figures of the package share."""


class _Panel(NamedTuple):
    """A panel of the plot: a dot with an interval for each row."""

    title: str
    unit: str
    rows: list[Row]
    label: Callable[[Row], str]
    ends: Callable[[Row], Ends]
    digits: int = 1
    percent: bool = False


def plot(report: Report, path: Path) -> None:
    """Write a PNG of win rates in each configuration, then Elo points, with 95 % intervals.

    For games with one side it shows scores, with a thin line from the 10 % to the 90 % quantile.
    """
    with mpl.rc_context(STYLE):
        figure_of(report).savefig(path, metadata={"Software": None})


def figure_of(report: Report) -> Figure:
    """The figure, with a panel for each configuration and one for the ratings.

    Notebooks display it after ``%matplotlib inline``.
    """
    panels = _panels(report)
    colors = {name: f"C{i % 10}" for i, name in enumerate(report["config"]["agents"])}
    across = min(2, len(panels))
    down = -(-len(panels) // across)
    longest = [max(len(panel.rows) for panel in panels[across * k : across * (k + 1)]) for k in range(down)]
    heights = [_PANEL + _ROW * max(_FEWEST_ROWS, rows) for rows in longest]
    with mpl.rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH * across, _EDGE + sum(heights)), dpi=_DPI, layout="constrained")
        axes = figure.subplots(down, across, squeeze=False, height_ratios=heights).ravel()
        for ax, panel in zip(axes, panels, strict=False):
            _draw(ax, panel, colors)
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        figure.suptitle(_title(report))
        if report.get("notes"):
            figure.supxlabel(fill(" ".join(report["notes"]), across * _NOTE), fontsize="small", color="0.4")
    return figure


def _title(report: Report) -> str:
    config = report["config"]
    how = "" if report["complete"] else "interrupted: finished games only"
    return ", ".join(part for part in (game_class(config["game"]).title, f"seed {config['seed']}", how) if part)


def _panels(report: Report) -> list[_Panel]:
    panels = []
    for title, rows in by_configuration(report["results"]):
        if rows[0]["win_rate"] is None:
            panels.append(_Panel(title, _SCORE, rows, _label, lambda row: row["score"]))
        else:
            unit = "win rate in %, 95 % interval (dotted: even)"
            panels.append(_Panel(title, unit, rows, _label, lambda row: row["win_rate"], percent=True))
    for ranking, rows in by_ranking(report["ratings"]):
        unit = f"Elo points, difference to {_short(rows[0]['reference'])}, 95 % interval"
        panels.append(_Panel(ranking_title(ranking), unit, rows, _rated, lambda row: row["elo"], 0))
    return panels


def _label(row: Row) -> str:
    against = opponents({**row, "agent": _short(row["agent"]), "table": [_short(name) for name in row["table"]]})
    return _wrapped(f"{_short(row['agent'])} vs {against}" if against else _short(row["agent"]))


def _rated(row: Row) -> str:
    return _wrapped(f"{_short(row['agent'])} ({row['games']} games)")


def _short(name: str) -> str:
    """The name of an agent, without the module of ``module:attribute``."""
    return name.rpartition(":")[2]


def _wrapped(label: str) -> str:
    """Wrap into two short lines, which leave room for the panel."""
    return "\n".join(wrap(label, _LABEL, max_lines=2, placeholder=" …"))


def _draw(ax: Axes, panel: _Panel, colors: dict[str, str]) -> None:
    scale = 100 if panel.percent else 1
    if panel.percent:
        ax.set_xlim(-6, 106)
    else:
        numbers = [*map(panel.ends, panel.rows), *(row.get("quantiles", {}) for row in panel.rows)]
        ends = [end for row in numbers for end in row.values() if end is not None]
        space = 0.15 * (max(ends) - min(ends)) or 1.0
        ax.set_xlim(min(ends) - space, max(ends) + space)
    for y, row in enumerate(panel.rows):
        if panel.percent:
            even = 100 / row["sides"]
            ax.plot([even, even], [y - 0.4, y + 0.4], color=_CHANCE, linewidth=1, linestyle=":")
        if spread := list(row.get("quantiles", {}).values()):
            ax.plot([spread[0], spread[-1]], [y, y], color=colors[row["agent"]], linewidth=0.8)
        _dot(ax, y, panel.ends(row), colors[row["agent"]], scale, panel.digits)
    ax.set_yticks(range(len(panel.rows)), [panel.label(row) for row in panel.rows])
    ax.set_ylim(max(_FEWEST_ROWS, len(panel.rows)) - 0.5, -0.8)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="0.9")
    ax.set_title(fill(panel.title, _TITLE), loc="left", fontsize="medium")
    ax.set_xlabel(panel.unit)


def _dot(ax: Axes, y: int, interval: Ends, color: str, scale: float, digits: int) -> None:
    """Draw a mean with its number and its interval, if there is one (a single deal gives none)."""
    mean, *ends = (scale * end for end in interval.values() if end is not None)
    ax.plot(ends, [y] * len(ends), color=color, lw=2, solid_capstyle="butt")
    ax.plot(mean, y, "o", color=color, markersize=6, clip_on=False)
    ax.annotate(
        f"{mean:.{digits}f}", (mean, y), (0, 6), textcoords="offset points", ha="center", fontsize=8, annotation_clip=False
    )
