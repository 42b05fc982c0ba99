"""Runs of several seeds side by side, each a ``ginkgo train`` in a process of its own."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from shlex import quote
from threading import Lock
from typing import Any

from rich.console import Console

from ginkgo_env.core.errors import ConfigError, GinkgoError

_GINKGO = [sys.executable, "-c", "from ginkgo_env.cli import main; main()"]
_FLAGS = {"options": "set"}  # options whose names differ from those on the command line


def train_seeds(kind: str, folder: Path, resume: bool, seeds: int, workers: int | None, **options: Any) -> str:
    """Train with several seeds, in the folders FOLDER-seed0 and so on; return what to type next.

    seeds : number of seeds; the first is the option ``seed``
    workers : number of processes at a time, by default one for each core
    options : the other options of the command

    An interrupt is passed to all runs, which save. Raises GinkgoError if a run fails, after the others have ended.
    """
    if any(options.get(name) for name in ("ray", "ray_address", "ray_workers")):
        raise ConfigError("--seeds and --ray exclude each other: each seed has a process of its own")
    first = options.pop("seed", None) or 0
    folders = {seed: folder.with_name(f"{folder.name}-seed{seed}") for seed in range(first, first + seeds)}
    commands = {
        path: [*_arguments(kind, **options), *(["--resume", str(path)] if resume else ["--out", str(path), "--seed", str(seed)])]
        for seed, path in folders.items()
    }
    failed = [path.name for path, status in zip(commands, _Runs(workers).run(commands), strict=True) if status]
    if failed:
        raise GinkgoError(f"{len(failed)} of {seeds} runs failed: {', '.join(failed)}")
    names = " ".join(quote(str(path)) for path in folders.values())
    return f"{seeds} runs are in {folders[first]} and so on\nnext: ginkgo train curves {names}"


def _arguments(kind: str, **options: Any) -> Iterator[str]:
    """Yield the words of a command with these options; those that are None, False or empty are left out."""
    yield from ("train", kind)
    for name, value in options.items():
        flag = "--" + _FLAGS.get(name, name).replace("_", "-")
        for one in value if isinstance(value, list) else [value]:
            if one is not None and one is not False:
                yield from (flag,) if one is True else (flag, str(one))


class _Runs:
    """Runs commands, a few at a time, and shows their output."""

    def __init__(self, workers: int | None) -> None:
        self.console = Console(stderr=True)
        self.processes: list[subprocess.Popen[str]] = []
        self.workers, self.interrupted, self.lock = workers or os.cpu_count() or 1, False, Lock()

    def run(self, commands: dict[Path, list[str]]) -> list[int]:
        """Run the commands; return their exit statuses, in order."""
        with ThreadPoolExecutor(self.workers) as pool:
            futures = [pool.submit(self._one, path.name, command) for path, command in commands.items()]
            while True:
                try:
                    statuses = [future.result() for future in futures]
                    break
                except KeyboardInterrupt:
                    with self.lock:
                        self.interrupted = True
                        for process in self.processes:
                            with suppress(ValueError):  # on Windows, where Ctrl-C reaches all processes
                                process.send_signal(signal.SIGINT)  # does nothing to one that has ended
        if self.interrupted:
            raise KeyboardInterrupt
        return statuses

    def _one(self, name: str, command: list[str]) -> int:
        pipe: Any = {"stdout": subprocess.PIPE, "stderr": subprocess.STDOUT, "stdin": subprocess.DEVNULL}
        with self.lock:
            if self.interrupted:
                self._show(f"{name}: not begun")
                return 0
            # In a group of its own, so that Ctrl-C reaches it once, through this process.
            process = subprocess.Popen([*_GINKGO, *command], **pipe, text=True, encoding="utf-8", start_new_session=True)
            self.processes.append(process)
        with process:
            assert process.stdout is not None
            for line in process.stdout:
                self._show(f"{name}: {line.rstrip()}")
        return process.returncode

    def _show(self, text: str) -> None:
        self.console.print(text, highlight=False, markup=False, soft_wrap=True)
