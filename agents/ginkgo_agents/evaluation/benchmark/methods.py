"""Learning methods over training runs: interquartile means, profiles, chances of improvement.

They are those of Agarwal et al. (2021), computed by ``rliable``. Intervals have 95 % coverage, by a stratified bootstrap over
runs; scores are those of tasks, where 0 is random's frozen result and 100 the reference's.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.evaluation.benchmark.reports import Report
from ginkgo_agents.evaluation.benchmark.tasks import is_training_set
from ginkgo_agents.evaluation.plot import STYLE, Figure, rc_context
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.files import atomic_write, write_file
from ginkgo_env.core.imports import extra

METHODS, PROFILES, IMPROVEMENT = "methods.json", "profiles.png", "improvement.png"
Scores = Mapping[str, NDArray[np.float64]]
"""The scores (runs, tasks) of each method."""
Ceilings = Mapping[str, float | None]
"""The ceiling of each task, if it has one."""
_REPS = 2000


def checkpoints_in(folder: Path) -> list[Path]:
    """The checkpoints of a method, one for each training run: files, or ``agent.npz`` in folders of runs."""
    found = sorted([*folder.glob("*.npz"), *folder.glob("*/agent.npz")])
    if not found:
        raise ConfigError(f"{str(folder)!r} holds no checkpoint; expected *.npz or */agent.npz")
    return found


def scores_of(reports: Mapping[str, Sequence[Report]]) -> tuple[Ceilings, Scores]:
    """The tasks that all runs have scores for, and the scores. Training sets do not count.

    Raises ConfigError if there is none.
    """
    ceilings = {row["task"]: row["ceiling"] for own in reports.values() for row in own[0]["tasks"] if "score" in row}
    runs = {
        name: [{row["task"]: float(row["score"]["mean"]) for row in report["tasks"] if "score" in row} for report in own]
        for name, own in reports.items()
    }
    common = set.intersection(*({*run} for own in runs.values() for run in own))
    tasks = {task: top for task, top in ceilings.items() if task in common and not is_training_set(task)}
    if not tasks:
        raise ConfigError("the runs have no task in common that was scored")
    return tasks, {name: np.array([[run[task] for task in tasks] for run in own]) for name, own in runs.items()}


def summary_of(tasks: Ceilings, scores: Scores) -> dict[str, Any]:
    """Interquartile means, and the probabilities that a run of one method beats one of another.

    The means are of scores and, over the tasks that have a ceiling, of scores in percent of it.
    """
    library, metrics = rliable()
    tops = np.array([np.nan if top is None else top for top in tasks.values()])
    known = ~np.isnan(tops)
    percents = {name: 100 * own[:, known] / tops[known] for name, own in scores.items() if known.any()}
    means, of_ceilings = (
        _estimates(library, own, lambda x: np.array([metrics.aggregate_iqm(x)])) if own else {} for own in (scores, percents)
    )
    pairs = {f"{one} > {other}": (scores[one], scores[other]) for one, other in combinations(scores, 2)}
    better = _estimates(library, pairs, lambda x, y: np.array([metrics.probability_of_improvement(x, y)])) if pairs else {}
    runs = {name: [[round(score, 4) for score in run] for run in own.tolist()] for name, own in scores.items()}
    summary = {"tasks": [*tasks], "scores": runs, "interquartile_means": means, "interquartile_percents": of_ceilings}
    return summary | {"probabilities_of_improvement": better}


def _estimates(library: Any, data: Mapping[str, Any], function: Any) -> dict[str, dict[str, float]]:
    with _seeded():
        points, ends = library.get_interval_estimates(data, function, reps=_REPS)
    return {
        name: {"mean": round(float(points[name][0]), 4), "low": round(float(low[0]), 4), "high": round(float(high[0]), 4)}
        for name, (low, high) in ends.items()
    }


def write_methods(tasks: Ceilings, scores: Scores, folder: Path) -> tuple[dict[str, Any], list[str]]:
    """Write ``methods.json`` and the pictures; return the plain data, and the names of the files."""
    summary = summary_of(tasks, scores)
    write_file(folder / METHODS, json.dumps(summary, indent=1) + "\n")
    figures = {PROFILES: profiles_of(scores)}
    if better := summary["probabilities_of_improvement"]:
        figures[IMPROVEMENT] = improvement_of(better)
    for name, figure in figures.items():
        with atomic_write(folder / name) as temporary, rc_context(STYLE):
            figure.savefig(temporary, metadata={"Software": None})
    return summary, [METHODS, *figures]


def profiles_of(scores: Scores) -> Figure:
    """Performance profiles: the share of runs and tasks whose score is above each number."""
    library, _ = rliable()
    every = np.concatenate([own.ravel() for own in scores.values()])
    taus = np.linspace(min(0.0, every.min()), every.max() + 1, 101)
    with _seeded():
        profiles, ends = library.create_performance_profile(scores, taus, reps=_REPS)
    figure, ax = _figure(5.0)
    for k, name in enumerate(scores):
        ax.plot(taus, profiles[name], color=f"C{k}", label=f"{name}, {len(scores[name])} runs")
        ax.fill_between(taus, *ends[name], color=f"C{k}", alpha=0.2, linewidth=0)
    ax.set_xlabel("score: 0 is random, 100 the reference agent")
    ax.set_ylabel("share of runs above it, 95 % interval")
    figure.legend(loc="outside upper left", frameon=False)
    return figure


def improvement_of(better: Mapping[str, Mapping[str, float]]) -> Figure:
    """The probabilities that a run of one method is better than one of another."""
    figure, ax = _figure(1.2 + 0.35 * len(better))
    for k, one in enumerate(better.values()):
        ax.plot([one["low"], one["high"]], [k, k], color="C0", linewidth=2)
        ax.plot([one["mean"]], [k], "o", color="C0")
    ax.axvline(0.5, color="0.6", linewidth=1, linestyle=":")
    ax.set_yticks(range(len(better)), better)
    ax.set_xlim(-0.02, 1.02)
    ax.set_xlabel("probability of improvement, 95 % interval")
    return figure


def _figure(height: float) -> tuple[Figure, Any]:
    with rc_context(STYLE):
        figure = Figure(figsize=(8.0, height), dpi=120, layout="constrained")
        return figure, figure.subplots()


@contextmanager
def _seeded() -> Iterator[None]:
    """Seed numpy's legacy generator for a while: rliable draws from it, whatever ``random_state`` it is given."""
    before = np.random.get_state()  # noqa: NPY002
    np.random.seed(0)  # noqa: NPY002
    try:
        yield
    finally:
        np.random.set_state(before)  # noqa: NPY002


def rliable() -> tuple[Any, Any]:
    """Import ``library`` and ``metrics`` of rliable. Raises MissingPackageError without it."""
    with extra("methods"):
        from rliable import library, metrics
    return library, metrics
