"""``ginkgo leaderboard``: how agents compare. Everything heavy is imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from ginkgo_agents.evaluation.leaderboard import Plan
    from ginkgo_agents.evaluation.matches import ChunkRunner, MatchConfig, MatchResults

_BAD_INPUT, _INTERRUPTED = 2, 130
_LIST = "separated by commas, or repeat the option"
RAY = typer.Option("--ray", help="Work on worker processes of Ray, on this machine or those of --ray-address.")
ADDRESS = typer.Option(help="Join the Ray cluster at HOST:PORT, or auto. Implies --ray.", show_default=False)
WORKERS = typer.Option(help="Number of worker processes on this machine. Implies --ray.", show_default="all cores")


def leaderboard(
    game: Annotated[str | None, typer.Option(help="Name of the game (see ginkgo games).", show_default="ginkgopolis")] = None,
    agents: Annotated[
        str | None,
        typer.Option(
            help="Agents to compare: names or module:attribute, separated by commas.", show_default="those that suit the game"
        ),
    ] = None,
    games: Annotated[int, typer.Option(help="Games of each match; rounded up to whole deals.")] = 500,
    options: Annotated[
        list[str] | None,
        typer.Option(
            "--set",
            metavar="KEY=VALUE",
            help="An option of the game, for instance players=2,3 or modules=all. Repeatable.",
            show_default="the game's own configurations",
        ),
    ] = None,
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
        Path | None, typer.Option(help="Write leaderboard.json, .csv and .png, ratings.csv and game records to this folder.")
    ] = None,
) -> None:
    """Rank the agents of a game: against each other, and alone in configurations for one player.

    Matches are duplicate: each deal is played with the seats rotated.

    Without options of the game (--set) its default configurations are played; several values of an option make several.

    Ctrl-C ends the run early; the finished games are shown and written.
    """
    from rich.console import Console

    from ginkgo_agents.evaluation.cluster import chosen_runner
    from ginkgo_agents.evaluation.console import show
    from ginkgo_agents.evaluation.files import check_folder, write_files
    from ginkgo_agents.evaluation.leaderboard import Plan
    from ginkgo_agents.evaluation.options import read_options
    from ginkgo_agents.evaluation.reports import report_of
    from ginkgo_env.core.errors import GinkgoError
    from ginkgo_env.registry import DEFAULT_GAME

    try:
        game = game or DEFAULT_GAME
        named = {"players": players, "level": level, "modules": modules, "hand_size": hand_size}
        pairs = [(name, text) for name, texts in named.items() for text in texts or []]
        chosen = read_options(game, [*pairs, *map(_pair, options or [])])
        plan = Plan(game, _agents(agents), games, seed, chosen)
        if threads is not None and threads < 1:
            _refuse(f"requires threads >= 1, got {threads}")
        if out is not None:
            check_folder(out)
        with chosen_runner(ray, ray_address, ray_workers, threads) as runner:
            finished, interrupted = _play(plan, runner, Console(stderr=True))
        report, console = report_of(plan, finished), Console()
        if finished:
            show(report, console, plan.omissions)
        if finished and out is not None:
            console.print(f"{len(write_files(report, finished, out))} files are in {out}", highlight=False, markup=False)
    except GinkgoError as error:
        _refuse(str(error))
    if interrupted:
        what = "the results are of the finished games" if finished else "no game was finished"
        typer.echo(f"interrupted: {what}", err=True)
        raise typer.Exit(_INTERRUPTED)


def _refuse(sentence: str) -> NoReturn:
    typer.secho(f"ginkgo: {sentence}", fg=typer.colors.RED, err=True)
    raise typer.Exit(_BAD_INPUT)


def _agents(text: str | None) -> tuple[str, ...]:
    """The names in a list separated by commas; no names for None."""
    names = tuple(name.strip() for name in (text or "").split(",") if name.strip())
    if text is not None and not names:
        _refuse("a leaderboard requires at least one agent")
    return names


def _pair(text: str) -> tuple[str, str]:
    """Name and value of an option."""
    name, equals, value = text.partition("=")
    if not equals or not name.strip():
        _refuse(f"--set requires KEY=VALUE, got {text[:40]!r}")
    return name.strip(), value


def _play(plan: Plan, runner: ChunkRunner, console: Console) -> tuple[list[MatchResults], bool]:
    """Play with a progress bar; returns what is finished, and whether Ctrl-C cut the run short."""
    from rich.markup import escape
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ginkgo_agents.evaluation.leaderboard import play_plan

    finished: list[MatchResults] = []
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=plan.all_games)

        def progress(match: MatchConfig, n: int) -> None:
            bar.update(task, advance=n, description=escape(match.title))

        try:
            play_plan(plan, finished, runner, progress)
        except KeyboardInterrupt:
            return finished, True
    return finished, False
