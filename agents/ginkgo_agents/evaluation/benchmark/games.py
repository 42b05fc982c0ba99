"""The games of an agent on a task, one row each, as columns; and as Parquet."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.evaluation.benchmark.cells import Cell
from ginkgo_agents.evaluation.benchmark.tasks import Task
from ginkgo_agents.evaluation.matches import MatchResults
from ginkgo_env.core.files import written
from ginkgo_env.datasets.metadata import arrow, parquet

Columns = dict[str, list[Any]]
COLUMNS = {
    "task": "id of the task",
    "opponent": "the member of the panel",
    "configuration": "number of the configuration in the task, from 0",
    "deal": "number of the deal, from 0",
    "seed": "seed of the game",
    "rotation": "number of the rotation of the deal, from 0: the agent's seat is minus this, modulo the number of seats",
    "win": "share in the win, 0 to 1",
    "score": "points of the agent",
    "margin": "its points minus the mean of the others'; null if there are none",
    "lost": "why a process lost the game before its end; null otherwise",
    "value": "what the metric of the task counts",
    "normalized": "the same where 0 is random's frozen result against the opponent, and 100 the reference's",
}
"""The columns and their meanings."""


def games_of(cell: Cell, results: MatchResults) -> Columns:
    """The games of a cell."""
    task, n = cell.task, results.totals.shape[1]
    lost = {(game.seed, game.rotation): game.why for game in results.lost if game.position == 0}
    seeds = [int(seed) for seed in results.seeds]
    places = [(deal, rotation) for deal in range(len(seeds)) for rotation in range(n)]
    why = [lost.get((seeds[deal], rotation)) for deal, rotation in places]
    win, score = results.wins[:, :, 0].ravel(), results.totals[:, :, 0].ravel()
    margin = results.margins[:, :, 0].ravel().tolist() if results.match.sides > 1 else [None] * len(places)
    values = np.asarray(win if task.metric == "wins" else score, np.float64)
    frozen = task.frozen[cell.opponent]
    if task.metric == "score":  # a lost game scores no better than random's result
        values = np.where([one is not None for one in why], np.minimum(values, frozen.random.mean), values)
    return {
        "task": [task.id] * len(places),
        "opponent": [cell.opponent] * len(places),
        "configuration": [task.configurations.index(dict(cell.config))] * len(places),
        "deal": [deal for deal, _ in places],
        "seed": [seeds[deal] for deal, _ in places],
        "rotation": [rotation for _, rotation in places],
        "win": win.tolist(),
        "score": score.tolist(),
        "margin": margin,
        "lost": why,
        "value": values.tolist(),
        "normalized": normalized(task, cell.opponent, values).tolist(),
    }


def normalized(task: Task, opponent: str, values: Any) -> NDArray[np.float64]:
    """Values against an opponent, where 0 is random's frozen result and 100 the reference's."""
    zero, full = task.frozen[opponent].random.mean, task.frozen[opponent].reference.mean
    return np.asarray(100 * (np.asarray(values, np.float64) - zero) / (full - zero))


def joined(parts: list[Columns]) -> Columns:
    """Games of several parts, one after the other."""
    return {name: [value for part in parts for value in part[name]] for name in COLUMNS}


def write_parquet(games: Columns, path: Path) -> None:
    """Write games as Parquet. Raises DataError if pyarrow is not installed."""
    pa, pq = arrow(), parquet()
    types = dict.fromkeys(("task", "opponent", "lost"), pa.string()) | {"seed": pa.uint64()}
    types |= dict.fromkeys(("configuration", "deal", "rotation"), pa.int32()) | {"score": pa.int64()}
    schema = pa.schema([pa.field(name, types.get(name, pa.float64()), metadata={"meaning": COLUMNS[name]}) for name in COLUMNS])
    with written(path) as beside:
        pq.write_table(pa.table(games, schema=schema), beside)
