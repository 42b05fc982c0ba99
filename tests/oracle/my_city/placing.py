"""M4 Where a building may be placed."""

from dataclasses import dataclass
from functools import cache

from .board import HEADINGS, Board, Building, Cell, Cells, around, cell_name
from .table import Player


@dataclass(frozen=True)
class Placement:
    """A place on the empty board."""

    text: str  # M11.6
    heading: str
    anchor: Cell
    cells: Cells
    around: Cells
    at_river: bool


@cache
def on_empty_board(board: Board, building: Building) -> list[Placement]:
    """All that M4.1 and M4.2 allow on the empty board, in the order of actions (M11.7)."""
    found = []
    for heading, shape in zip(HEADINGS, building.turned, strict=True):
        if shape is None:
            continue
        first = min(shape)  # M11.5; reading order is the order of (row, column)
        for anchor in sorted(board.light_green):
            cells = frozenset((r + anchor[0] - first[0], c + anchor[1] - first[1]) for r, c in shape)
            if cells <= board.light_green and len({board.banks[cell] for cell in cells}) == 1:
                at_river = any(board.at_river(cell) for cell in cells)
                text = cell_name(anchor) + heading
                found.append(Placement(text, heading, anchor, cells, frozenset(around(cells)), at_river))
    return found


def placement(board: Board, building: Building, text: str) -> Placement:
    return next(place for place in on_empty_board(board, building) if place.text == text)


def legal_placements(board: Board, player: Player, building: Building) -> list[Placement]:
    """M4.1 to M4.4."""
    covered = player.covered
    free = [place for place in on_empty_board(board, building) if not place.cells & covered]
    return [place for place in free if (place.around & covered if covered else place.at_river)]


def place(board: Board, player: Player, building: Building, text: str) -> None:
    player.placed[building.name] = text, placement(board, building, text).cells
