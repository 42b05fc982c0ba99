"""Boards: text files with grids of terrain and banks, read and checked (M1.4 to M1.6, M1.10)."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.files import digest_of, read_text
from ginkgo_env.core.generated import generated_number
from ginkgo_env.games.my_city.config import OWN
from ginkgo_env.games.my_city.constants import LETTERS, MAX_CELLS, MAX_SIDE, N_MARKS
from ginkgo_env.games.my_city.generate import generated_text

SHIPPED = Path(__file__).parent / "data"
Cell = tuple[int, int]
"""Row and column, from 0."""


@dataclass(frozen=True)
class Board:
    """A board (M1.4 to M1.6)."""

    name: str
    """The name in the file."""
    digest: str
    """First 16 hexadecimal digits of the SHA-256 of the file."""
    terrain: tuple[str, ...]
    """A string for each row, with a letter for each cell."""
    banks: tuple[str, ...]
    """A string for each row, with the letter of each cell's bank. The river runs between different banks (M1.5)."""

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self.terrain)

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.terrain[0])

    def cell_name(self, cell: int) -> str:
        """Return the name of a cell, such as ``k11`` (M11.2)."""
        row, column = divmod(cell, self.columns)
        return f"{chr(ord('a') + column)}{row + 1}"

    def neighbors(self, row: int, column: int) -> list[Cell]:
        """Return the cells on the four sides of a cell."""
        around = (row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)
        return [(r, c) for r, c in around if 0 <= r < self.rows and 0 <= c < self.columns]

    def at_river(self, row: int, column: int) -> bool:
        """Whether any side of a cell is a river side (M1.5)."""
        return any(self.banks[r][c] != self.banks[row][column] for r, c in self.neighbors(row, column))


def load_board(board: str = OWN) -> Board:
    """Return the shipped or generated board of this name, or the board of a file.

    Raises ConfigError with file and line if the file does not hold a board as defined by M1.10.
    """
    if (number := generated_number(board)) is not None:
        return _Reader(board, generated_text(number)).board()
    path = shipped_or_file("board", ".txt", board)
    loaded = _Reader(path.name, read_text(path, f"board {short_repr(board)}")).board()
    check_name("board", loaded.name, path)
    return loaded


def shipped_or_file(what: str, ending: str, name: str) -> Path:
    """Return the path of a shipped file by its name (M1.6), or the path that is given."""
    shipped = SHIPPED / (what + ending if name == OWN else f"{what}_{name}{ending}")
    return shipped if name.isidentifier() and os.path.isfile(shipped) else Path(name)


def check_name(what: str, name: str, path: Path) -> None:
    """Raise ConfigError for another file of the shipped name, or one named as a generated board (M1.6)."""
    if name == OWN and path.parent != SHIPPED:
        raise ConfigError(f"{path.name}: {OWN!r} is the name of the shipped {what}; expected another name")
    if generated_number(name) is not None:
        raise ConfigError(f"{path.name}: {name!r} is the name of a generated board; expected another name")


