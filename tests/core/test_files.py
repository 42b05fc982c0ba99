"""Files that commands write, and strict reading of JSON."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import field

from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.files import atomic_write, check_targets, write_file
from ginkgo_env.core.strict_json import JsonError, StrictStruct, convert, parse


def test_nothing_read_is_replaced_however_it_is_named(tmp_path: Path) -> None:
    source = tmp_path / "game.jsonl"
    source.write_text("a game")
    (tmp_path / "sub").mkdir()
    (tmp_path / "link").symlink_to(source)
    for target in (source, tmp_path / "sub" / ".." / "game.jsonl", tmp_path / "link"):
        with pytest.raises(GinkgoError, match="different files"):
            check_targets([target], [source])
    new = tmp_path / "new"
    with pytest.raises(GinkgoError, match="different files"):
        check_targets([new, tmp_path / "sub" / ".." / "new"])
    check_targets([new, tmp_path / "other"], [source])


def test_files_that_cannot_be_written_are_refused_before_any_work(tmp_path: Path) -> None:
    with pytest.raises(GinkgoError, match="a folder"):
        check_targets([tmp_path])
    with pytest.raises(GinkgoError, match="no such folder"):
        check_targets([tmp_path / "nowhere" / "file"])


def test_what_fails_leaves_the_old_file_and_nothing_beside_it(tmp_path: Path) -> None:
    target = tmp_path / "file.txt"
    target.write_text("old")
    with pytest.raises(KeyboardInterrupt), atomic_write(target) as temporary:
        temporary.write_text("half")
        raise KeyboardInterrupt
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]
    with atomic_write(target) as temporary:
        temporary.write_text("new")
    assert target.read_text() == "new" and list(tmp_path.iterdir()) == [target]


def test_a_name_that_the_system_refuses_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(GinkgoError, match="cannot write"), atomic_write(tmp_path / ("n" * 300)) as temporary:
        temporary.write_text("new")
    assert list(tmp_path.iterdir()) == []


# --- strict JSON -------------------------------------------------------------------------------------------------------------


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
    with pytest.raises(JsonError, match=r"^(tags: expected object, got range|not plain data: .* has no attribute 'keys')$"):
        convert(GOOD | {"tags": range(3)}, Outer)


@pytest.mark.parametrize("content", ["ä\n", b"\xe4\r\n"])
def test_a_file_is_written_as_it_is(tmp_path: Path, content: str | bytes) -> None:
    write_file(tmp_path / "file", content)
    assert (tmp_path / "file").read_bytes() == (content.encode() if isinstance(content, str) else content)
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
