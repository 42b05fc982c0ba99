"""Strict reading of JSON: structs declare what is expected, and errors name the place of a difference.

Types are checked without conversion: ``false`` is not a number, ``1.0`` is not an integer. Duplicate keys, NaN, infinities and
unknown fields are refused, and so is text that is nested more deeply than Python can read.
"""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn, TypeVar

import msgspec

from ginkgo_env.core.errors import truncate

T = TypeVar("T")
_LONGEST_PROBLEM = 200


class JsonError(ValueError):
    """Text is not JSON, or its contents do not have the declared types. The message names the place."""


class StrictStruct(msgspec.Struct, forbid_unknown_fields=True):
    """Base of the structs that declare the contents of files and requests; unknown fields are refused."""


def parse(text: str | bytes) -> Any:
    """Parse JSON into plain data.

    Raises
    ------
    JsonError
        If the text is not UTF-8 or not JSON, has duplicate keys, NaN or infinities, or is nested too deeply.
    """
    try:
        return json.loads(text, object_pairs_hook=_unique, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise JsonError(f"invalid JSON: {error.msg} at character {error.pos + 1}") from None
    except UnicodeDecodeError:
        raise JsonError("invalid JSON: not UTF-8 text") from None
    except RecursionError:
        raise JsonError("invalid JSON: nested too deeply") from None
    except ValueError as error:
        raise JsonError(f"invalid JSON: {truncate(str(error), _LONGEST_PROBLEM)}") from None


def convert(document: Any, kind: type[T]) -> T:
    """Check plain data against a type and return the value of that type.

    Parameters
    ----------
    document : what :func:`parse` returned, or equivalent plain data
    kind : a :class:`StrictStruct`, or any type that msgspec supports

    Raises
    ------
    JsonError
        If the document differs from the type; the message begins with the place, such as ``result.scores[1]``.
    """
    try:
        return msgspec.convert(document, kind)
    except (msgspec.ValidationError, RecursionError) as error:
        raise JsonError(truncate(_described(str(error)), _LONGEST_PROBLEM)) from None
    except Exception as error:  # Python objects that JSON cannot produce, whose methods may raise anything
        raise JsonError(f"not plain data: {truncate(str(error), _LONGEST_PROBLEM)}") from None


def _described(message: str) -> str:
    """The message of msgspec with the place first and without backticks."""
    problem, _, place = message.partition(" - at ")
    problem = re.sub(r"`([^`]*)`", r"\1", problem)
    if field := re.fullmatch(r"Object (missing required|contains unknown) field (.*)", problem):
        problem = f"{'missing' if field[1].startswith('missing') else 'unknown'} {field[2]!r}"
    place = place.strip("`").removeprefix("$").removeprefix(".")
    return f"{place}: {problem[:1].lower()}{problem[1:]}" if place else problem[:1].lower() + problem[1:]


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(pairs)
    if len(document) != len(pairs):
        raise ValueError("duplicate key")
    return document


def _refuse_constant(text: str) -> NoReturn:
    raise ValueError(f"{text} is not a number")
