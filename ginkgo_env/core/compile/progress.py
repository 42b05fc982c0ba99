"""Report on stderr that kernels are being compiled, with progress and an estimate of the time left.

All that a process compiles is one announcement: it begins with the first long compilation and continues when something else
has to be compiled later. The work is known beforehand: the entries that :func:`announced` and :func:`expect` name, and the
kernels that these reach, by the length of their byte code. How long it takes is measured on the spot: the time that the first
kernels took, scaled to all.

On a terminal that is one line, rewritten in place; elsewhere a few plain lines.
"""

from __future__ import annotations

import re
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, cast

from numba.core import event

from ginkgo_env.core.compile.jit import JIT_DISABLED, called, kept_in

_EVENT: Any = event

_EACH = 70  # fixed cost of compiling a function, in bytes of byte code; measured
_LINKED = 6  # bytes reached by an entry whose last steps take as long as compiling one byte; measured
_LONG = 5_000  # work of an entry that is announced even if nobody expects it: a second or more
_ENOUGH = 0.05  # share of the work after which the rest is estimated
_LINES = (_ENOUGH, 0.5)  # shares of the work after which plain lines say so
_PAUSE = 0.1  # seconds between two states of the line on a terminal


def _own_work(function: Any) -> int:
    return _EACH + len(function.py_func.__code__.co_code)


def work_of(entry: Any) -> dict[Any, int]:
    """The work of compiling an entry and each kernel that it reaches: bytes of byte code, or what takes as long."""
    found = dict[Any, int]()
    ahead = [entry]
    while ahead:
        function = ahead.pop()
        if function not in found:
            found[function] = _own_work(function)
            ahead.extend(called(function.py_func))
    found[entry] += sum(found.values()) // _LINKED
    return found


class Progress(_EVENT.Listener):  # type: ignore[misc]
    """What this process compiles. Numba's events tell; they come one at a time, nested as functions are compiled."""

    def __init__(self) -> None:
        self.lock = threading.RLock()
        self._expected: dict[Any, str] = {}  # entries that will be compiled, and what is announced for them
        self._ahead: dict[Any, int] = {}  # functions that will be, and the work
        self._done, self._spent = 0, 0.0  # work, and the seconds that it took
        self._depth, self._start = 0, 0.0  # of functions that are being compiled now
        self._block: str | None = None  # what is announced for entries that nobody expects
        self._names: list[str] = []  # what is announced
        self._often = "once"
        self._shown, self._lines = 0.0, list(_LINES)
        self._ended = True

    def expect(self, name: str, entries: Iterable[Any]) -> None:
        """Add entries that will be compiled to the work announced."""
        with self.lock:
            self._expected.update({entry: name for entry in entries if entry not in self._expected})
            self._count()

    @contextmanager
    def block(self, name: str, entries: Iterable[Any]) -> Iterator[None]:
        """Entries are compiled in here, or found compiled."""
        before, self._block = self._block, name
        self.expect(name, entries)
        try:
            yield
        finally:
            with self.lock:
                self._block = before
                for entry in entries:
                    self._expected.pop(entry, None)
                self._count()
                if not self._ended:
                    self._end()

    def _count(self) -> None:
        self._ahead = {}
        for entry in self._expected:
            for function, work in work_of(entry).items():
                if function is entry or not getattr(function, "signatures", ()):
                    self._ahead[function] = work

    # --- what happens --------------------------------------------------------------------------------------------------------

    def on_start(self, event: Any) -> None:
        """A function begins to be compiled."""
        with self.lock:
            self._depth += 1
            if self._depth > 1:
                return
            self._start = time.perf_counter()
            entry = event.data["dispatcher"]
            unexpected = entry not in self._expected and hasattr(entry, "kept_in")
            if unexpected and (self._block or sum(work_of(entry).values()) >= _LONG):
                self.expect(self._block or entry.py_func.__name__, [entry])
            if entry in self._expected:
                self._begin(self._expected[entry], kept_in(entry) is not None)

    def on_end(self, event: Any) -> None:
        """A function is compiled, and before it all that it calls."""
        with self.lock:
            self._depth -= 1
            entry = event.data["dispatcher"]
            self._done += self._ahead.pop(entry, 0) or _own_work(entry)
            if self._depth == 0:
                self._spent += time.perf_counter() - self._start
                self._expected.pop(entry, None)
            if not self._ended:
                self._show()
                if not self._expected and self._block is None:
                    self._end()

    # --- what is said --------------------------------------------------------------------------------------------------------

    def _begin(self, name: str, kept: bool) -> None:
        if not self._ended and name in self._names:
            return
        first, self._ended = not self._names, False
        self._often = "once" if kept else "in each process, as no cache folder can be written"
        self._names = list(dict.fromkeys([*self._names, name, *self._expected.values()]))
        if self._in_place:
            self._show()
        elif first:
            self._say(f"compiling {self._all} ({self._often}) ...")
        else:
            self._say(f"compiling {name} as well: {self._state}")

    def _end(self) -> None:
        if not self._expected:
            self._ended = True
            self._say(f"compiled {self._all} in {self._spent:.0f} s")
        elif self._in_place:  # the rest comes later, and until then others may write
            self._say(f"compiling {self._all}: {self._state}")

    @property
    def _all(self) -> str:
        return " and ".join([", ".join(self._names[:-1]), self._names[-1]][len(self._names) < 2 :])

    @property
    def _share(self) -> float:
        return self._done / max(1, self._done + sum(self._ahead.values()))

    @property
    def _state(self) -> str:
        """How much is done, and how long the rest will take."""
        share = self._share
        if share < _ENOUGH:
            return f"{share:.0%}"
        spent = self._spent + (time.perf_counter() - self._start if self._depth else 0.0)
        return f"{share:.0%}, about {spent / share - spent:.0f} s left"

    def _show(self) -> None:
        if self._in_place:
            if time.perf_counter() - self._shown > _PAUSE:
                self._shown = time.perf_counter()
                self._write(f"\r\x1b[Kginkgo_env: compiling {self._all} ({self._often}): {self._state}")
        elif self._lines and self._share >= self._lines[0]:
            self._lines = [share for share in _LINES if share > self._share]
            self._say(f"compiling: {self._state}")

    @property
    def _in_place(self) -> bool:
        # Whoever has put something else in stderr's place (a progress bar, a notebook) wants whole lines.
        with suppress(OSError, ValueError, AttributeError):
            return sys.stderr is sys.__stderr__ and cast(Any, sys.stderr).isatty()
        return False

    def _say(self, sentence: str) -> None:
        self._write(("\r\x1b[K" if self._in_place else "") + f"ginkgo_env: {sentence}\n")

    def _write(self, text: str) -> None:
        with suppress(OSError, ValueError, AttributeError):  # stderr may be closed or missing: no reason not to compile
            sys.stderr.write(text)
            sys.stderr.flush()


