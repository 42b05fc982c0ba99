"""Agents in any language: a process that reads and writes lines of JSON (``docs/protocol.md``).

Whatever a process does, a match goes on: a game in which it fails is lost, and its seat plays on with random actions. Nothing
that a process does can block: threads read and write, and all waiting has an end.
"""

from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
import sys
import time
import uuid
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from shutil import which
from threading import Thread
from typing import IO, Any, Literal, cast

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, DecisionBatch, digests_of, sample_legal
from ginkgo_env.core.errors import ConfigError, plain, short_repr, truncate
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse

PREFIX = "process:"
PROTOCOL = 2
SECONDS = 60.0
"""Default number of seconds for a decision, and the least number for the start of a process."""
_AT_ONCE = 4  # games played at a time, each with a process of its own
_IN_A_ROW = 10  # consecutive lost games after which the rest of a match counts as lost
_MOST_SECONDS = 10**9
_LONGEST_WHY = 200
_LONGEST_NAME = 40
_NAME = re.compile(r"process:((?:(?:seconds|version)=[^:]*:)*)(.+)", re.DOTALL)

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
        super().__init__(truncate(message, _LONGEST_WHY))
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
                self.write(line.decode("utf-8", "replace").rstrip())

    def write(self, text: str) -> None:
        """Write a line to stderr."""
        self._left -= 1
        if self._left >= -1:
            text = text if self._left >= 0 else "further lines are not shown"
            print(f"[{self.name}] {plain(text)}", file=sys.stderr, flush=True)


