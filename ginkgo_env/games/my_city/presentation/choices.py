"""Actions as picks: heading and cell of a building, or not to build."""

from __future__ import annotations

from ginkgo_env.drawing.presenter import Choice
from ginkgo_env.games.my_city.board import Board, Cell
from ginkgo_env.games.my_city.buildings import Building
from ginkgo_env.games.my_city.text.describe_players import cells_covered
from ginkgo_env.games.my_city.text.notation import END, PASS, action_text

HEADING, CELL, INSTEAD = "heading", "cell", "instead"
"""Groups of picks: the heading and the anchor of a placement (M11.3, M11.5), or ``pass`` and ``end``."""


def choice_of(board: Board, building: Building, action: int) -> Choice:
    """An action as picks: ``e1E`` is the heading ``E`` and the cell ``e1``; places are the cells covered."""
    name = action_text(board, action)
    if name in (PASS, END):
        return Choice({INSTEAD: name})
    places = tuple(land_part(board, cell) for cell in cells_covered(board, building, action))
    return Choice({HEADING: name[-1], CELL: name[:-1]}, places)


def heading_part(letter: str) -> str:
    """The part of the picture for a heading."""
    return f"{HEADING}:{letter}"


def land_part(board: Board, cell: Cell) -> str:
    """The part for a cell of the acting player's board: ``land:e1``.

    It is a place instead of a pick, as several placements may cover the cell.
    """
    row, column = cell
    return f"land:{board.cell_name(row * board.columns + column)}"
