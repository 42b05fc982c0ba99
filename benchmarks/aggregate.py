"""Aggregate results of ``ginkgo benchmark --out FOLDER`` over tasks.

Each argument is a method: a folder, or the folders of several training runs of one recipe, joined by commas. A run's score of a
task is the mean over its deals; the mean over tasks has a 95 % interval by a stratified bootstrap, which draws the deals of each
task anew. From several runs comes the interquartile mean over tasks and runs as well (Agarwal et al. 2021), with runs drawn
anew: single deals are wins and losses, whose interquartile mean is not the score of the agent.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from scipy import stats

RESAMPLES = 2000


def scores_of(folder: Path) -> dict[str, np.ndarray]:
    """The normalized score of each deal, a mean over the panel, by task: (deals,)."""
    games = pq.read_table(folder / "games.parquet", columns=["task", "configuration", "deal", "normalized"])
    means = games.group_by(["task", "configuration", "deal"]).aggregate([("normalized", "mean")]).to_pydict()
    tasks = np.array(means["task"])
    return {task: np.array(means["normalized_mean"])[tasks == task] for task in dict.fromkeys(means["task"])}


def interval(values: np.ndarray) -> str:
    """The first value with the 95 % interval of the others."""
    low, high = np.quantile(values[1:], (0.025, 0.975))
    return f"{values[0]:.1f} [{low:.1f}, {high:.1f}]"


def main(methods: list[str], resamples: int = RESAMPLES) -> None:
    """Print a line for each method, over the tasks that all have played."""
    rng = np.random.default_rng(0)
    found = {method: [scores_of(Path(folder)) for folder in method.split(",")] for method in methods}
    tasks = sorted(set.intersection(*(set(run) for runs in found.values() for run in runs)))
    for method, runs in found.items():
        means = np.array([[run[task].mean() for task in tasks] for run in runs])
        drawn = [[[rng.choice(run[task], run[task].size).mean() for task in tasks] for run in runs] for _ in range(resamples)]
        line = f"mean {interval(np.array([means.mean(), *np.mean(drawn, axis=(1, 2))]))} over deals of {len(tasks)} tasks"
        if len(runs) > 1:
            rows = [means, *(means[rng.integers(len(runs), size=means.shape), np.arange(len(tasks))] for _ in range(resamples))]
            quartiles = np.array([stats.trim_mean(row, 0.25, axis=None) for row in rows])
            line += f"; interquartile mean {interval(quartiles)} over {len(runs)} runs"
        print(f"{method}: {line}")


if __name__ == "__main__":
    main(sys.argv[1:])
