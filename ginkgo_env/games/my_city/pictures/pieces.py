"""Terrain (M1.4) and buildings: signs in cells, and outlines distinguished by color, pattern and id."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from ginkgo_env.games.my_city.board import Cell
from ginkgo_env.games.my_city.buildings import Building
from ginkgo_env.games.my_city.constants import Color, Terrain
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.svg import Box, Points, cached, number
from ginkgo_env.pictures.widgets import patterned

# --- terrain; all cells of a kind share one path, which keeps pictures small -------------------------------------------------


_Corners = tuple[tuple[float, float], ...]


class _Part(NamedTuple):
    """A part of a sign in a cell of side 1: polygons, and circles as center and radius."""

    cls: str
    polygons: tuple[_Corners, ...] = ()
    circles: tuple[tuple[float, float, float], ...] = ()


_CELL = ((0, 0), (1, 0), (1, 1), (0, 1))
_FIR = ((0, 0), (0.22, 0.36), (0.12, 0.36), (0.24, 0.62), (-0.24, 0.62), (-0.12, 0.36), (-0.22, 0.36))
_GLITTER = ((0, -1), (0.28, -0.28), (1, 0), (0.28, 0.28), (0, 1), (-0.28, 0.28), (-1, 0), (-0.28, -0.28))


def _moved(corners: _Corners, x: float, y: float, scale: float = 1) -> _Corners:
    return tuple((x + scale * a, y + scale * b) for a, b in corners)


def _upright(x: float, top: float, low: float) -> _Corners:
    return ((x - 0.045, top), (x + 0.045, top), (x + 0.045, low), (x - 0.045, low))


_SIGNS: dict[Terrain, tuple[_Part, ...]] = {
    Terrain.EMPTY: (),
    Terrain.TREES: (
        _Part("f-ink", (_upright(0.34, 0.5, 0.76), _upright(0.64, 0.6, 0.92))),
        _Part("f-green s-ink", circles=((0.34, 0.36, 0.2),)),
        _Part("f-green s-ink", circles=((0.64, 0.54, 0.2),)),
    ),
    Terrain.ROCKS: (
        _Part("f-grey s-edge", (((0.12, 0.74), (0.2, 0.4), (0.38, 0.24), (0.54, 0.42), (0.6, 0.74)),)),
        _Part("f-grey s-edge", (((0.46, 0.84), (0.52, 0.6), (0.68, 0.48), (0.83, 0.58), (0.88, 0.84)),)),
    ),
    Terrain.WELL: (
        _Part("f-light s-edge", circles=((0.5, 0.5, 0.35),)),
        _Part("f-blue s-edge", circles=((0.5, 0.5, 0.2),)),
    ),
    Terrain.VEIN: (
        _Part("f-yellow s-edge", (_moved(_GLITTER, 0.44, 0.46, 0.38),)),
        _Part("f-yellow s-edge", (_moved(_GLITTER, 0.76, 0.74, 0.2),)),
    ),
    Terrain.MOUNTAIN: (
        _Part("f-well", (_CELL,)),
        _Part("f-grey", (((0.06, 0.88), (0.5, 0.14), (0.94, 0.88)),)),
        _Part("f-light", (((0.5, 0.14), (0.66, 0.41), (0.56, 0.37), (0.5, 0.46), (0.43, 0.37), (0.34, 0.41)),)),
    ),
    Terrain.FOREST: (
        _Part("f-green", (_CELL,)),
        _Part("f-edge", (_moved(_FIR, 0.32, 0.1), _moved(_FIR, 0.68, 0.28))),
    ),
}


@cached
def terrain_drawn(terrain: Terrain, cells: tuple[Cell, ...], size: float) -> str:
    """The signs of a kind of terrain in cells of a size; cell (0, 0) is at the origin."""
    body = ""
    for part in _SIGNS[terrain] if cells else ():
        d = "".join(_in_cell(part, c * size, r * size, size) for r, c in cells)
        line = 0.05 * size if " s-" in part.cls else None
        body += svg.path(d, part.cls, stroke_width=line, stroke_linejoin="round" if line else None)
    return body


def _in_cell(part: _Part, x: float, y: float, size: float) -> str:
    polygons = ["L".join(f"{number(x + size * a)} {number(y + size * b)}" for a, b in corners) for corners in part.polygons]
    return "".join(f"M{polygon}Z" for polygon in polygons) + "".join(
        f"M{number(x + size * (a - r))} {number(y + size * b)}{_arc(size * r, 1)}{_arc(size * r, -1)}Z"
        for a, b, r in part.circles
    )


def _arc(r: float, way: int) -> str:
    """Half a circle, to the right (1) or to the left (-1)."""
    return f"a{number(r)} {number(r)} 0 1 0 {number(way * 2 * r)} 0"


# --- buildings ---------------------------------------------------------------------------------------------------------------


HUES = {Color.YELLOW: "yellow", Color.RED: "red", Color.BLUE: "blue", Color.CHURCH: "light"}
SOFT_HUES = HUES | {Color.CHURCH: "grey"}
"""Hues with a pale shade."""
_PATTERNS = {Color.YELLOW: "dots", Color.RED: "hatch", Color.BLUE: "cross"}
_ROUND = 0.2  # radius of corners, as a share of a cell
_INSET = 0.06  # distance of an outline from the edge of its cells, as a share of a cell
_TYPE = (13.0, 17.0)  # sizes of ids

Cells = tuple[Cell, ...]
_Point = tuple[int, int]


@cached
def building_drawn(building: Building, cells: Cells, size: float) -> str:
    """A building on the board, whose top left corner is at (0, 0)."""
    hue, d = HUES[building.color], outline(cells, size, _INSET * size)
    x, y, room = label_place(cells, size, building.id)
    body = svg.path(d, f"f-{hue} s-edge", stroke_width=1.4, stroke_linejoin="round") + _pattern(building, d)
    return body + _crosses(building, cells, size, (x, y)) + _label(building.id, (x, y), room, size, f"f-{hue}", f"on-{hue}")


@cached
def planned(building: Building, cells: Cells, size: float) -> str:
    """A building that has been chosen but not placed yet."""
    hue, d = HUES[building.color], outline(cells, size, 1.5 * _INSET * size)
    x, y, room = label_place(cells, size, building.id)
    fill = "f-panel" if building.color == Color.CHURCH else f"soft-{hue}"
    body = svg.path(d, f"{fill} s-ink", stroke_width=2, stroke_dasharray="5 3")
    return body + _label(building.id, (x, y), room, size, fill, "ink")


def ring(cells: Cells, size: float) -> str:
    """The frame of a building that is new since the earlier state."""
    d = outline(cells, size, 0)
    return svg.path(d, "none s-mark", stroke_width=4.5) + svg.path(d, "none s-page", stroke_width=1.5, stroke_dasharray="5 3")


@cached
def small_shape(building: Building, heading: int, size: float, *, anchor: bool = False) -> Box:
    """A building beside the board in a heading; `anchor` adds a dot in the anchor cell (M11.5)."""
    cells = building.turned(heading)
    width, height = size * (1 + max(c for _, c in cells)), size * (1 + max(r for r, _ in cells))
    hue, d = HUES[building.color], outline(cells, size, 0.5)
    body = svg.path(d, f"f-{hue} s-edge", stroke_width=1.2, stroke_linejoin="round") + _pattern(building, d)
    if anchor:
        row, column = cells[0]
        body += _joints(cells, size) + anchor_sign((column + 0.5) * size, (row + 0.5) * size, 0.28 * size)
    return Box(width, height, body)


@cached
def gone_shape(building: Building, size: float) -> str:
    """The outline of a building whose card has been turned up."""
    return svg.path(outline(building.cells, size, 0.5), "none s-line", stroke_width=1.2)


def anchor_sign(x: float, y: float, r: float) -> str:
    """The dot in the anchor cell of a building."""
    return svg.circle(x, y, r, "f-edge s-light", stroke_width=1.5)


def _pattern(building: Building, d: str) -> str:
    return patterned(d, _PATTERNS[building.color]) if building.color in _PATTERNS else ""


def _joints(cells: Sequence[Cell], size: float) -> str:
    """Fine lines between the cells of a shape."""
    across = [f"M{number((c + 1) * size)} {number(r * size)}v{number(size)}" for r, c in cells if (r, c + 1) in cells]
    down = [f"M{number(c * size)} {number((r + 1) * size)}h{number(size)}" for r, c in cells if (r + 1, c) in cells]
    return svg.path("".join(across + down), "none s-edge", stroke_width=1) if across or down else ""


def _label(text: str, at: tuple[float, float], room: float, size: float, ground: str, on: str) -> str:
    """The id on a plain background, without the pattern; it is never truncated."""
    x, y = at
    type_size = min(_type_size(size), room / svg.text_width(text, 1, bold=True))
    width = min(room, svg.text_width(text, type_size, bold=True) + 4)
    plate = svg.rect(x - width / 2, y - 0.56 * type_size, width, 1.12 * type_size, ground, r=3)
    return plate + svg.text(x, y, text, on, size=type_size, anchor="middle", bold=True)


def _crosses(building: Building, cells: Sequence[Cell], size: float, label: tuple[float, float]) -> str:
    """Crosses in the cells of a church that its id leaves free."""
    if building.color != Color.CHURCH:
        return ""
    centers = [((c + 0.5) * size, (r + 0.5) * size) for r, c in cells]
    free = [(x, y) for x, y in centers if max(abs(x - label[0]), abs(y - label[1])) > 0.6 * size]
    return "".join(church_cross(x, y, 0.3 * size) for x, y in free)


def church_cross(x: float, y: float, r: float) -> str:
    """The cross of a church around (x, y)."""
    a, top, arm, low = 0.2 * r, y - r, y - 0.4 * r, y + r
    left, right = x - 0.72 * r, x + 0.72 * r
    upper = [(x - a, arm - a), (x - a, top), (x + a, top), (x + a, arm - a)]
    lower = [(right, arm - a), (right, arm + a), (x + a, arm + a), (x + a, low), (x - a, low), (x - a, arm + a)]
    corners: Points = [*upper, *lower, (left, arm + a), (left, arm - a)]
    return svg.polygon(corners, "f-edge")


# --- outlines --------------------------------------------------------------------------------------------------------------


def label_place(cells: Sequence[Cell], size: float, text: str) -> tuple[float, float, float]:
    """The center (x, y) and the width of an id, as near to the building's center as it fits."""
    y0, x0 = (sum(place) / len(cells) + 0.5 for place in zip(*cells, strict=True))
    wanted = svg.text_width(text, _type_size(size), bold=True)

    def cost(place: tuple[float, float, float]) -> tuple[bool, float, float, float]:
        x, y, width = place
        return (_room(width, size) < wanted, abs(x - x0) + abs(y - y0), y, x)

    x, y, width = min(_places(cells), key=cost)
    return x * size, y * size, _room(width, size)


