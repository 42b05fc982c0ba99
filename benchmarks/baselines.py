"""Train baselines by the benchmark's protocol, five seeds each, and score each run on its task.

    python benchmarks/baselines.py runs/baselines --only ppo_duel

Trained agents stay in the folder. Results go to ``results/baselines``, logs to ``training/logs/baselines``. What is there is not
made again: an interrupted run goes on. ``docs/generate_benchmark.py`` makes the table of ``docs/benchmark.md`` from the results,
``ginkgo train curves`` the picture from the logs.
"""

from __future__ import annotations

import json
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import typer

from ginkgo_agents.evaluation.benchmark.runs import Run, play_tasks
from ginkgo_agents.evaluation.benchmark.tasks import budget_of, tasks_like, training_of
from ginkgo_agents.registry import register_kind
from ginkgo_env.core.files import write_file
from ginkgo_training.logs import LOG, write_log

ROOT = Path(__file__).resolve().parents[1]
RESULTS, LOGS = ROOT / "benchmarks" / "results" / "baselines", ROOT / "training" / "logs" / "baselines"
SEEDS = range(1, 6)
PPO = "ginkgo train ppo --settings training/settings/ppo_baseline.json --rollouts 1220"
CLONING = "--settings imitate=greedy --settings imitate_games=15100 --settings network.hidden=128 --rollouts 0"
LOOKAHEAD, DUEL = "ginkgo train lookahead --rollouts 195", "--players 2 --against greedy,lookahead:version=1"
BASELINES = {
    "ppo_duel": ("ginkgopolis/duel", f"{PPO} {DUEL}"),
    "ppo_solo_advanced": ("ginkgopolis/solo-advanced", f"{PPO} --players 1 --set level=advanced"),
    "ppo_my_city_solo": ("my_city/solo", f"{PPO} --game my_city --players 1"),
    "ppo_golden_city_duel": ("golden_city/duel", f"{PPO} --game golden_city --players 2 --against greedy,lookahead"),
    "ppo_table_3": ("ginkgopolis/table-3", f"{PPO} --players 3 --against greedy,lookahead:version=1"),
    "lookahead_duel": ("ginkgopolis/duel", f"{LOOKAHEAD} {DUEL}"),
    "lookahead_solo_advanced": ("ginkgopolis/solo-advanced", f"{LOOKAHEAD} --players 1 --set level=advanced"),
    "lookahead_my_city_boards": (
        "my_city/held-out-boards",
        f"{LOOKAHEAD} --settings worlds=1 --game my_city --players 2 --set mixture=training_boards --against greedy,lookahead",
    ),
    "lookahead_modules": ("ginkgopolis/held-out-modules", f"{LOOKAHEAD} {DUEL} --set mixture=training_modules"),
    "cloning_duel": ("ginkgopolis/duel", f"ginkgo train ppo {CLONING} {DUEL}"),
    "maskable_ppo_duel": ("ginkgopolis/duel", "python benchmarks/learners.py maskable_ppo"),
    "dqn_duel": ("ginkgopolis/duel", "python benchmarks/learners.py tianshou_dqn"),
}
"""The task of each baseline, and its command without seed and folder."""


def train(command: str, seed: int, folder: Path) -> None:
    """Train, or continue an interrupted run."""
    program, *words = shlex.split(command)
    new = [*words, "--seed", str(seed), "--out", str(folder)]
    if program == "ginkgo":
        kind = words[:2]
        resumed = [*kind, "--resume", str(folder)] if (folder / "checkpoint.npz").exists() else new
        new = ["-c", "from ginkgo_env.cli import main; main()", *resumed]
    subprocess.run([sys.executable, *new], check=True, cwd=ROOT)


def scored(folder: Path, task: str) -> dict[str, Any]:
    """Decisions and seconds of a run, its scores on a task and its training set, and its raw results."""
    agent = str(folder / "agent.npz")
    row, *trained = (row for row, _ in play_tasks(Run(agent, *budget_of(agent, None)), tasks_like(task, training=True)))
    counted = "win" if row["metric"] == "wins" else "points"
    panel = {one["opponent"]: one[counted]["mean"] for one in row["panel"]}
    seconds = json.loads((folder / "run.json").read_text())["seconds"]
    result = {"decisions": training_of(agent).training_decisions, "seconds": seconds, "score": row["score"]["mean"]}
    result |= {"training_set": trained[0]["score"]["mean"]} if trained else {}
    return result | {"percent": row["percent"] and row["percent"]["mean"], "panel": panel}


def evaluations(folder: Path) -> Iterator[dict[str, Any]]:
    """The lines of a log, without what curves do not show."""
    for line in map(json.loads, (folder / LOG).read_text().splitlines()):
        results = line["evaluation"].items()
        short = {name: {key: own[key] for key in ("win", "score") if key in own} for name, own in results}
        yield {key: line[key] for key in ("game", "seconds", "decisions")} | {"evaluation": short}


def main(
    out: Annotated[Path, typer.Argument(help="folder of the runs")],
    only: Annotated[str, typer.Option(help="baselines with this text in their name")] = "",
) -> None:
    """Train and score what has no result yet."""
    register_kind("mlp", "learners:MlpAgent")
    for name, (task, command) in BASELINES.items():
        path = RESULTS / f"{name}.json"
        found = json.loads(path.read_text()) if path.exists() else {"task": task, "command": command, "runs": []}
        for seed in SEEDS if only in name else ():
            if seed not in [run["seed"] for run in found["runs"]]:
                folder = out.resolve() / f"{name}-seed{seed}"
                train(command, seed, folder)
                found["runs"].append({"seed": seed} | scored(folder, task))
                write_log(LOGS / f"{name}-seed{seed}.jsonl", evaluations(folder))
                write_file(path, json.dumps(found, indent=1) + "\n")
                print(name, json.dumps(found["runs"][-1]), flush=True)


if __name__ == "__main__":
    typer.run(main)
