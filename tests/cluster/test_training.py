"""Training with rollouts from workers: the weights are those of one process, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("ray")
pytest.importorskip("torch")

import mortal

from ginkgo_agents.agents.checkpoints import Checkpoint, read_checkpoint
from ginkgo_agents.evaluation.cluster import Cluster
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import Settings
from ginkgo_training.shards import ShardedTrainer

from ..training.checkpoints import same

pytestmark = pytest.mark.full  # starting a cluster takes seconds

SMALL = Settings(games=8, steps=6, minibatch=16, hidden=8, shards=4)
COMMAND = [sys.executable, "-m", "ginkgo_env", "train", "lookahead", "--game", "three_cards", "--setting", "games=16"]
HEARD: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}


class Mortal(ShardedTrainer):
    collect = staticmethod(mortal.mortal_collect)


def run(kind: type[ShardedTrainer], folder: Path, rollouts: int, cluster: Cluster | None, **more: Any) -> Checkpoint:
    one = kind(make_game("three_cards", deck="pairs"), SMALL, 3, cluster)
    runs.train(one, runs.Budget(rollouts=rollouts), folder, **more)
    return read_checkpoint(folder / runs.CHECKPOINT)


def test_with_a_worker_killed_the_weights_are_those_of_one_process(cluster: Cluster, paths: Path, tmp_path: Path) -> None:
    alone = run(Mortal, tmp_path / "alone", 5, None)
    assert not (paths / "collect").exists()
    same(run(Mortal, tmp_path / "ray", 5, cluster), alone)
    killed = int((paths / "collect").read_text())
    assert killed != os.getpid()
    with pytest.raises(ProcessLookupError):
        os.kill(killed, 0)


def test_a_run_goes_on_with_workers_or_without(cluster: Cluster, tmp_path: Path) -> None:
    whole = run(ShardedTrainer, tmp_path / "whole", 6, None)

    for first, second in ((cluster, None), (None, cluster)):
        folder = tmp_path / str(first is None)
        one = ShardedTrainer(make_game("three_cards", deck="pairs"), SMALL, 3, first)

        def stop(text: str, left: float, one: ShardedTrainer = one) -> None:
            if one.rollouts == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            runs.train(one, runs.Budget(rollouts=6), folder, tell=stop)
        same(run(ShardedTrainer, folder, 6, second, resume=True), whole)


def test_ctrl_c_saves_and_resume_goes_on(paths: Path, tmp_path: Path) -> None:
    """To the whole group of processes, as a terminal sends it."""
    command = [*COMMAND, "--ray-workers", "2", "--out", str(tmp_path / "run")]
    process = subprocess.Popen(
        [*command, "--minutes", "60"], **HEARD, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    try:
        deadline = time.monotonic() + 300
        while not (tmp_path / "run").exists() and time.monotonic() < deadline and process.poll() is None:
            time.sleep(0.2)
        time.sleep(3)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130, said
    assert "Traceback" not in said
    assert said.strip().splitlines()[-1] == f"interrupted: saved in {tmp_path / 'run'}; go on with --resume"
    before = read_checkpoint(tmp_path / "run" / runs.CHECKPOINT)
    assert before.settings["shards"] == 4
    more = str(before.about["rollouts"] + 3)
    done = subprocess.run([*command, "--rollouts", more, "--resume"], capture_output=True, text=True, timeout=300, check=True)
    assert "the agent is" in done.stdout
    assert read_checkpoint(tmp_path / "run" / runs.CHECKPOINT).about["rollouts"] == int(more)
