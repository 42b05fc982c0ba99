"""The file of tables: what is in it, who may open it."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import platformdirs
import pytest

from ginkgo_table.live import SeatAssignment
from ginkgo_table.web.limits import Limits, TableError
from ginkgo_table.web.store import Store, StoredTable, StoreError, TokenKind, default_file

SEATS = (SeatAssignment("Ann"), SeatAssignment("b\u00f6t", "random"))


def stored(name: str, over: bool = False) -> StoredTable:
    return StoredTable(name, "my_city", {"players": 2}, {"version": 0}, 2**64 - 1, SEATS, over)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    store.add(stored("a"), {"token a": 0, "token b": None})
    for number, action in enumerate([5, 2**40, 0]):
        store.append("a", number, [action], number == 2)
    store.close()
    store = Store(tmp_path / "x.sqlite3")
    assert store.table("a") == stored("a", over=True) and store.actions("a") == [5, 2**40, 0]
    assert store.access("token a") == ("a", TokenKind.SEAT, 0) and store.access("token b") == ("a", TokenKind.SEAT, None)
    assert store.access("a") is None and store.table("b") is None and store.ids() == {"a"}
    store.remove("a")
    assert store.access("token a") is None and store.actions("a") == [] and store.ids() == set()
    store.close()


def test_what_is_pending_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    store.add(stored("a"), {})
    store.append("a", 0, [], False, {1: [3, 4], 0: [5]})
    store.close()
    store = Store(tmp_path / "x.sqlite3")
    assert store.pending("a") == {0: [5], 1: [3, 4]} and store.pending("b") == {} and store.actions("a") == []
    store.append("a", 0, [5, 3], False, {1: [4]})
    assert store.pending("a") == {1: [4]} and store.actions("a") == [5, 3]
    store.remove("a")
    assert store.pending("a") == {}
    store.close()


def test_no_number_comes_twice(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    store.add(stored("a"), {})
    store.append("a", 0, [1], False)
    for table, number in (("a", 0), ("b", 0)):
        with pytest.raises(TableError) as error:
            store.append(table, number, [2], True)
        assert error.value.status == 503
    assert store.actions("a") == [1] and store.table("a") == stored("a")
    store.close()


def test_on_a_full_disk_what_was_kept_stays(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    store.add(stored("a"), {})
    store._db.execute("PRAGMA max_page_count = 1")  # as large as it is, and no larger
    played = 0
    with pytest.raises(TableError, match="cannot be stored: database or disk is full"):
        for played in range(10_000):
            store.append("a", played, [played], False)
    assert played > 10 and store.actions("a") == list(range(played)) and store.table("a") == stored("a")
    store._db.execute("PRAGMA max_page_count = 10000")
    store.append("a", played, [7], True)
    store.close()
    store = Store(tmp_path / "x.sqlite3")
    assert store.actions("a") == [*range(played), 7] and store.table("a") == stored("a", over=True)
    store.close()


def test_whoever_reads_the_file_has_no_tokens(tmp_path: Path) -> None:
    file = tmp_path / "x.sqlite3"
    store = Store(file)
    store.add(stored("a"), {"a token that is secret": 0})
    for one in tmp_path.iterdir():
        assert b"that is secret" not in one.read_bytes()
        assert os.name != "posix" or stat.S_IMODE(one.stat().st_mode) == 0o600
    store.close()
    assert b"that is secret" not in file.read_bytes()


def test_the_default_folder_is_the_users_own(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "some" / "data"
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(folder))
    assert default_file() == folder / "table.sqlite3"
    assert os.name != "posix" or stat.S_IMODE(folder.stat().st_mode) == 0o700
    (tmp_path / "file").write_text("")
    monkeypatch.setattr(platformdirs, "user_data_dir", lambda *_, **__: str(tmp_path / "file" / "x"))
    with pytest.raises(StoreError, match="cannot create the folder"):
        default_file()


def test_finished_tables_that_nobody_looked_at_make_room(tmp_path: Path) -> None:
    now = 0.0

    def clock() -> float:
        nonlocal now
        now += 1
        return now

    store = Store(tmp_path / "x.sqlite3", Limits(tables=3), clock)
    for name, over in (("old", True), ("seen", True), ("played", False)):
        store.add(stored(name, over), {f"token {name}": 0})
    store.touch("old")
    store.add(stored("new"), {})
    assert store.ids() == {"old", "played", "new"}
    store.add(stored("newer"), {})
    assert store.ids() == {"played", "new", "newer"}
    with pytest.raises(TableError) as error:
        store.add(stored("newest"), {"token newest": 0})
    assert error.value.status == 503 and store.ids() == {"played", "new", "newer"} and store.access("token newest") is None
    store.close()


@pytest.mark.full
def test_two_servers_do_not_share_a_file(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    with pytest.raises(StoreError, match="another ginkgo table has it open"):
        Store(tmp_path / "x.sqlite3")
    store.add(stored("a"), {})
    store.close()
    Store(tmp_path / "x.sqlite3").close()


def test_files_that_keep_no_tables_are_left_alone(tmp_path: Path) -> None:
    text, folder, other, later = (tmp_path / name for name in ("text", "folder", "other", "later"))
    text.write_text("no database at all, but long enough to be taken for one" * 10)
    folder.mkdir()
    with sqlite3.connect(other) as db:
        db.execute("CREATE TABLE tables (id)")
    db.close()
    Store(later).close()
    with sqlite3.connect(later) as db:
        db.execute("PRAGMA user_version = 7")
    db.close()
    for file, why in (
        (text, "not a file of ginkgo table"),
        (folder, "not a regular file"),
        (other, "of another program"),
        (later, "has format 7; expected 2: choose another file"),
        (tmp_path / "nowhere" / "x", "No such file"),
        (tmp_path / "\0", "null byte"),
    ):
        before = file.read_bytes() if "\0" not in file.name and file.is_file() else b""
        with pytest.raises(StoreError, match=why):
            Store(file)
        assert not before or file.read_bytes() == before


class Clock:
    def __init__(self) -> None:
        self.days = 0.0

    def __call__(self) -> float:
        return self.days * 86_400


def test_tables_expire_when_nobody_uses_them(tmp_path: Path) -> None:
    clock = Clock()
    store = Store(tmp_path / "x.sqlite3", clock=clock)
    for name, over in (("played", False), ("used", False), ("finished", True)):
        store.add(stored(name, over), {})
    clock.days = 29
    store.touch("used")
    assert store.expire(30, 90) == 0
    clock.days = 31
    assert store.expire(0, 0) == 0 and store.expire(30, 90) == 1 and store.ids() == {"used", "finished"}
    assert store.expire(1, 100) == 1 and store.ids() == {"finished"}
    clock.days = 91
    assert store.expire(30, 90) == 1 and store.ids() == set()
    store.close()


def test_one_address_does_not_fill_the_house(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3", Limits(tables=4, tables_per_address=2))
    store.add(stored("old", True)._replace(address="a"), {})
    store.add(stored("theirs", True)._replace(address="b"), {})
    for name in ("x", "y"):
        store.add(stored(name)._replace(address="a"), {})
    assert store.ids() == {"theirs", "x", "y"}  # its own finished table made room
    with pytest.raises(TableError, match="2 tables opened from your address are being played") as error:
        store.add(stored("z")._replace(address="a"), {})
    assert error.value.status == 429
    store.add(stored("z")._replace(address="b"), {})
    store.close()


def test_vacuum_gives_space_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    store.add(stored("a"), {})
    with store._transaction() as db:
        db.executemany("INSERT INTO actions VALUES ('a', ?, 7)", [(number,) for number in range(50_000)])
    store.vacuum()
    before = (tmp_path / "x.sqlite3").stat().st_size
    store.remove("a")
    store.vacuum()
    assert (tmp_path / "x.sqlite3").stat().st_size < before / 5
    store.close()
