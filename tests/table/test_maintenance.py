"""``ginkgo table --list``, ``--remove`` and ``--vacuum``."""

from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from ginkgo_env.core.errors import GinkgoError
from ginkgo_table.web.command import table
from ginkgo_table.web.store import Store

from .test_store import stored

APP = typer.Typer()
APP.command()(table)


def said(file: Path, *options: str) -> list[str]:
    """What the command prints, by lines."""
    result = CliRunner().invoke(APP, [*options, "--data", str(file)])
    if result.exception is not None:
        raise result.exception
    return result.stdout.splitlines()


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file with an old, finished table and two others."""
    file = tmp_path / "x.sqlite3"
    for name, over in (("old", True), ("a", False), ("b", False)):
        store = Store(file, clock=lambda name=name: 0.0 if name == "old" else 4e9)  # type: ignore[misc]
        store.add(stored(name, over), {f"token {name}": 0})
        store.append(name, 0, [1], over)
        store.close()
    return file


def test_tables_are_listed(file: Path) -> None:
    head, *rows = said(file, "--list")
    assert head.split()[:4] == ["table", "game", "state", "actions"] and len(rows) == 3
    old = next(row for row in rows if row.startswith("old"))
    assert old.split()[1:5] == ["my_city", "finished", "1", "1970-01-01"] and old.endswith("Ann, b\u00f6t (random)")


def test_tables_are_removed(file: Path) -> None:
    with pytest.raises(GinkgoError, match="unknown table 'c'"):
        said(file, "--remove", "a", "--remove", "c")
    assert said(file, "--remove", "a", "--remove", "old") == ["removed a", "removed old"]
    assert [row.split()[0] for row in said(file, "--list")] == ["table", "b"]
    store = Store(file)
    assert store.access("token a") is None
    store.close()


def test_vacuum_removes_what_has_expired(file: Path) -> None:
    assert said(file, "--vacuum", "--expire-finished", "0")[0].startswith("0 expired tables removed")
    (line,) = said(file, "--vacuum")
    assert line.startswith("1 expired tables removed; ") and [row.split()[0] for row in said(file, "--list")[1:]] in (
        ["a", "b"],
        ["b", "a"],
    )


def test_files_that_are_missing_or_in_use_say_so(file: Path, tmp_path: Path) -> None:
    with pytest.raises(GinkgoError, match="there is no file"):
        said(tmp_path / "none", "--list")
    assert not (tmp_path / "none").exists()
    store = Store(file)
    with pytest.raises(GinkgoError, match="another ginkgo table has it open"):
        said(file, "--list")
    store.close()
