"""Prints what ``ginkgo play`` shows and reads what is typed: on a terminal, and in a pipe as plain lines."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from contextlib import suppress

from rich import box
from rich.console import Console
from rich.status import Status
from rich.table import Table
from rich.text import Text

from ginkgo_env.core.errors import plain
from ginkgo_env.core.game import MIN_WIDTH, Game
from ginkgo_env.core.text import Line, fitted
from ginkgo_env.render.ansi import colored, wants_color
from ginkgo_table.terminal.output import Grid, Kind, Piece, Shown

_PIPE = 80  # columns where there is no terminal, unless COLUMNS says otherwise
_CLEAR = "\x1b[2J\x1b[3J\x1b[H"  # the screen, then what was scrolled out of it
_RULE = "-"
_SPINS = 4  # a second: enough to be seen, little to be sent
_STYLES = {Kind.STRONG: "bold", Kind.DIM: "dim", Kind.ERROR: "red", Kind.HIDE: "bold"}


class Screen:
    """Standard output and input, for one game."""

    def __init__(self, game: Game) -> None:
        self.width = max(MIN_WIDTH, shutil.get_terminal_size((_PIPE, 24)).columns)
        self.shown, self.typed = sys.stdout.isatty(), sys.stdin.isatty()
        self._dumb = os.environ.get("TERM", "dumb") in ("dumb", "unknown")
        self._console = Console(width=self.width, highlight=False, markup=False, emoji=False, no_color=not wants_color())
        self._styles = dict(game.presenter.text_styles)
        self._status: Status | None = None
        with suppress(ImportError):
            if self.typed:
                import readline  # noqa: F401  # lines can be edited
        with suppress(AttributeError, ValueError, OSError):
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]

    def show(self, pieces: Iterable[Shown]) -> None:
        """Print pieces as they come."""
        try:
            for piece in pieces:
                self._calm()
                if isinstance(piece, Grid):
                    self._console.print(_table(piece))
                else:
                    self._piece(piece)
        finally:
            self._calm()

    def read(self, prompt: str) -> str | None:
        """A line of input; None at its end."""
        try:
            if self.typed and self.shown:
                return input(f"{prompt}> ")
            line = sys.stdin.readline()
        except EOFError:
            print()
            return None
        print(
            f"{prompt}> {plain(line.rstrip())}" if line else "", flush=True
        )  # so that what is read shows what was asked and answered
        return line or None

    def _calm(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _piece(self, piece: Piece) -> None:
        if piece.kind is Kind.BUSY:
            if self.shown and not self._dumb:
                self._status = self._console.status(Text(piece.text), refresh_per_second=_SPINS)
                self._status.start()
            return
        if piece.kind is Kind.HIDE:
            self._hide()
        if piece.kind is Kind.TABLE:
            self._rule()
            print(colored(piece.text, self._styles) if wants_color() else piece.text)
            self._rule()
            return
        lines: Iterable[str] = piece.text.split("\n")
        if piece.kind is not Kind.LITERAL:
            lines = fitted((Line(line, piece.indent) for line in lines), self.width)
        self._console.print(Text("\n".join(lines)), style=_STYLES.get(piece.kind, ""), soft_wrap=True)

    def _hide(self) -> None:
        """Take everything from the screen; where that cannot be done, mark the place."""
        if self.shown and not self._dumb:
            print(_CLEAR, end="", flush=True)
        elif self.shown:
            print("\n" * shutil.get_terminal_size((_PIPE, 24)).lines)
        else:
            self._rule("=")
        with suppress(ImportError, AttributeError):
            if self.typed:
                import readline

                readline.clear_history()

    def _rule(self, sign: str = _RULE) -> None:
        print(sign * self.width)


def _table(grid: Grid) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for k, column in enumerate(grid.columns):
        table.add_column(Text(column), justify="right" if k else "left", no_wrap=bool(k), overflow="fold")
    for row in grid.rows:
        table.add_row(*map(Text, row))
    return table