def _room(width: float, size: float) -> float:
    """The width for text in a number of cells."""
    return (width - 2 * _INSET) * size - 3


def _type_size(size: float) -> float:
    least, most = _TYPE
    return min(most, max(least, 0.48 * size))


def _places(cells: Sequence[Cell]) -> Iterator[tuple[float, float, float]]:
    """Centers and widths of rectangles within a building, in cells."""
    there = set(cells)
    for r, c in cells:
        for high in (1, 2):
            for wide in (1, 2, 3):
                if {(r + i, c + j) for i in range(high) for j in range(wide)} <= there:
                    yield c + wide / 2, r + high / 2, wide


def outline(cells: Iterable[Cell], size: float, inset: float) -> str:
    """A path around cells with round corners, at a distance `inset` inside their edge."""
    turn = min(_ROUND * size, size / 2 - inset)
    return "".join(_rounded(loop, size, inset, turn) for loop in _loops(set(cells)))


def _rounded(loop: Sequence[_Point], size: float, inset: float, turn: float) -> str:
    """A closed line of the path, with a round corner after each side, in relative coordinates."""
    parts: list[str] = []
    for k, (x, y) in enumerate(loop):
        (x0, y0), (x2, y2) = loop[k - 1], loop[(k + 1) % len(loop)]
        (ax, ay), (bx, by) = _direction(x - x0, y - y0), _direction(x2 - x, y2 - y)
        px, py = x * size + inset * (-ay - by), y * size + inset * (ax + bx)  # the inside is on the right
        parts.append(f"{'L' if parts else 'M'}{_pair((px - turn * ax, py - turn * ay))}")
        parts.append(f"q{_pair((turn * ax, turn * ay))} {_pair((turn * (ax + bx), turn * (ay + by)))}")
    return "".join(parts) + "Z"


