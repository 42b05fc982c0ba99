"""Report on stderr that kernels are compiled: one sentence in each process, and on a terminal a progress bar.

Nothing is written where machine code is found on disk, nor for what takes less than a second.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Any, cast

from numba.core import event

_EVENT: Any = event

_OVERHEAD = 70  # bytes of byte code that take as long as what each function costs besides; measured
_BYTES_A_SECOND = 3_500  # of byte code of a game's largest loop, in the time that all loops of its rules take; measured
_LAST_STEPS = 7 / 6  # total work of an entry by that of all its functions; measured
_ROUNDING = 5  # seconds


class CompilationProgress(_EVENT.Listener):  # type: ignore[misc]
    """Listener to Numba's events, which come one at a time, nested as functions are compiled.

    is_entry : tells entries from other functions
    reached : returns the kernels that a function calls
    """

    def __init__(self, is_entry: Callable[[Any], bool], reached: Callable[[Any], Iterable[Any]]) -> None:
        self._is_entry, self._reached = is_entry, reached
        self._entry: Any = None  # which is reported
        self._bar: Any = None
        self._announced = False

    def on_start(self, event: Any) -> None:
        """Begin a report if a long compilation begins."""
        entry = event.data["dispatcher"]
        if self._entry is not None or not self._is_entry(entry):
            return
        new = [kernel for kernel in self._reached(entry.py_func) if not kernel.signatures]
        work = sum(map(_work_of, [entry, *new]))
        seconds = work / _BYTES_A_SECOND
        if seconds >= 1:
            self._entry = entry
            with suppress(OSError, ValueError, AttributeError):  # stderr may be closed or missing: no reason not to compile
                self._report(seconds, _LAST_STEPS * work)

    def on_end(self, event: Any) -> None:
        """Advance, and end the report with its entry."""
        entry = event.data["dispatcher"]
        with suppress(OSError, ValueError):
            if self._bar is not None:
                self._bar.advance(self._bar.task_ids[0], _work_of(entry))
                if entry is self._entry:
                    self._bar.stop()
        if entry is self._entry:
            self._entry = self._bar = None

    def _report(self, seconds: float, work: float) -> None:
        stderr, console = cast(Any, sys.stderr), cast(Any, sys.__stderr__)
        if not self._announced:
            self._announced = True
            rounded = max(_ROUNDING, round(seconds / _ROUNDING) * _ROUNDING)
            stderr.write(f"ginkgo_env: compiling kernels, once for this version of the sources; about {rounded} s\n")
            stderr.flush()
        if stderr is console and stderr.isatty():
            from rich.console import Console
            from rich.progress import Progress

            self._bar = Progress(console=Console(stderr=True), transient=True)
            self._bar.add_task("compiling", total=work)
            self._bar.start()


def _work_of(function: Any) -> int:
    return _OVERHEAD + len(function.py_func.__code__.co_code)
