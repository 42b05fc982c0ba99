"""The file of a game that is played in the terminal: written whole after each decision, so that little can get lost."""

from __future__ import annotations

from pathlib import Path

from ginkgo_env.core.errors import GinkgoError, shown
from ginkgo_env.core.files import check_targets, written
from ginkgo_table.live import LiveGame


class Autosave:
    """Writes the record of a game to a file, if there is one.

    file : where to; None as long as nobody has named a file
    """

    def __init__(self, file: Path | None = None) -> None:
        self.file = file

    def save(self, live: LiveGame) -> None:
        """Write the record so far, if there is a file. Raises GinkgoError; then the file is as it was."""
        if self.file is not None:
            text = live.record().dumps()
            with written(self.file) as beside:
                beside.write_text(text, encoding="utf-8", newline="\n")

    def move(self, file: Path, live: LiveGame) -> None:
        """Write to this new file from now on. Raises GinkgoError for a file that is there already or cannot be written."""
        check_new(file)
        before, self.file = self.file, file
        try:
            self.save(live)
        except GinkgoError:
            self.file = before
            raise


def check_new(file: Path) -> None:
    """Raise GinkgoError unless a file can be written and is not there yet."""
    check_targets([file])
    if file.exists():
        raise GinkgoError(f"there is a file {shown(str(file))} already: name another one, or go on with it by --resume")
