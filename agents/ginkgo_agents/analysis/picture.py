"""The picture of an analysis: the course of the values along a record, or the actions of one decision."""

from __future__ import annotations

import io
from pathlib import Path
from textwrap import fill
from typing import TYPE_CHECKING

from ginkgo_agents.analysis.results import WIN, AnalysisError, AnalysisResults, Decision, Player
from ginkgo_agents.evaluation.plot import STYLE, Figure, draw_dots, rc_context
from ginkgo_env.core.errors import truncate

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.lines import Line2D

SUFFIXES = (".png", ".svg")
_WIDTH, _HEIGHT, _ROW, _EDGE, _DPI = 8.0, 4.2, 0.34, 1.3, 120
_STYLE = STYLE | {"text.parse_math": False}  # names of players may hold dollar signs
_LINE, _NAME, _ACROSS = 100, 24, 4  # characters in a line and a name; names side by side


def figure_of(analysis: AnalysisResults) -> Figure:
    """A line for each seat over the steps of a record, or the actions of a single decision with intervals."""
    if not analysis.decisions:
        raise AnalysisError("there is no decision to draw")
    with rc_context(_STYLE):
        return _actions(analysis) if len(analysis.decisions) == 1 else _course(analysis)


def svg_of(analysis: AnalysisResults) -> str:
    """The picture as SVG text, which is the same for the same analysis."""
    out = io.StringIO()
    with rc_context(_STYLE):
        figure_of(analysis).savefig(out, format="svg", metadata={"Date": None, "Creator": None})
    return out.getvalue()


def write_picture(analysis: AnalysisResults, path: Path) -> None:
    """Write the picture as PNG or SVG, by the suffix of the file.

    Raises AnalysisError for another suffix, OSError if the file cannot be written.
    """
    check_picture(path)
    if path.suffix.lower() == ".svg":
        path.write_text(svg_of(analysis), encoding="utf-8", newline="\n")
        return
    with rc_context(_STYLE):
        figure_of(analysis).savefig(path, metadata={"Software": None})


def check_picture(path: Path) -> None:
    """Raise AnalysisError unless the suffix of a file is that of a PNG or SVG."""
    if path.suffix.lower() not in SUFFIXES:
        raise AnalysisError(f"the name of a picture must end with {' or '.join(SUFFIXES)}, got {path.name!r}")


def _course(analysis: AnalysisResults) -> Figure:
    figure = Figure(figsize=(_WIDTH, _HEIGHT), dpi=_DPI, layout="constrained")
    ax = figure.subplots()
    handles = [_line(ax, analysis, player) for player in analysis.players]
    labels = [truncate(player.name, _NAME) for player in analysis.players]  # matplotlib hides labels that begin with _
    ax.set_ylabel(_unit(analysis))
    ax.grid(axis="y", color="0.9")
    if analysis.unit == WIN:
        ax.set_ylim(-3, 103)
        ax.axhline(100 / analysis.game.sides, color="0.6", linewidth=1, linestyle=":")
    ax.set_xlabel("step of the record")
    even = " (dotted: an even share)" if analysis.unit == WIN else ""
    ax.set_title(f"What each player could expect before a decision{even}", loc="left", fontsize="medium")
    if any(player.worst for player in analysis.players):
        from matplotlib.lines import Line2D

        handles.append(Line2D([], [], color="0.3", marker="v", linestyle="none"))
        labels.append("worst decisions")
    ax.legend(handles, labels, loc="upper center", bbox_to_anchor=(0.5, -0.16), ncols=min(len(labels), _ACROSS), frameon=False)
    figure.suptitle(_title(analysis))
    return figure


def _line(ax: Axes, analysis: AnalysisResults, player: Player) -> Line2D:
    """Draw the values of a seat's positions with their intervals, the result, and marks at its worst decisions."""
    scale, color = _scale(analysis), f"C{player.seat}"
    decisions = analysis.of(player.seat)
    steps = [decision.step or 0 for decision in decisions]
    values = [scale * decision.value.mean for decision in decisions]
    low, high = ([scale * decision.value[end] for decision in decisions] for end in (1, 2))
    ax.fill_between(steps, low, high, color=color, alpha=0.15, linewidth=0)
    if analysis.end is not None and analysis.complete and analysis.record is not None:
        last = analysis.record["steps"] + 1
        ax.plot([steps[-1], last], [values[-1], scale * analysis.end[player.seat]], color=color, linewidth=1, linestyle=":")
        ax.plot([last], [scale * analysis.end[player.seat]], "s", color=color, markersize=5, clip_on=False)
    (line,) = ax.plot(steps, values, "o-", color=color, markersize=2.5, linewidth=1.4, label=truncate(player.name, _NAME))
    for decision in player.worst:
        _mark(ax, decision, scale, color)
    return line


def _mark(ax: Axes, decision: Decision, scale: float, color: str) -> None:
    at = (decision.step or 0, scale * decision.value.mean)
    ax.plot(*at, "v", color=color, markersize=7, clip_on=False)
    ax.annotate(str(decision.step), at, (0, 6), textcoords="offset points", ha="center", fontsize=7, color=color)


def _actions(analysis: AnalysisResults) -> Figure:
    decision = analysis.decisions[0]
    options = decision.options
    figure = Figure(figsize=(_WIDTH, _EDGE + _ROW * len(options)), dpi=_DPI, layout="constrained")
    ax = figure.subplots()
    labels = [f"{option.action} (taken)" if option is decision.taken else option.action for option in options]
    colors = ["C1" if option is decision.taken else "C0" for option in options]
    draw_dots(ax, labels, [option.value for option in options], colors, _scale(analysis))
    ax.set_xlabel(_unit(analysis))
    step = "" if decision.step is None else f"step {decision.step}, "
    ax.set_title(f"{step}{analysis.names[decision.seat]} decides: {decision.kind}", loc="left", fontsize="medium")
    figure.suptitle(_title(analysis))
    return figure


def _scale(analysis: AnalysisResults) -> float:
    return 100.0 if analysis.unit == WIN else 1.0


def _unit(analysis: AnalysisResults) -> str:
    return "chance to win in %" if analysis.unit == WIN else "expected final score"


def _title(analysis: AnalysisResults) -> str:
    seed = "" if analysis.record is None else f"game of seed {analysis.record['seed']}"
    how = f"analyzed by {analysis.agent}, {analysis.worlds} worlds, seed {analysis.seed}"
    early = "" if analysis.complete else "interrupted"
    return fill(", ".join(part for part in (analysis.game.title, seed, how, early) if part), _LINE)
