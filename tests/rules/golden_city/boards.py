"""Other boards: copies of the shipped one, edited."""

from __future__ import annotations

import csv
import shutil
from collections.abc import Iterable
from pathlib import Path

from ginkgo_env.games.golden_city.board import SHIPPED, load_board

from .components import COASTS, SUBURBS

KNOT = "knot"


def copied(folder: Path) -> Path:
    """The shipped board in another folder."""
    shutil.copytree(SHIPPED / "own", folder)
    return folder


def read(folder: Path, file: str) -> list[list[str]]:
    """All rows, the header first."""
    return list(csv.reader((folder / f"{file}.csv").read_text(encoding="utf-8").splitlines()))


def write(folder: Path, file: str, rows: Iterable[Iterable[str]]) -> None:
    (folder / f"{file}.csv").write_text("\n".join(map(",".join, rows)) + "\n", encoding="utf-8", newline="\n")


def with_cells(folder: Path, file: str, *edits: tuple[int, str, str]) -> Path:
    """Change cells: row (from 1), column, value."""
    rows = read(folder, file)
    for row, column, value in edits:
        rows[row][rows[0].index(column)] = value
    write(folder, file, rows)
    return folder


def knot(tmp: Path) -> Path:
    """A board on which players can be blocked, with other roads.

    C1, C2 and C3 lead to all suburbs, C1 not to M7; the other coast places to F1. D8 alone leads to the city, to FI.
    """
    folder = copied(tmp / KNOT)
    roads = [(hub, suburb) for hub in COASTS[:3] for suburb in SUBURBS if (hub, suburb) != ("C1", "M7")]
    roads += [(coast, "F1") for coast in COASTS[3:]] + [("D8", "FI")]
    roads += [("FI", name) for name in load_board().place_ids[46:] if name != "FI"]
    write(folder, "roads", [["place_1", "place_2", "provenance"], *([*road, "test"] for road in roads)])
    return folder


def few_goods(folder: Path) -> Path:
    """A board with three kinds of goods cards."""
    kinds = [("pottery", "wine", "4"), ("pottery", "cloth", "3"), ("cloth", "spices", "1")]
    header, *_ = read(copied(folder), "goods")
    write(folder, "goods", [header, *([f"{one}+{two}", one, two, copies, "test"] for one, two, copies in kinds)])
    return folder


def four_kinds(folder: Path) -> Path:
    """A board with four kinds of goods cards and other ids."""
    copied(folder)
    for file, columns, letter in (("places", ["place"], "X"), ("roads", ["place_1", "place_2"], "X"), ("scoring", ["card"], "S")):
        header, *rows = read(folder, file)
        named = [header.index(column) for column in columns]
        write(folder, file, [header, *([letter * (i in named) + cell for i, cell in enumerate(row)] for row in rows)])
    header, *_ = read(folder, "goods")
    kinds = [("spices", "wine"), ("pottery", "wine"), ("cloth", "pottery"), ("cloth", "spices")]
    write(folder, "goods", [header, *([f"{one}+{two}", one, two, "2", "test"] for one, two in kinds)])
    return folder
