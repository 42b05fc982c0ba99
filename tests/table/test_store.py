"""The file of tables: what is in it, who may open it."""

from __future__ import annotations

import os
import sqlite3
import stat
from pathlib import Path

import platformdirs
import pytest

from ginkgo_table.live import SeatAssignment
from ginkgo_table.web.limits import TableError
from ginkgo_table.web.store import Store, StoredSession, StoreError, default_file

PLACES = (SeatAssignment("Ann"), SeatAssignment("b\u00f6t", "random"))


def stored(name: str, over: bool = False) -> StoredSession:
    return StoredSession(name, "my_city", {"players": 2}, {"version": 0}, 2**64 - 1, PLACES, over)


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    store.add(stored("a"), {"token a": 0, "token b": None})
    for number, action in enumerate([5, 2**40, 0]):
        store.append("a", number, action, number == 2)
    store.close()
    store = Store(tmp_path / "x.sqlite3")
    assert store.table("a") == stored("a", over=True) and store.actions("a") == [5, 2**40, 0]
    assert store.seat_of("token a") == ("a", 0) and store.seat_of("token b") == ("a", None)
    assert store.seat_of("a") is None and store.table("b") is None and store.ids() == {"a"}
    store.remove("a")
    assert store.seat_of("token a") is None and store.actions("a") == [] and store.ids() == set()
    store.close()


def test_no_number_comes_twice(tmp_path: Path) -> None:
    store = Store(tmp_path / "x.sqlite3")
    store.add(stored("a"), {})
    store.append("a", 0, 1, False)
    for table, number in (("a", 0), ("b", 0)):
        with pytest.raises(TableError) as error:
            store.append(table, number, 2, True)
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
            store.append("a", played, played, False)
    assert played > 10 and store.actions("a") == list(range(played)) and store.table("a") == stored("a")
    store._db.execute("PRAGMA max_page_count = 10000")
    store.append("a", played, 7, True)
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

    store = Store(tmp_path / "x.sqlite3", 3, clock)
    for name, over in (("old", True), ("seen", True), ("played", False)):
        store.add(stored(name, over), {f"token {name}": 0})
    store.touch("old")
    store.add(stored("new"), {})
    assert store.ids() == {"old", "played", "new"}
    store.add(stored("newer"), {})
    assert store.ids() == {"played", "new", "newer"}
    with pytest.raises(TableError) as error:
        store.add(stored("newest"), {"token newest": 0})
    assert error.value.status == 503 and store.ids() == {"played", "new", "newer"} and store.seat_of("token newest") is None
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
        (later, "format 7 of another version"),
        (tmp_path / "nowhere" / "x", "No such file"),
        (tmp_path / "\0", "null byte"),
    ):
        before = file.read_bytes() if "\0" not in file.name and file.is_file() else b""
        with pytest.raises(StoreError, match=why):
            Store(file)
        assert not before or file.read_bytes() == before
