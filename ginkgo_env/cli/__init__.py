"""The command line: ``ginkgo``.

This module imports little, so that Ctrl-C during all other imports ends the process with one line instead of a traceback.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

INTERRUPTED = 130
"""Exit status after Ctrl-C."""
_IMPORTING = "<frozen importlib._bootstrap>"


def main() -> None:
    """Run the command line: the console script ``ginkgo``."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # otherwise the parent process chose to ignore it
        signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _unraisable
    if not sys.flags.safe_path:
        sys.path.append(os.curdir)  # for agents given as module:attribute; last, so that it shadows nothing
    try:
        from ginkgo_env.cli.app import main as run

        run()
    except KeyboardInterrupt:
        _leave()
    finally:
        if signal.getsignal(signal.SIGINT) is _interrupt:
            _flush()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # everything is done; a signal would kill the shutdown


def _leave() -> None:
    """Exit at once, with one line on stderr."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def _flush() -> None:
    """Write buffered output before an interrupt can discard it."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a closed pipe
            stream.flush()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; during an import, exit instead, as some modules catch the exception while they are imported."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            _leave()
        frame = frame.f_back
    raise KeyboardInterrupt


def _unraisable(unraisable: Any) -> None:
    """Exit after Ctrl-C in a finalizer or callback, from which no exception propagates."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _leave()
    sys.__unraisablehook__(unraisable)
