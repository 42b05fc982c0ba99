"""Translations of the texts of page and terminal, together with those of a game."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game

LANGUAGES = ("en", "de")
"""Available languages; the first one is complete and is the fallback."""


class Translations(dict[str, str]):
    """Texts by key. A missing text is the last part of its key, with spaces for underscores."""

    def __missing__(self, key: str) -> str:
        return key.rpartition(":")[2].replace("_", " ")


def languages() -> list[str]:
    """Return the available languages, English first."""
    return list(LANGUAGES)


def labels_of(language: str, game: Game | None = None) -> dict[str, str]:
    """Return texts with ``{placeholders}`` of page and terminal in a language, with those of a game.

    The text of a key is the first one available of the game's text in that language, the shared text and the game's text in
    English. A missing key gives its last part: ``labels["pick:tile:new_tile"]`` is "new tile". Raises ConfigError for an
    unknown language.

    >>> labels_of("de")["page.language"]
    'Sprache'
    """
    texts = Translations(texts_of(language))
    if game is not None:
        own = game.presenter.translations
        texts = Translations({**own.get(LANGUAGES[0], {}), **texts, **own.get(language, {})})
    return texts


@cache
def texts_of(language: str) -> dict[str, str]:
    """Return the texts of page and terminal in a language, by key.

    Raises ConfigError for an unknown language.
    """
    if language not in LANGUAGES:
        raise ConfigError(f"unknown language {shown(language)}; expected one of: {', '.join(LANGUAGES)}")
    text = (files(__package__) / "translations" / f"{language}.json").read_text(encoding="utf-8")
    texts: dict[str, str] = json.loads(text)
    return texts
