"""Maintenance of the file of tables while no server has it open: list, remove, vacuum."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import typer

from ginkgo_env.core.errors import GinkgoError, join_names, plain, short_repr
from ginkgo_table.web.store import Store, TableSummary, default_file

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
