"""The text of game records (``docs/design/text-forms.md``): lines of JSON, read with suspicion.

Only the form is judged here. Whether a record tells a game that can be played is found out by replaying it
(:mod:`ginkgo_env.records`).
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn

from ginkgo_env.core.errors import RecordError

FORMAT, VERSION = "ginkgo-record", 1
MAX_BYTES, MAX_LINES, MAX_LINE = 1 << 25, 500_000, 10_000  # the longest game that a configuration allows fits in
MAX_NAME = 40
_HEADER = ("format", "version", "package", "game", "config", "seed", "players")
_RESULT = ("ending", "scores", "winners")
_LONGEST_ACTION = 32

Line = dict[str, Any]


def fail(number: int, problem: str) -> NoReturn:
    """Raise the error of a line; the header is line 1."""
    raise RecordError(f"line {number}: {problem}")


def shown(value: Any) -> str:
    """A value as an error shows it: short, on one line."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def dump(lines: Iterable[Line]) -> str:
    """Lines as text."""
    return "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)


# --- reading ---------------------------------------------------------------------------------------------------------------


def load(source: str | os.PathLike[str]) -> list[Line]:
    """The lines of a record, from a path or from the text itself (which begins with a brace or has several lines).

    Raises RecordError for what cannot be read, is too large or has not the form of a record.
    """
    if isinstance(source, str) and (source.lstrip().startswith("{") or "\n" in source):
        text = source
    else:
        text = _file(source)
    if len(text) > MAX_BYTES:
        raise RecordError(f"this is no record: it is longer than {MAX_BYTES} characters")
    texts = text.split("\n")
    if texts[-1] == "":
        texts.pop()
    if len(texts) > MAX_LINES:
        raise RecordError(f"this is no record: it has more than {MAX_LINES} lines")
    lines = [_line(text, number) for number, text in enumerate(texts, 1)]
    check(lines)
    return lines


def _file(path: str | os.PathLike[str]) -> str:
    try:
        with Path(path).open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except (OSError, ValueError, TypeError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise RecordError(f"cannot read {str(path)[:200]!r}: {reason}") from None
    if len(data) > MAX_BYTES:
        raise RecordError(f"this is no record: it is larger than {MAX_BYTES} bytes")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        raise RecordError("this is no record: it is not UTF-8 text") from None


def save(path: str | os.PathLike[str], text: str) -> None:
    """Write the text of a record. Raises RecordError if that is impossible."""
    try:
        Path(path).write_text(text, encoding="utf-8", newline="\n")
    except OSError as error:
        raise RecordError(f"cannot write {str(path)[:200]!r}: {error.strerror or error}") from None


def _line(text: str, number: int) -> Line:
    if len(text) > MAX_LINE:
        fail(number, f"longer than {MAX_LINE} characters")
    try:
        value = json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse, parse_float=_refuse)
    except json.JSONDecodeError as error:
        fail(number, f"not JSON: {error.msg} at character {error.pos + 1}")
    except RecursionError:
        fail(number, "not JSON that anybody would write: nested too deeply")
    except ValueError as error:
        fail(number, f"not JSON of a record: {str(error)[:100]}")
    if not isinstance(value, dict):
        fail(number, f"expected an object, not {shown(value)}")
    return value


def _unique(pairs: list[tuple[str, Any]]) -> Line:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("a key is there twice")
    return found


def _refuse(text: str) -> NoReturn:
    raise ValueError(f"there are whole numbers only, not {text[:20]}")


# --- the form --------------------------------------------------------------------------------------------------------------


def check(lines: Sequence[Line]) -> None:
    """Whether lines have the form of a record. Raises RecordError, which names the line."""
    if not lines:
        raise RecordError("this is no record: it is empty")
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
                fail(number + 1, "the record goes on after the result")
        else:
            fail(number, f"expected a random outcome, an action or the result, not {shown(line)}")
    if "result" not in lines[-1]:
        fail(len(lines) + 1, "the record breaks off: the result is missing")


def _check_header(header: Line) -> None:
    if header.get("format") != FORMAT:
        fail(1, f"this is no record: the format is {shown(header.get('format'))}, not {FORMAT!r}")
    if type(header.get("version")) is not int or header["version"] != VERSION:
        fail(1, f"version {shown(header.get('version'))} of the format is unknown; this package reads version {VERSION}")
    _keys(header, _HEADER, 1)
    for key in ("package", "game"):
        _word(header[key], MAX_NAME, f"{key}:", 1)
    if not isinstance(header["config"], dict):
        fail(1, f"config: expected an object, not {shown(header['config'])}")
    if type(header["seed"]) is not int or not 0 <= header["seed"] < 2**64:
        fail(1, f"seed: expected a whole number from 0 to 2**64 - 1, not {shown(header['seed'])}")
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
    _keys(result, _RESULT, number)
    _word(result["ending"], MAX_NAME, "ending:", number)
    for key in ("scores", "winners"):
        if not isinstance(result[key], list) or any(type(n) is not int for n in result[key]):
            fail(number, f"{key}: expected a list of numbers, not {shown(result[key])}")


def _keys(line: Line, wanted: tuple[str, ...], number: int) -> None:
    if set(line) != set(wanted):
        missing = ", ".join(key for key in wanted if key not in line) or "nothing"
        unknown = ", ".join(repr(key)[:20] for key in line if key not in wanted) or "nothing"
        fail(number, f"missing here: {missing}; unknown: {unknown[:100]}")


def _word(value: Any, longest: int, where: str, number: int) -> None:
    """Text that can be printed without harm to a terminal."""
    if not isinstance(value, str) or not 1 <= len(value) <= longest or not value.isprintable():
        fail(number, f"{where} expected a text of 1 to {longest} printable characters, not {shown(value)}")
