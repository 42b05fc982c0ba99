"""The file that ``ginkgo replay --html`` writes."""

from __future__ import annotations

from pathlib import Path

import typer

from ginkgo_env.cli.progress import with_bar
from ginkgo_env.core.files import check_targets, written
from ginkgo_env.records import Record
from ginkgo_env.render.viewer import replay_page
from ginkgo_env.render.viewer.analysis import read_analysis


def write_viewer(file: Path, out: Path, seat: int | None, analysis: Path | None) -> None:
    """Write the viewer's file of a record and say so; nothing is written unless everything is right. Raises GinkgoError."""
    check_targets([out], [file, *([analysis] if analysis else [])])
    record = Record.read(file)
    found = None if analysis is None else read_analysis(analysis)
    page = replay_page(record, seat, analysis=found, wrap=with_bar).encode("utf-8", errors="replace")
    with written(out) as beside:
        beside.write_bytes(page)
    typer.echo(f"wrote {out} ({-(-len(page) // 1000)} kB)")
