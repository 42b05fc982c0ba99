"""Files of commands, whose input is never overwritten and whose output appears whole; data files."""

from __future__ import annotations

import csv
import errno
import hashlib
import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, NoReturn

from ginkgo_env.core.errors import ConfigError, GinkgoError, short_repr

_LONGEST_PATH = 60  # characters of a path in messages: its end
_LONGEST_ENDING = 16  # characters of the suffix, by which some writers choose the format
_NOT_REGULAR = "it is not a regular file"


def check_targets(targets: Sequence[Path], sources: Sequence[Path] = ()) -> None:
    """Raise GinkgoError for files that cannot be written, or that are equal to each other or to a source."""
    for i, target in enumerate(targets):
        if any(_same(target, other) for other in (*sources, *targets[:i])):
            raise GinkgoError("files to read and files to write must be different files")
        if target.is_dir():
            raise GinkgoError(f"cannot write {short_repr(str(target))}: it is a folder")
        if not is_writable(target):
            raise GinkgoError(f"cannot write {short_repr(str(target))}: {_NOT_REGULAR}")
        if not os.access(target.absolute().parent, os.W_OK):
            raise GinkgoError(f"cannot write {short_repr(str(target))}: there is no such folder, or it is not writable")


def open_regular(path: str | os.PathLike[str]) -> IO[bytes]:
    """Open a regular file for reading.

    Raises OSError at once for anything else: reading from a FIFO would wait.
    """
    file = Path(path)  # a number is no path: os.stat would take it for an open file
    mode = file.stat().st_mode
    if not stat.S_ISREG(mode) and not stat.S_ISDIR(mode):  # a folder has a message of its own
        raise OSError(errno.EINVAL, _NOT_REGULAR)
    return file.open("rb")


def is_writable(path: str | os.PathLike[str]) -> bool:
    """Return whether a path is a regular file or does not exist.

    Nothing is written to devices, and none is replaced by a file.
    """
    return not os.path.exists(path) or os.path.isfile(path)


def read_some(path: str | os.PathLike[str], most: int, error: type[GinkgoError] = GinkgoError) -> bytes:
    """Return at most `most` + 1 bytes of a regular file. Raises `error` if it cannot be read."""
    try:
        with open_regular(path) as file:
            return file.read(most + 1)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise error(f"cannot read {os.fspath(path)[-_LONGEST_PATH:]!r}: {reason}") from None  # with the name of the file


@contextmanager
def atomic_write(target: Path) -> Iterator[Path]:
    """Yield a temporary path beside the target, and rename it at the end. Raises GinkgoError on failure."""
    if not target.name:
        raise GinkgoError(f"cannot write {short_repr(str(target))}: it is a folder")
    try:
        with suppress(OSError):
            os.stat(target)
    except ValueError:  # a NUL, or a lone surrogate
        raise GinkgoError(f"cannot write {short_repr(str(target))}: no file can have this name") from None
    beside = target.with_name(f".{os.getpid()}{target.suffix[:_LONGEST_ENDING]}")
    if not is_writable(target):
        raise GinkgoError(f"cannot write {short_repr(str(target))}: {_NOT_REGULAR}")
    try:
        yield beside
        beside.replace(target)
    except OSError as error:
        raise GinkgoError(f"cannot write {short_repr(str(target))}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def write_file(target: Path, content: str | bytes) -> None:
    """Write a file, whole or not at all; a text as UTF-8. Raises GinkgoError on failure."""
    with atomic_write(target) as temporary:
        temporary.write_bytes(content if isinstance(content, bytes) else content.encode())


def remove_abandoned(folder: Path, name: re.Pattern[str]) -> None:
    """Remove files and folders that killed processes have left in a folder.

    name : the pattern of names of such files and folders; its first group is the process id, if the name has one
    """
    with suppress(OSError):
        for path in list(folder.iterdir()):
            found = name.fullmatch(path.name)
            if found and not (found[1] and int(found[1]) != os.getpid() and is_running(int(found[1]))):
                shutil.rmtree(path, ignore_errors=True)
                with suppress(OSError):
                    path.unlink()


def is_running(process: int) -> bool:
    """Return whether a process with this id is running; True where that cannot be determined."""
    if os.name != "posix":  # elsewhere os.kill ends the process
        return True
    try:
        os.kill(process, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return True


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other) or (one.exists() and other.exists() and one.samefile(other))


# --- data files of games, such as boards: their text and its digest ----------------------------------------------------------


_BYTES = 1_000_000  # a larger file cannot be a data file of a game


def read_text(path: Path, what: str) -> str:
    """Return the text of a file, lines ended by LF. Raises ConfigError with `what` and the file's name."""
    try:
        with open_regular(path) as stream:
            content = stream.read(_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a path"
        raise ConfigError(f"{what}: {path.name} cannot be read: {reason}") from None
    if len(content) > _BYTES:
        raise ConfigError(f"{what}: {path.name} is too long")
    try:
        return content.decode("utf-8").replace("\r\n", "\n")
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
