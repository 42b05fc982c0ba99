"""Files of commands: input is never overwritten, and output appears whole or not at all."""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from ginkgo_env.core.errors import GinkgoError, shown

_LONGEST_ENDING = 16  # characters of what follows the last dot, which some writers go by


def check_targets(targets: Sequence[Path], sources: Sequence[Path] = ()) -> None:
    """Raise GinkgoError for files that cannot be written, or that are equal to each other or to a source."""
    for i, target in enumerate(targets):
        if any(_same(target, other) for other in (*sources, *targets[:i])):
            raise GinkgoError("files to read and files to write must be different files")
        if target.is_dir():
            raise GinkgoError(f"cannot write {shown(str(target))}: it is a folder")
        if not os.access(target.absolute().parent, os.W_OK):
            raise GinkgoError(f"cannot write {shown(str(target))}: there is no such folder, or nothing may be written into it")


def read_some(path: str | os.PathLike[str], most: int, error: type[GinkgoError] = GinkgoError) -> bytes:
    """Return at most `most` + 1 bytes of a file. Raises `error` if it cannot be read."""
    try:
        with Path(path).open("rb") as file:
            return file.read(most + 1)
    except (OSError, ValueError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        raise error(f"cannot read {shown(os.fspath(path))}: {reason}") from None


@contextmanager
def written(target: Path) -> Iterator[Path]:
    """Yield a temporary path beside the target, and rename it at the end. Raises GinkgoError."""
    beside = target.with_name(f".{os.getpid()}{target.suffix[:_LONGEST_ENDING]}")
    try:
        yield beside
        beside.replace(target)
    except OSError as error:
        raise GinkgoError(f"cannot write {shown(str(target))}: {error.strerror or error}") from None
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)


def _same(one: Path, other: Path) -> bool:
    return os.path.realpath(one) == os.path.realpath(other) or (one.exists() and other.exists() and one.samefile(other))
