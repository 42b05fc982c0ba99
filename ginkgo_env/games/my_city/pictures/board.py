"""A player's board: terrain, river and buildings; its cells are picks of a placement."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from ginkgo_env.core.state import VisibleState, members
from ginkgo_env.games.my_city.board import Board, Cell
from ginkgo_env.games.my_city.buildings import Building
from ginkgo_env.games.my_city.constants import LETTERS, N_HEADINGS, N_MARKS, NONE, Color, Terrain
from ginkgo_env.games.my_city.describe import MEANINGS, cells_covered, runs_before, runs_below
from ginkgo_env.games.my_city.narrate import building_text
from ginkgo_env.games.my_city.notation import END, PASS, action_text
from ginkgo_env.games.my_city.pictures.pieces import Cells, building_drawn, planned, ring, terrain_drawn
from ginkgo_env.games.my_city.queries import translate
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.presenter import Choice
from ginkgo_env.pictures.svg import SMALL, Box, cached, number

# --- actions as picks --------------------------------------------------------------------------------------------------------


HEADING, CELL, INSTEAD = "heading", "cell", "instead"
"""Groups of picks: the heading and the anchor of a placement (M11.3, M11.5), or ``pass`` and ``end``."""


_SENTENCES = {
    "N": "Build {building} at {cell}, not turned",
    "E": "Build {building} at {cell}, turned right",
    "S": "Build {building} at {cell}, turned upside down",
    "W": "Build {building} at {cell}, turned left",
}


def choice_of(board: Board, building: Building, action: int) -> Choice:
    """An action as picks: ``e1E`` is the heading ``E`` and the cell ``e1``; places are the cells covered."""
    name = action_text(board, action)
    if name in (PASS, END):
        return Choice({INSTEAD: name})
    places = tuple(land_part(board, cell) for cell in cells_covered(board, building, action))
    sentence = translate(_SENTENCES[name[-1]], building=building.id, cell=name[:-1])
    return Choice({HEADING: name[-1], CELL: name[:-1]}, places, sentence=sentence)


def heading_part(letter: str) -> str:
    """The part of the picture for a heading."""
    return f"{HEADING}:{letter}"


def land_part(board: Board, cell: Cell) -> str:
    """The part for a cell of the acting player's board: ``land:e1``.

    It is a place instead of a pick, as several placements may cover the cell.
    """
    row, column = cell
    return f"land:{board.cell_name(row * board.columns + column)}"


# --- the board ---------------------------------------------------------------------------------------------------------------


MARGIN = 18.0
"""Width of the margins for coordinates."""

_EFFECTS = {
    Terrain.EMPTY: "-1 point for each cell that stays empty (M8.6)",
    Terrain.TREES: "2 points for each cell that stays visible (M8.2)",
    Terrain.ROCKS: "-2 points for each cell that stays visible (M8.3)",
    Terrain.WELL: "4 points if four different buildings lie on its four sides (M8.5)",
    Terrain.VEIN: "3 points for who is first to cover all of them (M6.1)",
    Terrain.MOUNTAIN: "nothing can be built here (M1.4)",
    Terrain.FOREST: "nothing can be built here (M1.4)",
}
_Lying = dict[int, Cells]  # buildings with their cells


def board_box(g: VisibleState, p: int, size: float) -> Box:
    """The board of a player, with frames around new buildings.

    In the picture of the seat to act, the land of its own board can be clicked.

    size : of a cell
    """
    board, built, plan = g.board, lying(g, p), chosen_place(g, p)
    body = _ground(board, size) + _terrain(board, built, size) + _river(board, size)
    for b, cells in built.items():
        drawn = svg.titled(_tooltip(g, b, cells), building_drawn(g.buildings.list[b], cells, size))
        body += svg.placed(g.buildings.ids[b], drawn)
    body += _river(board, size, over=True)
    for b, cells in plan.items():
        body += svg.titled(translate("chosen: {place}", place=_tooltip(g, b, cells)), planned(g.buildings.list[b], cells, size))
    if g.since is not None:
        old, old_plan = lying(g.since, p), chosen_place(g.since, p)
        fresh = [cells for now, then in ((built, old), (plan, old_plan)) for b, cells in now.items() if then.get(b) != cells]
        body += "".join(ring(cells, size) for cells in fresh)
    if g.viewer == p == g.actor:
        body += _clickable(board, built, size)
    width, height = MARGIN + board.columns * size, MARGIN + board.rows * size
    return Box(width + 1, height + 1, _axes(board, size) + Box(width, height, body).at(MARGIN, MARGIN))


def lying(g: VisibleState, p: int) -> _Lying:
    """The buildings on a board and the cells that they cover."""
    return {b: tuple(cells_covered(g.board, g.buildings.list[b], g.at[p][b])) for b in members(g.placed[p])}


def chosen_place(g: VisibleState, p: int) -> _Lying:
    """The placement that a player has chosen and that has no effect yet, if the viewer knows it."""
    if g.choice[p] == NONE or g.choice[p] >= N_HEADINGS * g.board.rows * g.board.columns:  # to pass or to end
        return {}
    return {g.current: tuple(cells_covered(g.board, g.buildings.list[g.current], g.choice[p]))}


def _tooltip(g: VisibleState, b: int, cells: Sequence[Cell]) -> str:
    building = g.buildings.list[b]
    return f"{building_text(building)}; {building_effect(building)}: {_places(g.board, cells)}"


def building_effect(building: Building) -> str:
    """What a building brings."""
    if building.color == Color.CHURCH:
        return translate("3 points if it touches a yellow, a red and a blue building (M8.5)")
    return translate(f"1 point in the largest {building.color.name.lower()} group (M8.4)")


def _terrain_title(terrain: Terrain, places: str) -> str:
    """A kind of terrain, where it is, and what it brings."""
    return f"{translate(MEANINGS[terrain])}: {places}: {translate(_EFFECTS[terrain])}"


def _places(board: Board, cells: Sequence[Cell]) -> str:
    return " ".join(board.cell_name(r * board.columns + c) for r, c in cells)


# --- the ground ------------------------------------------------------------------------------------------------------------


@cached
def _axes(board: Board, size: float) -> str:
    """Names of columns and rows in the margins."""
    over = [
        svg.text(MARGIN + (c + 0.5) * size, 9, chr(ord("a") + c), "dim", size=SMALL, anchor="middle")
        for c in range(board.columns)
    ]
    beside = [
        svg.text(MARGIN - 4, MARGIN + (r + 0.5) * size, r + 1, "dim", size=SMALL, anchor="end", fit=MARGIN - 4)
        for r in range(board.rows)
    ]
    return "".join(over + beside)


@cached
def _ground(board: Board, size: float) -> str:
    """Light green land and the lines of the grid."""
    width, height = board.columns * size, board.rows * size
    across = "".join(f"M0 {number(r * size)}h{number(width)}" for r in range(1, board.rows))
    down = "".join(f"M{number(c * size)} 0v{number(height)}" for c in range(1, board.columns))
    return svg.rect(0, 0, width, height, "soft-green s-dim") + svg.path(across + down, "none s-line", stroke_width=0.8)


def _terrain(board: Board, built: Mapping[int, Sequence[Cell]], size: float) -> str:
    """The terrain of cells without a building."""
    body = ""
    for terrain, cells in visible_terrain(board, built).items():
        if terrain != Terrain.EMPTY:
            body += svg.titled(_terrain_title(terrain, _places(board, cells)), terrain_drawn(terrain, tuple(cells), size))
    return body


def visible_terrain(board: Board, built: Mapping[int, Sequence[Cell]]) -> dict[Terrain, list[Cell]]:
    """The cells without a building, by kind of terrain."""
    covered = {cell for cells in built.values() for cell in cells}
    visible: dict[Terrain, list[Cell]] = {}
    for r, row in enumerate(board.terrain):
        for c, letter in enumerate(row):
            if (r, c) not in covered:
                visible.setdefault(Terrain(LETTERS.index(letter)), []).append((r, c))
    return visible


def _clickable(board: Board, built: Mapping[int, Sequence[Cell]], size: float) -> str:
    """Invisible clickable areas of the land without a building."""
    covered = {cell for cells in built.values() for cell in cells}
    areas = "".join(area for cell, area in _land(board, size) if cell not in covered)
    return svg.tag("g", "none", areas, pointer_events="all")


@cached
def _land(board: Board, size: float) -> tuple[tuple[Cell, str], ...]:
    """Clickable areas of all cells that can be built on, with the tooltips of the terrain below them."""
    areas: list[tuple[Cell, str]] = []
    for terrain, cells in visible_terrain(board, {}).items():
        for r, c in cells if terrain < N_MARKS else ():
            area = svg.rect(c * size, r * size, size, size)
            if terrain != Terrain.EMPTY:
                area = svg.titled(_terrain_title(terrain, _places(board, [(r, c)])), area)
            areas.append(((r, c), svg.named(land_part(board, (r, c)), area)))
    return tuple(areas)


@cached
def _river(board: Board, size: float, *, over: bool = False) -> str:
    """The river, drawn with banks below the buildings and narrower over them."""
    d = "".join(_river_sides(board, size))
    if over:
        return svg.path(d, "none s-sky", stroke_width=0.13 * size, stroke_linecap="round")
    return svg.path(d, "none s-blue", stroke_width=0.22 * size, stroke_linecap="round")


def _river_sides(board: Board, size: float) -> Iterator[str]:
    for r in range(board.rows):
        for c in range(board.columns):
            x, y = c * size, r * size
            if runs_before(board, r, c):
                yield f"M{number(x)} {number(y)}v{number(size)}"
            if runs_below(board, r, c):
                yield f"M{number(x)} {number(y + size)}h{number(size)}"
