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

from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint
from ginkgo_agents.evaluation.cluster import Cluster
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.ppo import NetworkSettings
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.settings import LookaheadSettings, OpponentSettings, PpoSettings, SearchSettings
from ginkgo_training.shards import ShardedPpoTrainer, ShardedSearchTrainer, ShardedTrainer
from ginkgo_training.trainer import CHECKPOINT

from ..training.checkpoints import same

pytestmark = pytest.mark.full  # starting a cluster takes seconds

SMALL = LookaheadSettings(games=8, n_steps=6, batch_size=16, hidden=8, shards=4)
COMMAND = [sys.executable, "-m", "ginkgo_env", "train", "lookahead", "--ray-workers", "2"]
HEARD: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}


class Mortal(ShardedTrainer):
    collect = staticmethod(mortal.mortal_collect)


def run(kind: Any, folder: Path, rollouts: int, cluster: Cluster | None, settings: Any = SMALL, **more: Any) -> Checkpoint:
    one = kind(make_game("three_cards", deck="pairs"), settings, 3, cluster)
    runs.train(one, runs.Budget(rollouts=rollouts), folder, **more)
    return read_checkpoint(folder / CHECKPOINT)


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

        def stop(text: str, remaining: float, one: ShardedTrainer = one) -> None:
            if one.rollouts == 2:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            runs.train(one, runs.Budget(rollouts=6), folder, report=stop)
        same(run(ShardedTrainer, folder, 6, second, resume=True), whole)


def test_workers_search_as_one_process_does(cluster: Cluster, tmp_path: Path) -> None:
    small = SearchSettings(games=8, n_steps=6, batch_size=16, simulations=4, warm_up=8, shards=2, network=PolicySettings(8, 8))
    alone = run(ShardedSearchTrainer, tmp_path / "alone", 2, None, small)
    same(run(ShardedSearchTrainer, tmp_path / "ray", 2, cluster, small), alone)


def test_workers_play_for_ppo_as_one_process_does(cluster: Cluster, tmp_path: Path) -> None:
    network, nobody = NetworkSettings(hidden=8), OpponentSettings()
    small = PpoSettings(games=8, n_steps=6, batch_size=16, shards=2, network=network, opponents=nobody)
    alone = run(ShardedPpoTrainer, tmp_path / "alone", 2, None, small)
    same(run(ShardedPpoTrainer, tmp_path / "ray", 2, cluster, small), alone)


def test_ctrl_c_saves_and_resume_goes_on(paths: Path, tmp_path: Path) -> None:
    """To the whole group of processes, as a terminal sends it."""
    command = [*COMMAND, "--game", "three_cards", "--settings", "games=16", "--out", str(tmp_path / "run"), "--minutes", "60"]
    process = subprocess.Popen(
        command, **HEARD, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
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
    assert said.strip().splitlines()[-1] == f"interrupted: continue with ginkgo train lookahead --resume {tmp_path / 'run'}"
    before = read_checkpoint(tmp_path / "run" / CHECKPOINT)
    assert before.about["training"]["shards"] == 4
    more = str(before.about["rollouts"] + 3)
    command = [*COMMAND, "--resume", str(tmp_path / "run"), "--rollouts", more]
    done = subprocess.run(command, capture_output=True, text=True, timeout=300, check=True)
    assert "the agent is" in done.stdout
    assert read_checkpoint(tmp_path / "run" / CHECKPOINT).about["rollouts"] == int(more)
