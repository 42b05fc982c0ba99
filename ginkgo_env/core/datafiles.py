"""Data files of games, such as boards: text that is short enough, and what identifies it."""

from __future__ import annotations

import hashlib
from pathlib import Path

from ginkgo_env.core.errors import ConfigError

_BYTES = 1_000_000  # a larger file holds something else


def read_text(path: Path, what: str) -> str:
    """A file's text, lines ended by LF. Raises ConfigError, which begins with `what` and names the file, if it cannot be read."""
    try:
        with path.open("rb") as stream:
            data = stream.read(_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a path"
        raise ConfigError(f"{what}: {path.name} cannot be read: {reason}") from None
    if len(data) > _BYTES:
        raise ConfigError(f"{what}: {path.name} is too long")
    try:
        return data.decode("utf-8").replace("\r\n", "\n")
    except UnicodeDecodeError:
        raise ConfigError(f"{what}: {path.name} is not UTF-8") from None


def digest_of(*texts: str) -> str:
    """First 16 hexadecimal digits of the SHA-256 of texts, one after the other."""
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:16]
