"""Play the games that define 0 and 100 in unreleased tasks, and write the results to ``tasks.json``.

``python -m ginkgo_agents.evaluation.benchmark.freeze`` continues where it stopped: it plays the results that the file lacks.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import msgspec
import numpy as np

from ginkgo_agents.evaluation.benchmark.runs import Cell, play_cell, values_of
from ginkgo_agents.evaluation.benchmark.tasks import Frozen, Known, Task, all_tasks, tasks_file
from ginkgo_agents.evaluation.files import read_json
from ginkgo_agents.registry import as_published
from ginkgo_env.core.files import write_file

_DIGITS = 6


def known(task: Task, opponent: str, agent: str) -> Known:
    """The result of an agent against an opponent, over all deals of a task.

    An agent's result against itself is known without playing: a fair share.
    """
    cells = [Cell(task, opponent, config) for config in task.configurations]
    if agent == opponent:
        return Known(round(float(np.mean([1 / cell.match(agent).seats for cell in cells])), _DIGITS), 0.0, 0)
    values = np.array([values_of(play_cell(cell, as_published(agent), task.deals)[0], task.metric) for cell in cells])
    error = np.sqrt((values.var(axis=1, ddof=1) / task.deals).sum()) / len(cells)
    return Known(round(float(values.mean()), _DIGITS), round(float(error), _DIGITS), values.size)


def main() -> None:
    """Play and write the results that the file lacks."""
    path, tasks = Path(os.fspath(tasks_file())), list(all_tasks().values())
    for task in tasks:
        for opponent in task.panel:
            if opponent not in task.frozen:
                task.frozen[opponent] = Frozen(*(known(task, opponent, agent) for agent in ("random", task.reference)))
                print(task.id, opponent, task.frozen[opponent], file=sys.stderr, flush=True)
                document = read_json(path) | {"tasks": msgspec.to_builtins(tasks)}
                write_file(path, json.dumps(document, indent=1) + "\n")


if __name__ == "__main__":
    main()
