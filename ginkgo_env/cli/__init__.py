"""The command line: ``ginkgo``.

SIGTERM and, where it exists, SIGHUP are handled as Ctrl-C is. This module imports little, so that a signal during all other
imports ends the process with one line instead of a traceback.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import Any

from ginkgo_env.core.errors import MissingPackageError
from ginkgo_env.core.imports import extra

INTERRUPTED = 130
"""Exit status after Ctrl-C. After another signal, :func:`main` exits with 128 + its number instead."""
SIGNALS = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
"""Signals that interrupt a command."""
_DEFAULTS = signal.SIG_DFL, signal.default_int_handler
_received = [signal.SIGINT]  # then each signal that came
_IMPORTING = "<frozen importlib._bootstrap>"


def main() -> None:
    """Run the command line: the console script ``ginkgo``."""
    handled = [number for number in SIGNALS if signal.getsignal(number) in _DEFAULTS]  # others are ignored, as with nohup
    for number in handled:
        signal.signal(number, _interrupt)
    sys.unraisablehook = _unraisable
    if not sys.flags.safe_path:
        sys.path.append(os.curdir)  # for agents given as module:attribute; last, so that it shadows nothing
    try:
        with extra("cli"):
            from ginkgo_env.cli.app import main as run
        run()
    except MissingPackageError as error:
        sys.exit(f"ginkgo: {error}")
    except KeyboardInterrupt:
        _leave()
    except SystemExit as end:
        if end.code == INTERRUPTED:
            raise SystemExit(128 + _received[-1]) from None
        raise
    finally:
        _flush()
        for number in handled:
            signal.signal(number, signal.SIG_IGN)  # all work is done; a signal would interrupt the shutdown


def _leave() -> None:
    """Exit at once, with one line on stderr."""
    os.write(2, b"interrupted\n")
    os._exit(128 + _received[-1])


def _flush() -> None:
    """Write buffered output before an interrupt can discard it."""
    for stream in filter(None, (sys.stdout, sys.stderr)):  # None if it is closed
        with suppress(OSError, ValueError):  # a closed pipe
            stream.flush()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt; during an import, exit instead, as some modules catch the exception while they are imported."""
    _received.append(signal.Signals(number))
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            _leave()
        frame = frame.f_back
    raise KeyboardInterrupt


def _unraisable(unraisable: Any) -> None:
    """Exit after a signal in a finalizer or callback, from which no exception propagates.

    Nothing is written of other exceptions after a signal: it may have cut an object's finalizer short, which then fails.
    """
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _leave()
    if len(_received) == 1:
        sys.__unraisablehook__(unraisable)
