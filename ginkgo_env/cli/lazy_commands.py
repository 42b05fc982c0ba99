"""Commands that are imported when they are called, including commands of other packages.

A package adds a command with an entry point in the group ``ginkgo_env.commands``. Its name is the command's name; its object is a
function with Typer's annotations or a Typer app. ``LazyGroup`` follows Click's recipe for lazily loaded subcommands.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from itertools import accumulate
from typing import Any

import typer
from typer.core import TyperCommand, TyperGroup

from ginkgo_env.cli import INTERRUPTED
from ginkgo_env.core.errors import GinkgoError

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
