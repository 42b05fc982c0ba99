"""Text that fits a width: lines that may be broken, and where they go on."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable


class Line(str):
    """A line that may be broken between words; what follows is indented by `indent` columns."""

    indent: int

    def __new__(cls, text: str, indent: int = 0) -> Line:
        """Text with an indent."""
        line = super().__new__(cls, text)
        line.indent = indent
        return line


def fitted(lines: Iterable[str], width: int) -> list[str]:
    """Lines of at most `width` columns, unless a word is longer; those that are no :class:`Line` stay as they are.

    >>> fitted([Line("tiles: R1 R2 R3", 7), "as it is, however long"], 12)
    ['tiles: R1 R2', '       R3', 'as it is, however long']
    """
    found: list[str] = []
    for line in lines:
        if not isinstance(line, Line):
            found.append(line)
            continue
        indent = " " * line.indent
        found += textwrap.wrap(line, width, subsequent_indent=indent, break_on_hyphens=False, break_long_words=False) or [""]
    return found
