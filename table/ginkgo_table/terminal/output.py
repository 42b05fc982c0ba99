"""The output of ``ginkgo play`` before it is printed: blocks of text and grids of cells."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class TextKind(Enum):
    """How a block of text is printed."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    ERROR = "error"
    LITERAL = "literal"
    """Contains file names or commands to copy: lines are not wrapped."""
    TABLE = "table"
    """The position of the game, with its own columns and colors."""
    BUSY = "busy"
    """A status until the next block follows; printed only where it can be erased again."""
    HIDE = "hide"
    """Clears the screen before it is printed."""


class TextBlock(NamedTuple):
    """Lines of text; a long line is wrapped, and continued with this indent."""

    text: str
    kind: TextKind = TextKind.PLAIN
    indent: int = 0


class Grid(NamedTuple):
    """Rows of cells: the first column is text, the others are numbers."""

    columns: list[str]
    rows: list[list[str]]


Output = TextBlock | Grid
