"""What ``ginkgo play`` shows, before it is printed: pieces of text and tables of cells."""

from __future__ import annotations

from enum import Enum
from typing import NamedTuple


class Kind(Enum):
    """How a text is shown."""

    PLAIN = "plain"
    STRONG = "strong"
    DIM = "dim"
    ERROR = "error"
    LITERAL = "literal"
    """With names of files and commands to copy: lines are not broken."""
    TABLE = "table"
    """The table of the game: in its own columns and colors."""
    BUSY = "busy"
    """What is being done until the next piece comes; shown only where it can vanish again."""
    HIDE = "hide"
    """Nothing of what was shown before may stay on the screen."""


class Piece(NamedTuple):
    """Lines of text; a line may be broken between words, and goes on with this indent."""

    text: str
    kind: Kind = Kind.PLAIN
    indent: int = 0


class Grid(NamedTuple):
    """A table: the first column is text, the others are numbers."""

    columns: list[str]
    rows: list[list[str]]


Shown = Piece | Grid
