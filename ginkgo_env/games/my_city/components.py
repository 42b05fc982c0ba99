"""A board and buildings as one record for kernels, so that other data need no other machine code."""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from functools import lru_cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.state import Array, Record, byte, record_dtype, short, uint64
from ginkgo_env.games.my_city.board import Board, Cell
from ginkgo_env.games.my_city.buildings import Buildings
from ginkgo_env.games.my_city.constants import (
    LETTERS,
    MAX_BUILDINGS,
    MAX_CELLS,
    MAX_SHAPE,
    MAX_SIDE,
    N_HEADINGS,
    N_MARKS,
    N_WORDS,
    SHAPE_SIDE,
    Color,
    Terrain,
)
from ginkgo_env.games.my_city.state import State

H, W = N_HEADINGS, N_WORDS


class TerrainPlane(IntEnum):
    """Planes of the block ``terrain``: kinds of cells in the order of Terrain, then banks and river."""

    EMPTY_LAND, TREES, ROCKS, WELL, VEIN, MOUNTAIN, FOREST, FIRST_BANK, RIVER_TO_THE_EAST, RIVER_TO_THE_SOUTH = range(10)


class Components(Record):
    """The record, field by field: source of the dtype, and type of ``t`` for type checkers.

    Sets of cells are two words (``core.compile.bits``): cell i is bit i, in reading order. Sets of buildings are one word.
    """

    board: np.uint64 = uint64("digest of the board")
    buildings: np.uint64 = uint64("digest of the buildings")
    # sets of cells
    of_mark: Array = uint64("light green cells by Terrain", N_MARKS, W)
    light: Array = uint64("all light green cells", W)
    not_first: Array = uint64("cells outside the first column", W)
    not_last: Array = uint64("cells outside the last column", W)
    same_east: Array = uint64("cells whose eastern neighbor lies on the same bank", W)
    same_south: Array = uint64("cells whose southern neighbor does", W)
    in_row: Array = uint64("cells of each row", MAX_SIDE, W)
    anchors: Array = uint64("where headings may be anchored on the empty board (M4.1, M4.2)", MAX_BUILDINGS, H, W)
    at_river: Array = uint64("the anchors with a river side (M4.3)", MAX_BUILDINGS, H, W)
    covered: Array = uint64("the cells of a heading, anchored at the first cell of the board", MAX_BUILDINGS, H, W)
    # sets of buildings
    of_color: Array = uint64("by Color", len(Color))

    offsets: Array = short("of covered cells from the anchor; the last one is repeated", MAX_BUILDINGS, MAX_SHAPE, H)
    n_cells: int = short("cells of the board")
    n_veins: int = short("cells with a vein")
    rows: int = byte("of the board")
    columns: int = byte("of the board")
    n_buildings: int = byte("buildings of each player")
    n_headings: Array = byte("headings that a building has, always the first ones (M11.4)", MAX_BUILDINGS)
    most_covered: int = byte("cells of the largest building")
    color: Array = byte("Color of each building", MAX_BUILDINGS)
    headings: Array = byte("as in observations (M12.3)", MAX_BUILDINGS, H * SHAPE_SIDE * SHAPE_SIDE)
    terrain: Array = byte("as in observations (M12.3), without gaps between planes", len(TerrainPlane) * MAX_CELLS)


COMPONENTS = record_dtype(Components)
"""The dtype of board and buildings for kernels. A single object, as Numba recognizes dtypes by identity."""


