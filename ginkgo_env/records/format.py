"""The text of game records (``docs/design/text-forms.md``): lines of JSON, strictly checked.

Only the form is checked here. Whether a record is a game that can be played is checked by replaying it
(:mod:`ginkgo_env.records`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from msgspec import field

from ginkgo_env.core.errors import RecordError, short
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse

FORMAT, VERSION = "ginkgo-record", 1
MAX_BYTES, MAX_LINES, MAX_LINE = 1 << 25, 500_000, 10_000  # the longest game that a configuration allows fits in
MAX_NAME = 40
_LONGEST_ACTION, _LONGEST_SHOWN, _LONGEST_PATH = 32, 60, 80

Line = dict[str, Any]
Detail = int | str | list[int | str | list[int | str] | dict[str, int]]
"""What ``details`` of a result may hold: numbers and names, lists of them, and points by source."""


class _Header(StrictStruct):
    format: str
    version: int
    package: str
    game: str
    config: dict[str, Any]  # compared with the game's own configuration, types included
    seed: int
    players: list[str]
    components: dict[str, str] = field(default_factory=dict)  # only in games that have data files

    def __post_init__(self) -> None:
        _require_printable("package", self.package, MAX_NAME)
        _require_printable("game", self.game, MAX_NAME)
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"seed must be at least 0 and less than 2**64, got {shown(self.seed)}")
        for name in self.players:
            _require_printable("players", name, MAX_NAME)


class _Random(StrictStruct):
    random: str
    outcome: int | str | list[int | str]

    def __post_init__(self) -> None:
        _require_printable("random", self.random, MAX_NAME)


class _Action(StrictStruct):
    seat: int
    action: str

    def __post_init__(self) -> None:
        _require_printable("action", self.action, _LONGEST_ACTION)


class _Result(StrictStruct):
    ending: str
    scores: list[int]
    winners: list[int]
    details: dict[str, Detail] = field(default_factory=dict)  # only in games that have more to tell

    def __post_init__(self) -> None:
        _require_printable("ending", self.ending, MAX_NAME)


class _End(StrictStruct):
    result: _Result | None  # null for a game that was not played to its end


def fail(number: int, problem: str) -> NoReturn:
    """Raise the error of a line; the header is line 1."""
    raise RecordError(f"line {number}: {problem}")


def shown(value: Any) -> str:
    """A value as shown in errors: short, as JSON."""
    try:
        return short(json.dumps(value, default=lambda thing: type(thing).__name__), _LONGEST_SHOWN)
    except (ValueError, TypeError, RecursionError):  # no JSON comes out of this
        return type(value).__name__


def dump(lines: Iterable[Line]) -> str:
    """Lines as text. Raises RecordError for values that JSON cannot represent."""
    try:
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    except (ValueError, TypeError, RecursionError) as error:
        raise RecordError(f"cannot be written as JSON: {error}") from None


# --- reading ---------------------------------------------------------------------------------------------------------------


def load(source: str | os.PathLike[str]) -> list[Line]:
    """The lines of a record, from a path or from the text itself (which begins with a brace or has several lines).

    Raises RecordError for a file that cannot be read, is too large or does not have the form of a record.
    """
    if isinstance(source, str) and (source.lstrip().startswith("{") or "\n" in source):
        text = source
    else:
        text = _file(source)
    if len(text) > MAX_BYTES:
        raise RecordError(f"not a game record: longer than {MAX_BYTES} characters")
    texts = text.split("\n")
    if texts[-1] == "":
        texts.pop()
    if len(texts) > MAX_LINES:
        raise RecordError(f"not a game record: more than {MAX_LINES} lines")
    lines = [_line(text, number) for number, text in enumerate(texts, 1)]
    check(lines)
    return lines


def _file(path: str | os.PathLike[str]) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError, TypeError) as error:
        raise RecordError(f"cannot read {_place(path)}: {_reason(error)}") from None
    if len(data) > MAX_BYTES:
        raise RecordError(f"not a game record: larger than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise RecordError("not a game record: not UTF-8 text") from None


def save(path: str | os.PathLike[str], text: str) -> None:
    """Write the text of a record. Raises RecordError if that is impossible."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except (OSError, ValueError, TypeError) as error:
        raise RecordError(f"cannot write {_place(path)}: {_reason(error)}") from None


def _place(path: Any) -> str:
    return short(repr(str(path)) if isinstance(path, str | os.PathLike) else type(path).__name__, _LONGEST_PATH)


def _reason(error: Exception) -> str:
    return error.strerror if isinstance(error, OSError) and error.strerror else short(str(error), _LONGEST_PATH)


def _line(text: str, number: int) -> Line:
    if len(text) > MAX_LINE:
        fail(number, f"longer than {MAX_LINE} characters")
    try:
        return convert(parse(text), Line)
    except JsonError as error:
        fail(number, str(error))


def check(lines: Sequence[Line]) -> None:
    """Raise RecordError, which names the line, unless lines have the form of a record."""
    if not lines:
        raise RecordError("not a game record: it is empty")
    if not isinstance(given := lines[0].get("format"), str) or given != FORMAT:
        fail(1, f"not a game record: expected format {FORMAT!r}, got {shown(given)}")
    if type(version := lines[0].get("version")) is not int or version != VERSION:
        fail(1, f"unknown format version {shown(version)}; expected {VERSION}")
    for number, line in enumerate(lines, 1):
        kind = _Header if number == 1 else next((kind for key, kind in _KINDS.items() if key in line), None)
        if kind is None:
            fail(number, f"expected a random outcome, an action or the result, got {shown(line)}")
        try:
            convert(line, kind)
        except JsonError as error:
            fail(number, str(error))
        if kind is _End and number != len(lines):
            fail(number + 1, "expected nothing after the result")
    if "result" not in lines[-1]:
        fail(len(lines) + 1, "the result is missing: the record is incomplete")


_KINDS: dict[str, type[StrictStruct]] = {"random": _Random, "action": _Action, "result": _End}


def _require_printable(name: str, text: str, longest: int) -> None:
    """Refuse text that is empty, too long, or could harm a terminal."""
    if not 1 <= len(text) <= longest or not text.isprintable():
        raise ValueError(f"{name} must have 1 to {longest} printable characters, got {shown(text)}")
