"""Aggregate results of ``ginkgo benchmark --out FOLDER`` over tasks.

Each argument is the folder of an agent. Its score of a task is the mean over deals; the mean over tasks has a 95 % interval by a
stratified bootstrap, which draws the deals of each task anew. Scores in percent of the ceiling are means over the tasks that have
one. Training runs of a learning method are aggregated by ``ginkgo benchmark --runs``. Training sets do not count.
"""

import json
import sys
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from ginkgo_agents.evaluation.benchmark.tasks import is_training_set

RESAMPLES = 2000


def scores_of(folder: Path) -> dict[str, np.ndarray]:
    """The normalized score of each deal, a mean over the panel, by task: (deals,)."""
    games = pq.read_table(folder / "games.parquet", columns=["task", "configuration", "deal", "normalized"])
    means = games.group_by(["task", "configuration", "deal"]).aggregate([("normalized", "mean")]).to_pydict()
    tasks = np.array(means["task"])
    scored = [task for task in dict.fromkeys(means["task"]) if not is_training_set(task)]
    return {task: np.array(means["normalized_mean"])[tasks == task] for task in scored}


def percents_of(folder: Path, tasks: list[str]) -> list[float]:
    """The scores in percent of the ceiling, of those tasks that have one."""
    rows = json.loads((folder / "benchmark.json").read_text(encoding="utf-8"))["tasks"]
    return [row["percent"]["mean"] for row in rows if row["task"] in tasks and row.get("percent")]


def main(folders: list[str], resamples: int = RESAMPLES) -> None:
    """Print a line for each agent, over the tasks that all have played."""
    rng = np.random.default_rng(0)
    found = {folder: scores_of(Path(folder)) for folder in folders}
    tasks = sorted(set.intersection(*(set(own) for own in found.values())))
    for folder, own in found.items():
        mean = np.mean([own[task].mean() for task in tasks])
        drawn = [np.mean([rng.choice(own[task], own[task].size).mean() for task in tasks]) for _ in range(resamples)]
        low, high = np.quantile(drawn, (0.025, 0.975))
        percents = percents_of(Path(folder), tasks)
        of_ceiling = f", {np.mean(percents):.0f} % of the ceiling" if percents else ""
        print(f"{folder}: mean {mean:.1f} [{low:.1f}, {high:.1f}] over deals of {len(tasks)} tasks{of_ceiling}")


if __name__ == "__main__":
    main(sys.argv[1:])
