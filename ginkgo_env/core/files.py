"""Files of commands: input is never overwritten, and output appears whole or not at all."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO

from ginkgo_env.core.errors import GinkgoError, shown

_LONGEST_PATH = 60  # characters of a path in messages: its end
_LONGEST_ENDING = 16  # characters of the suffix, by which some writers choose the format
_NOT_REGULAR = "it is not a regular file"


def check_targets(targets: Sequence[Path], sources: Sequence[Path] = ()) -> None:
    """Raise GinkgoError for files that cannot be written, or that are equal to each other or to a source."""
    for i, target in enumerate(targets):
        if any(_same(target, other) for other in (*sources, *targets[:i])):
            raise GinkgoError("files to read and files to write must be different files")
        if target.is_dir():
            raise GinkgoError(f"cannot write {shown(str(target))}: it is a folder")
        if not is_writable(target):
            raise GinkgoError(f"cannot write {shown(str(target))}: {_NOT_REGULAR}")
        if not os.access(target.absolute().parent, os.W_OK):
            raise GinkgoError(f"cannot write {shown(str(target))}: there is no such folder, or it is not writable")


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
def written(target: Path) -> Iterator[Path]:
    """Yield a temporary path beside the target, and rename it at the end. Raises GinkgoError on failure."""
    if not target.name:
        raise GinkgoError(f"cannot write {shown(str(target))}: it is a folder")
    try:
        with suppress(OSError):
            os.stat(target)
    except ValueError:  # a NUL, or a lone surrogate
        raise GinkgoError(f"cannot write {shown(str(target))}: no file can have this name") from None
    beside = target.with_name(f".{os.getpid()}{target.suffix[:_LONGEST_ENDING]}")
    if not is_writable(target):
        raise GinkgoError(f"cannot write {shown(str(target))}: {_NOT_REGULAR}")
    try:
        yield beside
        beside.replace(target)
    except OSError as error:
        raise GinkgoError(f"cannot write {shown(str(target))}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


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
