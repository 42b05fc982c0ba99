"""The file that ``ginkgo replay --html`` writes."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import typer

from ginkgo_env.core.files import check_targets, written
from ginkgo_env.records import Record
from ginkgo_env.render.viewer import replay_page
from ginkgo_env.render.viewer.analysis import read_analysis


def write_viewer(file: Path, out: Path, seat: int | None, analysis: Path | None) -> None:
    """Write the viewer's file of a record and say so; nothing is written unless everything is right. Raises GinkgoError."""
    check_targets([out], [file, *([analysis] if analysis else [])])
    record = Record.read(file)
    found = None if analysis is None else read_analysis(analysis)
    page = replay_page(record, seat, analysis=found, wrap=_with_bar).encode("utf-8", errors="replace")
    with written(out) as beside:
        beside.write_bytes(page)
    typer.echo(f"wrote {out} ({-(-len(page) // 1000)} kB)")


def _with_bar(steps: Iterable[Any]) -> Iterable[Any]:
    """A bar on stderr while steps are drawn."""
    from rich.console import Console
    from rich.progress import track

    return track(steps, "drawing", console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
