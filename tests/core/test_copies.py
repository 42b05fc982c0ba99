"""Copies go on as the original would, and apart from it; so do threads and forks."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cloudpickle
import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents.base import DecisionBatch, KernelThreads
from ginkgo_env.core.playback import Playback
from ginkgo_env.testing import fresh, play

COPIERS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "copy": copy.copy,
    "pickle": lambda thing: pickle.loads(pickle.dumps(thing)),
    "old pickle": lambda thing: pickle.loads(pickle.dumps(thing, protocol=2)),
    "cloudpickle": lambda thing: cloudpickle.loads(cloudpickle.dumps(thing)),
}
OPTIONS: list[dict[str, Any]] = [
    {},
    {"threads": 2},
    {"autoreset": True, "threads": 2, "reward": "score"},
    {"reward": "margin", "modules": ["events", "experts", "keep_card"], "hand_size": 5},
]
ARRAYS = ("states", "mask", "actor", "kind", "done", "truncated", "rewards", "totals")


def begun(steps: int = 12, autoreset: bool = False, threads: int = 1, reward: Any = "win", **config: Any) -> ginkgo_env.Batch:
    game = ginkgo_env.make_game(players=2, max_rounds=3, **config)
    batch = ginkgo_env.Batch(game, 6, autoreset=autoreset, threads=threads, reward=reward)
    batch.reset(seed=3)
    for _ in range(steps):
        batch.step(batch.sample())
    return batch


def seen(batch: ginkgo_env.Batch) -> list[bytes]:
    arrays = [getattr(batch, name) for name in ARRAYS]
    return [array.tobytes() for array in (*arrays, batch.observe(), batch.scores())]


def play_on(batch: ginkgo_env.Batch, steps: int = 60) -> list[list[bytes]]:
    """Everything that is to be seen of a batch while it is stepped, reset, resampled and set."""
    told = []
    for _ in range(steps):
        batch.step(batch.sample())
        told.append(seen(batch))
    batch.reset(seed=4, rows=[1, 3])
    batch.resample(0, seed=5)
    batch.copy_rows(batch, [1], [2])
    batch.set_position(0, batch.position(1))
    for _ in range(10):
        batch.step(batch.sample())
        told.append(seen(batch))
    return told


@pytest.mark.parametrize("options", OPTIONS, ids=str)
@pytest.mark.parametrize("copier", COPIERS)
def test_copy_of_a_batch_goes_on_identically(copier: str, options: dict[str, Any]) -> None:
    batch = begun(**options)
    before = seen(batch)
    twin = COPIERS[copier](batch)
    assert seen(twin) == before
    theirs = play_on(twin)
    assert seen(batch) == before, "the original felt its copy"
    assert play_on(batch) == theirs
    assert batch.autoreset or batch.totals.any(), "no game has ended"


IN_ANOTHER_PROCESS = """
import hashlib, pickle, sys
batch = pickle.load(open(sys.argv[1], "rb"))
for _ in range(20):
    batch.step(batch.sample())
