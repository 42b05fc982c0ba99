"""Options of the form ``KEY=VALUE``, which commands share."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

import typer

from ginkgo_env.core.errors import ConfigError, short_repr

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


def pairs_of(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Split the texts ``KEY=VALUE`` of ``--set``. Raises ConfigError for any other text."""
    pairs = [(text, *text.partition("=")) for text in texts]
    for text, key, equals, _ in pairs:
        if not equals or not key.strip():
            raise ConfigError(f"--set requires KEY=VALUE, got {short_repr(text)}")
    return [(key.strip(), value) for _, key, _, value in pairs]
