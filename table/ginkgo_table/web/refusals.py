"""Error messages of the server in a person's language."""

from __future__ import annotations

import re
from functools import cache

from ginkgo_env.core.language import ENGLISH, Texts, current_language

_TEXTS = Texts(__package__)
_OTHER = "This is not possible: {error}"


def translated(sentence: str) -> str:
    """Return a refusal in the current language; parts in braces of its English text are kept.

    A refusal without a translation is quoted.
    """
    language = current_language()
    if language == ENGLISH:
        return sentence
    return _matched(sentence, language) or _TEXTS(_OTHER, error=sentence)


def _matched(sentence: str, language: str) -> str | None:
    for pattern, text in _patterns(language):
        if match := pattern.fullmatch(sentence):
            values = {name: _matched(value, language) or value for name, value in match.groupdict().items()}
            return text.format(**values)
    return None


@cache
def _patterns(language: str) -> list[tuple[re.Pattern[str], str]]:
    """Return translations with patterns of their English texts, the longest first."""
    found = []
    for english, text in sorted(_TEXTS.catalog(language).items(), key=lambda texts: -len(texts[0])):
        if english != _OTHER:
            pattern = re.sub(r"\\{(\w+)\\}", r"(?P<\1>.+)", re.escape(english))
            found.append((re.compile(pattern, re.DOTALL), text))
    return found