print(hashlib.sha256(batch.states.tobytes() + batch.observe().tobytes()).hexdigest())
"""


@pytest.mark.full
def test_a_batch_goes_on_in_another_process(tmp_path: Path) -> None:
    batch = begun(threads=2)
    (tmp_path / "batch").write_bytes(pickle.dumps(batch))
    command = [sys.executable, "-c", IN_ANOTHER_PROCESS, str(tmp_path / "batch")]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    for _ in range(20):
        batch.step(batch.sample())
    assert done.stdout.strip() == hashlib.sha256(batch.states.tobytes() + batch.observe().tobytes()).hexdigest()


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("threads", [1, 2])
def test_batches_and_their_copies_work_after_close(copier: str, threads: int) -> None:
    batch = begun(threads=threads)
    batch.close()
    batch.close()
    twin = COPIERS[copier](batch)
    assert play_on(twin, 5) == play_on(batch, 5)
    twin.close()
    batch.close()


def test_a_copy_s_arrays_are_views_and_writable() -> None:
    buffers: list[pickle.PickleBuffer] = []
    batch = begun()
    data = pickle.dumps(batch, protocol=5, buffer_callback=buffers.append)
    twin = pickle.loads(data, buffers=[bytes(buffer) for buffer in buffers])  # as other processes get them: read-only
    for name in ("actor", "kind"):
        assert np.shares_memory(getattr(twin, name), twin.states)
    assert play_on(twin, 5) == play_on(batch, 5)


def test_a_batch_of_another_layout_is_refused() -> None:
    batch = begun(0)
    state = batch.__getstate__()
    state["_blobs"] = np.zeros(6, "V8")
    with pytest.raises(ginkgo_env.BatchError, match="another version"):
        ginkgo_env.Batch.__new__(ginkgo_env.Batch).__setstate__(state)


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_of_a_game(copier: str) -> None:
    for config in ginkgo_env.registry.game_class("ginkgopolis").configurations():
        game = ginkgo_env.make_game(**config)
        twin = COPIERS[copier](game)
        assert type(twin) is type(game) and twin.config_dict == game.config_dict
        assert twin.template.tobytes() == game.template.tobytes() and twin.template.dtype == game.template.dtype
        assert all(mine is theirs for mine, theirs in zip(game.kernels, twin.kernels, strict=True)), "compiled anew"


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_of_a_playback(copier: str) -> None:
    game = ginkgo_env.make_game(players=2, max_rounds=2)
    playback = Playback(game)
    playback.start(7)
    playback.play(int(playback.mask[0].argmax()))
    twin = COPIERS[copier](playback) if copier != "copy" else copy.deepcopy(playback)
    while playback.actor is not None:
        action = int(playback.mask[0].argmax())
        before = playback.states.tobytes()
        rows = twin.play(action)
        assert playback.states.tobytes() == before
        assert playback.play(action) == rows
        assert twin.states.tobytes() == playback.states.tobytes()


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_of_a_record(copier: str) -> None:
    golden = Path(__file__).parent.parent / "golden" / "two_players.jsonl"
    record = ginkgo_env.Record.read(golden)
    twin = COPIERS[copier](record)
    assert twin == record and twin.dumps() == record.dumps()
    step = next(ginkgo_env.replay(twin))
    assert COPIERS[copier](step).state.tobytes() == step.state.tobytes()


@pytest.mark.parametrize("copier", COPIERS)
def test_a_crew_is_copied_and_a_turn_is_not(copier: str) -> None:
    batch = fresh(ginkgo_env.make_game(players=2), 64, 1)
    threads = KernelThreads(2)
    found = []
    for pool in (threads, COPIERS[copier](threads)):
        turn = DecisionBatch(batch, np.arange(64), np.arange(64, dtype=np.uint64), pool)
        found.append(turn.observe().tobytes())
        with pytest.raises(ginkgo_env.BatchError, match="a turn cannot be copied"):
            COPIERS[copier](turn)
        pool.close()
    assert found[0] == found[1] == batch.observe().tobytes()


# --- threads and forks -------------------------------------------------------------------------------------------------------


def played(threads: int) -> str:
    batch = fresh(ginkgo_env.make_game(players=2, setup="introductory", max_rounds=4), 16, 3, threads=threads)
    try:
        for _ in play(batch):
            batch.observe()
        return hashlib.sha256(batch.states.tobytes()).hexdigest()
    finally:
        batch.close()


def in_a_fork(work: Any) -> bytes:
    """What work gives back in a child of this process that ends within a minute."""
    read, write = os.pipe()
    pid = os.fork()
    if pid == 0:
        try:
            os.write(write, work())
            os._exit(0)
        except BaseException:
            os._exit(1)
    os.close(write)
    timer = threading.Timer(60, lambda: os.kill(pid, 9))
    timer.start()
    _, status = os.waitpid(pid, 0)
    timer.cancel()
    with os.fdopen(read, "rb") as pipe:
        found = pipe.read()
    assert os.waitstatus_to_exitcode(status) == 0, "the child did not get through"
    return found


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*")
def test_a_fork_after_threads_works() -> None:
    wanted = played(threads=2)
    batch = fresh(ginkgo_env.make_game(players=2), 8, 1, threads=2)
    batch.step(batch.sample())  # its threads are alive while we fork

    def both() -> bytes:
        return (played(threads=1) + played(threads=2)).encode()

    found = in_a_fork(both).decode()
    assert found == wanted * 2
    batch.step(batch.sample())
    batch.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*")
@pytest.mark.parametrize("holder", ["another thread", "this thread"])
def test_a_fork_releases_the_locks_of_threads_that_it_has_not(holder: str) -> None:
    batch = fresh(ginkgo_env.make_game("my_city", players=2), 2, 1)

    def work() -> bytes:
        batch.step(batch.sample())
        held = batch._lock.acquire(False)
        other = threading.Thread(target=lambda: batch._lock.acquire(False) and os._exit(1))
        other.start()
        other.join()
        return bytes([held])

    held, forked = threading.Event(), threading.Event()

    def hold() -> None:
        with batch._lock:
            held.set()
            forked.wait(60)

    thread = threading.Thread(target=hold)
    if holder == "another thread":
        thread.start()
        held.wait(60)
        assert in_a_fork(work) == b"\x01"
        forked.set()
        thread.join()
    else:
        with batch._lock:
            assert in_a_fork(work) == b"\x01"
    batch.step(batch.sample())


def test_two_batches_in_two_threads_do_not_feel_each_other() -> None:
    wanted, found = played(threads=1), list[Any]()
    workers = [threading.Thread(target=lambda: found.append(played(threads=2))) for _ in range(3)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert found == [wanted] * 3


def test_more_threads_than_rows() -> None:
    batch = fresh(ginkgo_env.make_game(players=2), 3, 0, threads=50)
    for _ in range(5):
        batch.step(batch.sample())
    batch.close()
    assert batch.threads == 3 and np.isfinite(batch.rewards).all()


def test_an_error_in_a_thread_comes_out() -> None:
    batch = fresh(ginkgo_env.make_game(players=2), 4, 0, threads=2)

    def broken(start: int, stop: int, *_: Any) -> None:
        if start:
            raise RuntimeError("broken")

    with pytest.raises(RuntimeError, match="broken"):
        batch.run(broken)
    batch.close()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*")
def test_a_batch_with_threads_goes_on_in_a_fork() -> None:
    batch = fresh(ginkgo_env.make_game(players=2), 8, 1, threads=2)
    batch.step(batch.sample())  # its threads are alive while we fork

    def played_on() -> bytes:
        for _ in range(5):
            batch.step(batch.sample())
        batch.close()
        return hashlib.sha256(batch.states.tobytes() + batch.observe().tobytes()).digest()

    found = in_a_fork(played_on)
    assert found == played_on()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*fork.*")
def test_threads_go_on_in_a_fork() -> None:
    batch, threads = fresh(ginkgo_env.make_game(players=2), 64, 1), KernelThreads(2)

    def observed() -> bytes:
        turn = DecisionBatch(batch, np.arange(64), np.arange(64, dtype=np.uint64), threads)
        return hashlib.sha256(turn.observe().tobytes()).digest()

    wanted = observed()
    assert in_a_fork(observed) == wanted
    threads.close()
    assert observed() == wanted


# --- how threads share rows --------------------------------------------------------------------------------------------------


def test_threads_share_rows_and_the_caller_works_too() -> None:
    parts: list[tuple[int, int, bool]] = []

    def loop(start: int, stop: int) -> int:
        parts.append((start, stop, threading.current_thread() is threading.main_thread()))
        return start

    threads = KernelThreads(3, rows_each=2)
    assert threads.run(loop, 3) == 0 and parts == [(0, 3, True)]
    parts.clear()
    assert threads.run(loop, 9) == 0 and sorted(parts) == [(0, 3, True), (3, 6, False), (6, 9, False)]
    threads.close()


def test_an_error_of_the_caller_waits_for_the_other_threads() -> None:
    done = []

    def loop(start: int, stop: int) -> None:
        if start == 0:
            raise RuntimeError("broken")
        time.sleep(0.2)
        done.append(stop)

    threads = KernelThreads(2, rows_each=1)
    with pytest.raises(RuntimeError, match="broken"):
        threads.run(loop, 2)
    assert done == [2]
    threads.close()


def test_small_batches_use_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()  # tests share fewer rows
    batch, seen = fresh(ginkgo_env.make_game(players=2), 4095, 0, threads=2), list[int]()
    batch.run(lambda start, stop, *_: seen.append(stop))
    assert seen == [4095]
    batch.close()
