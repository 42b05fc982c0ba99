"""Standard input and output of ``ginkgo play``: a terminal, or a pipe with plain lines."""

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
from ginkgo_env.pictures.export import colored, wants_color
from ginkgo_table.terminal.translator import Grid, Output, TextBlock, TextKind

_DEFAULT_WIDTH = 80  # columns without a terminal, unless COLUMNS is set
_CLEAR_SEQUENCE = "\x1b[2J\x1b[3J\x1b[H"  # clears the screen and the scrollback, then moves the cursor home
_SPINNER_RATE = 4  # per second: few bytes over a slow connection
_STYLES = {TextKind.STRONG: "bold", TextKind.DIM: "dim", TextKind.ERROR: "red", TextKind.HIDE: "bold"}


class Screen:
    """Standard output and input, for one game."""

    def __init__(self, game: Game) -> None:
        size = shutil.get_terminal_size((_DEFAULT_WIDTH, 24))
        self.width = max(MIN_WIDTH, size.columns)
        self.has_terminal_output, self.has_terminal_input = sys.stdout.isatty(), sys.stdin.isatty()
        self.height = size.lines if self.has_terminal_output else None
        """Rows of the terminal; None for a file or a pipe."""
        self._dumb = os.environ.get("TERM", "dumb") in ("dumb", "unknown")
        self._console = Console(width=self.width, highlight=False, markup=False, emoji=False, no_color=not wants_color())
        self._styles = dict(game.presenter.text_styles)
        self._status: Status | None = None
        with suppress(ImportError):
            if self.has_terminal_input:
                import readline  # noqa: F401  # lines can be edited
        with suppress(AttributeError, ValueError, OSError):
            sys.stdin.reconfigure(errors="replace")  # type: ignore[union-attr]

    def show(self, blocks: Iterable[Output]) -> None:
        """Print blocks as they are produced."""
        try:
            for block in blocks:
                self._stop_status()
                if isinstance(block, Grid):
                    self._console.print(_rich_table(block))
                else:
                    self._print_block(block)
        finally:
            self._stop_status()

    def read(self, prompt: str) -> str | None:
        """Read a line of input; None at its end."""
        try:
            if self.has_terminal_input and self.has_terminal_output:
                return input(f"{prompt}> ")
            line = sys.stdin.readline()
        except EOFError:
            print()
            return None
        print(f"{prompt}> {plain(line.rstrip())}" if line else "", flush=True)  # so that the output contains the whole dialog
        return line or None

    def _stop_status(self) -> None:
        if self._status is not None:
            self._status.stop()
            self._status = None

    def _print_block(self, block: TextBlock) -> None:
        if block.kind is TextKind.BUSY:
            if self.has_terminal_output and not self._dumb:
                self._status = self._console.status(Text(block.text), refresh_per_second=_SPINNER_RATE)
                self._status.start()
            return
        if block.kind is TextKind.HIDE:
            self._clear_screen()
        if block.kind is TextKind.TABLE:
            has_rules = self.height is None or block.text.count("\n") + 3 < self.height
            rule = ["-" * self.width] * has_rules
            print(*rule, colored(block.text, self._styles) if wants_color() else block.text, *rule, sep="\n")
            return
        lines: Iterable[str] = block.text.split("\n")
        if block.kind is not TextKind.LITERAL:
            lines = fitted((Line(line, block.indent) for line in lines), self.width)
        self._console.print(Text("\n".join(lines)), style=_STYLES.get(block.kind, ""), soft_wrap=True)

    def _clear_screen(self) -> None:
        """Clear the screen; print a rule instead where that is impossible."""
        if self.has_terminal_output and not self._dumb:
            print(_CLEAR_SEQUENCE, end="", flush=True)
        elif self.has_terminal_output:
            print("\n" * shutil.get_terminal_size((_DEFAULT_WIDTH, 24)).lines)
        else:
            print("=" * self.width)
        with suppress(ImportError, AttributeError):
            if self.has_terminal_input:
                import readline

                readline.clear_history()


def _rich_table(grid: Grid) -> Table:
    table = Table(box=box.SIMPLE_HEAD, padding=(0, 1, 0, 0), pad_edge=False)
    for k, column in enumerate(grid.columns):
        table.add_column(Text(column), justify="right" if k else "left", no_wrap=bool(k), overflow="fold")
    for row in grid.rows:
        table.add_row(*map(Text, row))
    return table
