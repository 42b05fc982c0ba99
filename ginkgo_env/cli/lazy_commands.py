"""Commands that are imported only when they are called, those of other packages among them.

A package adds a command with an entry point of the group ``ginkgo_env.commands``: its name is the command's, its object a
plain function with Typer's annotations, or a Typer app. ``ginkgo --help`` lists such commands without importing anything.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, NamedTuple

import typer
from typer.core import TyperGroup

from ginkgo_env.cli import INTERRUPTED
from ginkgo_env.core.errors import GinkgoError

GROUP = "ginkgo_env.commands"
BAD_INPUT = 2


class Late(NamedTuple):
    """A command that is not imported yet."""

    summary: str
    load: Callable[[], Any]


def _own(where: str, summary: str) -> Late:
    module, _, name = where.partition(":")
    return Late(summary, lambda: getattr(import_module(module), name))


OWN = {
    "bench": _own("ginkgo_env.cli.bench:bench", "Measure how fast games run on this machine."),
    "draw": _own("ginkgo_env.cli.draw:command", "Draw a position or a recorded game as a picture or an animation."),
}
"""Commands of this package whose modules are slow to import."""

TOLD = {
    "analyze": "Tell what the actions of a position, or of each decision of a recorded game, were worth.",
    "evaluate": "Measure how an agent or a checkpoint does against others, with intervals.",
    "generate": "Play games between agents into a data set for learning.",
    "leaderboard": "Let agents play each other and rank them, with intervals and ratings.",
    "play": "Play a game in the terminal, against agents and with others at the same keyboard.",
    "table": "Play in the browser: people and agents at one table.",
    "train": "Train agents in self-play, or plot how training went.",
}
"""What the commands of ``ginkgo_agents`` and ``ginkgo_training`` do, as they are not imported for a list."""


def late_commands() -> dict[str, Late]:
    """The commands of this package and of others, by name; this package's come first and cannot be replaced."""
    found = dict(OWN)
    for point in sorted(entry_points(group=GROUP), key=lambda point: point.name):
        found.setdefault(point.name, Late(_summary(point), point.load))
    return found


def _summary(point: EntryPoint) -> str:
    package = _package(point)
    told = TOLD.get(point.name) if package in ("ginkgo_agents", "ginkgo_training") else None
    return told or f"From {package}; see ginkgo {point.name} --help."


def _package(point: EntryPoint) -> str:
    return point.value.partition(":")[0].partition(".")[0]


def command(name: str, function: Any) -> Any:
    """A function as a command; a Typer app stays what it is."""
    if isinstance(function, typer.Typer):
        return typer.main.get_command(function)
    alone = typer.Typer(add_completion=False)
    alone.command(name)(function)
    return typer.main.get_command(alone)


def loaded(name: str, late: Late) -> Any:
    """Import a command. Raises GinkgoError if that fails, whatever the reason."""
    try:
        return command(name, late.load())
    except Exception as error:
        raise GinkgoError(f"the command {name!r} cannot be loaded: {type(error).__name__}: {error}") from error


@contextmanager
def _one_line() -> Iterator[None]:
    """End the command with one line in red after bad input, and with one line after Ctrl-C."""
    try:
        yield
    except GinkgoError as error:
        typer.secho(f"ginkgo: {error}", fg=typer.colors.RED, err=True)
        raise typer.Exit(BAD_INPUT) from None
    except KeyboardInterrupt:
        typer.echo("interrupted", err=True)
        raise typer.Exit(INTERRUPTED) from None


class Commands(TyperGroup):
    """The commands of ``ginkgo``; errors of this package and Ctrl-C end them with one line."""

    def list_commands(self, ctx: Any) -> list[str]:
        """Names for the help."""
        own = super().list_commands(ctx)
        return [*own, *(name for name in late_commands() if name not in own)]

    def get_command(self, ctx: Any, cmd_name: str) -> Any:
        """A command to be listed: late ones as a stand-in with their summary."""
        found: Any = super().get_command(ctx, cmd_name)
        late = late_commands().get(cmd_name)
        if found is not None or late is None:
            return found

        def stand_in() -> None: ...

        stand_in.__doc__ = late.summary
        return command(cmd_name, stand_in)

    def resolve_command(self, ctx: Any, args: list[str]) -> Any:
        """The command to be called."""
        name, found, rest = super().resolve_command(ctx, args)
        late = late_commands().get(args[0])
        if late is None or super().get_command(ctx, args[0]) is not None:
            return name, found, rest
        return name, loaded(args[0], late), rest

    def invoke(self, ctx: Any) -> Any:
        """Run a command."""
        with _one_line():
            return super().invoke(ctx)

    def make_context(self, info_name: str | None, args: list[str], parent: Any = None, **extra: Any) -> Any:
        """Read the command line."""
        with _one_line():
            return super().make_context(info_name, args, parent, **extra)
