"""The board and the buildings, read from their two files (M1), and the names of cells (M11)."""

import csv
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache, cached_property
from pathlib import Path

import ginkgo_env

DATA = Path(ginkgo_env.__file__).parent / "games" / "my_city" / "data"

HEADINGS = "NESW"
COLORS = ("yellow", "red", "blue")
BLOCKING = "X"
EMPTY, TREES, ROCKS, WELL, VEIN, MOUNTAIN, FOREST = LETTERS = ".trwvMF"

Cell = tuple[int, int]  # row from the top, column from the left
Cells = frozenset[Cell]


@dataclass(frozen=True, eq=False)
class Board:
    """What is printed on a board."""

    name: str
    rows: int
    columns: int
    terrain: dict[Cell, str]
    banks: dict[Cell, str]

    @cached_property
    def light_green(self) -> set[Cell]:
        return {cell for cell, letter in self.terrain.items() if letter not in (MOUNTAIN, FOREST)}

    def showing(self, letter: str) -> set[Cell]:
        return {cell for cell, here in self.terrain.items() if here == letter}

    def river_between(self, cell: Cell, other: Cell) -> bool:
        """M1.5."""
        return other in self.banks and self.banks[cell] != self.banks[other]

    def at_river(self, cell: Cell) -> bool:
        return any(self.river_between(cell, other) for other in neighbors(cell))


@dataclass(frozen=True, eq=False)
class Building:
    """A building: its cells at each heading from the top left corner; None where the heading does not exist (M11.4)."""

    name: str
    color: str
    turned: tuple[Cells | None, ...]

    @property
    def is_church(self) -> bool:
        return self.color == "church"


def neighbors(cell: Cell) -> list[Cell]:
    """Orthogonal ones; those off the board too."""
    row, column = cell
    return [(row - 1, column), (row, column + 1), (row + 1, column), (row, column - 1)]


def around(cells: Iterable[Cell]) -> set[Cell]:
    """The cells that have a side in common with one of these."""
    inside = set(cells)
    return {other for cell in inside for other in neighbors(cell)} - inside


def cell_name(cell: Cell) -> str:
    """M11.2."""
    return f"{chr(ord('a') + cell[1])}{cell[0] + 1}"


def board_file(name: str) -> Path:
    """M1.6: the file of a board's name; a path stands for itself."""
    return _file(name, "board", ".txt")


def buildings_file(name: str) -> Path:
    return _file(name, "buildings", ".csv")


def _file(name: str, what: str, suffix: str) -> Path:
    if name.endswith(suffix):
        return Path(name)
    return DATA / (f"{what}{suffix}" if name == "own" else f"{what}_{name}{suffix}")


@cache
def load_board(name: str = "own") -> Board:
    """The board of a name or a path. Nothing is checked here."""
    called = ""
    grids: dict[str, list[list[str]]] = {"terrain": [], "banks": []}
    rows: list[list[str]] = []
    for words in map(str.split, board_file(name).read_text(encoding="utf-8").splitlines()):
        if not words or words[0] == "#" or words[0] == "columns":
            continue
        if words[0] == "name":
            called = " ".join(words[1:])
        elif words[0] in grids:
            rows = grids[words[0]]
        else:
            rows.append(words)
    terrain, banks = grid(grids["terrain"]), grid(grids["banks"])
    return Board(called, len(grids["terrain"]), len(grids["terrain"][0]), terrain, banks)


def grid(rows: list[list[str]]) -> dict[Cell, str]:
    return {(r, c): letter for r, row in enumerate(rows) for c, letter in enumerate(row)}


@cache
def load_buildings(name: str = "own") -> dict[str, Building]:
    """The buildings of a name or a path, in the order of the file."""
    with buildings_file(name).open(encoding="utf-8", newline="") as file:
        return {row["id"]: Building(row["id"], row["color"], headings(row["rows"])) for row in csv.DictReader(file)}


def headings(rows: str) -> tuple[Cells | None, ...]:
    """M11.3: quarter turns clockwise; M11.4: only those that differ."""
    cells = frozenset((r, c) for r, row in enumerate(rows.split("/")) for c, letter in enumerate(row) if letter == "#")
    turned: list[Cells | None] = []
    for _ in HEADINGS:
        turned.append(None if cells in turned else cells)
        height = 1 + max(r for r, _ in cells)
        cells = frozenset((c, height - 1 - r) for r, c in cells)
    return tuple(turned)
