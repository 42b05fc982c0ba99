"""Threads that share the rows of compiled loops, which release the GIL and so run at the same time."""

from __future__ import annotations

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any


class KernelThreads:
    """Threads that run loops ``kernel(start, stop, *arguments)``, each over its share of the rows.

    Results do not depend on the number of threads. The threads start when they are first needed, and likewise in a copy, in
    a forked process (which inherits none) and after :meth:`close`.

    Parameters
    ----------
    threads : largest number of threads, including the one that calls
    rows_each : least number of rows for each thread: fewer are not worth a thread

    Attributes
    ----------
    count : largest number of threads
    """

    def __init__(self, threads: int = 1, rows_each: int = 16) -> None:
        self.count, self.rows_each = max(1, threads), rows_each
        self._pool: ThreadPoolExecutor | None = None
        self._process = 0  # the process that started the pool

    def run(self, kernel: Callable[..., Any], rows: int, *arguments: Any) -> Any:
        """Run a loop over rows 0 to ``rows - 1``; return what it returns for the first of them.

        Raises the first error of a thread.
        """
        if self.count == 1 or rows < 2 * self.rows_each:
            return kernel(0, rows, *arguments)
        parts = min(self.count, rows // self.rows_each)
        bounds = [rows * k // parts for k in range(parts + 1)]
        pool = self._started_pool()
        others = [pool.submit(kernel, start, stop, *arguments) for start, stop in pairwise(bounds[1:])]
        try:  # the caller works too: to wake a thread costs more than a call
            return kernel(0, bounds[1], *arguments)
        finally:
            for future in others:
                future.result()

    def close(self) -> None:
        """End the threads. They start again if they are needed."""
        pool, self._pool = self._pool, None
        if pool is not None and self._process == os.getpid():
            pool.shutdown()

    def __getstate__(self) -> dict[str, Any]:
        """Return the state of a copy, which starts threads of its own."""
        return self.__dict__ | {"_pool": None}

    def _started_pool(self) -> ThreadPoolExecutor:
        if self._pool is None or self._process != os.getpid():
            self._pool, self._process = ThreadPoolExecutor(self.count - 1), os.getpid()
        return self._pool
