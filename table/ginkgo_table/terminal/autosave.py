"""The record file of a game in the terminal, rewritten after each decision."""

from __future__ import annotations

from pathlib import Path

from ginkgo_env.core.errors import GinkgoError, short_repr
from ginkgo_env.core.files import check_targets, write_file
from ginkgo_table.live import LiveGame


class Autosave:
    """Writes the record of a game to a file.

    file : the file; None writes nothing
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file

    def save(self, live: LiveGame) -> None:
        """Write the record so far, if there is a file. Raises GinkgoError, which leaves the file as it was."""
        if self.file is not None:
            write_file(self.file, live.record().dumps())

    def move(self, file: Path, live: LiveGame) -> None:
        """Write to a new file from now on. Raises GinkgoError for a file that exists or cannot be written."""
        check_new(file)
        before, self.file = self.file, file
        try:
            self.save(live)
        except GinkgoError:
            self.file = before
            raise


def check_new(file: Path) -> None:
    """Raise GinkgoError if a file exists or cannot be written."""
    check_targets([file])
    if file.exists():
        raise GinkgoError(f"the file {short_repr(str(file))} already exists: choose another one, or continue it by --resume")
