"""R6.3 in cities grown at random, with holes and bays: the oracle's walk around them, and a flood from outside."""

import random

import pytest

from .city import Building, Cell, City

SIDES = ((0, -1), (1, 0), (0, 1), (-1, 0))


def neighbors(cell: Cell) -> set[Cell]:
    return {(cell[0] + dx, cell[1] + dy) for dx, dy in SIDES}


def flooded(built: set[Cell]) -> set[Cell]:
    """Cells next to a building that can be reached from outside."""
    xs, ys = [x for x, _ in built], [y for _, y in built]
    free = {(x, y) for x in range(min(xs) - 2, max(xs) + 3) for y in range(min(ys) - 2, max(ys) + 3)} - built
    waiting = [min(free)]
    outside = {*waiting}
    while waiting:
        new = (neighbors(waiting.pop()) & free) - outside
        outside |= new
        waiting += new
    return {cell for cell in outside if neighbors(cell) & built}


@pytest.mark.parametrize("seed", range(60))
def test_the_walk_lists_every_cell_of_the_edge_once(seed: int) -> None:
    chance, cells = random.Random(seed), [(0, 0)]
    while len(cells) < 45:
        cells += sorted({chance.choice(sorted(neighbors(chance.choice(cells))))} - {*cells})
    edge = City([Building(cell, "R1") for cell in cells]).edge()
    assert len(edge) == len(set(edge)) and set(edge) == flooded({*cells})
