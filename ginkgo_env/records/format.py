"""The text format of game records: strictly checked lines of JSON (``docs/design/text-forms.md``).

Only the format is checked here; :func:`ginkgo_env.records.replay` checks the game.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from msgspec import field

from ginkgo_env.core.errors import RecordError, truncate
from ginkgo_env.core.files import read_some
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse

FORMAT, VERSION = "ginkgo-record", 1
MAX_BYTES, MAX_LINES, MAX_LINE = 1 << 25, 500_000, 10_000  # enough for the longest game of any configuration
MAX_NAME = 40
_MAX_ACTION, _MAX_SHOWN = 32, 60

Line = dict[str, Any]
Detail = int | str | list[int | str | list[int | str] | dict[str, int]]
"""A value in ``details`` of a result: a number, a name, a list of them, or points by source."""


class _Header(StrictStruct):
    format: str
    version: int
    package: str
    game: str
    config: dict[str, Any]  # compared with the game's own configuration, types included
    seed: int
    players: list[str]
    components: dict[str, str] = field(default_factory=dict)  # only in games that have data files
    identities: dict[str, list[dict[str, Any]]] = field(default_factory=dict)  # only in records of matches of agents

    def __post_init__(self) -> None:
        _require_printable("package", self.package, MAX_NAME)
        _require_printable("game", self.game, MAX_NAME)
        if not 0 <= self.seed < 2**64:
            raise ValueError(f"seed must be at least 0 and less than 2**64, got {shown(self.seed)}")
        for name in self.players:
            _require_printable("players", name, MAX_NAME)


class _RandomOutcome(StrictStruct):
    random: str
    outcome: int | str | list[int | str]

    def __post_init__(self) -> None:
        _require_printable("random", self.random, MAX_NAME)


class _Action(StrictStruct):
    seat: int
    action: str

    def __post_init__(self) -> None:
        _require_printable("action", self.action, _MAX_ACTION)


class _Result(StrictStruct):
    ending: str
    scores: list[int]
    winners: list[int]
    details: dict[str, Detail] = field(default_factory=dict)  # only in games that have details

    def __post_init__(self) -> None:
        _require_printable("ending", self.ending, MAX_NAME)


class _End(StrictStruct):
    result: _Result | None  # null for a game that was not played to its end


def fail(number: int, problem: str) -> NoReturn:
    """Raise RecordError for a line; the header is line 1."""
    raise RecordError(f"line {number}: {problem}")


def shown(value: Any) -> str:
    """Format a value for error messages, as short JSON."""
    try:
        return truncate(json.dumps(value, default=lambda other: type(other).__name__), _MAX_SHOWN)
    except (ValueError, TypeError, RecursionError):  # not representable as JSON
        return type(value).__name__


def dump(lines: Iterable[Line]) -> str:
    """Convert lines to text. Raises RecordError for values that JSON cannot represent."""
    try:
        return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
    except (ValueError, TypeError, RecursionError) as error:
        raise RecordError(f"cannot write the record as JSON: {error}") from None


def load(source: str | os.PathLike[str]) -> list[Line]:
    """Load the lines of a record from a path or from its text.

    A text begins with a brace or has several lines.

    Raises RecordError if the file cannot be read, is too large or does not have the format of a record.
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
    if not isinstance(path, str | os.PathLike):
        raise RecordError(f"cannot read {type(path).__name__}: it is not a path")
    content = read_some(path, MAX_BYTES, RecordError)
    if len(content) > MAX_BYTES:
        raise RecordError(f"not a game record: larger than {MAX_BYTES} bytes")
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError:
        raise RecordError("not a game record: not UTF-8 text") from None


def _line(text: str, number: int) -> Line:
    if len(text) > MAX_LINE:
        fail(number, f"longer than {MAX_LINE} characters")
    try:
        return convert(parse(text), Line)
    except JsonError as error:
        fail(number, str(error))


def check(lines: Sequence[Line]) -> None:
    """Raise RecordError, which names the line, unless the lines have the format of a record."""
    if not lines:
        raise RecordError("not a game record: empty")
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


_KINDS: dict[str, type[StrictStruct]] = {"random": _RandomOutcome, "action": _Action, "result": _End}


def is_printable(value: Any, longest: int = MAX_NAME) -> bool:
    """Return whether a value is a text of 1 to ``longest`` printable characters."""
    return isinstance(value, str) and 1 <= len(value) <= longest and value.isprintable()


def _require_printable(name: str, text: str, longest: int) -> None:
    """Raise ValueError for text that is empty, too long or could harm a terminal."""
    if not is_printable(text, longest):
        raise ValueError(f"{name} must have 1 to {longest} printable characters, got {shown(text)}")
