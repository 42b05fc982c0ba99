"""Options of the form ``KEY=VALUE``, which commands share."""

from __future__ import annotations

from typing import Annotated

import typer

Files = Annotated[
    list[str] | None,
    typer.Option(
        "--set",
        metavar="KEY=FILE",
        help="Another path of a file of the game, for instance board=FILE. Repeatable.",
        show_default="as the record or position says",
    ),
]
"""The option of commands that open records and positions."""
