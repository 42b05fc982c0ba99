"""``ginkgo generate``: data sets of games. Slow imports wait until the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ginkgo_agents.evaluation.command import GAME, PLAYERS, SET, progress_bar
from ginkgo_env.cli import INTERRUPTED

if TYPE_CHECKING:
    from ginkgo_agents.datasets.generate import GenerationJob


def generate(
    folder: Annotated[Path, typer.Argument(help="A new folder, or one that this command began.", show_default=False)],
    game: Annotated[str | None, GAME] = None,
    players: Annotated[str | None, PLAYERS] = None,
    agents: Annotated[str, typer.Option(help="Who plays: names or module:attribute, separated by commas.")] = "lookahead",
    games: Annotated[int, typer.Option(help="Number of games.")] = 1000,
    options: Annotated[list[str] | None, SET] = None,
    rows: Annotated[
        str,
        typer.Option(help="What to write for each decision: observation, features, both; or replay: seeds and actions only."),
    ] = "observation",
    reward: Annotated[
        str | None, typer.Option(help="Kind of reward: win, margin, outcome or score.", show_default="win; score with one side")
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed: the same seed gives the same rows.")] = 0,
    shard_games: Annotated[int, typer.Option(help="Games of a shard, which are played side by side.")] = 1000,
    threads: Annotated[int, typer.Option(min=1, help="Number of threads that play; rows do not depend on it.")] = 1,
    minari: Annotated[
        str | None, typer.Option(metavar="ID", help="Export to Minari as well, under this id.", show_default=False)
    ] = None,
) -> None:
    """Make a data set of games between agents, as Parquet files with a data card.

    Several agents play in every combination, at all seats in turn; a single agent plays all seats.

    Ctrl-C ends it early; the same command continues where it stopped. docs/data.md describes how to read the data set.
    """
    from ginkgo_agents.datasets.generate import GenerationJob
    from ginkgo_agents.evaluation.options import names_in, read_configuration
    from ginkgo_env.registry import DEFAULT_GAME

    name = game or DEFAULT_GAME
    config = read_configuration(name, [*(options or []), *([f"players={players}"] if players else [])])
    job = GenerationJob(name, tuple(names_in(agents)), config, games, seed, rows, reward, shard_games)  # type: ignore[arg-type]
    if minari is not None:
        from ginkgo_env.envs.minari import modules

        modules()  # a missing package is reported before the games are played
    finished = _make(job, folder, threads)
    _report(job, folder, finished)
    if minari is not None:
        from ginkgo_env.datasets import load
        from ginkgo_env.envs.minari import to_minari

        to_minari(load(folder), minari)
        typer.echo(f"exported to Minari: {minari}")


def _make(job: GenerationJob, folder: Path, threads: int) -> bool:
    """Make the data set with a progress bar; return False if Ctrl-C ended it early."""
    from rich.markup import escape

    from ginkgo_agents.datasets.generate import generate as make

    with progress_bar("games") as update:
        update(description=escape(", ".join(job.agents)), total=job.games)
        try:
            make(job, folder, threads=threads, progress=lambda n: update(advance=n))
        except KeyboardInterrupt:
            return False
    return True


def _report(job: GenerationJob, folder: Path, finished: bool) -> None:
    """Print where the data set is. Raises typer.Exit if it is not finished."""
    from ginkgo_env.datasets.shards import CARD, complete_shards

    info = job.info
    if finished:
        typer.echo(f"{info.games:,} games are in {folder}; {folder / CARD} is their data card")
        return
    done = len(complete_shards(folder, info))
    typer.echo(f"interrupted: {done} of {info.shards} shards are complete; the same command makes the others", err=True)
    raise typer.Exit(INTERRUPTED)
