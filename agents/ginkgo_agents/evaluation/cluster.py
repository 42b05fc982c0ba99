"""Work on the processes of Ray, with the same results as in one process, in the same order.

A task is a function with arguments that determine its result, so it does not matter which worker runs it, when, or how often.
The task of a lost worker is repeated by another one (Ray's retries) with the same arguments. An error of Python is not retried
and ends the run.

All workers need the same version of these packages, which each task checks. Checkpoints of agents are sent with the tasks, so
that nodes need no common disk.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import platform
import socket
import sys
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

import ginkgo_env
from ginkgo_agents.checkpoints import Checkpoint, read_checkpoint
from ginkgo_agents.evaluation.matches import Chunk, ChunkRunner, MatchPlayer, MatchResults, ProgressCallback, local_runner
from ginkgo_agents.registry import Read, path_of
from ginkgo_env.core.checks import integer
from ginkgo_env.core.compile.threads import KernelThreads
from ginkgo_env.core.errors import ConfigError, GinkgoError, short_repr
from ginkgo_env.core.imports import extra

_PACKAGES = ("ginkgo_env", "ginkgo_agents", "ginkgo_training")
_RETRIES = 3  # how often a task is retried after its worker was lost
_AHEAD = 2  # tasks for each processor: one that runs, and one that waits
_TIMEOUT = 5.0  # seconds until an address counts as unreachable; Ray itself tries for many minutes


class WorkerError(GinkgoError):
    """Raised when a worker fails; its traceback has been printed."""


class Cluster:
    """The worker processes of a Ray cluster, each with one processor.

    It is a context manager, which ends the workers on exit.

    address : the cluster to join (``HOST:PORT``, or ``auto`` for one on this machine); None to start one on this machine
    workers : number of processes of the cluster to start, by default one for each core

    Raises MissingPackageError if Ray is not installed, ConfigError if the cluster cannot be reached.
    """

    def __init__(self, address: str | None = None, workers: int | None = None) -> None:
        if address is not None and workers is not None:
            raise ConfigError(
                "ray_address and ray_workers exclude each other: a cluster that is joined has its own number of workers"
            )
        if workers is not None:
            integer(workers, 1, None, "workers", ConfigError)
        # Ray reads these at import. By default it retries tasks that run out of memory for ever.
        os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
        os.environ.setdefault("RAY_task_oom_retries", str(_RETRIES))
        with extra("ray"):
            import ray
        self._ray = ray
        _connect(ray, address, workers)
        self._task = ray.remote(num_cpus=1, max_retries=_RETRIES)(_run)
        self._sent = dict[str, Any]()

    def __enter__(self) -> Cluster:
        return self

    def __exit__(self, *_: object) -> None:
        self._ray.shutdown()

    @property
    def processors(self) -> int:
        """The current number of parallel tasks, which changes with the nodes."""
        return max(1, int(self._ray.cluster_resources().get("CPU", 1)))

    def put(self, value: Any) -> Any:
        """Send a value to the workers once; return a reference to pass to tasks as an argument."""
        return self._ray.put(value)

    def starmap(self, function: Callable[..., Any], arguments: Iterable[tuple[Any, ...]]) -> Iterator[Any]:
        """Apply a function to tuples of arguments on the workers, like ``itertools.starmap``.

        A few calls run at a time; results are yielded in the order of the calls.

        function : a function of a module that workers can import

        Raises a GinkgoError of the function, or WorkerError for any other error and if workers are lost repeatedly.
        """
        # Running tasks are not cancelled at an early end: in Ray 2.60 that can abort the whole process.
        waiting, ahead = deque[Any](), iter(arguments)
        while True:
            while len(waiting) < _AHEAD * self.processors and (call := next(ahead, None)) is not None:
                waiting.append(self._task.remote(_version(), function, *call))
            if not waiting:
                return
            yield self._result(waiting.popleft())

    def play(self, chunks: Iterable[Chunk], progress: ProgressCallback | None) -> Iterator[MatchResults]:
        """Play chunks on the workers (see ``ginkgo_agents.evaluation.matches.ChunkRunner``)."""
        sent = deque[Chunk]()

        def calls() -> Iterator[tuple[Any, ...]]:
            for chunk in chunks:
                sent.append(chunk)
                yield (chunk, *self.checkpoints(chunk.match.agents))

        for results in self.starmap(_play, calls()):
            match = sent.popleft().match
            if progress is not None:
                progress(match, results.games)
            yield replace(results, match=match)

    def checkpoints(self, agents: Iterable[str]) -> tuple[Any, ...]:
        """Arguments for :func:`reader_of`: paths, and references to checkpoints, each sent once."""
        paths = [path for path in map(path_of, agents) if path is not None]
        for path in paths:
            if str(path) not in self._sent:
                self._sent[str(path)] = self.put(read_checkpoint(path))
        return tuple(map(str, paths)), *(self._sent[str(path)] for path in paths)

    def _result(self, reference: Any) -> Any:
        errors = self._ray.exceptions
        try:
            return self._ray.get(reference)
        except errors.RayTaskError as error:
            if isinstance(error.cause, GinkgoError):
                raise error.cause from None
            print(error, file=sys.stderr, flush=True)  # its text is the worker's traceback
            raise WorkerError("a worker failed: " + str(error).strip().rpartition("\n")[2]) from None
        except errors.RayError as error:
            raise WorkerError(f"workers were lost {_RETRIES + 1} times with the same task: {_first_line(error)}") from None


def chosen_cluster(
    ray: bool, address: str | None, workers: int | None, threads: int | None = None
) -> AbstractContextManager[Cluster | None]:
    """The cluster that the options of a command require, or None."""
    if not (ray or address is not None or workers is not None):
        return nullcontext()
    if threads is not None:
        raise ConfigError("--threads and --ray exclude each other: a worker of Ray has one thread")
    return Cluster(address, workers)


@contextmanager
def chosen_runner(ray: bool, address: str | None, workers: int | None, threads: int | None) -> Iterator[ChunkRunner]:
    """The runner of chunks that the options of a command require: this process, or workers of Ray."""
    with chosen_cluster(ray, address, workers, threads) as cluster:
        yield local_runner(threads or os.cpu_count() or 1) if cluster is None else cluster.play


def _connect(ray: Any, address: str | None, workers: int | None) -> None:
    _require_reachable(address)
    options: dict[str, Any] = {"address": address, "logging_level": "warning"}
    if address is None:
        options |= {"address": "local", "num_cpus": workers or os.cpu_count() or 1, "include_dashboard": False}
    try:
        ray.init(**options)
    except (OSError, RuntimeError, ValueError, ImportError, ray.exceptions.RayError) as error:
        where = "start Ray on this machine" if address is None else f"reach a Ray cluster at {short_repr(address)}"
        raise ConfigError(f"cannot {where}: {_first_line(error)}") from None


def _require_reachable(address: str | None) -> None:
    """Raise ConfigError if no server listens at HOST:PORT."""
    host, colon, port = (address or "").rpartition(":")
    if not colon or "/" in host or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), _TIMEOUT).close()
    except (OSError, OverflowError) as error:
        raise ConfigError(f"cannot reach a Ray cluster at {address}: {error}") from None


def _first_line(error: Exception) -> str:
    return str(error).strip().partition("\n")[0]


# --- on a worker ---------------------------------------------------------------------------------------------------------------


def _run(version: str, function: Callable[..., Any], *arguments: Any) -> Any:
    """Run a task. Raises ConfigError if this worker has other sources than the process that sent it."""
    if version != _version():
        raise ConfigError(
            f"the worker on {platform.node()} has ginkgo_env {_version()}, this process has {version}: install the same version, "
            "and the same numpy, on all nodes"
        )
    return function(*arguments)


def _play(chunk: Chunk, paths: tuple[str, ...], *checkpoints: Checkpoint) -> MatchResults:
    """Play a chunk with the checkpoints that were sent with it."""
    with closing(MatchPlayer(chunk.match, KernelThreads(), reader_of(paths, *checkpoints))) as player:
        return player.play(chunk)


def reader_of(paths: tuple[str, ...], *checkpoints: Checkpoint) -> Read:
    """The function that reads the checkpoints sent with a task, see ``Cluster.checkpoints``."""
    # Arrays from Ray are read-only, a type for which kernels would be compiled anew.
    by_path = {
        path: replace(checkpoint, arrays={name: np.array(array) for name, array in checkpoint.arrays.items()})
        for path, checkpoint in zip(paths, checkpoints, strict=True)
    }
    return lambda path: by_path[str(path)]


@cache
def _version() -> str:
    """The version of the sources: a digest of all files of our packages, and the version of numpy."""
    digest = hashlib.sha256()
    for package in _PACKAGES:
        spec = importlib.util.find_spec(package)
        for folder in map(Path, spec.submodule_search_locations or () if spec else ()):
            for path in sorted(folder.rglob("*")):
                if path.is_file() and "__pycache__" not in path.parts:
                    digest.update(f"{package}/{path.relative_to(folder).as_posix()}\0".encode() + path.read_bytes())
    return f"{ginkgo_env.__version__} ({digest.hexdigest()[:12]}, numpy {np.__version__})"
