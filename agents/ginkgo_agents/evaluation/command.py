"""``ginkgo leaderboard``, ``evaluate`` and ``compare``, and options that commands share.

Slow imports wait until a command runs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ginkgo_env.cli import INTERRUPTED

if TYPE_CHECKING:
    from ginkgo_agents.evaluation.leaderboard import Plan
    from ginkgo_agents.evaluation.matches import ChunkRunner, MatchConfig, MatchResults

GAME = typer.Option(help="Name of the game (see ginkgo games).", show_default="ginkgopolis")
SET = typer.Option(
    "--set",
    metavar="KEY=VALUE",
    help="An option of the game, for instance players=3 or modules=all. Repeatable.",
    show_default="the game's defaults",
)
RAY = typer.Option("--ray", help="Run on worker processes of Ray, on this machine or in the cluster at --ray-address.")
ADDRESS = typer.Option(help="Join the Ray cluster at HOST:PORT, or auto. Implies --ray.", show_default=False)
WORKERS = typer.Option(help="Number of worker processes on this machine. Implies --ray.", show_default="all cores")
PLAYERS = typer.Option(help="Number of players. Same as --set players=.", show_default=False)
_LIST = "separated by commas, or repeat the option"


@contextmanager
def progress_bar(unit: str) -> Iterator[Callable[..., None]]:
    """Show a progress bar on stderr; yields ``Progress.update`` of rich for its only task."""
    from functools import partial

    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn(unit), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        yield partial(bar.update, bar.add_task("", total=None))


def leaderboard(
    game: Annotated[str | None, GAME] = None,
    agents: Annotated[
        str | None,
        typer.Option(
            help="Agents to compare: names or module:attribute, separated by commas.", show_default="those that suit the game"
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each match; rounded up to whole deals.")] = 500,
    options: Annotated[list[str] | None, SET] = None,
    players: Annotated[
        list[str] | None, typer.Option(help=f"Numbers of players: {_LIST}. Same as --set players=.", show_default=False)
    ] = None,
    level: Annotated[
        list[str] | None, typer.Option(help=f"Levels of an automaton: {_LIST}. Same as --set level=.", show_default=False)
    ] = None,
    modules: Annotated[
        list[str] | None,
        typer.Option(help=f"Modules of an expansion: {_LIST}, or all. Same as --set modules=.", show_default=False),
    ] = None,
    hand_size: Annotated[
        list[str] | None, typer.Option(help="Cards in a hand. Same as --set hand_size=.", show_default=False)
    ] = None,
    seed: Annotated[int, typer.Option(help="Random seed: the same seed gives the same results.")] = 0,
    threads: Annotated[
        int | None, typer.Option(help="Number of threads; results do not depend on it.", show_default="all cores")
    ] = None,
    ray: Annotated[bool, RAY] = False,
    ray_address: Annotated[str | None, ADDRESS] = None,
    ray_workers: Annotated[int | None, WORKERS] = None,
    out: Annotated[
        Path | None,
        typer.Option(help="Write leaderboard.json, .csv and .png, ratings.csv, deals.json and records to this folder."),
    ] = None,
) -> None:
    """Rank the agents of a game, against each other and, in configurations for one player, alone.

    Matches are duplicate: each deal is played with the seats rotated.

    Without options of the game (--set) its default configurations are played; several values of an option make several
    configurations.

    Ctrl-C ends the run early; the finished games are shown and written. The exit status is 1 if an agent lost all its games by
    errors of its own.
    """
    from rich.console import Console

    from ginkgo_agents.evaluation.cluster import chosen_runner
    from ginkgo_agents.evaluation.console import show
    from ginkgo_agents.evaluation.files import check_folder, write_files
    from ginkgo_agents.evaluation.leaderboard import Plan
    from ginkgo_agents.evaluation.options import names_in, read_options
    from ginkgo_agents.evaluation.reports import report_of
    from ginkgo_env.cli.options import pairs_of
    from ginkgo_env.core.errors import ConfigError
    from ginkgo_env.registry import DEFAULT_GAME

    game = game or DEFAULT_GAME
    named = {"players": players, "level": level, "modules": modules, "hand_size": hand_size}
    pairs = [(name, text) for name, texts in named.items() for text in texts or []]
    chosen = tuple(names_in(agents))
    if agents is not None and not chosen:
        raise ConfigError("a leaderboard requires at least one agent")
    plan = Plan(game, chosen, games, seed, read_options(game, [*pairs, *pairs_of(options or [])]))
    if threads is not None and threads < 1:
        raise ConfigError(f"threads must be at least 1, got {threads}")
    if out is not None:
        check_folder(out)
    with chosen_runner(ray, ray_address, ray_workers, threads) as runner:
        finished, interrupted = _play(plan, runner)
    if finished:
        report, console = report_of(plan, finished), Console()
        show(report, console, plan.omissions)
        if out is not None:
            console.print(f"{len(write_files(report, finished, out))} files are in {out}", highlight=False, markup=False)
        if report["failed"]:
            raise typer.Exit(1)
    if interrupted:
        outcome = "the results are of the finished games" if finished else "no game was finished"
        typer.echo(f"interrupted: {outcome}", err=True)
        raise typer.Exit(INTERRUPTED)


def _play(plan: Plan, runner: ChunkRunner) -> tuple[list[MatchResults], bool]:
    """Play with a progress bar; return the results so far, and whether Ctrl-C cut the run short."""
    from rich.markup import escape

    from ginkgo_agents.evaluation.leaderboard import play_plan

    finished: list[MatchResults] = []
    with progress_bar("games") as update:
        update(total=plan.all_games)

        def progress(match: MatchConfig, n: int) -> None:
            update(advance=n, description=escape(match.title))

        try:
            play_plan(plan, finished, runner, progress)
        except KeyboardInterrupt:
            return finished, True
    return finished, False


def evaluate(
    agent: Annotated[str, typer.Argument(metavar="AGENT", help="A checkpoint, or any agent, as in ginkgo leaderboard --agents.")],
    game: Annotated[str | None, typer.Option(help="Name of the game; by default the checkpoint's.", show_default=False)] = None,
    players: Annotated[str | None, PLAYERS] = None,
    options: Annotated[list[str] | None, SET] = None,
    against: Annotated[str | None, typer.Option(help="Opponents, separated by commas.", show_default="those of the game")] = None,
    games: Annotated[int, typer.Option(help="Games against each, rounded up to whole deals.")] = 1000,
    seed: Annotated[int, typer.Option(help="Random seed of deals and choices.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Number of threads.", show_default="all cores")] = None,
    ray: Annotated[bool, RAY] = False,
    ray_address: Annotated[str | None, ADDRESS] = None,
    ray_workers: Annotated[int | None, WORKERS] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the result as JSON, with each deal.")] = None,
) -> None:
    """Measure win rates and margins of an agent against others, or its mean score in solo games.

    The 95 % intervals are over duplicate deals: each deal is played once from every seat. The exit status is 1 if an agent lost
    all its games by errors of its own.
    """
    import json

    from rich.console import Console

    from ginkgo_agents.agents.checkpoints import read_checkpoint
    from ginkgo_agents.agents.registry import path_of, suggested_agents_for
    from ginkgo_agents.evaluation.cluster import chosen_runner
    from ginkgo_agents.evaluation.console import show
    from ginkgo_agents.evaluation.options import read_configuration
    from ginkgo_agents.evaluation.reports import evaluation_of
    from ginkgo_agents.evaluation.strength import opponents_of, play_against
    from ginkgo_env.core.files import check_targets, written
    from ginkgo_env.registry import DEFAULT_GAME, game_class, make_game

    check_targets([out] if out else [])
    path = path_of(agent)
    saved = read_checkpoint(path) if path is not None else None
    name = game or (saved.game if saved else DEFAULT_GAME)
    chosen = read_configuration(name, [*(options or []), *([f"players={players}"] if players else [])])
    config = (dict(saved.options if chosen else saved.config) if saved else {}) | chosen
    made = make_game(game_class(name), **config)
    opponents = opponents_of(against, made) or suggested_agents_for(made)
    with chosen_runner(ray, ray_address, ray_workers, threads) as play:
        played = play_against(agent, made, opponents, games, seed, play)
    report = evaluation_of(agent, made, config, games, seed, [results for own in played.values() for results in own])
    show(report, Console())
    if out is not None:
        with written(out) as beside:
            beside.write_text(json.dumps(report) + "\n", "utf-8", newline="\n")
    if report["failed"]:
        raise typer.Exit(1)


def compare(
    agent: Annotated[str, typer.Argument(metavar="A", help="An agent in the results.")],
    other: Annotated[str, typer.Argument(metavar="B", help="Another one, which met the same opponents on the same deals.")],
    results: Annotated[
        list[Path],
        typer.Argument(metavar="RESULTS", help="What ginkgo leaderboard, evaluate and benchmark wrote with --out."),
    ],
) -> None:
    """Compare two agents on the deals that both played: mean differences with 95 % intervals.

    Each deal counts with the difference between the results of the two against the same opponents, which varies less than the
    results do. Games of the two against each other do not count.
    """
    from rich.console import Console

    from ginkgo_agents.evaluation.compare import differences, read_results
    from ginkgo_agents.evaluation.console import show_differences

    rows = differences([row for path in results for row in read_results(path)], agent, other)
    show_differences(f"{agent} minus {other}", rows, Console())
