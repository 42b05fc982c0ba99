"""Files that commands write."""

from __future__ import annotations

from pathlib import Path

import pytest

from ginkgo_env.core.errors import GinkgoError
from ginkgo_env.core.files import check_targets, written


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
    with pytest.raises(KeyboardInterrupt), written(target) as beside:
        beside.write_text("half")
        raise KeyboardInterrupt
    assert target.read_text() == "old" and list(tmp_path.iterdir()) == [target]
    with written(target) as beside:
        beside.write_text("new")
    assert target.read_text() == "new" and list(tmp_path.iterdir()) == [target]


def test_a_name_that_the_system_refuses_is_an_error_in_words(tmp_path: Path) -> None:
    with pytest.raises(GinkgoError, match="cannot write"), written(tmp_path / ("n" * 300)) as beside:
        beside.write_text("new")
    assert list(tmp_path.iterdir()) == []
