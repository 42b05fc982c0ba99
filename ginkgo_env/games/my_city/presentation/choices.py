"""Actions as people put them together at the table: how the building is turned, then where it lies, or not to build at all."""

from __future__ import annotations

from ginkgo_env.drawing.presenter import Choice
from ginkgo_env.games.my_city.board import Board, Cell
from ginkgo_env.games.my_city.buildings import Building
from ginkgo_env.games.my_city.text.describe_players import cells_covered
from ginkgo_env.games.my_city.text.notation import END, PASS, action_text

HEADING, CELL, INSTEAD = "heading", "cell", "instead"
"""The groups of picks: letter and anchor of a placement (M11.3, M11.5); ``pass`` or ``end``."""


def choice_of(board: Board, building: Building, action: int) -> Choice:
    """A legal action: ``e1E`` is the heading ``E`` and the cell ``e1``, about all land that the building would cover."""
    name = action_text(board, action)
    if name in (PASS, END):
        return Choice({INSTEAD: name})
    places = tuple(land_part(board, cell) for cell in cells_covered(board, building, action))
    return Choice({HEADING: name[-1], CELL: name[:-1]}, places)


def heading_part(letter: str) -> str:
    """The part of the picture where a heading is picked."""
    return f"{HEADING}:{letter}"


def land_part(board: Board, cell: Cell) -> str:
    """``land:e1``: a cell on the board of the player who decides. It is no pick: several placements may cover it."""
    row, column = cell
    return f"land:{board.cell_name(row * board.columns + column)}"
