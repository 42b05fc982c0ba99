"""``ginkgo leaderboard``: how agents compare. Everything heavy is imported when the command runs."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from ginkgo_agents.arena import Played, Table
    from ginkgo_agents.leaderboard import Plan

_BAD_INPUT, _INTERRUPTED = 2, 130


def leaderboard(
    agents: Annotated[str, typer.Option(help="Agents to compare: names, or module:attribute, separated by commas.")] = (
        "random,greedy,william"
    ),
    games: Annotated[int, typer.Option(help="Games at each table; rounded up to whole deals.")] = 1000,
    players: Annotated[
        list[str] | None, typer.Option(help="Numbers of players, 2 to 5: a list with commas, or several times.", show_default="2")
    ] = None,
    modules: Annotated[
        list[str] | None,
        typer.Option(help="Modules of The Experts: names with commas, or all (see ginkgo games).", show_default="none"),
    ] = None,
    hand_size: Annotated[int | None, typer.Option(help="5: hands of five, with keep_card.", show_default="4")] = None,
    seed: Annotated[int, typer.Option(help="Seed of everything: the same one gives the same results.")] = 0,
    threads: Annotated[int | None, typer.Option(help="Threads; results do not depend on it.", show_default="all cores")] = None,
    out: Annotated[
        Path | None, typer.Option(help="Folder for leaderboard.json, .csv and .png, ratings.csv and records of games.")
    ] = None,
) -> None:
    """Compare agents: alone against William at both levels, and against each other.

    Matches are duplicate: each deal is played with the seats rotated.

    Alone against William there are no modules; with --modules those games are left out.

    Ctrl-C ends the run early; what is finished is shown and written.
    """
    from rich.console import Console

    from ginkgo_agents.leaderboard import Plan
    from ginkgo_agents.report import report_of, write_files
    from ginkgo_agents.screen import show
    from ginkgo_env.core.errors import GinkgoError
    from ginkgo_env.games.ginkgopolis.constants import HAND_SIZE

    try:
        names = tuple(name.strip() for name in agents.split(",") if name.strip())
        numbers, chosen = _numbers(players or ["2"]), _modules(modules or [])
        plan = Plan(names, games, numbers, seed, chosen, HAND_SIZE if hand_size is None else hand_size)
        if threads is not None and threads < 1:
            _refuse(f"threads must be at least 1, not {threads}")
        if out is not None and out.exists() and not out.is_dir():
            _refuse(f"--out needs a folder, and {str(out)!r} is a file")
        finished, interrupted = _play(plan, threads or os.cpu_count() or 1, Console(stderr=True))
        report, console = report_of(plan, finished), Console()
        if finished:
            show(report, console)
        if finished and out is not None:
            console.print(f"{len(write_files(report, finished, out))} files are in {out}", highlight=False)
    except GinkgoError as error:
        _refuse(str(error))
    if interrupted:
        what = "these are the games that were finished" if finished else "nothing was finished yet"
        typer.echo(f"interrupted: {what}", err=True)
        raise typer.Exit(_INTERRUPTED)


def _refuse(sentence: str) -> NoReturn:
    typer.secho(f"ginkgo: {sentence}", fg=typer.colors.RED, err=True)
    raise typer.Exit(_BAD_INPUT)


def _parts(texts: list[str]) -> list[str]:
    """What stands in lists with commas."""
    return [part.strip() for text in texts for part in text.split(",") if part.strip()]


def _modules(texts: list[str]) -> tuple[str, ...]:
    """Names of modules; ``all`` for all of them."""
    from ginkgo_agents.arena import GAME
    from ginkgo_env.registry import game_class

    parts, known = _parts(texts), game_class(GAME).modules
    if set(parts) == {"all"}:
        return tuple(known)
    if texts and not parts:
        _refuse(f"modules must be all or some of {', '.join(known)}")
    if "all" in parts:
        _refuse("all modules are asked for, and then some by name")
    for part in parts:
        if part not in known:
            _refuse(f"there is no module {part!r}; there are: {', '.join(known)} (or all)")
    return tuple(parts)


def _numbers(texts: list[str]) -> tuple[int, ...]:
    """Numbers of players."""
    parts = _parts(texts)
    for part in parts:
        if not part.isdecimal():
            _refuse(f"players must be numbers from 2 to 5, not {part!r}")
    return tuple(int(part) for part in parts)


def _play(plan: Plan, threads: int, console: Console) -> tuple[dict[Table, Played], bool]:
    """Play with a progress bar; what is finished, and whether that was cut short by Ctrl-C."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ginkgo_agents.leaderboard import play_plan

    finished: dict[Table, Played] = {}
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("games"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=plan.all_games)

        def progress(table: Table, n: int) -> None:
            bar.update(task, advance=n, description=table.title)

        try:
            play_plan(plan, finished, threads, progress)
        except KeyboardInterrupt:
            return finished, True
    return finished, False
