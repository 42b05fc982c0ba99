"""Tasks and tournaments on workers: the same results as in one process, also when a worker is killed."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterable, Iterator
from itertools import starmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("ray")

import mortal

from ginkgo_agents.datasets import GenerationJob, generate
from ginkgo_agents.evaluation import cluster as clusters
from ginkgo_agents.evaluation import matches
from ginkgo_agents.evaluation.cluster import Cluster, WorkerError
from ginkgo_agents.evaluation.leaderboard import Plan, play_plan, report_of
from ginkgo_agents.evaluation.matches import Chunk, MatchConfig, MatchResults, ProgressCallback, play_match
from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_env.core.errors import BatchError, ConfigError
from ginkgo_env.registry import make_game

pytestmark = pytest.mark.full  # starting a cluster takes seconds


# A shell starts what runs in its background with Ctrl-C ignored, and so do these tests what they start, unless they say so.
HEARD: dict[str, Any] = {"preexec_fn": lambda: signal.signal(signal.SIGINT, signal.SIG_DFL)}


@pytest.fixture(autouse=True)
def small_chunks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(matches, "_CHUNK", 10)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    return True


def same(one: MatchResults, other: MatchResults) -> None:
    for name in ("seeds", "totals", "standings"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    assert (one.cut_off, one.recorded) == (other.cut_off, other.recorded)


def test_results_come_in_the_order_of_the_calls_which_are_not_all_made_at_once(cluster: Cluster) -> None:
    made = []

    def calls() -> Any:
        for k in range(12):
            made.append(k)
            yield (k,)

    results = cluster.starmap(mortal.slower_at_first, calls())
    assert next(results) == 0
    assert len(made) < 12
    assert [0, *results] == list(starmap(mortal.slower_at_first, zip(range(12), strict=True)))


def test_there_are_two_workers_besides_this_process(cluster: Cluster) -> None:
    assert cluster.processors == 2
    found = set(cluster.starmap(mortal.processor, zip(range(40), strict=True)))
    assert len(found) == 2 and os.getpid() not in found


def test_a_leaderboard_with_a_worker_killed_is_that_of_one_process(cluster: Cluster, paths: Path) -> None:
    plan = Plan("three_cards", ("random", "mortal:Mortal:name=board"), games=100, seed=3)
    unbroken: list[MatchResults] = []
    found: list[MatchResults] = []
    play_plan(plan, unbroken)
    assert not (paths / "board").exists()
    ticks: list[int] = []
    play_plan(plan, found, cluster.play, lambda table, n: ticks.append(n))
    killed = int((paths / "board").read_text())
    assert killed != os.getpid() and not alive(killed)
    assert sum(ticks) == plan.all_games == sum(played.games for played in found)  # nothing lost, nothing twice
    for one, other in zip(unbroken, found, strict=True):
        same(one, other)
    assert report_of(plan, unbroken) == report_of(plan, found)


def test_a_data_set_with_a_worker_killed_is_that_of_one_process(cluster: Cluster, paths: Path, tmp_path: Path) -> None:
    pytest.importorskip("pyarrow")
    job = GenerationJob("three_cards", ("random", "mortal:Mortal:name=data"), games=40, seed=3, shard_games=8)
    generate(job, tmp_path / "alone")
    assert not (paths / "data").exists()
    ticks: list[int] = []
    generate(job, tmp_path / "ray", cluster=cluster, progress=ticks.append)
    assert int((paths / "data").read_text()) != os.getpid() and ticks == [8] * 5
    files = [path.relative_to(tmp_path / "alone") for path in (tmp_path / "alone").rglob("*.*")]
    assert len(files) == 2 * 5 + 2  # two for each shard, the description and the card
    assert {path: (tmp_path / "ray" / path).read_bytes() for path in files} == {
        path: (tmp_path / "alone" / path).read_bytes() for path in files
    }


def test_a_task_that_kills_every_worker_is_given_up(cluster: Cluster) -> None:
    with pytest.raises(WorkerError, match="workers were lost 4 times with the same task"):
        list(cluster.starmap(mortal.always_dies, [(1,)]))
    assert list(cluster.starmap(mortal.slower_at_first, [(3,)])) == [9]


def test_an_error_of_python_is_shown_and_not_tried_again(
    cluster: Cluster, paths: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(BatchError, match=r"^a sentence$"):
        list(cluster.starmap(mortal.fails, [("ours", True)]))
    with pytest.raises(WorkerError, match=r"^a worker failed: KeyError: 'no such thing'$"):
        list(cluster.starmap(mortal.fails, [("theirs", False)]))
    shown = capsys.readouterr().err
    assert shown.count("KeyError: ") == 1 and "mortal.py" in shown
    assert len(list(paths.glob("ours*"))) == len(list(paths.glob("theirs*"))) == 1
    with pytest.raises(WorkerError, match="RuntimeError: broken on purpose"):
        play_match(MatchConfig("three_cards", ("mortal:Broken", "random")), 40, seed=1, runner=cluster.play)


def test_checkpoints_are_sent_along(cluster: Cluster, tmp_path: Path) -> None:
    pytest.importorskip("torch")
    from ginkgo_agents.checkpoints import write_checkpoint
    from ginkgo_training.lookahead import LookaheadTrainer
    from ginkgo_training.settings import LookaheadSettings

    game = make_game("three_cards", deck="pairs")
    trainer = LookaheadTrainer(game, LookaheadSettings(games=8, n_steps=6, hidden=8), seed=1)
    path = write_checkpoint(tmp_path / "agent.npz", trainer.checkpoint())
    name = f"{path}:worlds=2"
    here = evaluate(name, game, ["random"], 40, 5)
    cluster.checkpoints([name])

    def play(chunks: Iterable[Chunk], progress: ProgressCallback | None) -> Iterator[MatchResults]:
        made = list(chunks)  # with random keys, which follow from the contents of the file
        path.unlink(missing_ok=True)  # as on a node that has no disk in common with this one
        return cluster.play(made, progress)

    assert evaluate(name, game, ["random"], 40, 5, play) == here


def test_a_worker_with_another_version_is_refused(cluster: Cluster, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clusters, "_version", lambda: "0.0.1 (abc)")
    with pytest.raises(ConfigError, match=r"the worker on \S+ has ginkgo_env \d.*, this process has 0\.0\.1 \(abc\): install"):
        list(cluster.starmap(mortal.slower_at_first, [(1,)]))


@pytest.mark.timeout(1_200)
def test_one_worker_writes_the_files_of_no_worker(paths: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "ginkgo_env", "leaderboard", "--game", "three_cards", "--games", "600"]
    command += ["--agents", "random,mortal:Other"]
    for name, more in {"none": ["--threads", "1"], "one": ["--ray-workers", "1"]}.items():
        subprocess.run([*command, *more, "--out", str(tmp_path / name)], check=True, timeout=600, capture_output=True)
    names = sorted(path.relative_to(tmp_path / "none") for path in (tmp_path / "none").rglob("*") if path.is_file())
    assert len(names) > 5
    for name in names:
        assert (tmp_path / "none" / name).read_bytes() == (tmp_path / "one" / name).read_bytes(), name


def test_ctrl_c_ends_a_leaderboard(paths: Path) -> None:
    """To the whole group of processes, as a terminal sends it; the workers are playing or about to."""
    command = [sys.executable, "-m", "ginkgo_env", "leaderboard", "--game", "three_cards", "--games", "1000000"]
    process = subprocess.Popen(
        [*command, "--agents", "random,mortal:Other", "--ray-workers", "1"],
        **HEARD,
        start_new_session=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        time.sleep(20)
        os.killpg(process.pid, signal.SIGINT)
        _, said = process.communicate(timeout=120)
    finally:
        process.kill()
    assert process.returncode == 130 and "Traceback" not in said, said
    assert said.strip().splitlines()[-1].startswith("interrupted")
