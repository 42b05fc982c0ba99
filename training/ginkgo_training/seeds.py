"""Runs of several seeds side by side, each a ``ginkgo train`` in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from threading import Lock
from typing import Any

from rich.console import Console

from ginkgo_env.core.errors import ConfigError, GinkgoError

_GINKGO = [sys.executable, "-c", "from ginkgo_env.cli import main; main()"]


def train_seeds(folder: Path, resume: bool, first: int, seeds: int, workers: int | None) -> str:
    """Run this command with each seed, in the folders FOLDER-seed0 and so on; return what to type next.

    resume : continue all such runs instead
    first, seeds : the first seed, and number of seeds
    workers : number of processes at a time, by default one for each core

    An interrupt is passed to all runs, which save. Raises GinkgoError if a run fails, after the others have ended.
    """
    if any(word.startswith("--ray") for word in sys.argv):
        raise ConfigError("--seeds and --ray exclude each other: each seed has a process of its own")
    own = {f"{folder}-seed{seed}": ["--seed", str(seed), "--out"] for seed in range(first, first + seeds)}
    if resume:
        own = {str(path): ["--resume"] for path in sorted(folder.parent.glob(f"{folder.name}-seed*"))}
    # The last of several equal options counts.
    commands = {path: [*_GINKGO, *sys.argv[1:], *words, path, "--seeds", "1"] for path, words in own.items()}
    statuses = _run(commands, workers or os.cpu_count() or 1)
    if failed := [path for path, status in statuses.items() if status]:
        raise GinkgoError(f"{len(failed)} of {len(own)} runs failed: {', '.join(failed)}")
    return f"next: ginkgo train curves {folder}-seed*"


def _run(commands: dict[str, list[str]], workers: int) -> dict[str, int]:
    """Run commands, a few at a time, and show their output after their names; return their exit statuses by name."""
    console, lock, interrupted = Console(stderr=True), Lock(), False
    processes: list[subprocess.Popen[str]] = []

    def run(name: str) -> int:
        pipes: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL, "text": True}
        with lock:
            if interrupted:
                return 1
            # In a group of its own, so that Ctrl-C reaches it once, through this process.
            process = subprocess.Popen(commands[name], **pipes, start_new_session=True)
            processes.append(process)
        with process:
            for line in process.stdout or ():
                console.print(f"{name}: {line.rstrip()}", highlight=False, markup=False, soft_wrap=True)
        return process.returncode

    with ThreadPoolExecutor(workers) as pool:
        futures = {name: pool.submit(run, name) for name in commands}
        while True:
            try:
                statuses = {name: future.result() for name, future in futures.items()}
                break
            except KeyboardInterrupt:
                with lock, suppress(ValueError):  # on Windows, where Ctrl-C reaches all processes
                    interrupted = True
                    for process in processes:
                        process.send_signal(signal.SIGINT)  # does nothing to one that has ended
    if interrupted:
        raise KeyboardInterrupt
    return statuses
