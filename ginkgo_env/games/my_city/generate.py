"""Generated boards: texts of board files, of the size of the board ``own`` (M1.6)."""

from __future__ import annotations

from collections.abc import Iterator

from ginkgo_env.core.generated import SplitMix64
from ginkgo_env.games.my_city.constants import LETTERS, N_MARKS, Terrain

Cell = tuple[int, int]
SIDE = 11
_WIDEST = 3  # cells of mountain or forest in a row
_LEFT = 4, 7  # cells of a row on the left bank: fewest and most
_MASSIF = 11, 15  # cells of mountain, and of forest
_LIGHT_LEFT = 30  # least number of light green cells on the left bank (M1.7)
_MARKS = {Terrain.WELL: (2, 4), Terrain.TREES: (5, 7), Terrain.ROCKS: (5, 7)}


def generated_text(number: int) -> str:
    """Return the text of a generated board."""
    random = SplitMix64(number)
    mountain, forest = _massif(random), _massif(random)
    left = _river(random)
    while sum(left) - sum(mountain) < _LIGHT_LEFT:
        left = _river(random)
    cells = [(r, c) for r in range(SIDE) for c in range(SIDE)]
    terrain = dict.fromkeys(cells, Terrain.EMPTY)
    terrain |= {(r, c): Terrain.MOUNTAIN for r, c in cells if c < mountain[r]}
    terrain |= {(r, c): Terrain.FOREST for r, c in cells if c >= SIDE - forest[r]}
    _add_marks(random, terrain, {(r, c) for r, c in cells if c < left[r]})
    grid = [" ".join(LETTERS[terrain[r, c]] for c in range(SIDE)) for r in range(SIDE)]
    banks = [" ".join("l" * n + "r" * (SIDE - n)) for n in left]
    columns = " ".join("abcdefghijk")
    return "\n".join([f"name generated_{number}", f"columns {columns}", "", "terrain", *grid, "", "banks", *banks, ""])


def _massif(random: SplitMix64) -> list[int]:
    """Return the cells of mountain or forest in each row, which get fewer from the widest row on."""
    widths = [0] * SIDE
    while not _MASSIF[0] <= sum(widths) <= _MASSIF[1]:
        peak = random.below(SIDE)
        for rows in range(peak, -1, -1), range(peak, SIDE):
            width = _WIDEST
            for row in rows:
                widths[row] = width
                width = max(0, width - (random.below(3) > 0))
    return widths


def _river(random: SplitMix64) -> list[int]:
    """Return the cells of each row on the left bank; the river moves by one cell at most from row to row."""
    low, high = _LEFT
    left = [random.between(low, high)]
    while len(left) < SIDE:
        left.append(min(high, max(low, left[-1] + random.between(-1, 1))))
    return left


def _add_marks(random: SplitMix64, terrain: dict[Cell, Terrain], left: set[Cell]) -> None:
    """Add the marks, none beside another.

    There is a vein on each bank, at the edge of the light green cells. Wells have four light green neighbors, or could not score.
    """

    def neighbors(cell: Cell) -> Iterator[Terrain]:
        r, c = cell
        return (terrain.get(other, Terrain.MOUNTAIN) for other in ((r - 1, c), (r, c + 1), (r + 1, c), (r, c - 1)))

    inside = {cell for cell in terrain if all(other < N_MARKS for other in neighbors(cell))}
    marks = [(Terrain.VEIN, left - inside), (Terrain.VEIN, terrain.keys() - left - inside)]
    for mark, (low, high) in _MARKS.items():
        marks += [(mark, inside if mark == Terrain.WELL else set(terrain))] * random.between(low, high)
    order = random.shuffled(cell for cell, kind in terrain.items() if kind == Terrain.EMPTY)
    for mark, allowed in marks:
        free = (cell for cell in order if cell in allowed and terrain[cell] == Terrain.EMPTY)
        apart = (cell for cell in free if not any(Terrain.EMPTY < other < N_MARKS for other in neighbors(cell)))
        terrain[next(apart)] = mark
