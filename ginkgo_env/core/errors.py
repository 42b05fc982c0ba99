"""What can go wrong at the public entries: one sentence each, nothing changed, never a crash.

Kernels trust their input, so everything is checked once where it enters.
"""

from __future__ import annotations

_LONGEST = 40
_DIGITS = 20


def shown(value: object) -> str:
    """A bad value as it may stand in a message: short, whatever it is."""
    if isinstance(value, int) and abs(value) >= 10**_DIGITS:
        return "a huge number"
    text = repr(value) if isinstance(value, str | int | float | None) else type(value).__name__
    return text if len(text) <= _LONGEST else text[: _LONGEST - 3] + "..."


class GinkgoError(ValueError):
    """Base of all errors that this package raises for bad input."""


class ConfigError(GinkgoError):
    """A configuration that does not exist or cannot be combined."""


class IllegalActionError(GinkgoError):
    """An action that the rules do not allow now, or that is no action at all."""


class FinishedGameError(IllegalActionError):
    """A step in a game that is over."""


class BatchError(GinkgoError):
    """Rows, seats, seeds or arrays of the wrong shape, kind or range."""


class NotationError(GinkgoError):
    """Text of an action that cannot be read, or that is no legal action here."""


class PositionError(GinkgoError):
    """A position that is malformed or breaks an invariant of the game."""


class RecordError(GinkgoError):
    """A game record that is malformed or does not replay as it says."""
