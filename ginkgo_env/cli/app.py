"""The commands ``ginkgo games`` and ``ginkgo replay``, and the group of all commands.

The functions import what they need themselves, so that ``ginkgo --help`` does not wait for Numba. Other commands are imported
when they are called, as in Click's recipe for lazily loaded subcommands. A package adds one with an entry point in the group
``ginkgo_env.commands``: its name is the command's name, its object a function with Typer's annotations or a Typer app.
"""

from __future__ import annotations

import ast
import os
import shutil
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cached_property
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from itertools import accumulate
from pathlib import Path
from typing import Annotated, Any

import typer
from typer.core import TyperCommand, TyperGroup

from ginkgo_env import __version__
from ginkgo_env.cli import INTERRUPTED
from ginkgo_env.cli.options import Files
from ginkgo_env.core.errors import ConfigError, GinkgoError, MissingPackageError
from ginkgo_env.core.text import pairs_of

GROUP = "ginkgo_env.commands"
BAD_INPUT = 2
OWN = [EntryPoint("bench", "ginkgo_env.cli.bench:bench", GROUP), EntryPoint("draw", "ginkgo_env.cli.draw:command", GROUP)]
"""Commands of this package whose modules are slow to import."""


class LazyCommand(TyperCommand):
    """A command that is imported when it is called."""

    def __init__(self, point: EntryPoint) -> None:
        super().__init__(point.name, help=summary(point))
        self._point = point

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Import the command and parse its arguments. Raises GinkgoError if the import fails for any reason."""
        try:
            command = as_command(self._point.name, self._point.load())
        except MissingPackageError:
            raise
        except Exception as error:
            raise GinkgoError(f"the command {self._point.name!r} cannot be loaded: {type(error).__name__}: {error}") from error
        return command.make_context(info_name, args, parent, **extra)


def as_command(name: str, function: Any) -> Any:
    """Make a command from a function or a Typer app."""
    app = function
    if not isinstance(function, typer.Typer):
        app = typer.Typer(add_completion=False)
        app.command(name)(function)
    return typer.main.get_command(app)


def summary(point: EntryPoint) -> str:
    """Read the first line of a command's docstring, or of its module's, without importing the module."""
    try:
        spec: Any = None
        for name in accumulate(point.module.split("."), "{}.{}".format):
            spec = PathFinder.find_spec(name, spec and spec.submodule_search_locations)
        tree = ast.parse(spec.loader.get_source(point.module))
        functions = [node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == point.attr]
        return (ast.get_docstring([*functions, tree][0]) or "").splitlines()[0]
    except (AttributeError, ImportError, IndexError, OSError, SyntaxError):  # no such module, or no docstring
        return f"From {point.module.partition('.')[0]}; see ginkgo {point.name} --help."


@contextmanager
def _one_line() -> Iterator[None]:
    """Print the message of a GinkgoError in red, or ``interrupted`` after Ctrl-C, and exit."""
    try:
        yield
    except GinkgoError as error:
        typer.secho(f"ginkgo: {error}", fg=typer.colors.RED, err=True)
        raise typer.Exit(BAD_INPUT) from None
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        raise typer.Exit(INTERRUPTED) from None


class LazyGroup(TyperGroup):
    """The commands of ``ginkgo``. A GinkgoError or Ctrl-C ends each of them with one line on stderr."""

    @cached_property
    def lazy(self) -> dict[str, EntryPoint]:
        """Entry points of the commands to import, by name. Other packages cannot replace those of this one."""
        return {point.name: point for point in (*sorted(entry_points(group=GROUP)), *OWN)}

    def list_commands(self, ctx: Any) -> list[str]:
        """Return the names for the help."""
        return list(dict.fromkeys([*super().list_commands(ctx), *(point.name for point in OWN), *self.lazy]))

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """Return a command by name, None if there is none."""
        known = super().get_command(ctx, cmd_name)
        return LazyCommand(self.lazy[cmd_name]) if known is None and cmd_name in self.lazy else known

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _one_line():
            return super().invoke(ctx)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Parse the command line."""
        with _one_line():
            return super().make_context(info_name, args, parent, **extra)


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
