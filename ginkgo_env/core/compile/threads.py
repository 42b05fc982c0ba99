"""Threads that share the rows of compiled loops: kernels release the GIL, so their parts run side by side."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any


class Threads:
    """Runs loops ``kernel(start, stop, *arguments)`` over rows, each thread over its share. Results do not depend on how many.

    Threads start when they are first needed; also in a copy, in a forked process (which inherits none) and after ``close``.

    threads : number of threads at most
    rows_each : number of rows at least for each thread
    """

    def __init__(self, threads: int = 1, rows_each: int = 1) -> None:
        self.threads, self.rows_each = max(1, threads), rows_each
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # the one that started the pool

    def run(self, kernel: Callable[..., None], rows: int, *arguments: Any) -> None:
        """Run a loop over n rows. Errors of a thread come out here."""
        parts = min(self.threads, rows // self.rows_each)
        if parts < 2:
            kernel(0, rows, *arguments)
            return
        bounds = [rows * k // parts for k in range(parts + 1)]
        pool = self._started()
        for future in [pool.submit(kernel, a, b, *arguments) for a, b in pairwise(bounds)]:
            future.result()

    def close(self) -> None:
        """End the threads. They start anew if they are needed again."""
        pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.shutdown()

    def __getstate__(self) -> dict[str, Any]:
        """What a copy needs: it starts threads of its own."""
        return self.__dict__ | {"_pool": None}

    def _started(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self.threads), os.getpid()
        return self._pool
