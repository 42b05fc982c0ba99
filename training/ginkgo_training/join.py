"""``ginkgo train join``: several trained agents become one. Everything heavy is imported when the command runs."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

_BAD_INPUT = 2


def join(
    agents: Annotated[list[Path], typer.Argument(metavar="AGENTS", help="Files agent.npz of ginkgo train lookahead.")],
    out: Annotated[Path, typer.Option(help="The file to write.")] = Path("joined.npz"),
) -> None:
    """Join agents of several runs: the new one plays by the average of what their networks expect.

    It is stronger than each of them where chance decided what they learned, and takes longer to decide.
    """
    from ginkgo_agents.checkpoints import read_checkpoint, write_checkpoint
    from ginkgo_agents.lookahead import joined
    from ginkgo_env.core.errors import GinkgoError

    try:
        write_checkpoint(out, joined([read_checkpoint(path) for path in agents]))
    except GinkgoError as error:
        typer.secho(f"ginkgo: {error}", fg=typer.colors.RED, err=True)
        raise typer.Exit(_BAD_INPUT) from None
    print(f"{out}: {len(agents)} {'agent' if len(agents) == 1 else 'agents'}")
