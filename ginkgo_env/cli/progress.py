"""How commands show that they are at work."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


def with_bar(steps: Iterable[Any]) -> Iterable[Any]:
    """A bar on stderr while the steps of a game are drawn; none where nobody watches."""
    from rich.console import Console
    from rich.progress import track

    return track(steps, "drawing", console=Console(stderr=True), transient=True, disable=not sys.stderr.isatty())
