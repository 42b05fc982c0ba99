"""The tables of a server in one SQLite file: their games, the tokens of their seats, and all actions."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

import typer

from ginkgo_env.core.errors import GinkgoError, join_names, plain, short_repr
from ginkgo_env.core.files import is_writable
from ginkgo_table.live import SeatAssignment
from ginkgo_table.web.limits import GONE, Limits, TableError

_APPLICATION = 0x67696E6B
_DAY = 86_400  # seconds
_INVITATIONS = 8  # largest number of links to one empty seat, or for spectators
_LOCK_TIMEOUT = 0.5  # seconds
_VERSION = 2
_SCHEMA = """
CREATE TABLE tables (
    id TEXT PRIMARY KEY, game TEXT NOT NULL, options TEXT NOT NULL, fingerprint TEXT NOT NULL, seed TEXT NOT NULL,
    seats TEXT NOT NULL, created REAL NOT NULL, touched REAL NOT NULL, over INTEGER NOT NULL,
    address TEXT NOT NULL, hints INTEGER NOT NULL, rematch TEXT NOT NULL
) STRICT;
CREATE INDEX tables_of ON tables (address);
CREATE TABLE tokens (
    digest TEXT PRIMARY KEY, at TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seat INTEGER, kind TEXT NOT NULL
) STRICT;
CREATE INDEX tokens_of ON tokens (at);
CREATE TABLE actions (
    at TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, number INTEGER NOT NULL, action INTEGER NOT NULL,
    PRIMARY KEY (at, number)
) STRICT, WITHOUT ROWID;
CREATE TABLE pending (
    at TEXT NOT NULL REFERENCES tables ON DELETE CASCADE, seat INTEGER NOT NULL, number INTEGER NOT NULL,
    action INTEGER NOT NULL, PRIMARY KEY (at, seat, number)
) STRICT, WITHOUT ROWID;
"""


class StoreError(GinkgoError):
    """Raised for a file that cannot be opened as a store of tables."""


_FAILURES = sqlite3.Error, UnicodeDecodeError
"""Errors of reading and writing; the last one for a damaged file, whose bytes the message of SQLite quotes."""


class TokenKind(StrEnum):
    """The purpose of a token."""

    SEAT = "seat"
    """To see and play a seat."""
    INVITATION = "invitation"
    """To take a seat while it is empty."""
    WATCH = "watch"
    """To see what is public."""


class Access(NamedTuple):
    """What a token gives access to."""

    table_id: str
    """The table's id."""
    kind: TokenKind
    view: int | None
    """The seat; None at a table without people, OBSERVER for spectators."""


class StoredTable(NamedTuple):
    """A table as it is stored."""

    id: str
    game: str
    options: Mapping[str, Any]
    fingerprint: Mapping[str, Any]
    """The version of the game and the digests of its data when the table was opened."""
    seed: int
    seats: tuple[SeatAssignment, ...]
    is_over: bool = False
    hints: bool = True
    """Whether agents give hints."""
    rematch: str = ""
    """The table of the rematch, where the same people play again."""
    address: str = ""
    """The network address that opened the table."""


class TableSummary(NamedTuple):
    """A row of ``ginkgo table --list``."""

    id: str
    game: str
    players: str
    actions: int
    opened: float
    touched: float
    is_over: bool


