"""The command line: ``ginkgo``.

Light on purpose: Ctrl-C while everything else is being imported ends in one line, not in a traceback.
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
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:  # else it is ignored, as in a shell's background
        signal.signal(signal.SIGINT, _interrupt)
        sys.unraisablehook = _lost
    if not sys.flags.safe_path:
        sys.path.append(os.curdir)  # for agents as module:attribute; last, so that it hides nothing
    try:
        from ginkgo_env.cli.app import main as run

        run()
    except KeyboardInterrupt:
        _leave()
    finally:
        if signal.getsignal(signal.SIGINT) is _interrupt:
            _flush()
            signal.signal(signal.SIGINT, signal.SIG_IGN)  # too late: all is done, and Python that shuts down would just be killed


def _leave() -> None:
    """End this process at once, with one line on stderr."""
    os.write(2, b"interrupted\n")
    os._exit(INTERRUPTED)


def _flush() -> None:
    """Write out what was printed, before anything can cut it off."""
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):  # a closed pipe
            stream.flush()


def _interrupt(number: int, frame: FrameType | None) -> None:
    """Raise KeyboardInterrupt, but not into an import: what is half imported makes another error of it, or loses it."""
    while frame is not None:
        if frame.f_code.co_filename == _IMPORTING:
            _leave()
        frame = frame.f_back
    raise KeyboardInterrupt


def _lost(unraisable: Any) -> None:
    """Ctrl-C that fell into a finalizer or a callback, from where no exception gets out."""
    if issubclass(unraisable.exc_type, KeyboardInterrupt):
        _leave()
    sys.__unraisablehook__(unraisable)
