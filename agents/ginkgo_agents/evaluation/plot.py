"""A leaderboard as a plot, and what all modules that draw take from Matplotlib."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from textwrap import fill, wrap
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ginkgo_agents.evaluation.leaderboard import (
    Report,
    Row,
    by_configuration,
    by_ranking,
    grid_of,
    lost_notes,
    playing_rows,
    ranking_title,
)
from ginkgo_agents.evaluation.options import describe_conditions
from ginkgo_env.core.imports import extra
from ginkgo_env.registry import game_class

with extra("eval"):
    from matplotlib import rc_context as rc_context
    from matplotlib.figure import Figure as Figure

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW, _PANEL, _EDGE, _WIDTH = 0.3, 0.95, 0.45, 6.5  # inches
_FEWEST_ROWS = 2
_LABEL, _TITLE, _NOTE = 36, 56, 90  # characters in a line
_DPI = 120
_COLUMN = 12
_PAIR, _LINEUP = "the row's agent against the column's", "each agent of a match"
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
    """A panel of the plot: its title, its unit, its number of rows, and what draws it."""

    title: str
    unit: str
    rows: int
    draw: Callable[[Axes], None]


def plot(report: Report, path: Path) -> None:
    """Write a PNG of win rates, each match once, and of Elo points, with 95 % intervals.

    For games with one side it shows scores, with a thin line from the 10 % to the 90 % quantile.
    """
    with rc_context(STYLE):
        figure_of(report).savefig(path, metadata={"Software": None})


def figure_of(report: Report) -> Figure:
    """The figure, with a panel for each configuration and one for the ratings.

    Notebooks display it after ``%matplotlib inline``.
    """
    panels = _panels(report)
    across = min(2, len(panels)) or 1
    down = -(-len(panels) // across) or 1
    longest = [max((panel.rows for panel in panels[across * k : across * (k + 1)]), default=0) for k in range(down)]
    heights = [_PANEL + _ROW * max(_FEWEST_ROWS, rows) for rows in longest]
    with rc_context(STYLE):
        figure = Figure(figsize=(_WIDTH * across, _EDGE + sum(heights)), dpi=_DPI, layout="constrained")
        axes = figure.subplots(down, across, squeeze=False, height_ratios=heights).ravel()
        for ax, panel in zip(axes, panels, strict=False):
            panel.draw(ax)
            ax.set_title(fill(panel.title, _TITLE), loc="left", fontsize="medium")
            ax.set_xlabel(panel.unit)
        for ax in axes[len(panels) :]:
            ax.set_visible(False)
        figure.suptitle(_title(report))
        if notes := [*report["notes"], *lost_notes(report)]:
            figure.supxlabel(fill(" ".join(notes), across * _NOTE), fontsize="small", color="0.4")
    return figure


def _title(report: Report) -> str:
    config = report["config"]
    how = "" if report["complete"] else "interrupted: finished games only"
    conditions = describe_conditions(report["versions"], config["seed"])
    return ", ".join(part for part in (game_class(config["game"]).title, conditions, how) if part)


def _panels(report: Report) -> list[_Panel]:
    colors = {name: f"C{i % 10}" for i, name in enumerate(report["config"]["agents"])}

    def label(name: str) -> str:
        return _short(str(report["labels"].get(name, name)))

    def dots(title: str, unit: str, rows: list[Row], key: str, digits: int = 1) -> _Panel:
        names = [label(row["agent"]) + (f" ({row['games']} games)" if key == "elo" else "") for row in rows]
        return _Panel(title, unit, len(rows), lambda ax: _draw_dots(ax, rows, names, key, digits, colors))

    panels = []
    for title, rows in by_configuration(playing_rows(report)):
        if rows[0]["players"] > 1:
            unit = f"wins of {_PAIR if rows[0]['players'] == 2 else _LINEUP} in %, 95 % interval"
            grid = grid_of(rows, label)
            panels.append(_Panel(title, unit, len(grid[0]) + 1, lambda ax, grid=grid: _draw_grid(ax, *grid)))  # type: ignore[misc]
        elif rows[0]["win_rate"]:
            panels.append(dots(title, "win rate in %, 95 % interval", rows, "win_rate"))
        else:
            panels.append(dots(title, _SCORE, rows, "score"))
    for ranking, rows in by_ranking(report["ratings"]):
        unit = f"Elo points, difference to {label(rows[0]['reference'])}, 95 % interval"
        panels.append(dots(ranking_title(ranking), unit, rows, "elo", 0))
    return panels


def _short(name: str) -> str:
    """The name of an agent, without the module of ``module:attribute``."""
    return name.rpartition(":")[2]


def _wrapped(label: str) -> str:
    """Wrap into two short lines, which leave room for the panel."""
    return "\n".join(wrap(label, _LABEL, max_lines=2, placeholder=" …"))


def _draw_grid(ax: Axes, down: list[str], across: list[str], cells: dict[tuple[int, int], Row]) -> None:
    """Draw the win rates of :func:`~ginkgo_agents.evaluation.leaderboard.grid_of` as a heat map with numbers."""
    rates = np.full((len(down), len(across)), np.nan)
    for cell, row in cells.items():
        mean, *ends = (f"{100 * end:.1f}" for end in row["win_rate"].values())
        rates[cell] = row["win_rate"]["mean"]
        ax.text(cell[1], cell[0], f"{mean}\n", ha="center", va="center", fontsize=8)
        ax.text(cell[1], cell[0], f"\n{' to '.join(ends)}", ha="center", va="center", fontsize=6)
    ax.imshow(rates, cmap="RdBu", vmin=-0.3, vmax=1.3, aspect="auto")  # text stays readable on the palest and on the darkest cell
    ax.set_xticks(range(len(across)), [fill(name, _COLUMN) for name in across], fontsize=8)
    ax.set_yticks(range(len(down)), map(_wrapped, down))
    ax.tick_params(length=0, labeltop=True, labelbottom=False)
    ax.spines[:].set_visible(False)


def _draw_dots(ax: Axes, rows: list[Row], names: list[str], key: str, digits: int, colors: dict[str, str]) -> None:
    """Draw a dot with an interval for each row."""
    numbers = [end for row in rows for part in (row[key], row.get("quantiles", {})) for end in part.values() if end is not None]
    space = 0.15 * (max(numbers) - min(numbers)) or 1.0
    ax.set_xlim(*((-6, 106) if key == "win_rate" else (min(numbers) - space, max(numbers) + space)))
    own = [colors[row["agent"]] for row in rows]
    for y, row in enumerate(rows):
        if spread := list(row.get("quantiles", {}).values()):
            ax.plot([spread[0], spread[-1]], [y, y], color=own[y], linewidth=0.8)
    scale = 100 if key == "win_rate" else 1
    draw_dots(ax, map(_wrapped, names), [row[key].values() for row in rows], own, scale, digits, _FEWEST_ROWS)


def draw_dots(
    ax: Axes,
    labels: Iterable[str],
    intervals: Iterable[Iterable[float | None]],
    colors: Sequence[str],
    scale: float = 1.0,
    digits: int = 1,
    fewest: int = 1,
) -> None:
    """Draw rows with labels: a mean as a dot with its number, and its interval as a line if it has ends.

    fewest : the smallest number of rows to leave room for
    """
    for y, (interval, color) in enumerate(zip(intervals, colors, strict=True)):
        mean, *ends = (scale * end for end in interval if end is not None)
        ax.plot(ends, [y] * len(ends), color=color, lw=2, solid_capstyle="butt")
        ax.plot(mean, y, "o", color=color, markersize=6, clip_on=False)
        ax.annotate(
            f"{mean:.{digits}f}", (mean, y), (0, 6), textcoords="offset points", ha="center", fontsize=8, annotation_clip=False
        )
    ax.set_yticks(range(len(colors)), labels)
    ax.set_ylim(max(fewest, len(colors)) - 0.5, -0.8)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="0.9")
