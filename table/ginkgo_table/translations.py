"""The texts of pages and terminal, together with the labels of a game."""

from __future__ import annotations

from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.language import LANGUAGES, Texts

SOURCE = __package__
"""The source of the texts, as :class:`ginkgo_env.core.language.Texts` takes it."""


def checked_language(language: str) -> str:
    """Return the code of an available language. Raises ConfigError for another one."""
    if language not in LANGUAGES:
        raise ConfigError(f"unknown language {short_repr(language)}; expected one of: {', '.join(LANGUAGES)}")
    return language


def texts_of(language: str, game: Game | None = None) -> dict[str, str]:
    """Return the texts of pages and terminal in a language by key, with the labels of a game.

    Raises ConfigError for an unknown language.

    >>> texts_of("de")["Language"]
    'Sprache'
    """
    labels = {} if game is None else game.presenter.texts.labels(language)
    return {**Texts(SOURCE).catalog(checked_language(language)), **labels}
