"""Learning curves and pay-off matrices, drawn with Matplotlib.

Curves are win rates, or scores alone, over minutes of training and over decisions.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.evaluation.plot import STYLE, Figure, rc_context
from ginkgo_agents.evaluation.strength import ALONE
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.files import atomic_write
from ginkgo_training.logs import EvaluationPoint, TrainingLog

if TYPE_CHECKING:
    from matplotlib.axes import Axes

Curve = Sequence[EvaluationPoint]
Floats = NDArray[np.float64]

_WIDTH, _HEIGHT, _LEGEND = 4.0, 2.8, 3.0  # inches
_DECIDED = 0.45  # distance of a win rate from 0.5
_DPI = 120
_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
"""The palette of Okabe and Ito without yellow, for readers with color vision deficiency. Markers differ as well."""
_MARKERS = "os^Dv"
_FEWEST_SEEDS = 3  # with two, the interval would be the range of both
_RESAMPLES = 2000
_AXES: dict[str, Callable[[EvaluationPoint], float]] = {
    "processor minutes": lambda point: point.minutes,
    "decisions": lambda point: point.decisions,
}


def plot(logs: Sequence[TrainingLog], path: Path, against: Sequence[str] = ()) -> None:
    """Write the figure of :func:`figure_of` to a file.

    path : its suffix, such as .png or .svg, determines the format

    Raises GinkgoError if the file cannot be written.
    """
    with rc_context(STYLE):
        figure = figure_of(logs, against)
        metadata = {".png": {"Software": None}, ".svg": {"Date": None}}.get(path.suffix.lower())
        with atomic_write(path) as temporary:
            try:
                figure.savefig(temporary, metadata=metadata)
            except ValueError as error:
                raise ConfigError(f"cannot write {path}: {error}") from None


def panels_of(logs: Sequence[TrainingLog], against: Sequence[str] = ()) -> dict[str, tuple[list[TrainingLog], list[str]]]:
    """The logs of each game, and the opponents to show.

    against : the opponents; by default those against which the last win rate of a run is between 5 and 95 %, or else the
        opponent against which it is nearest to 50 %. Games with one side have none and are always shown

    Raises ConfigError for opponents that are not in the logs, and without evaluations.
    """
    known = list(dict.fromkeys(opponent for log in logs for opponent in log.curves))
    if unknown := [name for name in against if name not in known]:
        raise ConfigError(f"no evaluation against {short_repr(unknown[0])}; the logs have: {', '.join(known)}")
    if not known:
        raise ConfigError("the logs contain no evaluation")
    panels: dict[str, tuple[list[TrainingLog], list[str]]] = {}
    for log in logs:
        panels.setdefault(log.game, ([], []))[0].append(log)
    for runs, opponents in panels.values():
        met = dict.fromkeys(name for log in runs for name in log.curves)
        lead = {name: min(abs(log.curves[name][-1].mean - 0.5) for log in runs if name in log.curves) for name in met}
        undecided = [name for name in met if lead[name] < _DECIDED] or [min(lead, key=lambda name: lead[name])]
        opponents += [name for name in against if name in met] if against and ALONE not in met else undecided
    return {game: panel for game, panel in panels.items() if panel[1]}


def figure_of(logs: Sequence[TrainingLog], against: Sequence[str] = ()) -> Figure:
    """Draw win rates, or scores alone, over minutes and decisions, a row for each game.

    against : the opponents, see :func:`panels_of`

    Runs of one recipe (:attr:`~ginkgo_training.logs.TrainingLog.recipe`) are thin lines with their mean; from three seeds on, the
    95 % interval is a bootstrap over seeds. A single run has the intervals of its evaluations. Raises as :func:`panels_of` does.
    """
    panels = panels_of(logs, against)
    size = (_WIDTH * len(_AXES) + _LEGEND, _HEIGHT * len(panels))
    with rc_context(STYLE):
        figure = Figure(figsize=size, dpi=_DPI, layout="constrained")
        rows = figure.subplots(len(panels), len(_AXES), squeeze=False, sharey="row")
        for row, (game, (runs, opponents)) in zip(rows, panels.items(), strict=True):
            lines: dict[str, list[Curve]] = {}
            wins = opponents != [ALONE]
            for log, opponent in ((log, opponent) for log in runs for opponent in opponents if opponent in log.curves):
                members = [other for other in runs if other.recipe == log.recipe]
                name = log.name if len(members) == 1 else f"{log.recipe}, mean of {len(members)} seeds"
                lines.setdefault(name + f", against {opponent}" * (len(opponents) > 1), []).append(log.curves[opponent])
            for ax, of in zip(row, _AXES.values(), strict=True):
                for k, curves in enumerate(lines.values()):
                    _draw(ax, of, curves, k, 100 if wins else 1)
                _format_axes(ax, wins)
            title = f"{game}, against {opponents[0]}" if wins and len(opponents) == 1 else game
            row[0].set_title(title, loc="left", fontsize="medium")
            row[0].set_ylabel(f"{'win rate in %' if wins else 'score'}, 95 % interval")
            handles = [_line(row[-1], k) for k in range(len(lines))]
            row[-1].legend(handles, lines, loc="center left", bbox_to_anchor=(1.02, 0.5), frameon=False)
        for ax, label in zip(rows[-1], _AXES, strict=True):
            ax.set_xlabel(label)
    return figure


def mean_curve(curves: Sequence[Curve], of: Callable[[EvaluationPoint], float]) -> tuple[Floats, Floats, Floats, Floats]:
    """Compute the mean win rate or score of runs, over the range that all of them cover.

    of : returns the x coordinate of an evaluation

    Returns x coordinates, means, and lower and upper ends of the 95 % percentile bootstrap interval over runs, (n,) each. The
    interval is too narrow for few runs. With two runs the ends are infinite. Between evaluations, values are interpolated
    linearly.
    """
    if not curves or not all(curves):
        raise ConfigError("invalid curves; expected at least one, each with an evaluation")
    xs = [[of(point) for point in curve] for curve in curves]
    start, stop = max(run[0] for run in xs), min(run[-1] for run in xs)
    x = np.unique([value for run in xs for value in run])
    x = x[(start <= x) & (x <= stop)]
    values = np.array([np.interp(x, run, [point.mean for point in curve]) for run, curve in zip(xs, curves, strict=True)])
    means: Floats = values.mean(axis=0)
    if len(curves) < _FEWEST_SEEDS:
        return x, means, np.full(len(x), -np.inf), np.full(len(x), np.inf)
    from scipy import stats

    drawn = stats.bootstrap((values,), np.mean, axis=0, n_resamples=_RESAMPLES, method="percentile", random_state=0)
    low, high = map(np.asarray, drawn.confidence_interval)
    return x, means, low, high


def payoff_figure(payoff: Mapping[str, Mapping[str, float]]) -> Figure:
    """Draw a pay-off matrix: for each row its name and its win rates, 0 to 1, by the names of opponents."""
    if not any(payoff.values()):
        raise ConfigError("invalid payoff; expected at least one win rate")
    columns = list(dict.fromkeys(name for row in payoff.values() for name in row))
    rates = np.array([[row.get(name, np.nan) for name in columns] for row in payoff.values()])
    names = 0.3 + 0.1 * max(map(len, (*payoff, *columns)))  # inches
    figure = Figure((names + 0.7 * len(columns), names + 0.45 * len(payoff)), layout="constrained")
    ax = figure.add_subplot()
    ax.imshow(rates, cmap="RdBu", vmin=0, vmax=1, aspect="auto")
    ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right")
    ax.set_yticks(range(len(payoff)), list(payoff))
    for (i, k), rate in np.ndenumerate(rates):
        ax.text(k, i, "" if np.isnan(rate) else f"{rate:.2f}", ha="center", va="center")
    return figure


def _draw(ax: Axes, of: Callable[[EvaluationPoint], float], curves: Sequence[Curve], k: int, scale: int) -> None:
    """Draw the runs of the k-th recipe, with values multiplied by a scale."""
    color = _COLORS[k % len(_COLORS)]
    if len(curves) == 1:
        x = np.array([of(point) for point in curves[0]])
        mean, low, high = np.array([[point.mean, point.low, point.high] for point in curves[0]]).T
    else:
        for curve in curves:
            ax.plot([of(p) for p in curve], [scale * p.mean for p in curve], color=color, linewidth=0.7, alpha=0.35)
        x, mean, low, high = mean_curve(curves, of)
    _line(ax, k, x, scale * mean, 1 if len(curves) == 1 else 0.15)
    if np.isfinite(low).any():
        ax.fill_between(x, scale * low, scale * high, color=color, alpha=0.25, linewidth=0)


def _line(ax: Axes, k: int, x: Any = (), y: Any = (), markers: float = 1) -> Any:
    """Draw the thick line of the k-th recipe, for the legend without points."""
    style: Any = {"marker": _MARKERS[k % len(_MARKERS)], "markevery": markers, "color": _COLORS[k % len(_COLORS)]}
    return ax.plot(x, y, linewidth=1.8, markersize=4.5, **style)[0]


def _format_axes(ax: Axes, wins: bool) -> None:
    if wins:
        ax.set_ylim(-2, 102)
        ax.set_yticks(range(0, 101, 25))
    ax.set_xlim(left=0)
    ax.locator_params(axis="x", nbins=6)
    ax.xaxis.set_major_formatter(_short)
    ax.grid(color="0.9")


def _short(number: float, _: float) -> str:
    """Format a number on an axis: thousands as k, millions as M."""
    for unit, letter in ((1e6, " M"), (1e3, "k")):
        if abs(number) >= unit:
            return f"{number / unit:g}{letter}"
    return f"{number:g}"
