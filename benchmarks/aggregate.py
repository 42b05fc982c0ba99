"""Aggregate results of ``ginkgo benchmark --out FOLDER`` with rliable.

The interquartile mean over tasks and deals, and its 95 % interval by a stratified bootstrap. A deal stands for a run; its score
is the mean over the panel, so that all runs of a task are alike.
"""

import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq
from rliable import library, metrics


def scores_of(folder: Path) -> dict[str, np.ndarray]:
    """The normalized score of each deal, by task: (deals,) / 100."""
    games = pq.read_table(folder / "games.parquet", columns=["task", "configuration", "deal", "normalized"])
    means = games.group_by(["task", "configuration", "deal"]).aggregate([("normalized", "mean")]).to_pydict()
    tasks = np.array(means["task"])
    return {task: np.array(means["normalized_mean"])[tasks == task] / 100 for task in dict.fromkeys(means["task"])}


def main(folders: list[str], repetitions: int = 2000) -> None:
    """Print a line for each folder, over the tasks that all have played, with equally many deals of each."""
    found = {folder: scores_of(Path(folder)) for folder in folders}
    tasks = sorted(set.intersection(*(set(scores) for scores in found.values())))
    runs = min(len(scores[task]) for scores in found.values() for task in tasks)
    matrices = {name: np.stack([scores[task][:runs] for task in tasks], axis=1) for name, scores in found.items()}
    points, ends = library.get_interval_estimates(matrices, lambda x: np.array([metrics.aggregate_iqm(x)]), reps=repetitions)
    for name in folders:
        (low,), (high,) = ends[name]
        print(f"{name}: interquartile mean {100 * points[name][0]:.1f} [{100 * low:.1f}, {100 * high:.1f}]"
              f" over {len(tasks)} tasks and {runs} deals of each")  # fmt: skip


if __name__ == "__main__":
    main(sys.argv[1:])