@lru_cache(maxsize=64)  # the slowest step in making a game
def components_of(board: Board, buildings: Buildings) -> NDArray[Any]:
    """Return a board and buildings as one record, shape (1,), read-only."""
    components = np.zeros(1, COMPONENTS)  # no record array: Numba takes several times longer to recognize its type
    t = components[0]
    cells = [(r, c) for r in range(board.rows) for c in range(board.columns)]
    letters = {(r, c): board.terrain[r][c] for r, c in cells}
    t.board, t.buildings = int(board.digest, 16), int(buildings.digest, 16)
    t.rows, t.columns, t.n_cells = board.rows, board.columns, len(cells)
    for mark in range(N_MARKS):
        t.of_mark[mark] = _set(board, [cell for cell in cells if letters[cell] == LETTERS[mark]])
    light = {cell for cell in cells if letters[cell] in LETTERS[:N_MARKS]}
    t.light = _set(board, light)
    t.n_veins = sum(letter == LETTERS[Terrain.VEIN] for letter in letters.values())
    t.not_first = _set(board, [cell for cell in cells if cell[1] > 0])
    t.not_last = _set(board, [cell for cell in cells if cell[1] < board.columns - 1])
    banks = board.banks
    t.same_east = _set(board, [(r, c) for r, c in cells if c + 1 < board.columns and banks[r][c] == banks[r][c + 1]])
    t.same_south = _set(board, [(r, c) for r, c in cells if r + 1 < board.rows and banks[r][c] == banks[r + 1][c]])
    for row in range(board.rows):
        t.in_row[row] = _set(board, [cell for cell in cells if cell[0] == row])
    t.n_buildings = len(buildings.list)
    light_banks = [{(r, c) for r, c in light if banks[r][c] == letter} for letter in {*"".join(banks)}]
    river = {cell for cell in light if board.at_river(*cell)}
    for b, building in enumerate(buildings.list):
        t.of_color[building.color] |= np.uint64(1 << b)
        t.color[b], t.most_covered = building.color, max(len(building.cells), int(t.most_covered))
        t.n_headings[b] = len(building.headings)
        for heading in building.headings:
            _add_heading(t, board, light_banks, river, b, heading, building.turned(heading))
    planes = np.zeros((len(TerrainPlane), board.rows, board.columns), np.int8)
    for (r, c), letter in letters.items():
        planes[LETTERS.index(letter), r, c] = 1
        planes[TerrainPlane.FIRST_BANK, r, c] = banks[r][c] == banks[0][0]
        planes[TerrainPlane.RIVER_TO_THE_EAST, r, c] = c + 1 < board.columns and banks[r][c] != banks[r][c + 1]
        planes[TerrainPlane.RIVER_TO_THE_SOUTH, r, c] = r + 1 < board.rows and banks[r][c] != banks[r + 1][c]
    t.terrain[: planes.size] = planes.ravel()
    components.setflags(write=False)
    return components


@kernel
def has_components(g: State, t: Components) -> bool:
    """Return whether these are board and buildings of a record's game."""
    return bool(g.board == t.board and g.buildings == t.buildings)


def _add_heading(
    t: Any, board: Board, light_banks: list[set[Cell]], at_river: set[Cell], b: int, heading: int, shape: tuple[Cell, ...]
) -> None:
    """Fill in the components of one heading of a building.

    light_banks : the light green cells of each bank
    at_river : those that lie at the river
    shape : the cells of the heading from the top left corner
    """
    for r, c in shape:
        t.headings[b, (heading * SHAPE_SIDE + r) * SHAPE_SIDE + c] = 1
    first = shape[0]  # the anchor (M11.5)
    anchors, river = [], []
    for bank in light_banks:
        for anchor in bank:
            covered = [(anchor[0] + r - first[0], anchor[1] + c - first[1]) for r, c in shape]
            if bank.issuperset(covered):
                anchors.append(anchor)
                if not at_river.isdisjoint(covered):
                    river.append(anchor)
    if not anchors:
        return  # offsets may not fit, as the shape may be larger than the board
    t.anchors[b, heading], t.at_river[b, heading] = _set(board, anchors), _set(board, river)
    offsets = [(r - first[0]) * board.columns + c - first[1] for r, c in shape]
    t.offsets[b, :, heading] = offsets + [offsets[-1]] * (MAX_SHAPE - len(shape))
    t.covered[b, heading] = _words(sum(1 << offset for offset in offsets))


def _set(board: Board, cells: Iterable[Cell]) -> tuple[np.uint64, np.uint64]:
    """Return a set of cells as two words."""
    return _words(sum(1 << (r * board.columns + c) for r, c in cells))


def _words(bits: int) -> tuple[np.uint64, np.uint64]:
    """Return the low and the high word of a set."""
    return np.uint64(bits & (2**64 - 1)), np.uint64(bits >> 64)
