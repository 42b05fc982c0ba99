"""The score of an agent on a task, with intervals over deals.

Against each opponent the mean over deals is normalized: 0 is random's frozen result, 100 the reference's. The score is the mean
over the panel. All opponents are met on the same deals, so its interval is over deals, each with its mean over the panel.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.evaluation.benchmark.games import Columns, normalized
from ginkgo_agents.evaluation.benchmark.tasks import Task
from ginkgo_agents.evaluation.statistics import Interval, student, student_between

Rates = NDArray[np.float64]
Row = dict[str, Any]
_DIGITS = 4


def scored(task: Task, games: Columns) -> Row:
    """Score and raw numbers of a task, from all its games."""
    by_opponent = {name: _deals(games, name, "value") for name in task.panel}
    zeros = {name: normalized(task, name, values) for name, values in by_opponent.items()}
    ends = [np.array([normalized(task, name, end) for name in task.panel]).mean() for end in (0, 1)]
    joint = np.mean(list(zeros.values()), axis=0)
    return {
        "task": task.id,
        "score": _ends(_interval(task, joint, *ends)),
        "games": len(games["task"]),
        "lost": {why: games["lost"].count(why) for why in sorted({why for why in games["lost"] if why})},
        "panel": [_against(task, name, games, by_opponent[name], zeros[name]) for name in task.panel],
    }


def _against(task: Task, opponent: str, games: Columns, values: Rates, normal: Rates) -> Row:
    frozen, own = task.frozen[opponent], [name == opponent for name in games["opponent"]]
    low, high = (float(normalized(task, opponent, end)) for end in (0, 1))
    margins = [margin for margin, mine in zip(games["margin"], own, strict=True) if mine]
    return {
        "opponent": opponent,
        "deals": len(values),
        "games": sum(own),
        "normalized": _ends(_interval(task, normal, low, high)),
        "win": _ends(student_between(_deals(games, opponent, "win"), 0.0, 1.0)) if margins[0] is not None else None,
        "points": _ends(student(_deals(games, opponent, "score"))),
        "margin": _ends(student(_deals(games, opponent, "margin"))) if margins[0] is not None else None,
        "random": frozen.random.mean,
        "reference": frozen.reference.mean,
    }


def _deals(games: Columns, opponent: str, column: str) -> Rates:
    """The means over the games of each deal, (deals of all configurations,), in one order for all opponents."""
    means = dict[tuple[int, int], list[float]]()
    for name, *key, value in zip(*(games[one] for one in ("opponent", "configuration", "deal", column)), strict=True):
        if name == opponent:
            means.setdefault(tuple(key), []).append(value)
    return np.array([np.mean(means[key]) for key in sorted(means)])


def _interval(task: Task, values: Rates, low: float, high: float) -> Interval:
    return student(values) if task.metric == "score" else student_between(values, float(low), float(high))


def _ends(interval: Interval) -> dict[str, float | None]:
    """An interval as plain data, with None for what is not finite."""
    return {key: round(float(value), _DIGITS) if math.isfinite(value) else None for key, value in interval._asdict().items()}