class Lines:
    """A process in a session of its own.

    command : the command to run, without a shell
    errors : receives what it writes to stderr

    with_numbers : whether the process wants observations as numbers
    games : number of games that it has played to their end

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
        self.with_numbers, self.games = True, 0
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
        """Write a line of JSON.

        Raises Failure if the process has written something unasked; what it wrote before ``hello`` is left to :meth:`receive`.
        """
        if message["type"] != "hello" and not self._read.empty():
            raise Failure("garbage", "it wrote without being asked") if self._read.get() else Failure("crash", self._ending())
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


RowSeat = tuple[int, int]
"""A game and a seat: the row of a batch, and the number of the seat."""


class _Ready(StrictStruct):
    type: Literal["ready", "unable"]
    reason: str = ""
    protocol: int = 1  # which did not state it
    numbers: bool = True


class _Answer(StrictStruct):
    action: int | str


def process_options(name: str) -> dict[str, Any]:
    """The options in the name of a process, such as ``process:seconds=5:version=1.2:COMMAND``."""
    match = _NAME.fullmatch(name)
    options = dict(part.split("=", 1) for part in match[1].split(":")[:-1]) if match else {}
    try:
        seconds = float(options.get("seconds", SECONDS)) if match else 0.0
    except ValueError:
        seconds = 0.0
    if match is None or not seconds > 0:
        raise ConfigError(f"invalid agent {short_repr(name)}; expected process:COMMAND or process:seconds=NUMBER:COMMAND")
    return {"command": match[2], "seconds": seconds} | {key: text for key, text in options.items() if key == "version"}


class ProcessAgent(Agent):
    """A process for each game that is under way; it is used again for later games.

    It plays in matches only.

    command : the command to run, with its arguments, without a shell
    seconds : time limit for each decision; games that are asked at the same time share it
    version : a text that identifies the program, in place of the digests of the files that the command names

    >>> ProcessAgent("python bot.py", seconds=2.0)
    ProcessAgent(command='python bot.py', seconds=2.0, version='')
    """

    games_at_once = _AT_ONCE

    def __init__(self, command: str, seconds: float = SECONDS, version: str = "") -> None:
        if not 0 < seconds < _MOST_SECONDS:
            raise ConfigError(f"invalid seconds {short_repr(seconds)}; expected a number above 0")
        self.command, self.seconds, self.version = command, seconds, version
        self._errors = ErrorLines(truncate(command, _LONGEST_NAME))
        self._idle = list[Lines]()
        self._playing = dict[RowSeat, Lines]()
        self.lost = dict[RowSeat, Failure]()
        """The games that were lost before their end, of those that :meth:`begin` began last."""
        self._in_a_row = 0

    def check(self, game: Game) -> None:
        """Start a process.

        Raises ConfigError if it cannot be started, or if it answers that it cannot play the game.
        """
        try:
            lines = Lines(self.command, self._errors)
        except OSError as error:
            raise ConfigError(f"cannot run {short_repr(self.command)}: {error.strerror or error}") from None
        try:
            lines.send(_hello(game, 0, 0))
            self._await_ready(lines)
        except Failure as error:
            if error.why == "unable":
                raise ConfigError(f"{short_repr(self.command)} cannot play: {error}") from None
        finally:  # after other failures it loses its games, which are counted
            lines.close()

    def identity(self, game: Game) -> dict[str, Any]:
        """The digests of the program and of the files among its arguments, or the stated version."""
        if self.version:
            return {"version": self.version}
        program, *arguments = shlex.split(self.command)
        return {"files": digests_of(path for path in (which(program), *arguments) if path and Path(path).is_file())}

    def begin(self, games: Mapping[RowSeat, tuple[Game, int]]) -> None:
        """Begin games.

        games : the row and seat of each game, with the game and a seed for the random choices of the process
        """
        self._playing, self.lost = {}, {}
        for row_seat, (game, seed) in games.items():
            if self._in_a_row >= _IN_A_ROW:
                self.lost[row_seat] = Failure("crash", f"not played, after {_IN_A_ROW} lost games in a row")
                continue
            try:
                self._playing[row_seat] = self._idle.pop() if self._idle else Lines(self.command, self._errors)
                self._playing[row_seat].send(_hello(game, row_seat[1], seed))
            except OSError as error:
                self._fail(row_seat, Failure("crash", str(error)))
            except Failure as error:
                self._fail(row_seat, error)
        for row_seat, lines in list(self._playing.items()):
            try:
                self._await_ready(lines)
            except Failure as error:
                self._fail(row_seat, error)

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Ask for an action in each row with several legal ones; in games that are lost, the action is random."""
        actions, row_seats = sample_legal(turn.masks, turn.keys), list(zip(turn.rows.tolist(), turn.seats.tolist(), strict=True))
        if any(row_seat not in self._playing and row_seat not in self.lost for row_seat in row_seats):
            raise ConfigError("a process plays only in matches: ginkgo benchmark, ginkgo leaderboard and ginkgo evaluate")
        offsets, legal = turn.legal_actions()
        states, numbers = turn.resampled_states(1), turn.observe()
        asked = dict[int, list[str]]()
        for i, row_seat in enumerate(row_seats):  # all are asked before the first answer is awaited
            own, state = legal[offsets[i] : offsets[i + 1]].tolist(), cast(States, states[i : i + 1])
            if len(own) > 1 and (lines := self._playing.get(row_seat)):
                asked[i] = turn.game.action_texts(state, own)
                seen = numbers[i].tolist() if lines.with_numbers else None
                try:
                    lines.send(_question(turn.game, state, row_seat[1], seen, own, asked[i]))
                except Failure as error:
                    self._fail(row_seat, error)
        for i, texts in asked.items():
            if row_seats[i] in self._playing:
                try:
                    answer = self._read(self._playing[row_seats[i]], _Answer, self.seconds).action
                    actions[i] = _chosen(answer, legal[offsets[i] : offsets[i + 1]], texts)
                except Failure as error:
                    self._fail(row_seats[i], error)
        return actions

    def end(self, result: Callable[[int], dict[str, Any]]) -> None:
        """End the games.

        result : returns the data that the process is sent about the finished game in a row
        """
        for row_seat, lines in self._playing.items():
            try:
                lines.send({"type": "end", **result(row_seat[0])})
                lines.games += 1
                self._idle.append(lines)
                self._in_a_row = 0
            except Failure:
                lines.close()
        self._playing = {}

    def close(self) -> None:
        """End all processes."""
        for lines in (*self._idle, *self._playing.values()):
            lines.close()
        self._idle, self._playing = [], {}

    def _await_ready(self, lines: Lines) -> None:
        """Read the answer to ``hello``. Before it, a process that has played a game may have answered ``end``."""
        seconds = max(self.seconds, SECONDS)
        try:
            ready = self._read(lines, _Ready, seconds)
        except Failure as error:
            if not lines.games or error.why != "garbage":
                raise
            self._errors.write(f"ignored an answer to 'end', which takes none: {error}")
            ready = self._read(lines, _Ready, seconds)
        if ready.type == "unable":
            raise Failure("unable", ready.reason)
        if ready.protocol != PROTOCOL:
            raise Failure("unable", f"its 'ready' states protocol {ready.protocol}; expected {PROTOCOL}")
        lines.with_numbers = ready.numbers

    def _read(self, lines: Lines, kind: type[Any], seconds: float) -> Any:
        line = lines.receive(seconds)
        try:
            return convert(parse(line), kind)
        except JsonError as error:
            raise Failure("garbage", f"{error}, in the line {short_repr(line.decode('utf-8', 'replace').strip())}") from None

    def _fail(self, row_seat: RowSeat, failure: Failure) -> None:
        if lines := self._playing.pop(row_seat, None):
            lines.close()
        self.lost[row_seat] = failure
        self._in_a_row += 1


def _hello(game: Game, seat: int, seed: int) -> dict[str, Any]:
    return {
        "type": "hello",
        "protocol": PROTOCOL,
        "game": game.name,
        "version": game.version,
        "config": game.config_dict,
        "seats": game.seats,
        "seat": seat,
        "seed": str(seed),  # many languages hold numbers as float64
        "component_data": game.component_data,
    }


def _question(
    game: Game, state: States, seat: int, numbers: list[Any] | None, legal: Sequence[int], texts: Sequence[str]
) -> dict[str, Any]:
    observation = {"text": game.describe(state, seat)} | ({} if numbers is None else {"numbers": numbers})
    return {
        "type": "decide",
        "kind": game.decisions[int(game.kind(state)[0])],
        "observation": observation,
        "legal": [{"id": action, "text": text} for action, text in zip(legal, texts, strict=True)],
    }


def _chosen(answer: int | str, legal: NDArray[np.int64], texts: Sequence[str]) -> int:
    """The id of an action given by id or text. Raises Failure if the action is not legal."""
    for action, text in zip(legal.tolist(), texts, strict=True):
        if answer in (action, text):
            return int(action)
    raise Failure("illegal", f"action {short_repr(answer)} is not legal")
