"""Text in the colors of a terminal."""

from __future__ import annotations

import io
import os
import re
import sys
from collections.abc import Mapping

_FIRST_LINE = r"\A.*"  # the current decision
_WIDEST = 100_000


def colored(text: str, styles: Mapping[str, str]) -> str:
    """Add escape sequences for colors to a text, unless ``NO_COLOR`` is set in the environment.

    styles : Rich's styles by regular expression, such as ``{"R[0-9]+": "red"}``
    """
    if os.environ.get("NO_COLOR"):
        return text
    from rich.console import Console
    from rich.text import Text

    rich = Text(text)
    for pattern, style in {_FIRST_LINE: "bold", **styles}.items():
        rich.highlight_regex(re.compile(pattern, re.MULTILINE), style)
    out = io.StringIO()
    Console(file=out, force_terminal=True, color_system="standard", legacy_windows=False, width=_WIDEST).print(rich, end="")
    return out.getvalue()


def wants_color() -> bool:
    """Whether standard output is a terminal with colors."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"
