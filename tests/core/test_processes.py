"""Threads and forks: kernels run in a child of a process that has used threads."""

from __future__ import annotations

import hashlib
import os
import threading
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents.agents.base import KernelThreads, Turn
from ginkgo_env.testing import fresh, play


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
        turn = Turn(batch, np.arange(64), np.arange(64, dtype=np.uint64), threads)
        return hashlib.sha256(turn.observations.tobytes()).digest()

    wanted = observed()
    assert in_a_fork(observed) == wanted
    threads.close()
    assert observed() == wanted
