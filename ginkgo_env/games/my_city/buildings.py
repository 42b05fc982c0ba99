"""Sets of buildings: CSV files with their shapes, read and checked (M1.6, M1.8, M1.10)."""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

from ginkgo_env.core.datafiles import digest_of, read_text
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.games.my_city.board import Cell, connected, shipped_or_file
from ginkgo_env.games.my_city.config import OWN
from ginkgo_env.games.my_city.constants import BLOCKING_CARD, MAX_BUILDINGS, MAX_SHAPE, N_HEADINGS, SHAPE_SIDE, Color

COLUMNS = ("id", "color", "shape", "rows", "cells", "provenance")


@dataclass(frozen=True)
class Building:
    """A building (M1.8)."""

    id: str
    color: Color
    shape: str
    """The name of its shape, for readers only."""
    cells: tuple[Cell, ...]
    """Cells covered at heading N, in reading order."""

    def turned(self, heading: int) -> tuple[Cell, ...]:
        """Return the cells at a heading, in reading order from the top left corner (M11.3)."""
        cells = self.cells
        for _ in range(heading):
            height = 1 + max(r for r, _ in cells)
            cells = tuple(sorted((c, height - 1 - r) for r, c in cells))
        return cells

    def has_heading(self, heading: int) -> bool:
        """Whether the heading differs from all earlier ones (M11.4)."""
        return self.turned(heading) not in [self.turned(earlier) for earlier in range(heading)]


@dataclass(frozen=True)
class Buildings:
    """A set of buildings, in the order of the file's rows."""

    name: str
    """``own``, or the name of the file without its suffix."""
    digest: str
    """First 16 hexadecimal digits of the SHA-256 of the file."""
    list: tuple[Building, ...]

    @property
    def ids(self) -> tuple[str, ...]:
        """The names of buildings and their cards."""
        return tuple(building.id for building in self.list)

    @property
    def cards(self) -> tuple[str, ...]:
        """The names of all cards, the blocking card last (M11.1)."""
        return (*self.ids, BLOCKING_CARD)


def load_buildings(buildings: str = OWN) -> Buildings:
    """Return the shipped buildings of this name, or the buildings of a file.

    Raises ConfigError with file and row if the file does not hold buildings as defined by M1.10.
    """
    path = shipped_or_file("buildings", ".csv", buildings)
    text = read_text(path, f"buildings {shown(buildings)}")
    name = path.stem if path == Path(buildings) else buildings
    return Buildings(name, digest_of(text), _Reader(path.name, text).buildings())


class _Reader:
    """Reader of the rows of one file; its errors name the file and the row, where row 0 is the header."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        try:
            self.rows = [row for row in csv.reader(text.splitlines(), strict=True) if row]
        except csv.Error as error:
            raise ConfigError(f"{file} cannot be read: {error}") from None

    def refuse(self, row: int, what: str) -> NoReturn:
        raise ConfigError(f"{self.file}, row {row}: {what}")

    def buildings(self) -> tuple[Building, ...]:
        """Return all buildings."""
        if not self.rows or tuple(self.rows[0]) != COLUMNS:
            self.refuse(0, f"expected the columns {', '.join(COLUMNS)}")
        if len(self.rows) == 1:
            self.refuse(0, "expected buildings after the header")
        if len(self.rows) - 1 > MAX_BUILDINGS:
            self.refuse(MAX_BUILDINGS + 1, f"at most {MAX_BUILDINGS} buildings are possible")
        buildings: list[Building] = []
        for i, row in enumerate(self.rows[1:], 1):
            building = self._building(i, row)
            if building.id in [other.id for other in buildings]:
                self.refuse(i, f"id {building.id} appears twice")
            buildings.append(building)
        return tuple(buildings)

    def _building(self, i: int, row: list[str]) -> Building:
        if len(row) != len(COLUMNS):
            self.refuse(i, f"expected {len(COLUMNS)} columns, got {len(row)}")
        name, color, shape, rows, count, _ = row
        if name == BLOCKING_CARD:
            self.refuse(i, f"id {BLOCKING_CARD} is the blocking card's")
        if not re.fullmatch(r"[A-Z][0-9]{1,3}", name):
            self.refuse(i, f"id {shown(name)}; expected a capital and a number")
        colors = {color.name.lower(): color for color in Color}
        if color not in colors:
            self.refuse(i, f"color {shown(color)}; expected one of {', '.join(colors)}")
        cells = self._cells(i, rows)
        if count != str(len(cells)):
            self.refuse(i, f"cells {shown(count)}; the shape has {len(cells)}")
        return Building(name, colors[color], shape, cells)

    def _cells(self, i: int, text: str) -> tuple[Cell, ...]:
        """Return the cells of a shape (M1.10)."""
        rows = text.split("/")
        width = len(rows[0])
        if set(text) - {"#", ".", "/"}:
            self.refuse(i, f"rows {shown(text)}; expected # and . with / between rows")
        if any(len(row) != width for row in rows):
            self.refuse(i, f"rows {shown(text)} are of unequal length")
        cells = tuple((r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter == "#")
        if not cells or len(rows) > SHAPE_SIDE or width > SHAPE_SIDE or len(cells) > MAX_SHAPE:
            self.refuse(i, f"rows {shown(text)}; expected 1 to {MAX_SHAPE} cells, at most {SHAPE_SIDE} on a side")
        if {0, len(rows) - 1} - {r for r, _ in cells} or {0, width - 1} - {c for _, c in cells}:
            self.refuse(i, f"rows {shown(text)}: a border row or column is empty")
        if len(connected(cells)) != len(cells):
            self.refuse(i, f"rows {shown(text)} are not connected")
        return cells


def headings_of(building: Building) -> list[int]:
    """Return the headings that a building has (M11.4)."""
    return [heading for heading in range(N_HEADINGS) if building.has_heading(heading)]
