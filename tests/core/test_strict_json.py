"""Strict reading of JSON: every refusal names its place."""

from __future__ import annotations

from typing import Any

import pytest
from msgspec import field

from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse


class Inner(StrictStruct):
    points: list[int]


class Outer(StrictStruct):
    name: str
    inner: Inner
    share: float = 0.0
    tags: dict[str, str] = field(default_factory=dict)


GOOD = {"name": "a", "inner": {"points": [1, 2]}}


def test_good_data() -> None:
    assert convert(parse('{"name": "a", "inner": {"points": [1, 2]}, "share": 1}'), Outer) == Outer("a", Inner([1, 2]), 1.0)


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ('{"a": 1, "a": 2}', "duplicate key"),
        ('{"a": {"b": 1, "b": 1}}', "duplicate key"),
        ("NaN", "NaN is not a number"),
        ("[-Infinity]", "-Infinity is not a number"),
        ("[" * 100_000, "nested too deeply"),
        ('{"a":' * 100_000, "nested too deeply"),
        ("[1, 2", "at character 6"),
        (b'"\xff"', "UTF-8"),
        ("", "at character 1"),
        ("9" * 5000, "invalid JSON"),
    ],
    ids=lambda value: str(value)[:20],
)
def test_text_that_is_refused(text: str | bytes, problem: str) -> None:
    with pytest.raises(JsonError, match=problem) as caught:
        parse(text)
    assert len(str(caught.value)) < 300


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"inner": {"points": [1, False]}}, "inner.points[1]: expected int, got bool"),
        ({"inner": {"points": [1, 2.0]}}, "inner.points[1]: expected int, got float"),
        ({"inner": {"points": None}}, "inner.points: expected array, got null"),
        ({"inner": {}}, "inner: missing 'points'"),
        ({"inner": {"points": [], "more": 1}}, "inner: unknown 'more'"),
        ({"other": 1}, "unknown 'other'"),
        ({"name": 3}, "name: expected str, got int"),
        ({"tags": {"a": 1}}, "tags[...]: expected str, got int"),
        ({"tags": range(3)}, "not plain data: 'range' object has no attribute 'keys'"),
    ],
    ids=str,
)
def test_data_that_are_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(JsonError) as caught:
        convert(GOOD | change, Outer)
    assert str(caught.value) == message
