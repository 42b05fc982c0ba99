"""What follows from placements, by sets of cells: slow, short, and from the data of board and buildings alone.

Of a record this reads `at` (the action that placed each building), counters, sets of buildings and cards.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from typing import Any

from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Building
from ginkgo_env.games.my_city.game import MyCity

Cell = tuple[int, int]
NAMES = {".": "empty", "t": "trees", "r": "rocks", "w": "well", "v": "vein", "M": "mountain", "F": "forest"}
COLORS = ("yellow", "red", "blue")


def cells_of_board(board: Board) -> list[Cell]:
    return [(r, c) for r in range(len(board.terrain)) for c in range(len(board.terrain[0]))]


def kinds(board: Board) -> dict[Cell, str]:
    return {(r, c): NAMES[board.terrain[r][c]] for r, c in cells_of_board(board)}


def light(board: Board) -> list[Cell]:
    return [cell for cell, kind in kinds(board).items() if kind not in ("mountain", "forest")]


def sides(board: Board, cell: Cell) -> list[Cell]:
    r, c = cell
    around = [(r - 1, c), (r + 1, c), (r, c - 1), (r, c + 1)]
    return [(y, x) for y, x in around if 0 <= y < len(board.terrain) and 0 <= x < len(board.terrain[0])]


def river_side(board: Board, cell: Cell) -> bool:
    return any(board.banks[r][c] != board.banks[cell[0]][cell[1]] for r, c in sides(board, cell))


def touches(board: Board, one: set[Cell], other: set[Cell]) -> bool:
    return any(side in other for cell in one for side in sides(board, cell))


def turned(cells: list[Cell], quarters: int) -> list[Cell]:
    """M11.3."""
    for _ in range(quarters):
        height = 1 + max(r for r, _ in cells)
        cells = [(c, height - 1 - r) for r, c in cells]
    return sorted(cells)


@cache
def placements(board: Board, building: Building) -> dict[int, frozenset[Cell]]:
    """By action the cells of each placement that M4.1 and M4.2 allow on the empty board."""
    shapes: list[list[Cell]] = []
    found = {}
    free, columns, size = set(light(board)), len(board.terrain[0]), len(cells_of_board(board))
    for heading in range(4):
        shape = turned(list(building.cells), heading)
        if shape in shapes:
            continue
        shapes.append(shape)
        for r, c in cells_of_board(board):
            cells = frozenset((r + y - shape[0][0], c + x - shape[0][1]) for y, x in shape)
            if cells <= free and len({board.banks[y][x] for y, x in cells}) == 1:
                found[heading * size + r * columns + c] = cells
    return found


def built(game: MyCity, g: Any, p: int) -> dict[Building, set[Cell]]:
    """The buildings on a player's board, with their cells."""
    pairs = zip(game.buildings.list, g["at"][p].tolist(), strict=False)
    return {building: set(placements(game.board, building)[at]) for building, at in pairs if at >= 0}


def legal(game: MyCity, g: Any, p: int) -> set[int]:
    """The legal actions of a player who has not ended (M4, M5)."""
    board, building = game.board, game.buildings.list[g["current"]]
    own = set().union(*built(game, g, p).values())
    found = {
        action
        for action, cells in placements(board, building).items()
        if not cells & own and (touches(board, set(cells), own) if own else any(river_side(board, cell) for cell in cells))
    }
    size = len(cells_of_board(board))
    if g["points"][p] > 0 and building.color.name != "CHURCH":
        found.add(4 * size)
    return found | {4 * size + 1}


def groups_of(board: Board, buildings: list[set[Cell]]) -> list[list[set[Cell]]]:
    """M8.4: by merging groups."""
    groups: list[list[set[Cell]]] = []
    for new in buildings:
        near = [group for group in groups if any(touches(board, new, other) for other in group)]
        groups = [group for group in groups if group not in near] + [[new, *(other for group in near for other in group)]]
    return groups


def largest_group(board: Board, buildings: list[set[Cell]]) -> int:
    return max(map(len, groups_of(board, buildings)), default=0)


def sources(game: MyCity, g: Any, p: int) -> dict[str, int]:
    """M8.1 to M8.6."""
    board, on = game.board, built(game, g, p)
    whose = {cell: building for building, cells in on.items() for cell in cells}
    visible = [kind for cell, kind in kinds(board).items() if cell not in whose]
    found = {"start": 10, "passes": -int(g["passed"][p]).bit_count(), "gold": 3 * int(g["gold"][p])}
    found |= {"trees": 2 * visible.count("trees"), "rocks": -2 * visible.count("rocks")}
    of = {
        color: [cells for building, cells in on.items() if building.color.name.lower() == color] for color in (*COLORS, "church")
    }
    found |= {color: largest_group(board, of[color]) for color in COLORS}
    found["churches"] = 3 * sum(
        all(any(touches(board, church, cells) for cells in of[color]) for color in COLORS) for church in of["church"]
    )
    wells = [cell for cell, kind in kinds(board).items() if kind == "well" and cell not in whose]
    found["wells"] = 4 * sum(len({whose[side].id for side in sides(board, well) if side in whose}) == 4 for well in wells)
    return found | {"empty": -visible.count("empty")}


def empty_by_row(game: MyCity, g: Any, p: int) -> list[int]:
    own = set().union(*built(game, g, p).values())
    rows = [0] * len(game.board.terrain)
    for cell, kind in kinds(game.board).items():
        rows[cell[0]] += kind == "empty" and cell not in own
    return rows


def members(word: Any) -> set[int]:
    return {i for i in range(64) if int(word) >> i & 1}


def union(sets: Iterable[set[Cell]]) -> set[Cell]:
    return set().union(*sets)


def one_hot(size: int, *ones: int) -> list[int]:
    return [int(i in ones) for i in range(size)]
