"""The boards in a description of the table, with points and passes; all of it is public (M10.1)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from ginkgo_env.core.fields import Fields, members
from ginkgo_env.core.text import Line, fitted
from ginkgo_env.games.my_city.board import Board, Cell
from ginkgo_env.games.my_city.buildings import Building, Buildings
from ginkgo_env.games.my_city.constants import LETTERS, Source
from ginkgo_env.games.my_city.text.words import say

SIGNS = ".trwv^&"
"""The signs of Terrain, in order."""
_NORTH, _EAST, _SOUTH, _WEST = 1, 2, 4, 8
_JOINTS = " ║═╚║║╔╠═╝═╩╗╣╦╬"
"""The sign of the river where four cells meet, by the sum of the directions in which it runs from there."""
_MARGIN, _GAP = 3, "   "
_MIN_WIDTH = 26  # columns of a block: a name and its points need no more
_NO_BREAK = "\xa0"
"""A space at which lines are not broken."""


def player_blocks(
    g: Fields, points: Sequence[Sequence[int]], board: Board, buildings: Buildings, names: Sequence[str], width: int
) -> list[str]:
    """Return a block for each player, as many side by side as fit: name, board, points, passes."""
    boards = [_board_lines(g, board, buildings, p) for p in range(g.players)]
    wide = max(_MIN_WIDTH, len(boards[0][0]))
    abreast = min(g.players, max(1, (width + len(_GAP)) // (wide + len(_GAP))))
    room = max(wide, (width - len(_GAP) * (abreast - 1)) // abreast) if abreast > 1 else width
    blocks = [
        [say("{name}: {n} points", name=names[p], n=sum(points[p])), *boards[p], *fitted(_facts(g, points, buildings, p), room)]
        for p in range(g.players)
    ]
    lines: list[str] = []
    for first in range(0, g.players, abreast):
        rows = zip_longest(*blocks[first : first + abreast], fillvalue="")
        lines += [*(_GAP.join(f"{part:<{room}}" for part in row).rstrip().replace(_NO_BREAK, " ") for row in rows), ""]
    return lines


def _facts(g: Fields, points: Sequence[Sequence[int]], buildings: Buildings, p: int) -> list[Line]:
    """Return lines with the counter, points by source as they stand, and the buildings passed."""
    ended = say(", ended in round {n}", n=g.ended[p]) if g.ended[p] else ""
    sources = [f"{say(source.name.lower())}{_NO_BREAK}{n}" for source, n in zip(Source, points[p], strict=True) if n]
    passed = [buildings.ids[b] for b in members(g.passed[p])]
    lines = [Line(say("counter {n}", n=g.points[p]) + ended, 2), Line(", ".join(sources), 2)]
    return lines + ([Line(say("passed: {buildings}", buildings=" ".join(passed)), 2)] if passed else [])


# --- a board ---------------------------------------------------------------------------------------------------------------


def _board_lines(g: Fields, board: Board, buildings: Buildings, p: int) -> list[str]:
    """Return a player's board: a line for each row, and one between two rows where the river runs. All have equal length."""
    texts = _cells(g, board, buildings, p)
    wide = max(map(len, buildings.ids))
    columns = range(board.columns)
    lines = [" " * _MARGIN + "".join(f" {chr(ord('a') + c):<{wide}}" for c in columns)]
    for r in range(board.rows):
        row = "".join(f"{'║' if runs_before(board, r, c) else ' '}{texts[r][c]:<{wide}}" for c in columns)
        lines.append(f"{r + 1:>2}".ljust(_MARGIN) + row)
        below = "".join(_joint(board, r, c) + ("═" if runs_below(board, r, c) else " ") * wide for c in columns)
        if "═" in below:
            lines.append(" " * _MARGIN + below)
    return lines


def _cells(g: Fields, board: Board, buildings: Buildings, p: int) -> list[list[str]]:
    """Return the text of each cell: the building on it, or the terrain."""
    texts = [[SIGNS[LETTERS.index(letter)] for letter in row] for row in board.terrain]
    for b in members(g.placed[p]):
        for r, c in cells_covered(board, buildings.list[b], g.at[p][b]):
            texts[r][c] = buildings.ids[b]
    return texts


def cells_covered(board: Board, building: Building, action: int) -> list[Cell]:
    """Return the cells that a building covers when an action places it, in reading order."""
    heading, anchor = divmod(action, board.rows * board.columns)
    row, column = divmod(anchor, board.columns)
    shape = building.turned(heading)
    first = shape[0][1]  # the anchor's column in the shape (M11.5)
    return [(row + r, column + c - first) for r, c in shape]


def runs_before(board: Board, r: int, c: int) -> bool:
    """Whether the river runs on the left side of a cell."""
    return c > 0 and r < board.rows and board.banks[r][c - 1] != board.banks[r][c]


def runs_below(board: Board, r: int, c: int) -> bool:
    """Whether the river runs below a cell."""
    return c >= 0 and r + 1 < board.rows and board.banks[r][c] != board.banks[r + 1][c]


def _joint(board: Board, r: int, c: int) -> str:
    """Return the sign of the river at the lower left corner of a cell."""
    sides = {_NORTH: runs_before(board, r, c), _EAST: runs_below(board, r, c)}
    sides |= {_SOUTH: runs_before(board, r + 1, c), _WEST: runs_below(board, r, c - 1)}
    return _JOINTS[sum(direction for direction, runs in sides.items() if runs)]