def _loops(cells: set[Cell]) -> Iterator[list[_Point]]:
    """The corners of each closed line around cells as (column, row), clockwise; holes counterclockwise."""
    edges = _edges(cells)
    while edges:
        start = at = next(iter(edges))
        way, loop = edges[start][0], []
        while at in edges and way in edges[at]:
            edges[at].remove(way)
            if not edges[at]:
                del edges[at]
            at = at[0] + way[0], at[1] + way[1]
            ways = edges.get(at, [])
            right = -way[1], way[0]
            following = right if right in ways or not ways else ways[0]  # where cells meet at a corner, stay with the cell
            if following != way and ways:
                loop.append(at)
            way = following if ways else way
        yield [*loop, start]


def _edges(cells: set[Cell]) -> dict[_Point, list[_Point]]:
    """The sides of the outline: for each corner the directions of sides that start there."""
    edges: dict[_Point, list[_Point]] = {}
    for r, c in sorted(cells):
        sides = (
            ((r - 1, c), (c, r), (1, 0)),
            ((r, c + 1), (c + 1, r), (0, 1)),
            ((r + 1, c), (c + 1, r + 1), (-1, 0)),
            ((r, c - 1), (c, r + 1), (0, -1)),
        )
        for other, start, way in sides:
            if other not in cells:
                edges.setdefault(start, []).append(way)
    return edges


def _direction(dx: int, dy: int) -> _Point:
    return (dx > 0) - (dx < 0), (dy > 0) - (dy < 0)


def _pair(point: tuple[float, float]) -> str:
    return f"{number(point[0])} {number(point[1])}"
