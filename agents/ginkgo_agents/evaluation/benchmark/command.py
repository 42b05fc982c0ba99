"""``ginkgo benchmark``. Slow imports wait until the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ginkgo_agents.evaluation.command import progress_bar
from ginkgo_env.cli import INTERRUPTED

if TYPE_CHECKING:
    from rich.console import Console

    from ginkgo_agents.evaluation.benchmark.games import Columns
    from ginkgo_agents.evaluation.benchmark.reports import Report
    from ginkgo_agents.evaluation.benchmark.runs import Run
    from ginkgo_agents.evaluation.benchmark.scores import Row
    from ginkgo_agents.evaluation.benchmark.tasks import Task


def benchmark(
    agent: Annotated[
        str, typer.Argument(help="A name, a checkpoint, module:attribute, or process:COMMAND for a bot in any language.")
    ],
    task: Annotated[str, typer.Option(metavar="PATTERN", help="Tasks to play, such as 'golden_city/*'.")] = "*",
    quick: Annotated[bool, typer.Option("--quick", help="Play fewer deals: wider intervals.")] = False,
    out: Annotated[
        Path | None,
        typer.Option(help="Write benchmark.json, .md and .png and games.parquet to this folder, and go on where a run stopped."),
    ] = None,
    budget: Annotated[
        str | None,
        typer.Option(
            help="Declare the budget of an agent: reactive, or its number of simulations.", show_default="if known, its own"
        ),
    ] = None,
    threads: Annotated[
        int | None, typer.Option(help="Number of threads; results do not depend on it.", show_default="all cores")
    ] = None,
) -> None:
    """Measure an agent on the tasks of the benchmark: 0 is as good as random, 100 as the reference agent.

    The agent meets each opponent of a task's panel on the same duplicate deals. Tasks that the agent cannot play are not
    scored. The exit status is 1 if the agent lost all its games by errors of its own.

    Ctrl-C ends the run early; with --out the same command goes on with the task that was interrupted.
    """
    import os

    from rich.console import Console

    from ginkgo_agents.evaluation.benchmark.reports import all_lost, report_of
    from ginkgo_agents.evaluation.benchmark.runs import Run, prepare_folder
    from ginkgo_agents.evaluation.benchmark.tasks import budget_of, tasks_like
    from ginkgo_env.core.errors import ConfigError

    tasks = tasks_like(task)
    if threads is not None and threads < 1:
        raise ConfigError(f"threads must be at least 1, got {threads}")
    run = Run(agent, *budget_of(agent, budget), quick)
    if out is not None:
        prepare_folder(run, out)
    rows, games, interrupted = _play(run, tasks, out, threads or os.cpu_count() or 1)
    if rows:
        report = report_of(run, rows, not interrupted)
        _finish(report, games, out, Console())
        if all_lost(report):
            raise typer.Exit(1)
    if interrupted:
        hint = "" if out is None else ": the same command goes on"
        typer.echo(f"interrupted{hint}", err=True)
        raise typer.Exit(INTERRUPTED)


def _play(run: Run, tasks: list[Task], out: Path | None, threads: int) -> tuple[list[Row], list[Columns], bool]:
    """Play with a progress bar; return the rows and games so far, and whether Ctrl-C cut the run short."""
    from ginkgo_agents.evaluation.benchmark.runs import games_in, play_tasks

    rows: list[Row] = []
    games: list[Columns] = []
    ended = 0
    with progress_bar("games") as update:
        update(total=sum(games_in(run, task) for task in tasks))
        shown = [0]

        def progress(task: Task, n: int) -> None:
            shown[0] += n
            update(completed=shown[0], description=task.id)

        try:
            for task, (row, played) in zip(tasks, play_tasks(run, tasks, out, threads, progress), strict=True):
                rows.append(row)
                games += [] if played is None else [played]
                ended += games_in(run, task)
                shown[0] = ended
                update(completed=ended)
        except KeyboardInterrupt:
            return rows, games, True
    return rows, games, False


def _finish(report: Report, games: list[Columns], out: Path | None, console: Console) -> None:
    from ginkgo_agents.evaluation.benchmark.files import write_files
    from ginkgo_agents.evaluation.benchmark.games import joined

    _show(report, console)
    if out is not None:
        names, note = write_files(report, joined(games), out)
        console.print(f"{', '.join(names)} are in {out}{note}", highlight=False, markup=False)


def _show(report: Report, console: Console) -> None:
    from rich.markup import escape
    from rich.table import Table

    from ginkgo_agents.evaluation.benchmark import reports

    scores = [reports.cells_of_row(row) for row in report["tasks"]]
    parts = ((reports.title_of(report), reports.HEAD, scores), ("raw results", reports.RAW_HEAD, reports.raw_rows(report)))
    for title, head, rows in parts:
        table = Table(title=escape(title))
        for name in head:
            table.add_column(name, justify="left" if name in ("task", "opponent") else "right", overflow="fold")
        for cells in rows:
            table.add_row(*map(escape, cells))
        console.print(table)
    console.print(reports.SHORT, style="dim", highlight=False)
    for note in reports.notes(report):
        console.print(note, highlight=False, markup=False)
