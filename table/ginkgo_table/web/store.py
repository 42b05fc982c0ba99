"""The tables of a server in one SQLite file: what was opened, who may sit where, and every action that was played."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from ginkgo_env.core.errors import GinkgoError, shown
from ginkgo_table.live import SeatAssignment
from ginkgo_table.web.limits import TableError

_APPLICATION, _VERSION = 0x67696E6B, 1
_WAIT = 0.5  # seconds for another process to end
_SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, made TEXT NOT NULL, seed TEXT NOT NULL,
    places TEXT NOT NULL, created REAL NOT NULL, touched REAL NOT NULL, over INTEGER NOT NULL
) STRICT;
CREATE TABLE tokens (
    digest TEXT PRIMARY KEY, at TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seat INTEGER
) STRICT;
CREATE INDEX tokens_of ON tokens (at);
CREATE TABLE actions (
    at TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, number INTEGER NOT NULL, action INTEGER NOT NULL,
    PRIMARY KEY (at, number)
) STRICT, WITHOUT ROWID;
"""


class StoreError(GinkgoError):
    """A file that cannot keep tables."""


class StoredSession(NamedTuple):
    """A table as it is kept."""

    id: str
    game: str
    options: Mapping[str, Any]
    made: Mapping[str, Any]
    """What the game was when the table was opened: its version, the digests of its data."""
    seed: int
    places: tuple[SeatAssignment, ...]
    over: bool = False


class Store:
    """The file of a server. Its methods may be called from any thread; no other server can open the file meanwhile.

    file : made if it is not there, for its owner alone
    most : tables in the file

    Raises StoreError for a file that is no such file, or cannot be opened.
    """

    def __init__(self, file: Path, most: int = 1_000, clock: Callable[[], float] = time.time) -> None:
        self._most, self._clock, self._lock = most, clock, threading.Lock()
        self._db = _opened(file)

    def close(self) -> None:
        """Write out everything, and let others open the file."""
        with self._lock:
            self._db.close()

    # --- tables

    def add(self, table: StoredSession, tokens: Mapping[str, int | None]) -> None:
        """Keep a new table, and the digests of its tokens. Raises TableError if there is no room."""
        now = self._clock()
        places = json.dumps([list(place) for place in table.places])
        row = (
            table.id,
            table.game,
            json.dumps(table.options),
            json.dumps(table.made),
            str(table.seed),
            places,
            now,
            now,
            table.over,
        )
        with self._changes() as db:
            self._evict_idle_games(db)
            db.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            db.executemany(
                "INSERT INTO tokens VALUES (?, ?, ?)", [(digest_of(token), table.id, seat) for token, seat in tokens.items()]
            )

    def _evict_idle_games(self, db: sqlite3.Connection) -> None:
        surplus = len(self._ids(db)) - self._most + 1
        if surplus > 0:
            found = db.execute("SELECT id FROM tables WHERE over ORDER BY touched LIMIT ?", (surplus,)).fetchall()
            if len(found) < surplus:
                raise TableError(503, f"there is no room: {self._most} tables are being played")
            db.executemany("DELETE FROM tables WHERE id = ?", found)

    def remove(self, table: str) -> None:
        """Forget a table."""
        with self._changes() as db:
            db.execute("DELETE FROM tables WHERE id = ?", (table,))

    def ids(self) -> set[str]:
        """The tables in the file."""
        with self._reading() as db:
            return self._ids(db)

    @staticmethod
    def _ids(db: sqlite3.Connection) -> set[str]:
        return {one for (one,) in db.execute("SELECT id FROM tables")}

    def seat_of(self, token: str) -> tuple[str, int | None] | None:
        """The table and the seat of a token; None if there is none."""
        with self._reading() as db:
            found = db.execute("SELECT at, seat FROM tokens WHERE digest = ?", (digest_of(token),)).fetchone()
        return None if found is None else (found[0], found[1])

    def table(self, table: str) -> StoredSession | None:
        """A table; None if it is not there."""
        with self._reading() as db:
            found = db.execute("SELECT id, game, options, made, seed, places, over FROM tables WHERE id = ?", (table,)).fetchone()
        if found is None:
            return None
        name, game, options, made, seed, places, over = found
        seats = tuple(SeatAssignment(*place) for place in json.loads(places))
        return StoredSession(name, game, json.loads(options), json.loads(made), int(seed), seats, bool(over))

    # --- playing

    def actions(self, table: str) -> list[int]:
        """What was played at a table, in order."""
        with self._reading() as db:
            rows = db.execute("SELECT action FROM actions WHERE at = ? ORDER BY number", (table,)).fetchall()
        return [action for (action,) in rows]

    def append(self, table: str, number: int, action: int, over: bool) -> None:
        """Keep an action: the number counts from 0, and no number comes twice."""
        with self._changes() as db:
            db.execute("INSERT INTO actions VALUES (?, ?, ?)", (table, number, action))
            db.execute("UPDATE tables SET touched = ?, over = ? WHERE id = ?", (self._clock(), over, table))

    def touch(self, table: str) -> None:
        """Somebody has looked at a table."""
        with self._changes() as db:
            db.execute("UPDATE tables SET touched = ? WHERE id = ?", (self._clock(), table))

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """Raises TableError if the file cannot be read."""
        try:
            with self._lock:
                yield self._db
        except sqlite3.Error as error:
            raise TableError(503, f"the tables cannot be read: {error}") from error

    @contextmanager
    def _changes(self) -> Iterator[sqlite3.Connection]:
        """All of the changes or none. Raises TableError if they cannot be written."""
        try:
            with self._lock, self._db:
                yield self._db
        except sqlite3.Error as error:
            raise TableError(503, f"the tables cannot be kept: {error}") from error


def digest_of(token: str) -> str:
    """What is kept of a token: whoever reads the file cannot take a seat."""
    return hashlib.sha256(token.encode("utf-8", errors="replace")).hexdigest()


def default_file() -> Path:
    """Where tables are kept by default; the folder is made, for its owner alone. Raises StoreError."""
    import platformdirs

    folder = Path(platformdirs.user_data_dir("ginkgo_env", appauthor=False))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise StoreError(
            f"cannot make the folder {shown(str(folder))}: {error.strerror or error}; choose a file by --data"
        ) from None
    return folder / "table.sqlite3"


def _opened(file: Path) -> sqlite3.Connection:
    try:
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise StoreError(f"cannot open {shown(str(file))}: {reason}") from None
    db = sqlite3.connect(file, timeout=_WAIT, check_same_thread=False)
    try:
        _prepare(db, file)
    except sqlite3.Error as error:
        db.close()
        raise StoreError(f"cannot open {shown(str(file))}: {_why(error)}") from None
    except StoreError:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, file: Path) -> None:
    """Lock the file for this process, and make what is not there."""
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    (application,), (version,) = (db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    if not empty and application != _APPLICATION:
        raise StoreError(f"{shown(str(file))} is a database of another program: choose another file by --data")
    if not empty and version != _VERSION:
        raise StoreError(f"{shown(str(file))} has format {version} of another version of this package, not {_VERSION}")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA busy_timeout = 500")
    script = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_VERSION}; {_SCHEMA}" if empty else ""
    db.executescript(f"BEGIN IMMEDIATE; {script} COMMIT;")  # from now on the file is locked


def _why(error: sqlite3.Error) -> str:
    match getattr(error, "sqlite_errorname", "").split("_")[1:2]:
        case ["NOTADB"]:
            return "it is no file of ginkgo table"
        case ["BUSY"] | ["LOCKED"]:
            return "another ginkgo table has it open; choose another file by --data"
        case _:
            return str(error)