class Store:
    """The SQLite file of a server; thread-safe, and locked against other processes.

    file : created if missing, readable by its owner only
    limits : those of the number of tables
    clock : returns the time in seconds

    Raises StoreError if the file cannot be opened or has another format.
    """

    def __init__(self, file: Path, limits: Limits | None = None, clock: Callable[[], float] = time.time) -> None:
        self._limits, self._clock, self._lock = limits or Limits(), clock, threading.Lock()
        self._db = _open_database(file)

    def close(self) -> None:
        """Close the file and release its lock."""
        with self._lock:
            self._db.close()

    # --- tables

    def add(self, table: StoredTable, tokens: Mapping[str, int | None]) -> None:
        """Add a table and the digests of its seats' tokens.

        Raises TableError if all tables are still being played.
        """
        now = self._clock()
        options, fingerprint, seats = map(json.dumps, (table.options, table.fingerprint, table.seats))
        names = (table.id, table.game, options, fingerprint, str(table.seed), seats)
        row = (*names, now, now, table.is_over, table.address, table.hints, table.rematch)
        with self._transaction() as db:
            self._make_room(db, table.address)
            db.execute("INSERT INTO tables VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            for token, view in tokens.items():
                _add_token(db, token, Access(table.id, TokenKind.SEAT, view))

    def _make_room(self, db: sqlite3.Connection, address: str) -> None:
        """Remove finished tables beyond the limits, those of the address first.

        Raises TableError if too few are finished.
        """
        own, most = self._limits.tables_per_address, self._limits.tables
        if address and not self._evict(db, own, "WHERE address = ?", address):
            raise TableError(429, f"{own} tables opened from your address are being played: finish or remove some of them")
        if not self._evict(db, most, ""):
            raise TableError(503, f"the server is full: {most} tables are being played")

    @staticmethod
    def _evict(db: sqlite3.Connection, most: int, condition: str, *values: str) -> bool:
        """Remove finished tables until one more table fits; return whether it does."""
        (count,) = db.execute(f"SELECT count(*) FROM tables {condition}", values).fetchone()
        surplus = max(0, int(count) - most + 1)
        among = f"{condition or 'WHERE 1'} AND over ORDER BY touched LIMIT ?"
        finished = db.execute(f"SELECT id FROM tables {among}", (*values, surplus)).fetchall()
        if len(finished) == surplus:
            db.executemany("DELETE FROM tables WHERE id = ?", finished)
        return len(finished) == surplus

    def expire(self, unfinished_days: float, finished_days: float) -> int:
        """Remove tables unused for the given numbers of days, and return how many; 0 keeps all of a kind."""
        removed = 0
        with self._transaction() as db:
            for is_over, days in ((False, unfinished_days), (True, finished_days)):
                if days:
                    oldest = self._clock() - days * _DAY
                    removed += db.execute("DELETE FROM tables WHERE over = ? AND touched < ?", (is_over, oldest)).rowcount
        return removed

    def vacuum(self) -> None:
        """Give the space of removed tables back to the disk."""
        with self._read() as db:
            db.execute("VACUUM")
            db.execute("PRAGMA wal_checkpoint(TRUNCATE)")

    def summaries(self) -> list[TableSummary]:
        """Return a summary of each table, the most recently used first."""
        query = "SELECT id, game, seats, (SELECT count(*) FROM actions WHERE at = id), created, touched, over FROM tables"
        with self._read() as db:
            rows = db.execute(f"{query} ORDER BY touched DESC").fetchall()
        return [TableSummary(id_, game, _players(seats), *rest) for id_, game, seats, *rest in rows]

    def remove(self, table_id: str) -> None:
        """Remove a table."""
        with self._transaction() as db:
            db.execute("DELETE FROM tables WHERE id = ?", (table_id,))

    def forget(self, token: str, table_id: str) -> bool:
        """Remove a token of a seat, and with the last token the table; return whether it was the last one."""
        with self._transaction() as db:
            db.execute("DELETE FROM tokens WHERE digest = ?", (digest_of(token),))
            last = "DELETE FROM tables WHERE id = ? AND NOT EXISTS (SELECT 1 FROM tokens WHERE at = id AND kind = 'seat')"
            return db.execute(last, (table_id,)).rowcount > 0

    def set_rematch(self, table_id: str, rematch: str) -> None:
        """Store the table at which the people of a table play again."""
        with self._transaction() as db:
            db.execute("UPDATE tables SET rematch = ? WHERE id = ?", (rematch, table_id))

    def ids(self) -> set[str]:
        """Return the ids of all tables."""
        with self._read() as db:
            return {table for (table,) in db.execute("SELECT id FROM tables")}

    def access(self, token: str) -> Access | None:
        """Return what a token gives access to; None for an unknown token.

        Raises TableError if the table is damaged.
        """
        with self._read() as db:
            row = db.execute("SELECT at, kind, seat FROM tokens WHERE digest = ?", (digest_of(token),)).fetchone()
        try:
            return None if row is None else Access(row[0], TokenKind(row[1]), row[2])
        except ValueError:
            raise _damaged() from None

    def views(self, table_id: str) -> list[int | None]:
        """Return who has access: seats, OBSERVER, or None at a table without people."""
        with self._read() as db:
            rows = db.execute("SELECT DISTINCT seat FROM tokens WHERE at = ? AND kind != 'invitation'", (table_id,)).fetchall()
        return [view for (view,) in rows]

    def invite(self, token: str, access: Access) -> None:
        """Add an invitation to a seat, or a link for spectators; only the latest ones are kept."""
        with self._transaction() as db:
            _add_token(db, token, access)
            db.execute(
                "DELETE FROM tokens WHERE rowid IN (SELECT rowid FROM tokens WHERE at = ? AND kind = ? AND seat = ? "
                f"ORDER BY rowid DESC LIMIT -1 OFFSET {_INVITATIONS})",
                access,
            )

    def reseat(
        self,
        table: StoredTable,
        pending: Mapping[int, Sequence[int]],
        *,
        add: Mapping[str, int] | None = None,
        drop: str | None = None,
    ) -> None:
        """Store the players of a table, its seed and the pending choices.

        add, drop : tokens of seats to add, and the token to remove
        """
        with self._transaction() as db:
            for token, seat in (add or {}).items():
                _add_token(db, token, Access(table.id, TokenKind.SEAT, seat))
            _store_pending(db, table.id, pending)
            if drop is not None:
                db.execute("DELETE FROM tokens WHERE digest = ?", (digest_of(drop),))
            row = (json.dumps(table.seats), str(table.seed), self._clock(), table.id)
            db.execute("UPDATE tables SET seats = ?, seed = ?, touched = ? WHERE id = ?", row)

    def table(self, table_id: str) -> StoredTable | None:
        """Return a table; None for an unknown id. Raises TableError if it is damaged."""
        with self._read() as db:
            row = db.execute(
                "SELECT id, game, options, fingerprint, seed, seats, over, hints, rematch FROM tables WHERE id = ?", (table_id,)
            ).fetchone()
        if row is None:
            return None
        name, game, options, fingerprint, seed, seats, is_over, hints, rematch = row
        try:
            assignments = tuple(SeatAssignment(*assignment) for assignment in json.loads(seats))
            return StoredTable(
                name,
                game,
                dict(json.loads(options)),
                dict(json.loads(fingerprint)),
                int(seed),
                assignments,
                bool(is_over),
                bool(hints),
                rematch,
            )
        except (RecursionError, TypeError, ValueError):
            raise _damaged() from None

    # --- playing

    def actions(self, table_id: str) -> list[int]:
        """Return the actions of a table, in order. Raises TableError if they are damaged."""
        with self._read() as db:
            rows = db.execute("SELECT action FROM actions WHERE at = ? ORDER BY number", (table_id,)).fetchall()
        return _integers(action for (action,) in rows)

    def pending(self, table_id: str) -> dict[int, list[int]]:
        """Return the choices of people that have no effect yet, by seat.

        Raises TableError if it is damaged.
        """
        pending: dict[int, list[int]] = {}
        with self._read() as db:
            rows = db.execute("SELECT seat, action FROM pending WHERE at = ? ORDER BY seat, number", (table_id,)).fetchall()
        for seat, action in map(_integers, rows):
            pending.setdefault(seat, []).append(action)
        return pending

    def append(
        self,
        table_id: str,
        number: int,
        actions: Sequence[int],
        is_over: bool,
        pending: Mapping[int, Sequence[int]] | None = None,
    ) -> None:
        """Add actions, and replace the pending choices.

        number : number of the first action; numbers count from 0 and are unique within a table
        """
        with self._transaction() as db:
            db.executemany(
                "INSERT INTO actions VALUES (?, ?, ?)", [(table_id, number + k, action) for k, action in enumerate(actions)]
            )
            _store_pending(db, table_id, pending or {})
            db.execute("UPDATE tables SET touched = ?, over = ? WHERE id = ?", (self._clock(), is_over, table_id))

    def truncate(self, table_id: str, number: int) -> None:
        """Remove the actions from a number on."""
        with self._transaction() as db:
            db.execute("DELETE FROM actions WHERE at = ? AND number >= ?", (table_id, number))
            db.execute("UPDATE tables SET touched = ? WHERE id = ?", (self._clock(), table_id))

    def touch(self, table_id: str) -> None:
        """Mark a table as used now."""
        with self._transaction() as db:
            db.execute("UPDATE tables SET touched = ? WHERE id = ?", (self._clock(), table_id))

    @contextmanager
    def _read(self) -> Iterator[sqlite3.Connection]:
        """Lock the database for reading. Raises TableError if it cannot be read."""
        try:
            with self._lock:
                yield self._db
        except _FAILURES as error:
            raise TableError(503, f"the tables cannot be read: {error}") from error

    @contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        """Lock the database for a transaction. Raises TableError if it cannot be written."""
        try:
            with self._lock, self._db:
                yield self._db
        except _FAILURES as error:
            raise TableError(503, f"the tables cannot be stored: {error}") from error


def _add_token(db: sqlite3.Connection, token: str, access: Access) -> None:
    row = (digest_of(token), access.table_id, access.view, access.kind)
    db.execute("INSERT INTO tokens (digest, at, seat, kind) VALUES (?, ?, ?, ?)", row)


def _damaged() -> TableError:
    return TableError(GONE, "this table cannot be opened any more: it is damaged")


def _integers(values: Iterable[Any]) -> list[int]:
    """Return values of columns that hold integers; in a damaged file they may hold anything. Raises TableError."""
    found = list(values)
    if not all(isinstance(value, int) for value in found):
        raise _damaged()
    return found


def _store_pending(db: sqlite3.Connection, table_id: str, pending: Mapping[int, Sequence[int]]) -> None:
    rows = [(table_id, seat, number, action) for seat, chosen in pending.items() for number, action in enumerate(chosen)]
    db.execute("DELETE FROM pending WHERE at = ?", (table_id,))
    db.executemany("INSERT INTO pending VALUES (?, ?, ?, ?)", rows)


def _players(seats: str) -> str:
    """Return the names at a table and their agents, as text."""
    try:
        return ", ".join(name if agent is None else f"{name} ({agent})" for name, agent, *_ in json.loads(seats))
    except (RecursionError, TypeError, ValueError):
        return "damaged"


def digest_of(token: str) -> str:
    """Return the digest that is stored instead of a token: the file gives access to no seat."""
    return hashlib.sha256(token.encode("utf-8", errors="replace")).hexdigest()


def default_file() -> Path:
    """Return the default file, and create its folder for its owner only. Raises StoreError."""
    import platformdirs

    folder = Path(platformdirs.user_data_dir("ginkgo_env", appauthor=False))
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        reason = error.strerror or error
        raise StoreError(f"cannot create the folder {short_repr(str(folder))}: {reason}; choose a file by --data") from None
    return folder / "table.sqlite3"


def _open_database(file: Path) -> sqlite3.Connection:
    try:
        if not is_writable(file):
            raise ValueError("it is not a regular file")
        os.close(os.open(file, os.O_RDWR | os.O_CREAT, 0o600))
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise StoreError(f"cannot open {short_repr(str(file))}: {reason}") from None
    db = sqlite3.connect(file, timeout=_LOCK_TIMEOUT, check_same_thread=False)
    try:
        _prepare(db, file)
    except _FAILURES as error:
        db.close()
        raise StoreError(f"cannot open {short_repr(str(file))}: {_reason(error)}") from None
    except StoreError:
        db.close()
        raise
    return db


def _prepare(db: sqlite3.Connection, file: Path) -> None:
    """Lock the file for this process; create the schema in an empty file."""
    db.execute("PRAGMA locking_mode = EXCLUSIVE")
    (application,), (version,) = (db.execute(f"PRAGMA {name}").fetchone() for name in ("application_id", "user_version"))
    empty = db.execute("SELECT count(*) FROM sqlite_master").fetchone() == (0,)
    if not empty and application != _APPLICATION:
        raise StoreError(f"{short_repr(str(file))} is a database of another program: choose another file by --data")
    if not empty and version != _VERSION:
        raise StoreError(f"{short_repr(str(file))} has format {version}; expected {_VERSION}: choose another file by --data")
    db.execute("PRAGMA journal_mode = WAL")
    db.execute("PRAGMA synchronous = NORMAL")
    db.execute("PRAGMA foreign_keys = ON")
    db.execute("PRAGMA busy_timeout = 500")
    script = _SCHEMA if empty else ""
    identity = f"PRAGMA application_id = {_APPLICATION}; PRAGMA user_version = {_VERSION};"
    db.executescript(f"BEGIN IMMEDIATE; {script} {identity} COMMIT;")  # all or nothing; from now on the file is locked


def _reason(error: Exception) -> str:
    match getattr(error, "sqlite_errorname", "").split("_")[1:2]:
        case ["NOTADB"]:
            return "it is not a file of ginkgo table"
        case ["BUSY"] | ["LOCKED"]:
            return "another ginkgo table has it open; choose another file by --data"
        case _:
            return str(error)


# --- maintenance of the file while no server has it open: list, remove, vacuum ------------------------------------------------


_HEADINGS = ("table", "game", "state", "actions", "opened", "last used", "players")


def maintain(data: Path | None, list_tables: bool, remove: Sequence[str], vacuum: tuple[float, float] | None) -> None:
    """Remove tables, vacuum the file, then list the remaining tables: see ``ginkgo table --help``.

    vacuum : the days after which unfinished and finished tables expire; None does not vacuum

    Raises GinkgoError for an unusable file or unknown tables, before anything is removed.
    """
    file = default_file() if data is None else data
    if not file.exists():
        raise GinkgoError(f"there is no file {short_repr(str(file))}")
    with closing(Store(file)) as store:
        if unknown := sorted(set(remove) - store.ids()):
            raise GinkgoError(f"unknown table {join_names(map(short_repr, unknown))}: ginkgo table --list shows all of them")
        for table_id in remove:
            store.remove(table_id)
            typer.echo(f"removed {table_id}")
        if vacuum is not None:
            expired, before = store.expire(*vacuum), file.stat().st_size
            store.vacuum()
            typer.echo(f"{expired} expired tables removed; {before:,} bytes before, {file.stat().st_size:,} now")
        if list_tables:
            rows = [_HEADINGS, *map(_row, store.summaries())]
            widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
            for row in rows:
                typer.echo("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)).rstrip())


def _row(table: TableSummary) -> tuple[str, ...]:
    dates = [datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%d %H:%M") for time in (table.opened, table.touched)]
    state = "finished" if table.is_over else "unfinished"
    return (plain(table.id), plain(table.game), state, str(table.actions), *dates, plain(table.players))
