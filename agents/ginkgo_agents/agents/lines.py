"""A process that reads and writes lines.

Nothing that it does can block: threads read and write, and all waiting has an end.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
from contextlib import suppress
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, Literal

LONGEST = 1 << 16
"""The largest number of bytes in a line that a process may write."""
_UNREAD = 8  # lines that a process may write unasked before it is stopped
_GRACE = 1.0  # seconds for a process to end by itself

Why = Literal["timeout", "crash", "illegal", "garbage", "unable"]
"""Why a game is lost."""


class Failure(Exception):
    """Raised when a process breaks the protocol, crashes or takes too long."""

    def __init__(self, why: Why, message: str) -> None:
        super().__init__(message)
        self.why = why


class Lines:
    """A process in a session of its own; what it writes to stderr appears on stderr.

    command : the command to run, without a shell

    Raises OSError if it cannot be run.
    """

    def __init__(self, command: str) -> None:
        pipe, posix = subprocess.PIPE, os.name == "posix"
        try:
            arguments = shlex.split(command) if posix else command
        except ValueError as error:  # such as a quotation that does not end
            raise OSError(str(error)) from None
        if not arguments:
            raise OSError("the command is empty")
        self._process = subprocess.Popen(arguments, stdin=pipe, stdout=pipe, start_new_session=posix)
        self._written, self._read = SimpleQueue[bytes | None](), SimpleQueue[bytes]()
        for target, stream in ((self._write, self._process.stdin), (self._keep_reading, self._process.stdout)):
            Thread(target=target, args=(stream,), daemon=True).start()

    def send(self, message: dict[str, Any]) -> None:
        """Write a line of JSON. Raises Failure if the process has written something unasked."""
        with suppress(Empty):
            line = self._read.get_nowait()
            raise Failure("garbage", "it wrote without being asked") if line else Failure("crash", self._ending())
        self._written.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def receive(self, seconds: float) -> bytes:
        """Read a line. Raises Failure if none arrives in time, if it is too long, or if the process has ended."""
        try:
            line = self._read.get(timeout=seconds)
        except Empty:
            raise Failure("timeout", f"no answer within {seconds:g} s") from None
        if not line:
            raise Failure("crash", self._ending())
        if len(line) > LONGEST:
            raise Failure("garbage", f"a line of more than {LONGEST} bytes")
        return line

    def close(self) -> None:
        """Close stdin, and end the process if it does not end by itself; its child processes end with it."""
        self._written.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._kill()
        self._process.wait()

    def _kill(self) -> None:
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)  # even if it has ended: others in its group may still run
            else:
                self._process.kill()

    def _ending(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            return f"the process ended with exit status {self._process.wait(_GRACE)}"
        return "the process closed its output"

    def _write(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while (line := self._written.get()) is not None:
                stream.write(line)
                stream.flush()

    def _keep_reading(self, stream: IO[bytes]) -> None:
        with suppress(OSError, ValueError), stream:
            while (line := stream.readline(LONGEST + 1)) and len(line) <= LONGEST and self._read.qsize() < _UNREAD:
                self._read.put(line)
            self._read.put(line)
        self._read.put(b"")
