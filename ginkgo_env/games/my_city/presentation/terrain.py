"""Signs of terrain (M1.4). All cells of a kind share one path, which keeps pictures small."""

from __future__ import annotations

from typing import NamedTuple

from ginkgo_env.drawing.svg import cached, number, path
from ginkgo_env.games.my_city.board import Cell
from ginkgo_env.games.my_city.constants import Terrain

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
        body += path(d, part.cls, stroke_width=line, stroke_linejoin="round" if line else None)
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
