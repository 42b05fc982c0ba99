"""One agent against one opponent in one configuration of a task."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from functools import reduce
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.process import PREFIX
from ginkgo_agents.agents.registry import as_published
from ginkgo_agents.evaluation.benchmark.tasks import Task
from ginkgo_agents.evaluation.matches import MatchConfig, MatchResults, ProgressCallback, chunks_of, local_runner
from ginkgo_env.registry import game_class, make_game

Rates = NDArray[np.float64]


class Cell(NamedTuple):
    """A part of a task: an opponent and a configuration."""

    task: Task
    opponent: str
    config: Mapping[str, Any]

    def match(self, agent: str) -> MatchConfig:
        """The match, with the agent at its first position and the opponent at all others."""
        seats = make_game(game_class(self.task.game), **self.config).seats
        return MatchConfig(self.task.game, (agent, *(as_published(self.opponent),) * (seats - 1)), self.config)

    @property
    def seed(self) -> int:
        """The seed of its deals, which differ between configurations and are the same against all opponents."""
        return self.task.seed + self.task.configurations.index(dict(self.config))

    def deals(self, quick: bool) -> int:
        """Number of deals."""
        return self.task.quick_deals if quick else self.task.deals


def cells_of(task: Task) -> Iterator[Cell]:
    """The parts of a task, opponent by opponent."""
    return (Cell(task, opponent, config) for opponent in task.panel for config in task.configurations)


def play_cell(
    cell: Cell, agent: str, deals: int, threads: int = 1, progress: ProgressCallback | None = None
) -> tuple[MatchResults, float]:
    """Play a cell; return its results, and the processor time of the agent's decisions in seconds.

    The time includes that of child processes that have ended.
    """
    match, children = cell.match(agent), _seconds_of_children()
    chunks = chunks_of(match, deals, cell.seed)
    results = reduce(MatchResults.concatenate, local_runner(threads)(chunks, progress))
    own = 0.0 if agent.startswith(PREFIX) else results.spent[agent].seconds  # for a process, only its own time
    return results, own + _seconds_of_children() - children


def _seconds_of_children() -> float:
    times = os.times()
    return times.children_user + times.children_system


def values_of(results: MatchResults, metric: str) -> Rates:
    """The metric of the agent at the first position: its mean over the games of each deal, (deals,)."""
    values = results.wins if metric == "wins" else results.totals
    return np.asarray(values[:, :, 0].mean(axis=1), np.float64)