class _Reader:
    """Reader of the lines of one file; its errors name the file and the line."""

    def __init__(self, file: str, text: str) -> None:
        self.file, self.digest = file, digest_of(text)
        lines = enumerate((line.strip() for line in text.split("\n")), 1)
        self.lines = [(number, line.split()) for number, line in lines if line and line != "#" and not line.startswith("# ")]

    def refuse(self, what: str, line: int | None = None) -> NoReturn:
        raise ConfigError(f"{self.file}{'' if line is None else f', line {line}'}: {what}")

    def board(self) -> Board:
        """Return the board. The parts of the file are checked first, then the grids, then the banks."""
        parts = self._parts()
        name, columns = self._name(*parts["name"][0]), self._columns(*parts["columns"][0])
        terrain, banks = (self._grid(parts[part], columns, known) for part, known in (("terrain", LETTERS), ("banks", "")))
        if len(terrain) != len(banks):
            self.refuse(f"terrain has {len(terrain)} rows, banks has {len(banks)}")
        if len(terrain) * columns > MAX_CELLS:
            self.refuse(f"{len(terrain) * columns} cells; at most {MAX_CELLS} are possible")
        board = Board(name, self.digest, terrain, banks)
        self._check_banks(board)
        return board

    def _parts(self) -> Mapping[str, list[tuple[int, list[str]]]]:
        """Return the lines of each part: one line for ``name`` and ``columns``, for grids all lines that follow."""
        parts: dict[str, list[tuple[int, list[str]]]] = {}
        grid = ""
        for number, words in self.lines:
            key = words[0]
            if key in ("name", "columns", "terrain", "banks") and (len(words) == 1) == (key in ("terrain", "banks")):
                if key in parts:
                    self.refuse(f"{key} appears twice", number)
                grid = key if len(words) == 1 else ""
                parts[key] = [] if grid else [(number, words[1:])]
            elif grid:
                parts[grid].append((number, words))
            else:
                self.refuse(f"unexpected {short_repr(' '.join(words))}", number)
        if missing := [key for key in ("name", "columns", "terrain", "banks") if not parts.get(key)]:
            self.refuse(f"{missing[0]} is missing")
        return parts

    def _name(self, number: int, words: list[str]) -> str:
        if len(words) != 1 or not words[0].isidentifier():
            expected = "a word of letters, digits and underscores that does not begin with a digit"
            self.refuse(f"name {short_repr(' '.join(words))}; expected {expected}", number)
        return words[0]

    def _columns(self, number: int, words: list[str]) -> int:
        if len(words) > MAX_SIDE:
            self.refuse(f"{len(words)} columns; at most {MAX_SIDE} are possible", number)
        if words != [chr(ord("a") + i) for i in range(len(words))]:
            self.refuse("columns must be a, b, c and so on", number)
        return len(words)

    def _grid(self, lines: list[tuple[int, list[str]]], columns: int, known: str) -> tuple[str, ...]:
        """Return the letters of a grid; banks have any letters (M1.10)."""
        if len(lines) > MAX_SIDE:
            self.refuse(f"{len(lines)} rows; at most {MAX_SIDE} are possible", lines[MAX_SIDE][0])
        for number, letters in lines:
            if len(letters) != columns:
                self.refuse(f"{len(letters)} cells; expected {columns}", number)
            for letter in letters:
                if len(letter) != 1 or (letter not in known if known else not letter.isalpha()):
                    expected = f"one of {' '.join(known)}" if known else "a letter"
                    self.refuse(f"{short_repr(letter)}; expected {expected}", number)
        return tuple("".join(letters) for _, letters in lines)

    def _check_banks(self, board: Board) -> None:
        cells = {(r, c): letter for r, row in enumerate(board.banks) for c, letter in enumerate(row)}
        letters = list(dict.fromkeys(cells.values()))
        if len(letters) < 2:
            self.refuse("expected at least two banks: there is no river")
        for letter in letters:
            bank = {cell for cell, other in cells.items() if other == letter}
            if away := bank - connected(bank):
                r, c = min(away)
                self.refuse(f"bank {letter} is not connected: {board.cell_name(r * board.columns + c)} lies apart")
        if not any(board.terrain[r][c] in LETTERS[:N_MARKS] and board.at_river(r, c) for r, c in cells):
            self.refuse("no light green cell lies at the river: nothing could be built")


def connected(cells: Iterable[Cell]) -> set[Cell]:
    """Return the cells of a set that steps to the four sides connect to its first one."""
    cells = set(cells)
    reached: set[Cell] = set()
    rest = [min(cells)]
    while rest:
        r, c = rest.pop()
        if (r, c) in cells and (r, c) not in reached:
            reached.add((r, c))
            rest += [(r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)]
    return reached
