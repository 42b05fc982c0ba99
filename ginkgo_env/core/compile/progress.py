"""Reports on stderr that kernels are compiled: one sentence, and on a terminal a progress bar.

The sentence is written once in a process. Nothing is written if machine code is found on disk, nor if compilation takes less
than a second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from importlib.util import find_spec
from typing import Any, cast

from numba.core import event

_EVENT: Any = event

_OVERHEAD = 70  # bytes of bytecode that take as long as the constant cost of a function; measured
_BYTES_A_SECOND = 3_500  # bytecode of a game's largest loop, in the time that all loops of its rules take; measured
_LAST_STEPS = 7 / 6  # ratio of the total work of an entry to that of all its functions; measured
_ROUNDING = 5  # seconds


class CompilationProgress(_EVENT.Listener):  # type: ignore[misc]
    """Listener to Numba's events, which arrive one at a time, nested like the functions that are compiled.

    Parameters
    ----------
    is_entry, is_cached : return whether a function is an entry, and whether its machine code will be written to disk
    needed_kernels : returns the kernels that will be compiled together with an entry
    """

    def __init__(
        self,
        is_entry: Callable[[Any], bool],
        is_cached: Callable[[Any], bool],
        needed_kernels: Callable[[Any], Iterable[Any]],
    ) -> None:
        self._is_entry, self._is_cached, self._needed_kernels = is_entry, is_cached, needed_kernels
        self._entry: Any = None  # the entry that is being reported
        self._bar: Any = None
        self._announced = False
        self._done, self._work = 0.0, 1.0

    @property
    def share(self) -> float:
        """How much of the long compilation that is under way is done, from 0 to 1; 0 if there is none."""
        return 0.0 if self._entry is None else min(1.0, self._done / self._work)

    def on_start(self, event: Any) -> None:
        """Begin a report if a long compilation begins."""
        entry = event.data["dispatcher"]
        if self._entry is not None or not self._is_entry(entry):
            return
        work = sum(map(_work_of, [entry, *self._needed_kernels(entry)]))
        seconds = work / _BYTES_A_SECOND
        if seconds >= 1:
            self._entry, self._done, self._work = entry, 0.0, _LAST_STEPS * work
            with suppress(OSError, ValueError, AttributeError):  # stderr may be closed or missing; compile anyway
                self._report(seconds)

    def on_end(self, event: Any) -> None:
        """Advance the bar, and end the report when its entry is compiled."""
        if self._entry is None:
            return
        entry = event.data["dispatcher"]
        self._done += _work_of(entry)
        with suppress(OSError, ValueError):
            if self._bar is not None:
                self._bar.advance(self._bar.task_ids[0], _work_of(entry))
                if entry is self._entry:
                    self._bar.stop()
        if entry is self._entry:
            self._entry = self._bar = None

    def _report(self, seconds: float) -> None:
        stderr, console = cast(Any, sys.stderr), cast(Any, sys.__stderr__)
        if not self._announced:
            self._announced = True
            rounded = max(_ROUNDING, round(seconds / _ROUNDING) * _ROUNDING)
            cached = self._is_cached(self._entry)
            how_often = (
                "cached for later runs; others compile when first used" if cached else "in each process, as they cannot be cached"
            )
            stderr.write(f"ginkgo_env: compiling kernels, about {rounded} s ({how_often})\n")
            stderr.flush()
        if stderr is console and stderr.isatty() and find_spec("rich") is not None:
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.add_task("compiling", total=self._work)
            self._bar.start()


def _work_of(function: Any) -> int:
    return _OVERHEAD + len(function.py_func.__code__.co_code)
