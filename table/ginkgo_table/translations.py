"""The words of page and terminal in the languages of people: one catalog, and the words that a game brings."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files

from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game

LANGUAGES = ("en", "de")
"""Languages of the catalog, the one in which everything has a text first."""


class Words(dict[str, str]):
    """Texts by key. What has no text is called by the last part of its key, as in code but with spaces."""

    def __missing__(self, key: str) -> str:
        return key.rpartition(":")[2].replace("_", " ")


def languages() -> list[str]:
    """The languages that there is a catalog for, English first."""
    return list(LANGUAGES)


def labels_of(language: str, game: Game | None = None) -> dict[str, str]:
    """The texts of page and terminal in a language, with the game's own words; texts hold ``{placeholders}``.

    Each key has the first of: the game's word in that language, the catalog's, the game's in English. For other keys the
    dictionary gives the last part: ``labels["pick:tile:new_tile"]`` is "new tile". Raises ConfigError for an unknown language.

    >>> labels_of("de")["page.language"]
    'Sprache'
    """
    texts = Words(catalog_of(language))
    if game is not None:
        own = game.presenter.translations
        texts = Words({**own.get(LANGUAGES[0], {}), **texts, **own.get(language, {})})
    return texts


@cache
def catalog_of(language: str) -> dict[str, str]:
    """The texts of the catalog in a language, by key. Raises ConfigError for an unknown language."""
    if language not in LANGUAGES:
        raise ConfigError(f"unknown language {shown(language)}; expected one of: {', '.join(LANGUAGES)}")
    text = (files(__package__) / "translations" / f"{language}.json").read_text(encoding="utf-8")
    found: dict[str, str] = json.loads(text)
    return found
