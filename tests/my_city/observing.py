"""Observations (M12.3) as a slow reading of records gives them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.games.my_city.game import MyCity

from .slow import COLORS, Cell, built, kinds, light, members, sources, turned

KINDS = ("empty", "trees", "rocks", "well", "vein", "mountain", "forest")
PLANES = (*COLORS, "church")


def plane(game: MyCity, cells: Any) -> list[list[int]]:
    rows = range(len(game.board.terrain))
    return [[int((r, c) in cells) for c in range(len(game.board.terrain[0]))] for r in rows]


def terrain(game: MyCity) -> list[list[list[int]]]:
    board, kind = game.board, kinds(game.board)
    bank = {cell: board.banks[cell[0]][cell[1]] for cell in kind}

    def differs(cell: Cell, other: Cell) -> bool:
        return other in bank and bank[cell] != bank[other]

    planes = [[cell for cell in kind if kind[cell] == name] for name in KINDS]
    planes += [[cell for cell in kind if bank[cell] == bank[0, 0]]]
    planes += [[(r, c) for r, c in kind if differs((r, c), (r, c + 1))], [(r, c) for r, c in kind if differs((r, c), (r + 1, c))]]
    return [plane(game, cells) for cells in planes]


def shape(game: MyCity, current: int) -> np.ndarray:
    found = np.zeros((4, 6, 6), np.int64)
    if current >= 0:
        shapes = [turned(list(game.buildings.list[current].cells), heading) for heading in range(4)]
        for heading in range(4):
            if shapes[heading] not in shapes[:heading]:
                for cell in shapes[heading]:
                    found[heading, cell[0], cell[1]] = 1
    return found


def union(sets: Iterable[set[Cell]]) -> set[Cell]:
    return set().union(*sets)


def board(game: MyCity, g: Any, p: int) -> list[list[list[int]]]:
    on = built(game, g, p)
    same = {cell: cells for cells in on.values() for cell in cells}
    planes: list[Any] = [[cell for cell in light(game.board) if cell not in same]]
    planes += [union(cells for building, cells in on.items() if building.color.name.lower() == color) for color in PLANES]
    planes += [{(r, c) for r, c in same if (r, c + 1) in same[r, c]}, {(r, c) for r, c in same if (r + 1, c) in same[r, c]}]
    return [plane(game, cells) for cells in planes]


def player(game: MyCity, g: Any, p: int) -> list[int]:
    veins = {cell for cell, kind in kinds(game.board).items() if kind == "vein"}
    covered = veins & union(built(game, g, p).values())
    points = [min(max(n, -128), 127) for n in sources(game, g, p).values()]
    return [int(g["points"][p]), int(g["ended"][p] > 0), len(covered), int(g["gold"][p]), *points]


def buildings(game: MyCity, g: Any, p: int) -> list[list[int]]:
    n, found = len(game.buildings.list), []
    for b in range(n):
        placed = b in members(g["placed"][p])
        found.append([int(placed), int(not placed and (b in members(g["passed"][p]) or b == g["blocked"] or g["ended"][p] > 0))])
    return found


def one_hot(size: int, *ones: int) -> list[int]:
    return [int(i in ones) for i in range(size)]


def expected(game: MyCity, g: Any, seat: int) -> dict[str, Any]:
    """What M12.3 says, block by block."""
    n, drawn, size = len(game.buildings.list), int(g["drawn"]), game.actions.size
    seats = [(seat + k) % game.seats for k in range(game.seats)]
    return {
        "current": one_hot(n, g["current"]),
        "shape": shape(game, int(g["current"])),
        "left": one_hot(n + 1, *g["deck"][drawn : n + 1]),
        "blocked": one_hot(n, g["blocked"]),
        "turn": [g["rounds"], n + 1 - drawn, int("vein" in kinds(game.board).values() and not g["gold"].any())],
        "terrain": terrain(game),
        "boards": [board(game, g, p) for p in seats],
        "players": [player(game, g, p) for p in seats],
        "buildings": [buildings(game, g, p) for p in seats],
        "chosen": one_hot(size + 1, g["choice"][seat] if g["choice"][seat] >= 0 else size),
    }


def check_observations(game: MyCity, batch: Batch) -> None:
    """Compare all blocks of all seats in all rows."""
    low, high = game.observation.bounds(np.int64)
    for seat in range(game.seats):
        found = batch.observe(seat)
        assert (found >= low).all() and (found <= high).all()
        for row in range(batch.size):
            wanted = expected(game, batch.states[row], seat)
            assert list(wanted) == list(game.observation)
            for name, block in wanted.items():
                np.testing.assert_array_equal(game.observation.view(found[row], name), block, err_msg=name)
