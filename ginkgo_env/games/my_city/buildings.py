"""Sets of buildings: CSV files with their shapes, read and checked (M1.6, M1.8, M1.10)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import NoReturn

from ginkgo_env.core.errors import short_repr
from ginkgo_env.core.files import digest_of, read_rows, read_text, refuse_row
from ginkgo_env.games.my_city.board import Cell, check_name, connected, shipped_or_file
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
    rows: str
    """Its rows at heading N as in the file, such as ``#./##``."""
    cells: tuple[Cell, ...]
    """Cells covered at heading N, in reading order."""

    def turned(self, heading: int) -> tuple[Cell, ...]:
        """Return the cells at a heading, in reading order from the top left corner (M11.3)."""
        cells = self.cells
        for _ in range(heading):
            height = 1 + max(r for r, _ in cells)
            cells = tuple(sorted((c, height - 1 - r) for r, c in cells))
        return cells

    @property
    def headings(self) -> range:
        """The headings in which the building differs from all earlier ones; always the first ones (M11.4)."""
        return range(len({self.turned(heading) for heading in range(N_HEADINGS)}))


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
    text = read_text(path, f"buildings {short_repr(buildings)}")
    name = path.stem if path == Path(buildings) else buildings
    check_name("buildings", name, path)
    return Buildings(name, digest_of(text), _read(path.name, text))


def _read(file: str, text: str) -> tuple[Building, ...]:
    """Return all buildings of a file; its errors name the file and the row."""
    rows = read_rows(file, "\n".join(filter(None, text.splitlines())), COLUMNS, "buildings")
    if len(rows) > MAX_BUILDINGS:
        refuse_row(file, MAX_BUILDINGS + 1, f"at most {MAX_BUILDINGS} buildings are possible")
    buildings: dict[str, Building] = {}
    for i, row in enumerate(rows, 1):
        building = _building(row, partial(refuse_row, file, i))
        if building.id in buildings:
            refuse_row(file, i, f"id {building.id} appears twice")
        buildings[building.id] = building
    return tuple(buildings.values())


def _building(row: dict[str, str], refuse: Callable[[str], NoReturn]) -> Building:
    name, color, count = row["id"], row["color"], row["cells"]
    if name == BLOCKING_CARD:
        refuse(f"id {BLOCKING_CARD} is the blocking card's")
    if not re.fullmatch(r"[A-Z][0-9]{1,3}", name):
        refuse(f"id {short_repr(name)}; expected a capital and a number")
    colors = {color.name.lower(): color for color in Color}
    if color not in colors:
        refuse(f"color {short_repr(color)}; expected one of {', '.join(colors)}")
    cells = _cells(row["rows"], refuse)
    if count != str(len(cells)):
        refuse(f"cells {short_repr(count)}; the shape has {len(cells)}")
    return Building(name, colors[color], row["shape"], row["rows"], cells)


def _cells(text: str, refuse: Callable[[str], NoReturn]) -> tuple[Cell, ...]:
    """Return the cells of a shape (M1.10)."""
    rows = text.split("/")
    width = len(rows[0])
    if set(text) - {"#", ".", "/"}:
        refuse(f"rows {short_repr(text)}; expected # and . with / between rows")
    if any(len(row) != width for row in rows):
        refuse(f"rows {short_repr(text)} are of unequal length")
    cells = tuple((r, c) for r, row in enumerate(rows) for c, letter in enumerate(row) if letter == "#")
    if not cells or len(rows) > SHAPE_SIDE or width > SHAPE_SIDE or len(cells) > MAX_SHAPE:
        refuse(f"rows {short_repr(text)}; expected 1 to {MAX_SHAPE} cells, at most {SHAPE_SIDE} on a side")
    if {0, len(rows) - 1} - {r for r, _ in cells} or {0, width - 1} - {c for _, c in cells}:
        refuse(f"rows {short_repr(text)}: a border row or column is empty")
    if len(connected(cells)) != len(cells):
        refuse(f"rows {short_repr(text)} are not connected")
    return cells
