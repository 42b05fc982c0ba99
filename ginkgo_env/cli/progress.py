"""Progress bars of commands."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


def with_bar(steps: Iterable[Any]) -> Iterable[Any]:
    """Iterate over the steps of a game with a progress bar on stderr, if that is a terminal."""
    from rich.console import Console
    from rich.progress import track

    return track(steps, "drawing", console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