PROGRESS = Progress()
"""Of this process."""

if not JIT_DISABLED:
    _EVENT.register("numba:compile", PROGRESS)

_ready: set[tuple[str, frozenset[Any]]] = set()  # names and entries that this process has made sure of


def _marker(entry: Any, name: str) -> Path | None:
    """The file that says that an entry is compiled for what has a name: beside its code, so as exact as that."""
    folder = kept_in(entry)
    return None if folder is None else folder / (re.sub(r"[^\w.-]+", "-", name) + ".compiled")


@contextmanager
def announced(name: str, entries: Iterable[Any]) -> Iterator[bool]:
    """A block that calls entries, and compiles them if that has not been done on this machine for these sources.

    Tells the block whether they are compiled now, so that it can use all of them.

    name : what is announced. Where entries are compiled again for other types of arguments, give that another name.
    """
    entries = list(entries)
    key = name, frozenset(entries)
    with PROGRESS.lock:
        known = JIT_DISABLED or key in _ready
        markers = {} if known else {entry: _marker(entry, name) for entry in entries if hasattr(entry, "kept_in")}
        missing = {entry: marker for entry, marker in markers.items() if marker is None or not marker.exists()}
        _ready.add(key)
    if not missing:
        yield False
        return
    try:
        with PROGRESS.block(name, missing):
            yield True
    except BaseException:
        _ready.discard(key)
        raise
    for marker in missing.values():
        if marker is not None:
            with suppress(OSError):
                marker.touch()


def expect(name: str, entries: Iterable[Any]) -> None:
    """Announce entries that will be called later in this process together with those compiled before, unless they are cached.

    What is compiled before them is then announced together with them.
    """
    if not JIT_DISABLED:
        PROGRESS.expect(name, [entry for entry in entries if hasattr(entry, "kept_in") and not _compiled(entry)])


def _compiled(entry: Any) -> bool:
    folder = kept_in(entry)
    on_disk = folder is not None and any(folder.glob(f"*/*.{entry.py_func.__qualname__.rpartition('.')[2]}-*.nbi"))
    return on_disk or bool(entry.signatures)
