"""Texts in a person's language: English in the code, other languages in JSON files beside it.

The language is a context variable, as a :mod:`decimal` context is: threads and tasks do not disturb each other.

>>> with speaking("de"):
...     current_language()
'de'
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cached_property
from importlib.resources import files

ENGLISH = "en"
_current: ContextVar[str] = ContextVar("language", default=ENGLISH)


def current_language() -> str:
    """Return the current language of texts, as a code such as ``"de"``."""
    return _current.get()


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Set the language of texts within a ``with`` block; texts without a translation stay English."""
    token = _current.set(language)
    try:
        yield
    finally:
        _current.reset(token)


class Texts:
    """The translations of a package: ``translations/<language>.json``.

    They are found by the English text with its ``{placeholders}``.

    Texts of `shared` are used where the package has none.
    """

    def __init__(self, package: str, shared: Texts | None = None) -> None:
        self._package, self._shared = package, shared

    def __call__(self, english: str, /, **values: object) -> str:
        """Return a text in the current language, with values for its placeholders."""
        language = _current.get()
        text = english if language == ENGLISH else self.translated(english, language)
        return text.format(**values) if values else text

    def translated(self, english: str, language: str) -> str:
        """Return the translation of a text; the text itself if there is none."""
        text = self.catalogs.get(language, {}).get(english)
        if text is not None:
            return text
        return english if self._shared is None else self._shared.translated(english, language)

    @cached_property
    def catalogs(self) -> Mapping[str, Mapping[str, str]]:
        """Translations by language, without those of `shared`."""
        folder = files(self._package) / "translations"
        return {file.name.removesuffix(".json"): json.loads(file.read_text("utf-8")) for file in folder.iterdir()}

    def counted(self, n: int, thing: str) -> str:
        """Return a number with a noun, in the plural unless it is 1; abbreviations have no plural.

        >>> shared.counted(2, "card"), shared.counted(2, "SP")
        ('2 cards', '2 SP')
        """
        return self(f"{{n}} {thing}{'' if n == 1 or thing.isupper() else 's'}", n=n)

    def joined(self, words: Sequence[str]) -> str:
        """Return words as a list in a sentence.

        >>> shared.joined(["a", "b", "c"])
        'a, b and c'
        """
        return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} {self('and')} {words[-1]}"


shared = Texts(__package__)
"""Texts that all games share."""
