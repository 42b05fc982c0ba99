"""``ginkgo analyze``. Everything heavy is imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from rich.console import Console

    from ginkgo_agents.analysis import Analysis

_INTERRUPTED = 130


def analyze(
    file: Annotated[Path, typer.Argument(help="A game record (JSON lines) or a position (JSON).", show_default=False)],
    agent: Annotated[str, typer.Option(help="Who values actions: an agent as in ginkgo leaderboard --agents.")] = "lookahead",
    seat: Annotated[int | None, typer.Option(help="Only the decisions of this seat.", show_default=False)] = None,
    step: Annotated[int | None, typer.Option(help="Only the decision of this step of the record.", show_default=False)] = None,
    worlds: Annotated[int, typer.Option(help="Resampled worlds for each decision: more make intervals narrower.")] = 32,
    top: Annotated[int, typer.Option(help="Most promising actions that are valued; the one taken always is.")] = 5,
    ahead: Annotated[
        int | None,
        typer.Option(help="Own decisions played on before the agent judges.", show_default="3; alone to the end"),
    ] = None,
    playouts: Annotated[bool, typer.Option("--playouts", help="Play every world to the end. Same as --ahead 0.")] = False,
    seed: Annotated[int, typer.Option(help="Random seed of the worlds: the same seed gives the same numbers.")] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write the analysis as JSON.", show_default=False)
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw it: FILE.png or FILE.svg.", show_default=False)
    ] = None,
) -> None:
    """Value the actions of a position, or each decision of a record, as the seat could know it.

    For a record: what each decision lost, and the worst three of each player.

    Ctrl-C ends the analysis early; what is done is shown and written.
    """
    from rich.console import Console

    from ginkgo_agents.analysis.files import check_files, write_files
    from ginkgo_agents.analysis.results import AnalysisError
    from ginkgo_agents.analysis.tables import show

    if playouts and ahead:
        raise AnalysisError("--playouts plays to the end: leave out --ahead")
    check_files(file, json_file, picture)
    options = {"worlds": worlds, "top": top, "ahead": 0 if playouts else ahead, "seed": seed, "step": step}
    found = _analyze(file, agent, seat, options, Console(stderr=True))
    show(found, Console())
    write_files(found, json_file, picture)
    if not found.complete:
        typer.echo("interrupted: the results are of the decisions that were finished", err=True)
        raise typer.Exit(_INTERRUPTED)


def _analyze(file: Path, agent: str, seat: int | None, options: dict[str, Any], console: Console) -> Analysis:
    """The analysis, with a progress bar."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from ginkgo_agents.analysis.run import analyze as analyse

    columns = (BarColumn(), MofNCompleteColumn(), TextColumn("decisions"), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True) as bar:
        task = bar.add_task("", total=None)

        def progress(done: int, all_of_them: int) -> None:
            bar.update(task, completed=done, total=all_of_them)

        return analyse(file, agent, seat, progress=progress, **options)
