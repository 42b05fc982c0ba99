"""The files of an analysis: written beside their place and renamed, so that nobody reads half of one."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

from ginkgo_agents.analysis.results import Analysis, AnalysisError


def check_files(source: Path, json_file: Path | None, picture: Path | None) -> None:
    """Raises AnalysisError, before any work, if files cannot be written or one would replace the source or another."""
    if picture is not None:
        from ginkgo_agents.analysis.picture import check_picture

        check_picture(picture)
    targets = [path for path in (json_file, picture) if path is not None]
    places = [path.absolute() for path in (source, *targets)]
    if len(set(places)) < len(places):
        raise AnalysisError("what is read and what is written must be different files")
    for path in targets:
        if path.is_dir():
            raise AnalysisError(f"cannot write {str(path)!r}: it is a folder")
        if not os.access(path.absolute().parent, os.W_OK):
            raise AnalysisError(f"cannot write {str(path)!r}: there is no such folder, or nothing may be written into it")


def write_files(analysis: Analysis, json_file: Path | None, picture: Path | None) -> None:
    """Write the JSON and the picture. Raises AnalysisError if that is impossible."""
    if json_file is not None:
        _write(json_file, lambda path: path.write_text(analysis.to_json(), encoding="utf-8", newline="\n"))
    if picture is not None:
        from ginkgo_agents.analysis.picture import write_picture

        _write(picture, lambda path: write_picture(analysis, path))


def _write(target: Path, write: Callable[[Path], object]) -> None:
    beside = target.with_name(f".{os.getpid()}.{target.name}")
    try:
        write(beside)
        beside.replace(target)
    except OSError as error:
        raise AnalysisError(f"cannot write {str(target)!r}: {error.strerror or error}") from None
    finally:
        beside.unlink(missing_ok=True)
