"""Data files of games, such as boards: their text and its digest."""

from __future__ import annotations

import csv
import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import NoReturn

from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.files import open_regular

_BYTES = 1_000_000  # a larger file cannot be a data file of a game


def read_text(path: Path, what: str) -> str:
    """Return the text of a file, lines ended by LF. Raises ConfigError with `what` and the file's name."""
    try:
        with open_regular(path) as stream:
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


def resolved(path: str) -> str:
    """Return the absolute path of a file or folder; a text that is no such path is returned unchanged."""
    try:
        return str(Path(path).resolve(strict=True))
    except (OSError, ValueError, RuntimeError):  # reading it will raise a proper error
        return path


def digest_of(*texts: str) -> str:
    """Return the first 16 hexadecimal digits of the SHA-256 of concatenated texts."""
    return hashlib.sha256("".join(texts).encode()).hexdigest()[:16]


def refuse_row(file: str, row: int, problem: str) -> NoReturn:
    """Raise the ConfigError for a row of a CSV file; row 0 is the header."""
    raise ConfigError(f"{file}, row {row}: {problem}")


def read_rows(file: str, text: str, columns: Sequence[str], what: str = "rows") -> list[dict[str, str]]:
    """The rows of a CSV file after its header. Raises ConfigError for no rows or other columns.

    what : a noun for the rows, for errors
    """
    try:
        lines = list(csv.reader(text.splitlines(), strict=True))
    except csv.Error as error:
        raise ConfigError(f"{file} cannot be read: {error}") from None
    if not lines or tuple(lines[0]) != tuple(columns):
        refuse_row(file, 0, f"expected the columns {', '.join(columns)}")
    for i, line in enumerate(lines[1:], 1):
        if len(line) != len(columns):
            refuse_row(file, i, f"expected {len(columns)} columns, got {len(line)}")
    if len(lines) == 1:
        refuse_row(file, 0, f"expected {what} after the header")
    return [dict(zip(columns, line, strict=True)) for line in lines[1:]]
