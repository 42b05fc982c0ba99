"""The output of ``ginkgo play``: blocks of text and grids of cells, and its texts in a language."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import Enum
from typing import NamedTuple

from ginkgo_env.core.game import Game
from ginkgo_env.core.language import ENGLISH, Texts
from ginkgo_table.terminal.selection import LegalAction, Pick
from ginkgo_table.translations import SOURCE, checked_language


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


COMMANDS = ("help", "undo", "table", "moves", "log", "score", "hint", "save", "quit")


class Translator(Texts):
    """Translates texts of the terminal and names of a game. Raises ConfigError for an unknown language."""

    def __init__(self, language: str, game: Game) -> None:
        super().__init__(SOURCE, game.presenter.texts, checked_language(language))

    def block(self, english: str, kind: TextKind = TextKind.PLAIN, /, **values: object) -> TextBlock:
        """Return a text as a block."""
        return TextBlock(self(english, **values), kind)

    def pick_note(self, pick: Pick) -> str:
        """Return the label of a pick; may be empty."""
        return self.get(":".join(("pick", *pick)))

    def describe_pick(self, pick: Pick) -> str:
        """Return the name of a pick with its label."""
        name, note = pick[1], self.pick_note(pick)
        if not note or note.casefold().startswith(name.casefold()):
            return note or name
        return f"{name} ({note})"

    def describe_action(self, action: LegalAction) -> str:
        """Return an action in notation with the labels of its picks."""
        notes = [text for pick in action.picks if (text := self.pick_note(pick))]
        return action.text + (f" ({', '.join(notes)})" if notes else "")

    def spellings(self, name: str) -> list[str]:
        """Return the spellings of a command, or of yes, in English and in this language."""
        key = f"spellings:{name}"
        return [*self.catalog(ENGLISH)[key].split(), *self.get(key).split()]

    def commands(self) -> dict[str, str]:
        """Return the names of the commands by their spellings, in English and in this language."""
        return {spelling: name for name in COMMANDS for spelling in self.spellings(name)}

    def says_yes(self, text: str) -> bool:
        """Return whether a text means yes."""
        return text.strip().casefold() in self.spellings("yes")

    def some(self, names: Sequence[str], most: int = 15) -> str:
        """Return names separated by spaces, at most ``most`` of them."""
        if len(names) <= most:
            return "  ".join(names)
        return self("{names} and {n} more (moves lists all)", names="  ".join(names[:most]), n=len(names) - most)


def in_columns(texts: Iterable[str], width: int) -> list[str]:
    """Arrange short texts in columns, to be read line by line."""
    cells = list(texts)
    cell_width = max(map(len, cells), default=0) + 2
    n = max(1, width // cell_width)
    return ["".join(f"{cell:<{cell_width}}" for cell in cells[at : at + n]).rstrip() for at in range(0, len(cells), n)]
