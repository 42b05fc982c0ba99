"""A process that reads and writes lines.

Nothing that it does can block: threads read and write, and all waiting has an end.
"""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
import uuid
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from threading import Thread
from typing import IO, Any, Literal

from ginkgo_env.core.errors import plain

LONGEST = 1 << 16
"""The largest number of bytes in a line that a process may write."""
_UNREAD = 8  # lines that a process may write unasked before it is stopped
_GRACE = 1.0  # seconds for a process to end by itself
_MOST_ERRORS, _LONGEST_ERROR = 100, 1000  # lines, and bytes of a line, that an agent's processes may write to stderr
_MARK = "GINKGO_PROCESS"  # the environment variable by which the children of a process are found

Why = Literal["timeout", "crash", "illegal", "garbage", "unable"]
"""Why a game is lost."""


class Failure(Exception):
    """Raised when a process breaks the protocol, crashes or takes too long."""

    def __init__(self, why: Why, message: str) -> None:
        super().__init__(message)
        self.why = why


class ErrorLines:
    """What the processes of an agent write to stderr, line by line after the agent's name, up to a limit.

    name : the name to write before each line
    """

    def __init__(self, name: str) -> None:
        self.name, self._left = name, _MOST_ERRORS

    def copy(self, stream: IO[bytes]) -> None:
        """Read a stream to its end."""
        with suppress(OSError, ValueError), stream:
            while line := stream.readline(_LONGEST_ERROR):
                self._left -= 1
                if self._left >= -1:
                    text = line.decode("utf-8", "replace").rstrip() if self._left >= 0 else "further lines are not shown"
                    print(f"[{self.name}] {plain(text)}", file=sys.stderr, flush=True)


class Lines:
    """A process in a session of its own.

    command : the command to run, without a shell
    errors : receives what it writes to stderr

    Raises OSError if it cannot be run.
    """

    def __init__(self, command: str, errors: ErrorLines) -> None:
        pipe, posix = subprocess.PIPE, os.name == "posix"
        try:
            arguments = shlex.split(command) if posix else command
        except ValueError as error:  # such as a quotation that does not end
            raise OSError(str(error)) from None
        if not arguments:
            raise OSError("the command is empty")
        self._mark, self._asked = f"{_MARK}={uuid.uuid4().hex}", time.monotonic()
        environment = os.environ | {_MARK: self._mark.partition("=")[2]}
        self._process = process = subprocess.Popen(
            arguments, stdin=pipe, stdout=pipe, stderr=pipe, start_new_session=posix, env=environment
        )
        self._written, self._read = SimpleQueue[bytes | None](), SimpleQueue[bytes]()
        streams = (self._write, process.stdin), (self._keep_reading, process.stdout), (errors.copy, process.stderr)
        self._threads = [Thread(target=target, args=(stream,), daemon=True) for target, stream in streams]
        for thread in self._threads:
            thread.start()

    def send(self, message: dict[str, Any]) -> None:
        """Write a line of JSON. Raises Failure if the process has written something unasked."""
        with suppress(Empty):
            line = self._read.get_nowait()
            raise Failure("garbage", "it wrote without being asked") if line else Failure("crash", self._ending())
        self._asked = time.monotonic()
        self._written.put(json.dumps(message, separators=(",", ":")).encode() + b"\n")

    def receive(self, seconds: float) -> bytes:
        """Read a line.

        Raises Failure if none arrives within `seconds` of the last send, if it is too long, or if the process has ended.
        """
        try:
            line = self._read.get(timeout=max(0.0, self._asked + seconds - time.monotonic()))
        except Empty:
            raise Failure("timeout", f"no answer within {seconds:g} s") from None
        if not line:
            raise Failure("crash", self._ending())
        if len(line) > LONGEST:
            raise Failure("garbage", f"a line of more than {LONGEST} bytes")
        return line

    def close(self) -> None:
        """Close stdin, and end the process if it does not end by itself; its child processes end with it.

        Outside Linux those that have left its process group run on.
        """
        self._written.put(None)
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(_GRACE)
        self._kill()
        self._process.wait()
        self._threads[-1].join(_GRACE)  # shows the end of stderr

    def _kill(self) -> None:
        with suppress(OSError):
            if os.name == "posix":
                os.killpg(self._process.pid, signal.SIGKILL)  # even if it has ended: others in its group may still run
            else:
                self._process.kill()
        end = time.monotonic() + _GRACE
        while (marked := self._marked()) and time.monotonic() < end:  # again, as they may start others meanwhile
            for process in marked:
                with suppress(OSError):
                    os.kill(process, signal.SIGKILL)

    def _marked(self) -> list[int]:
        """The processes that inherited the mark: on Linux also those in other sessions and those whose parents have ended."""
        found = []
        for folder in Path("/proc").glob("[0-9]*") if sys.platform == "linux" else ():
            with suppress(OSError):
                if self._mark.encode() in (folder / "environ").read_bytes().split(b"\0"):
                    found.append(int(folder.name))
        return found

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
