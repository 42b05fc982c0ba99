"""Errors of the public interface: bad input raises a typed error and changes nothing.

Kernels trust their input, so it is checked once, where it enters (:mod:`ginkgo_env.core.checks`).
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from operator import index

_LONGEST_VALUE, _LONGEST_MESSAGE = 40, 299
_HUGE = 10**20
_NAMES = 6


def short_repr(value: object) -> str:
    """Return a short text for any value, for messages."""
    if not isinstance(value, bool):
        with suppress(TypeError, ValueError, RuntimeError):  # no integer of any type, or a torch tensor without data
            value = index(value)  # type: ignore[arg-type]
    if type(value) is int and abs(value) >= _HUGE:
        return "a huge number"
    return truncate(repr(value) if isinstance(value, str | int | float | None) else type(value).__name__)


def truncate(text: str, longest: int = _LONGEST_VALUE) -> str:
    """Return at most `longest` characters of a text, ending in three dots if it is longer."""
    return text if len(text) <= longest else text[: longest - 3] + "..."


def join_names(names: Iterable[object]) -> str:
    """Join names by commas; of more than six only the first six, and the number of the others."""
    texts = [truncate(str(name)) for name in names]
    more = len(texts) - _NAMES
    return ", ".join(texts) if more <= 0 else f"{', '.join(texts[:_NAMES])} and {more} more"


def plain(text: str) -> str:
    """Escape control characters, so that the text is one line and safe to print on a terminal."""
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode() for c in text)


class GinkgoError(ValueError):
    """Base of all errors that this package raises for bad input.

    The message is one line of at most 299 printable characters, whatever the input was.
    """

    def __init__(self, message: object = "") -> None:
        try:
            text = str(message)
        except Exception:  # ``str`` of any object may raise
            text = type(message).__name__
        super().__init__(truncate(plain(text), _LONGEST_MESSAGE))


class ConfigError(GinkgoError):
    """Raised for an invalid configuration."""


class UnknownOptionError(ConfigError, TypeError):
    """Raised for an option that the game does not have; libraries that try arguments expect a TypeError."""


class MissingPackageError(ConfigError, ImportError):
    """Raised if an optional package is not installed; the message has the command that installs it."""


class IllegalActionError(GinkgoError):
    """Raised for an action that is not legal."""


class FinishedGameError(IllegalActionError):
    """Raised for a step in a game that is over."""


class BatchError(GinkgoError):
    """Raised for rows, seats, seeds or arrays of the wrong shape, type or range."""


class NotationError(GinkgoError):
    """Raised for a text that names no action."""


class PositionError(GinkgoError):
    """Raised for a position that is malformed or breaks an invariant of the game."""


class RecordError(GinkgoError):
    """Raised for a record that is malformed or does not replay."""
