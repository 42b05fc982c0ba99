"""The texts of ``ginkgo play`` in a language, with the translations of the game."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ginkgo_env.core.game import Game
from ginkgo_table.terminal.selection import LegalAction, Pick
from ginkgo_table.translations import labels_of

COMMANDS = ("help", "undo", "table", "moves", "log", "score", "hint", "save", "quit")


class Translator:
    """Translates texts of the terminal and names of a game. Raises ConfigError for an unknown language."""

    def __init__(self, language: str, game: Game) -> None:
        self.language = language
        self._labels = labels_of(language, game)

    def __call__(self, key: str, **values: object) -> str:
        """Return a text of the terminal with its placeholders filled in."""
        return self._labels[f"terminal.{key}"].format(**values)

    def label(self, *parts: str) -> str:
        """Return a label, such as ``label("question", "commit")``; without a translation its last part."""
        key = ":".join(parts)
        return self._labels.get(key) or parts[-1].replace("_", " ")

    def note(self, *parts: str) -> str:
        """Return a label of the game; an empty text without a translation."""
        return self._labels.get(":".join(parts)) or ""

    def pick_note(self, pick: Pick) -> str:
        """Return the translation of a pick; may be empty."""
        return self.note("pick", *pick)

    def describe_pick(self, pick: Pick) -> str:
        """Return the name of a pick with its translation."""
        name, note = pick[1], self.pick_note(pick)
        if not note or note.casefold().startswith(name.casefold()):
            return note or name
        return f"{name} ({note})"

    def describe_action(self, action: LegalAction) -> str:
        """Return an action in notation with the translations of its picks."""
        notes = [text for pick in action.picks if (text := self.pick_note(pick))]
        return action.text + (f" ({', '.join(notes)})" if notes else "")

    def commands(self) -> dict[str, str]:
        """Return the names of the commands by their words, in English and in this language."""
        english = command_words("en")
        return {word: name for name in COMMANDS for word in (*english[name], *self("words." + name).split())}

    def says_yes(self, text: str) -> bool:
        """Return whether a text means yes."""
        return text.strip().casefold() in {*command_words("en")["yes"], *self("words.yes").split()}

    def joined(self, names: Sequence[str]) -> str:
        """Return names joined as in a sentence: a, b and c."""
        return names[0] if len(names) == 1 else self("and", names=", ".join(names[:-1]), last=names[-1])

    def some(self, names: Sequence[str], most: int = 15) -> str:
        """Return names separated by spaces, at most ``most`` of them."""
        if len(names) <= most:
            return "  ".join(names)
        return self("and_more", names="  ".join(names[:most]), n=len(names) - most)


def command_words(language: str) -> dict[str, list[str]]:
    """Return the words of each command, and of yes, in a language."""
    labels = labels_of(language)
    return {name: labels[f"terminal.words.{name}"].split() for name in (*COMMANDS, "yes")}


def in_columns(texts: Iterable[str], width: int) -> list[str]:
    """Arrange short texts in columns, to be read line by line."""
    cells = list(texts)
    cell_width = max(map(len, cells), default=0) + 2
    n = max(1, width // cell_width)
    return ["".join(f"{cell:<{cell_width}}" for cell in cells[at : at + n]).rstrip() for at in range(0, len(cells), n)]
