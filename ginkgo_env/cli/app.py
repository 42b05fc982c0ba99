"""The commands ``ginkgo games`` and ``ginkgo replay``, and the group of all commands.

The functions import what they need themselves, so that ``ginkgo --help`` does not wait for Numba.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from ginkgo_env import __version__
from ginkgo_env.cli import INTERRUPTED
from ginkgo_env.cli.lazy_commands import LazyGroup
from ginkgo_env.cli.options import Files, pairs_of
from ginkgo_env.core.errors import ConfigError

_DEFAULT_WIDTH = 80  # columns, without a terminal and without COLUMNS

app = typer.Typer(
    cls=LazyGroup,
    help="City-building board games as fast environments for reinforcement learning.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)


def main() -> None:
    """Run the command line."""
    if sys.stderr is None:  # the parent process closed it
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 (for as long as the process runs)
    try:
        _run()
    except (SystemExit, OSError) as end:
        problem = _output_problem()
        if isinstance(end, OSError) and end.filename is None:  # from a stream
            problem = end.strerror
        if problem is None:
            raise
        typer.echo(f"ginkgo: cannot write to standard output: {problem}", err=True)
        sys.exit(1)


def _output_problem() -> str | None:
    """Return why the output cannot be written, and discard the rest of it; None if it can be written."""
    if sys.__stdout__ is None:
        return "it is closed"
    try:
        sys.__stdout__.flush()
    except (OSError, ValueError) as error:
        with suppress(OSError, ValueError):  # else Python would report the rest at exit
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.__stdout__.fileno())
        return error.strerror or str(error) if isinstance(error, OSError) else str(error)
    return None


def _run() -> None:
    if sys.stdout is None:
        raise SystemExit
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")  # characters outside the terminal's encoding
    try:
        app()
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        sys.exit(INTERRUPTED)
    except SystemExit as end:
        if isinstance(getattr(end.__context__, "__cause__", None), KeyboardInterrupt):  # Typer exits without a message
            typer.echo("interrupted", err=True)
        raise


def _show_version(requested: bool) -> None:
    if requested:
        typer.echo(f"ginkgo_env {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Print the version.")] = False,
) -> None:
    pass


@app.command()
def games() -> None:
    """List the games, their configurations and options."""
    from rich.console import Console

    from ginkgo_env.cli.output import games_tables

    Console().print(*games_tables(), sep="\n")


@app.command()
def replay(
    file: Annotated[Path, typer.Argument(help="A game record (JSON lines).", show_default=False)],
    seat: Annotated[int | None, typer.Option(help="Show only what this seat knows.", show_default=False)] = None,
    step: Annotated[bool, typer.Option("--step", help="Pause after each step: Enter continues, q quits.")] = False,
    first: Annotated[
        int, typer.Option("--from", min=0, help="First round (or step, in a game without rounds) to show; 0 is the setup.")
    ] = 0,
    last: Annotated[int | None, typer.Option("--to", min=0, help="Last round (or step) to show.", show_default=False)] = None,
    html: Annotated[
        Path | None,
        typer.Option(help="Write a page to step through in a browser, as one file that needs no network.", show_default=False),
    ] = None,
    analysis: Annotated[
        Path | None, typer.Option(help="An analysis for the page: the output of ginkgo analyze --json.", show_default=False)
    ] = None,
    files: Files = None,
) -> None:
    """Show a recorded game as text, or write it as a page for browsers.

    The text describes the table at the start of each round and tells what happens. The whole record is checked against the rules;
    the first difference ends the command with an error that names the line.
    """
    if html is not None:
        if step or first or last is not None:
            raise ConfigError("--html writes all steps; --step, --from and --to are for text")
        return _write_page(file, html, seat, analysis, dict(pairs_of(files or [])))
    if analysis is not None:
        raise ConfigError("--analysis needs --html: only the page shows an analysis")

    from ginkgo_env.cli.output import Transcript
    from ginkgo_env.core.game import MIN_WIDTH
    from ginkgo_env.records import Record

    width = max(MIN_WIDTH, shutil.get_terminal_size((_DEFAULT_WIDTH, 24)).columns)
    transcript = Transcript(Record.read(file, **dict(pairs_of(files or []))), seat, every_step=step, width=width)
    is_interactive = step and sys.stdin.isatty() and sys.stdout.isatty()
    for block in transcript.blocks(first, last):
        typer.echo(block)
        if is_interactive and _quits():
            break


def _write_page(file: Path, out: Path, seat: int | None, analysis: Path | None, paths: Mapping[str, str]) -> None:
    """Write the HTML page of a record and print its name and size. Raises GinkgoError and writes nothing if a file is invalid."""
    from ginkgo_env.cli.output import with_bar
    from ginkgo_env.core.files import check_targets, write_file
    from ginkgo_env.pictures.viewer import replay_page
    from ginkgo_env.pictures.viewer.analysis import read_analysis
    from ginkgo_env.records import Record

    check_targets([out], [file, *([analysis] if analysis else [])])
    record = Record.read(file, **paths)
    values = None if analysis is None else read_analysis(analysis)
    page = replay_page(record, seat, analysis=values, wrap=with_bar).encode("utf-8", errors="replace")
    write_file(out, page)
    typer.echo(f"wrote {out} ({-(-len(page) // 1000)} kB)")


def _quits() -> bool:
    try:
        return input("[Enter] next  [q] quit > ").strip().lower().startswith("q")
    except EOFError:
        return True
