"""The file that ``ginkgo replay --html`` writes."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from ginkgo_env.core.errors import GinkgoError, shown
from ginkgo_env.records import Record
from ginkgo_env.render.viewer import replay_page
from ginkgo_env.render.viewer.analysis import read_analysis


def write_viewer(file: Path, out: Path, seat: int | None, analysis: Path | None) -> None:
    """Write the viewer's file of a record and say so; nothing is written unless everything is right. Raises GinkgoError."""
    _check(out, [file, *([analysis] if analysis else [])])
    record = Record.read(file)
    found = None if analysis is None else read_analysis(analysis)
    page = replay_page(record, seat, analysis=found, wrap=_with_bar).encode("utf-8", errors="replace")
    _write(out, page)
    typer.echo(f"wrote {out} ({-(-len(page) // 1000)} kB)")


def _check(out: Path, read: list[Path]) -> None:
    """Raise GinkgoError, before any work, for a file that cannot be written or would replace what is read."""
    if any(path.absolute() == out.absolute() or (out.exists() and path.exists() and path.samefile(out)) for path in read):
        raise GinkgoError("what is read and what is written must be different files")
    if out.is_dir():
        raise GinkgoError(f"cannot write {shown(str(out))}: it is a folder")
    if not os.access(out.absolute().parent, os.W_OK):
        raise GinkgoError(f"cannot write {shown(str(out))}: there is no such folder, or nothing may be written into it")


def _write(out: Path, data: bytes) -> None:
    """Write beside its place and rename, so that nobody reads half of it."""
    beside = out.with_name(f".{os.getpid()}.{out.name}")
    try:
        beside.write_bytes(data)
        beside.replace(out)
    except OSError as error:
        raise GinkgoError(f"cannot write {shown(str(out))}: {error.strerror}") from None
    finally:
        beside.unlink(missing_ok=True)


def _with_bar(steps: Iterable[Any]) -> Iterable[Any]:
    """A bar on stderr while steps are drawn."""
    from rich.console import Console
    from rich.progress import track

    return track(steps, "drawing", console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
