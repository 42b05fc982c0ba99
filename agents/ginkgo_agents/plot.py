"""A leaderboard as a picture."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import matplotlib as mpl
from matplotlib.figure import Figure

from ginkgo_agents.report import Ends, Report, modules_text
from ginkgo_agents.screen import others

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_ROW, _EDGE, _WIDTH = 0.3, 1.5, 13.0  # inches
_DPI = 120
_CHANCE = "0.6"
_OPEN = 0.2  # length of an open end, in widths of all the rest


def plot(report: Report, path: Path) -> None:
    """Write a PNG: win rates alone, win rates among players, Elo points; each with its 95 % interval."""
    alone = [row for row in report["results"] if row["players"] == 1]
    among = [row for row in report["results"] if row["players"] > 1]
    panels = [panel for panel in (alone, among, report["ratings"]) if panel]
    colors = {name: f"C{i}" for i, name in enumerate(report["config"]["agents"])}
    with mpl.rc_context({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "ginkgo"}):
        height = _EDGE + _ROW * max([3, *map(len, panels)])
        figure = Figure(figsize=(_WIDTH, height), dpi=_DPI, layout="constrained")
        axes = figure.subplots(1, max(1, len(panels)), squeeze=False)[0]
        for ax, panel in zip(axes, panels, strict=False):
            if panel is alone:
                _rates(ax, alone, colors, "Alone against William")
            elif panel is among:
                _rates(ax, among, colors, "Among players")
            else:
                _points(ax, report["ratings"], colors)
        seed, how = f"seed {report['config']['seed']}", "" if report["complete"] else "interrupted"
        figure.suptitle(", ".join(part for part in ("Ginkgopolis", modules_text(report), seed, how) if part))
        figure.savefig(path, metadata={"Software": None})


def _label(row: dict[str, Any]) -> str:
    if row["players"] == 1:
        return f"{row['agent']} ({row['level']})"
    return f"{row['agent']} vs {others(row)}"


def _dot(ax: Axes, y: int, interval: dict[str, float], color: str, scale: float, digits: int) -> None:
    mean, low, high = (scale * interval[key] for key in ("mean", "low", "high"))
    ax.plot([low, high], [y, y], color=color, linewidth=2, solid_capstyle="butt")
    ax.plot(mean, y, "o", color=color, markersize=6)
    ax.annotate(f"{mean:.{digits}f}", (mean, y), (0, 6), textcoords="offset points", ha="center", fontsize=8)


def _rows(ax: Axes, labels: list[str], title: str, unit: str) -> None:
    ax.set_yticks(range(len(labels)), labels)
    ax.set_ylim(len(labels) - 0.5, -0.7)
    ax.tick_params(axis="y", length=0)
    ax.grid(axis="x", color="0.9")
    ax.set_axisbelow(True)
    ax.set_title(title, loc="left")
    ax.set_xlabel(unit)


def _rates(ax: Axes, rows: list[dict[str, Any]], colors: dict[str, str], title: str) -> None:
    for y, row in enumerate(rows):
        even = 100 / max(2, row["players"])
        ax.plot([even, even], [y - 0.4, y + 0.4], color=_CHANCE, linewidth=1, linestyle=":")
        _dot(ax, y, row["win_rate"], colors[row["agent"]], 100, 1)
    ax.set_xlim(-4, 104)
    _rows(ax, [_label(row) for row in rows], title, "win rate in %, 95 % interval (dotted: even)")


def _points(ax: Axes, rows: list[dict[str, Any]], colors: dict[str, str]) -> None:
    known = [value for row in rows for value in row["elo"].values() if value is not None]
    room = _OPEN * (max(known) - min(known) + 1)
    for y, row in enumerate(rows):
        if row["elo"]["mean"] is None:
            _arrow(ax, y, row["elo"], colors[row["agent"]], room)
        else:
            _dot(ax, y, row["elo"], colors[row["agent"]], 1, 0)
    ax.margins(x=0.15)
    _rows(ax, [row["agent"] for row in rows], "Rating", f"Elo points less those of {rows[0]['reference']}, 95 % interval")


def _arrow(ax: Axes, y: int, interval: Ends, color: str, room: float) -> None:
    """An interval with one end, as long as there is room; nothing for one without."""
    low, high = interval["low"], interval["high"]
    end, way, sign = (low, room, ">") if low is not None else (high, -room, "<")
    if end is not None:
        ax.plot([end, end + way], [y, y], color=color, linewidth=2, solid_capstyle="butt")
        ax.plot(end + way, y, sign, color=color, markersize=6)
        ax.annotate(f"{sign} {end:.0f}", (end, y), (0, 6), textcoords="offset points", ha="center", fontsize=8)
