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
from functools import cache
from importlib.resources import files

ENGLISH = "en"
LANGUAGES = (ENGLISH, "de")
"""The languages in which all texts are available."""
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
    """Texts in several languages, found by key.

    A sentence is its own key: the English text with its ``{placeholders}``. A label has a key of parts, such as
    ``pick:tile:new_tile``, and its English text is in the texts of English.

    Parameters
    ----------
    source : texts by language and key, or a package that has them as ``translations/<language>.json``
    shared : texts that are used where the source has none
    language : the language of the texts; by default the current one
    """

    def __init__(
        self, source: str | Mapping[str, Mapping[str, str]], shared: Texts | None = None, language: str | None = None
    ) -> None:
        self._source, self._shared, self._language = source, shared, language
        self._catalogs: dict[str, Mapping[str, str]] = {}

    def __call__(self, english: str, /, **values: object) -> str:
        """Return a sentence in the language, with values for its placeholders; without a translation in English."""
        text = self.get(english, english)
        return text.format(**values) if values else text

    def label(self, *parts: str) -> str:
        """Return a label; if it has no text, the last part of its key.

        >>> shared.label("pick", "tile", "new_tile")
        'new tile'
        """
        return self.get(":".join(parts)) or parts[-1].replace("_", " ")

    def get(self, key: str, default: str = "") -> str:
        """Return the text of a key, in English if there is no translation."""
        return self.catalog(self.language).get(key, default)

    @property
    def language(self) -> str:
        """The language of the texts."""
        return self._language or current_language()

    def catalog(self, language: str) -> Mapping[str, str]:
        """Return all texts of a language by key, with English labels that are not translated.

        English sentences are left out: they are their own keys.
        """
        if language not in self._catalogs:
            shared = {} if self._shared is None else self._shared.catalog(language)
            own = _read(self._source) if isinstance(self._source, str) else self._source
            self._catalogs[language] = {**shared, **own.get(ENGLISH, {}), **own.get(language, {})}
        return self._catalogs[language]

    def labels(self, language: str) -> dict[str, str]:
        """Return the labels of a language by key."""
        texts = self.catalog(language)
        return {key: texts[key] for key in self.catalog(ENGLISH)}

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


@cache
def _read(package: str) -> dict[str, dict[str, str]]:
    folder = files(package) / "translations"
    return {file.name.removesuffix(".json"): json.loads(file.read_text("utf-8")) for file in folder.iterdir()}


shared = Texts(__package__)
"""Texts that all games share."""
