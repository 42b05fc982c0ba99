"""Errors of the public interface: bad input raises a typed error with one short sentence and changes nothing.

Kernels trust their input, so everything is checked once where it enters (:mod:`ginkgo_env.core.checks`).
"""

from __future__ import annotations

from collections.abc import Iterable
from numbers import Integral

_LONGEST_VALUE, _LONGEST_MESSAGE = 40, 299
_HUGE = 10**20
_NAMES = 6


def shown(value: object) -> str:
    """A bad value as shown in a message: short, whatever it is."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        value = int(value)
        if abs(value) >= _HUGE:
            return "a huge number"
    return short(repr(value) if isinstance(value, str | int | float | None) else type(value).__name__)


def short(text: str, longest: int = _LONGEST_VALUE) -> str:
    """Text of at most n characters; what does not fit becomes three dots."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def some(names: Iterable[object]) -> str:
    """Names for a message, separated by commas; of many only the first six, and how many more there are."""
    texts = [short(str(name)) for name in names]
    more = len(texts) - _NAMES
    return ", ".join(texts) if more <= 0 else f"{', '.join(texts[:_NAMES])} and {more} more"


def plain(text: str) -> str:
    """Text on one line that is safe to print on a terminal: control characters are escaped."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class GinkgoError(ValueError):
    """Base of all errors that this package raises for bad input.

    The message is one line of at most 299 printable characters, whatever the input was.
    """

    def __init__(self, message: object = "") -> None:
        super().__init__(short(plain(str(message)), _LONGEST_MESSAGE))


class ConfigError(GinkgoError):
    """A configuration that does not exist or cannot be combined."""


class IllegalActionError(GinkgoError):
    """An action that the rules do not allow now, or an invalid action id."""


class FinishedGameError(IllegalActionError):
    """A step in a game that is over (terminal)."""


class BatchError(GinkgoError):
    """Rows, seats, seeds or arrays of the wrong shape, type or range."""


class NotationError(GinkgoError):
    """Text of an action that cannot be read, or that names no legal action here."""


class PositionError(GinkgoError):
    """A position that is malformed or breaks an invariant of the game."""


class RecordError(GinkgoError):
    """A game record that is malformed or does not replay as it says."""
