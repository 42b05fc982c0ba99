"""The words of ``ginkgo play``: the catalog's and the game's, and what they are used for again and again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from ginkgo_env.core.game import Game
from ginkgo_table.terminal.picking import LegalAction, Pick
from ginkgo_table.translations import labels_of

COMMANDS = ("help", "undo", "table", "moves", "log", "score", "hint", "save", "quit")


class Wording:
    """What ``ginkgo play`` says about a game in a language. Raises ConfigError for an unknown language."""

    def __init__(self, language: str, game: Game) -> None:
        self.language = language
        self._labels = labels_of(language, game)

    def __call__(self, key: str, **values: object) -> str:
        """A text of the terminal with its placeholders filled in."""
        return self._labels[f"terminal.{key}"].format(**values)

    def label(self, *parts: str) -> str:
        """A word of the game, such as ``label("question", "commit")``; without one the last part as it is called in code."""
        key = ":".join(parts)
        return self._labels.get(key) or parts[-1].replace("_", " ")

    def note(self, *parts: str) -> str:
        """The same for words that may be missing: then an empty text."""
        return self._labels.get(":".join(parts)) or ""

    def pick(self, pick: Pick) -> str:
        """What a pick is called besides its name; may be empty."""
        return self.note("pick", *pick)

    def picked(self, pick: Pick) -> str:
        """A pick by its name and what else it is called."""
        name, words = pick[1], self.pick(pick)
        if not words or words.casefold().startswith(name.casefold()):
            return words or name
        return f"{name} ({words})"

    def action(self, offer: LegalAction) -> str:
        """An action in notation, and what its picks are called besides."""
        said = [text for pick in offer.picks if (text := self.pick(pick))]
        return offer.text + (f" ({', '.join(said)})" if said else "")

    def commands(self) -> dict[str, str]:
        """By each word that calls a command, in English and in the language, the command."""
        english = catalog_words("en")
        return {word: name for name in COMMANDS for word in (*english[name], *self("words." + name).split())}

    def says_yes(self, text: str) -> bool:
        """Whether a text is a yes."""
        return text.strip().casefold() in {*catalog_words("en")["yes"], *self("words.yes").split()}

    def joined(self, names: Sequence[str]) -> str:
        """Names as in a sentence: a, b and c."""
        return names[0] if len(names) == 1 else self("and", names=", ".join(names[:-1]), last=names[-1])

    def some(self, names: Sequence[str], most: int = 15) -> str:
        """Names separated by spaces; of many only the first."""
        if len(names) <= most:
            return "  ".join(names)
        return self("and_more", names="  ".join(names[:most]), n=len(names) - most)


def catalog_words(language: str) -> dict[str, list[str]]:
    """By each command, and for yes, the words that stand for it in a language."""
    labels = labels_of(language)
    return {name: labels[f"terminal.words.{name}"].split() for name in (*COMMANDS, "yes")}


def in_columns(texts: Iterable[str], width: int) -> list[str]:
    """Short texts side by side, read line by line."""
    cells = list(texts)
    wide = max(map(len, cells), default=0) + 2
    n = max(1, width // wide)
    return ["".join(f"{cell:<{wide}}" for cell in cells[at : at + n]).rstrip() for at in range(0, len(cells), n)]
