"""``ginkgo analyze``. Slow imports wait until the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ginkgo_agents.evaluation.command import progress_bar
from ginkgo_env.cli import INTERRUPTED
from ginkgo_env.cli.options import Files, pairs_of

if TYPE_CHECKING:
    from ginkgo_agents.analysis import Analysis


def analyze(
    file: Annotated[Path, typer.Argument(help="A game record (JSON lines) or a position (JSON).", show_default=False)],
    agent: Annotated[str, typer.Option(help="The agent that values actions, as in ginkgo leaderboard --agents.")] = "lookahead",
    seat: Annotated[int | None, typer.Option(help="Only the decisions of this seat.", show_default=False)] = None,
    step: Annotated[int | None, typer.Option(help="Only the decision of this step of the record.", show_default=False)] = None,
    worlds: Annotated[int, typer.Option(help="Resampled worlds for each decision: more make intervals narrower.")] = 32,
    top: Annotated[int, typer.Option(help="Most promising actions to value; the action taken is always included.")] = 5,
    ahead: Annotated[
        int | None,
        typer.Option(help="Own decisions to play before the agent evaluates.", show_default="3; to the end with one side"),
    ] = None,
    playouts: Annotated[bool, typer.Option("--playouts", help="Play every world to the end. Same as --ahead 0.")] = False,
    seed: Annotated[int, typer.Option(help="Random seed of the worlds: the same seed gives the same numbers.")] = 0,
    json_file: Annotated[
        Path | None, typer.Option("--json", metavar="FILE", help="Also write the analysis as JSON.", show_default=False)
    ] = None,
    picture: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Also draw it: FILE.png or FILE.svg.", show_default=False)
    ] = None,
    files: Files = None,
) -> None:
    """Value the actions of a position, or of each decision of a record, from what the seat could know.

    For a record, show what each decision lost, and the three worst decisions of each player.

    Ctrl-C ends the analysis early; the finished decisions are shown and written.
    """
    from rich.console import Console

    from ginkgo_agents.analysis.results import AnalysisError
    from ginkgo_agents.analysis.text import show
    from ginkgo_env.core.files import check_targets, written

    if playouts and ahead:
        raise AnalysisError("--playouts and --ahead exclude each other")
    if picture is not None:
        from ginkgo_agents.analysis.picture import check_picture, write_picture

        check_picture(picture)
    check_targets([path for path in (json_file, picture) if path is not None], [file])
    options: dict[str, Any] = {"worlds": worlds, "top": top, "ahead": 0 if playouts else ahead, "seed": seed, "step": step}
    options["files"] = dict(pairs_of(files or []))
    analysis = _analyze(file, agent, seat, options)
    show(analysis, Console())
    if json_file is not None:
        with written(json_file) as beside:
            beside.write_text(analysis.to_json(), encoding="utf-8", newline="\n")
    if picture is not None:
        with written(picture) as beside:
            write_picture(analysis, beside)
    if not analysis.complete:
        typer.echo("interrupted: the results are of the decisions that were finished", err=True)
        raise typer.Exit(INTERRUPTED)


def _analyze(file: Path, agent: str, seat: int | None, options: dict[str, Any]) -> Analysis:
    """Analyse with a progress bar."""
    from ginkgo_agents.analysis.run import analyze as run

    with progress_bar("decisions") as update:
        return run(file, agent, seat, progress=lambda done, total: update(completed=done, total=total), **options)
