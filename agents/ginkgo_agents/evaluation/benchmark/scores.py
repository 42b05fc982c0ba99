"""The score of an agent on a task, with intervals over deals.

Against each opponent the mean over deals is normalized: 0 is random's frozen result, 100 the reference's. The score is the mean
over the panel. All opponents are met on the same deals, so its interval is over deals, each with its mean over the panel. Points
and margins are over the deals of which no game was lost by an error of the agent's own.
"""

from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.evaluation.benchmark.games import Columns, normalized
from ginkgo_agents.evaluation.benchmark.tasks import Task
from ginkgo_agents.evaluation.statistics import Interval, mean_rate, plain_interval, student

Rates = NDArray[np.float64]
Row = dict[str, Any]
_plain = partial(plain_interval, digits=4)


def scored(task: Task, games: Columns) -> Row:
    """Score and raw numbers of a task, from all its games."""
    by_opponent = {name: _deals(games, name, "value") for name in task.panel}
    zeros = {name: normalized(task, name, values) for name, values in by_opponent.items()}
    ends = [float(np.mean([normalized(task, name, end) for name in task.panel])) for end in (0, 1)]
    joint = np.mean(list(zeros.values()), axis=0)
    return {
        "task": task.id,
        "configurations": task.configurations,
        "seed": task.seed,
        "score": (score := _plain(_interval(task, joint, ends[0], ends[1], len(games["task"])))),
        "ceiling": (top := ceiling(task)),
        "percent": top and {name: end and round(100 * end / top, 2) for name, end in score.items()},
        "games": len(games["task"]),
        "lost": {why: games["lost"].count(why) for why in sorted({why for why in games["lost"] if why})},
        "panel": [_against(task, name, games, by_opponent[name], zeros[name]) for name in task.panel],
    }


def ceiling(task: Task) -> float | None:
    """The score of winning every game; None where points count."""
    return round(float(np.mean([normalized(task, name, 1) for name in task.panel])), 2) if task.metric == "wins" else None


def anchor_error(task: Task) -> float:
    """The standard error of the frozen result that counts as 100, in points of the score."""
    errors = [100 * own.reference.error / (own.reference.mean - own.random.mean) for own in task.frozen.values()]
    return math.hypot(*errors) / len(errors)


def _against(task: Task, opponent: str, games: Columns, values: Rates, normal: Rates) -> Row:
    frozen, own = task.frozen[opponent], [name == opponent for name in games["opponent"]]
    low, high = (float(normalized(task, opponent, end)) for end in (0, 1))
    alone = next(margin for margin, mine in zip(games["margin"], own, strict=True) if mine) is None
    lost = _deals(games, opponent, "lost")
    return {
        "opponent": opponent,
        "deals": len(values),
        "games": sum(own),
        "played_out": int((lost == 0).sum()),
        "normalized": _plain(_interval(task, normal, low, high, sum(own))),
        "win": None if alone else _plain(mean_rate(_deals(games, opponent, "win"), games=sum(own))),
        "points": _plain(student(_deals(games, opponent, "score")[lost == 0])),
        "margin": None if alone else _plain(student(_deals(games, opponent, "margin")[lost == 0])),
        "random": frozen.random.mean,
        "reference": frozen.reference.mean,
    }


def _deals(games: Columns, opponent: str, column: str) -> Rates:
    """The means over the games of each deal, (deals of all configurations,), in one order for all opponents."""
    means = dict[tuple[int, int], list[float]]()
    for name, *key, value in zip(*(games[one] for one in ("opponent", "configuration", "deal", column)), strict=True):
        if name == opponent:
            means.setdefault(tuple(key), []).append(value is not None if column == "lost" else value)
    return np.array([np.mean(means[key]) for key in sorted(means)])


def _interval(task: Task, values: Rates, low: float, high: float, games: int) -> Interval:
    return student(values) if task.metric == "score" else mean_rate(values, low, high, games)
