"""``ginkgo generate``: data sets of play. Everything heavy is imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ginkgo_agents.datasets.generate import GenerationJob

_INTERRUPTED = 130


def generate(
    folder: Annotated[Path, typer.Argument(help="Where to: a new folder, or one that this command began.", show_default=False)],
    game: Annotated[str | None, typer.Option(help="Name of the game (see ginkgo games).", show_default="ginkgopolis")] = None,
    agents: Annotated[str, typer.Option(help="Who plays: names or module:attribute, separated by commas.")] = "lookahead",
    games: Annotated[int, typer.Option(help="Number of games.")] = 1000,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="An option of the game, for instance players=3 or modules=all. Repeatable.",
            show_default=False,
        ),
    ] = None,
    rows: Annotated[
        str,
        typer.Option(help="What is written of each decision: observation, features, both; or replay: seeds and actions alone."),
    ] = "observation",
    reward: Annotated[
        str | None, typer.Option(help="Kind of reward: win, margin, outcome or score.", show_default="win; score with one side")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed: the same seed gives the same rows.")] = 0,
    shard_games: Annotated[int, typer.Option(help="Games of a shard: they are played side by side, and kept together.")] = 1000,
    threads: Annotated[int, typer.Option(min=1, help="Number of threads that play; rows do not depend on it.")] = 1,
    minari: Annotated[
        str | None, typer.Option(metavar="ID", help="Export to Minari as well, under this id.", show_default=False)
    ] = None,
) -> None:
    """Make a data set of games between agents, as Parquet files with a data card.

    With several agents every combination of them sits at the table, at all seats in turn; one agent alone plays all seats.

    Ctrl-C ends it early; the same command goes on where it ended. docs/data.md tells how to read it.
    """
    from ginkgo_agents.datasets.generate import GenerationJob

    name, config = _configuration(game, options or [])
    names = tuple(filter(None, (agent.strip() for agent in agents.split(","))))
    order = GenerationJob(name, names, config, games, seed, rows, reward, shard_games)  # type: ignore[arg-type]
    if minari is not None:
        from ginkgo_env.envs.minari import modules

        modules()  # what is missing is told before the games are played
    finished = _make(order, folder, threads)
    _tell(order, folder, finished)
    if finished and minari is not None:
        _export(folder, minari)


def _configuration(game: str | None, options: list[str]) -> tuple[str, dict[str, Any]]:
    """The game's name and its options. Raises ConfigError."""
    from ginkgo_agents.evaluation.options import read_options
    from ginkgo_env.core.errors import ConfigError, shown
    from ginkgo_env.registry import DEFAULT_GAME

    pairs = [text.partition("=") for text in options]
    for text, (key, equals, _) in zip(options, pairs, strict=True):
        if not equals or not key.strip():
            raise ConfigError(f"--set requires KEY=VALUE, got {shown(text)}")
    name = game or DEFAULT_GAME
    values = read_options(name, [(key.strip(), value) for key, _, value in pairs])
    if many := [key for key, found in values.items() if len(found) > 1]:
        raise ConfigError(f"a data set has one configuration: there are several values for {many[0]!r}")
    return name, {key: found[0] for key, found in values.items()}


def _make(order: GenerationJob, folder: Path, threads: int) -> bool:
    """Make the data set with a progress bar; returns whether it is finished: Ctrl-C may end it early."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ginkgo_agents.datasets.generate import generate as make

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(escape(", ".join(order.agents)), total=order.games)
        try:
            make(order, folder, threads=threads, tick=lambda n: bar.advance(task, n))
        except KeyboardInterrupt:
            return False
    return True


def _export(folder: Path, dataset_id: str) -> None:
    from ginkgo_env.data import load
    from ginkgo_env.envs.minari import to_minari

    to_minari(load(folder), dataset_id)
    typer.echo(f"exported to Minari: {dataset_id}")


def _tell(order: GenerationJob, folder: Path, finished: bool) -> None:
    from ginkgo_env.data.shards import CARD, whole_shards

    about = order.about
    if finished:
        typer.echo(f"{about.games:,} games are in {folder}; {folder / CARD} is their data card")
        return
    done = len(whole_shards(folder, about))
    typer.echo(f"interrupted: {done} of {about.shards} shards are whole; the same command makes the others", err=True)
    raise typer.Exit(_INTERRUPTED)
