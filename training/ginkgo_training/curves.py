"""``ginkgo train curves``: learning curves from logs. Everything heavy is imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_BAD_INPUT = 2


def curves(
    logs: Annotated[list[Path], typer.Argument(metavar="LOGS", help="Folders of runs, log files, or folders of log files.")],
    out: Annotated[Path, typer.Option(help="The picture to write: .png, .svg or .pdf.")] = Path("learning_curves.png"),
    against: Annotated[
        str | None, typer.Option(help="Opponents to show, separated by commas.", show_default="all in the logs")
    ] = None,
) -> None:
    """Draw win rates with 95 % intervals against minutes and decisions, for one or more runs.

    Runs whose names differ only in a seed at the end, as in two_players-seed1, are drawn as thin lines with their mean.
    """
    from ginkgo_env.core.errors import GinkgoError
    from ginkgo_training.curves_plot import plot
    from ginkgo_training.logs import read_logs

    try:
        found = read_logs(logs)
        plot(found, out, [name.strip() for name in (against or "").split(",") if name.strip()])
    except GinkgoError as error:
        typer.secho(f"ginkgo: {error}", fg=typer.colors.RED, err=True)
        raise typer.Exit(_BAD_INPUT) from None
    print(f"{out}: {len(found)} {'run' if len(found) == 1 else 'runs'}")
