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

from ginkgo_env.core.checks import difference
from ginkgo_env.core.errors import RecordError, short

FORMAT, VERSION = "ginkgo-record", 1
MAX_BYTES, MAX_LINES, MAX_LINE = 1 << 25, 500_000, 10_000  # the longest game that a configuration allows fits in
MAX_NAME = 40
_HEADER = ("format", "version", "package", "game", "config", "seed", "players")
_COMPONENTS = "components"  # only in games that have data files
_RESULT = ("ending", "scores", "winners")
_DETAILS = "details"  # only in games that have more to tell
_LONGEST_ACTION, _LONGEST_SHOWN, _LONGEST_PATH = 32, 60, 80

Line = dict[str, Any]


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
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_refuse)
    except json.JSONDecodeError as error:
        fail(number, f"invalid JSON: {error.msg} at character {error.pos + 1}")
    except RecursionError:
        fail(number, "invalid JSON: nested too deeply")
    except ValueError as error:
        fail(number, f"invalid JSON: {str(error)[:100]}")
    if not isinstance(value, dict):
        fail(number, f"expected an object, not {shown(value)}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> Line:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"expected integers only, not {text[:20]}")


# --- the form --------------------------------------------------------------------------------------------------------------


def check(lines: Sequence[Line]) -> None:
    """Raise RecordError, which names the line, unless lines have the form of a record."""
    if not lines:
        raise RecordError("not a game record: it is empty")
    _check_header(lines[0])
    for number, line in enumerate(lines[1:], 2):
        if "random" in line:
            _check_random(line, number)
        elif "action" in line:
            _check_action(line, number)
        elif "result" in line:
            _check_result(line["result"], number)
            _keys(line, ("result",), number)
            if number != len(lines):
                fail(number + 1, "expected nothing after the result")
        else:
            fail(number, f"expected a random outcome, an action or the result, not {shown(line)}")
    if "result" not in lines[-1]:
        fail(len(lines) + 1, "the result is missing: the record is incomplete")


def _check_header(header: Line) -> None:
    if not isinstance(header.get("format"), str) or header["format"] != FORMAT:
        fail(1, f"not a game record: expected format {FORMAT!r}, not {shown(header.get('format'))}")
    if type(header.get("version")) is not int or header["version"] != VERSION:
        fail(1, f"unknown format version {shown(header.get('version'))}; expected {VERSION}")
    _keys(header, (*_HEADER, _COMPONENTS) if _COMPONENTS in header else _HEADER, 1)
    for key in ("package", "game"):
        _word(header[key], MAX_NAME, f"{key}:", 1)
    for key in ("config", _COMPONENTS):
        if not isinstance(header.get(key, {}), dict):
            fail(1, f"{key}: expected an object, not {shown(header[key])}")
    if type(header["seed"]) is not int or not 0 <= header["seed"] < 2**64:
        fail(1, f"seed: expected an integer 0 <= seed < 2**64, not {shown(header['seed'])}")
    if not isinstance(header["players"], list):
        fail(1, f"players: expected a list of names, not {shown(header['players'])}")
    for name in header["players"]:
        _word(name, MAX_NAME, "players:", 1)


def _check_random(line: Line, number: int) -> None:
    _keys(line, ("random", "outcome"), number)
    _word(line["random"], MAX_NAME, "random:", number)
    outcome = line["outcome"]
    if type(outcome) not in (int, str) and not (isinstance(outcome, list) and all(type(item) in (str, int) for item in outcome)):
        fail(number, f"outcome: expected a number, a name or a list of names, not {shown(outcome)}")


def _check_action(line: Line, number: int) -> None:
    _keys(line, ("seat", "action"), number)
    if type(line["seat"]) is not int:
        fail(number, f"seat: expected a number, not {shown(line['seat'])}")
    _word(line["action"], _LONGEST_ACTION, "action:", number)


def _check_result(result: Any, number: int) -> None:
    if result is None:  # a game that was not played to the end
        return
    if not isinstance(result, dict):
        fail(number, f"result: expected an object or null, not {shown(result)}")
    _keys(result, (*_RESULT, _DETAILS) if _DETAILS in result else _RESULT, number)
    _word(result["ending"], MAX_NAME, "ending:", number)
    for key in ("scores", "winners"):
        if not isinstance(result[key], list) or any(type(n) is not int for n in result[key]):
            fail(number, f"{key}: expected a list of numbers, not {shown(result[key])}")
    if not isinstance(result.get(_DETAILS, {}), dict):
        fail(number, f"{_DETAILS}: expected an object, not {shown(result[_DETAILS])}")


def _keys(line: Line, wanted: tuple[str, ...], number: int) -> None:
    if set(line) != set(wanted):
        fail(number, difference(line, dict.fromkeys(wanted)))


def _word(value: Any, longest: int, where: str, number: int) -> None:
    """Text that can be printed without harm to a terminal."""
    if not isinstance(value, str) or not 1 <= len(value) <= longest or not value.isprintable():
        fail(number, f"{where} expected text of 1 to {longest} printable characters, not {shown(value)}")
