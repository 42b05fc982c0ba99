"""The city as a map, north up; a city that is too wide or too high is drawn in parts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Set

from ginkgo_env.core.state import PlainRecord, VisibleState
from ginkgo_env.games.ginkgopolis.components import NAMES
from ginkgo_env.games.ginkgopolis.constants import GREEN_SPACE, N_LETTERS, N_TILES, NOBODY, NONE, NOWHERE, WILLIAM, Stage
from ginkgo_env.games.ginkgopolis.describe import mark, parts_of
from ginkgo_env.games.ginkgopolis.pictures.pieces import (
    asked_of,
    building_title,
    click_area,
    free_sides,
    hue_of,
    place_of,
    token_title,
    tree_sign,
)
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.svg import PAGE, SMALL, Box
from ginkgo_env.pictures.theme import SEAT_HUES
from ginkgo_env.pictures.widgets import badge, changed_ring

_Cell = tuple[int, int]
_Part = tuple[int, int, int, int]  # west, east, north and south ends
_Piece = tuple[int, ...]
_MARGIN = 24.0  # for coordinates
_GAP = 16.0  # between maps, and around the picture
_SMALLEST, _IN_PARTS, _LARGEST = 46.0, 50.0, 76.0  # sizes of a cell
_MOST_COLUMNS = int((PAGE - _MARGIN) // _SMALLEST)
_MOST_ROWS = 16
_MOST_BARS = 4  # floors that are drawn beside their number


def sign_of(g: PlainRecord, p: int) -> int:
    """The sign of a side (``drawing.shapes.sign_of``)."""
    return len(SEAT_HUES) - 1 if g.solo and p == WILLIAM else p


def city_box(g: VisibleState) -> Box:
    """The whole city, with frames around changes."""
    maps = _maps(g)
    if len(maps) > 1:
        return svg.flow(maps, PAGE, _GAP, align=0)
    spare = PAGE - maps[0].width
    return Box(PAGE, maps[0].height, maps[0].at(max(0, spare - _MARGIN) / 2, 0))


def city_alone(g: VisibleState) -> Box:
    """The city as a board of its own, without empty space around it."""
    whole = svg.flow(_maps(g), PAGE, _GAP, align=0)
    return whole._replace(width=whole.width + 2, height=whole.height + 2)


def _maps(g: VisibleState) -> list[Box]:
    """The parts of the map, with the cells where the token can go."""
    pieces = _pieces(g)
    before = pieces if g.since is None else _pieces(g.since)
    changed = {cell for cell, piece in pieces.items() if before.get(cell) != piece}
    places = free_sides(g).values() if asked_of(g) == Stage.TOKEN else ()
    parts = list(_parts([*pieces, *places]))
    largest = _LARGEST if len(parts) == 1 else _IN_PARTS
    size = max(_SMALLEST, min(largest, (PAGE - _MARGIN) / max(right - left + 1 for left, right, _, _ in parts)))
    return [_map(g, part, size, pieces, changed) for part in parts]


def _map(g: VisibleState, part: _Part, size: float, pieces: Mapping[_Cell, _Piece], changed: Set[_Cell]) -> Box:
    """A part of the map. Frames are drawn last, over neighboring cells."""
    asked, (left, right, top, bottom) = asked_of(g), part
    body, zone, rings, tags = _axes(part, size), "", "", ""
    districts = {cell: k + 1 for k, cells in enumerate(districts_of(g)) for cell in cells}
    heads = {min(cells, key=lambda cell: cell[::-1]) for cells in districts_of(g)}
    for y in range(top, bottom + 1):
        for x in range(left, right + 1):
            at = _MARGIN + (x - left) * size, _MARGIN + (y - top) * size
            here = _drawn(pieces[x, y], g, size, districts.get((x, y), 0)) if (x, y) in pieces else ""
            if here and pieces[x, y][0] != GREEN_SPACE:  # green spaces have no names
                name = NAMES[pieces[x, y][0]]
                here = svg.placed(name, here if asked is None else svg.named(place_of(name), here))
            ring = changed_ring(1.5, 1.5, size - 3, size - 3, r=0.12 * size) if (x, y) in changed else ""
            body += Box(size, size, here).at(*at) if here else ""
            frame = _zone(g, x, y, size)
            zone += Box(size, size, frame).at(*at) if frame else ""
            rings += Box(size, size, ring).at(*at) if ring else ""
            tags += Box(size, size, number_sign(districts[x, y], 6, 6, 8)).at(*at) if (x, y) in heads else ""
    width, height = _MARGIN + size * (right - left + 1), _MARGIN + size * (bottom - top + 1)
    sides = _sides(g, part, size) if asked == Stage.TOKEN else ""
    return Box(width, height, body + zone + rings + svg.tag("g", "", tags, pointer_events="none") + sides)


def _sides(g: PlainRecord, part: _Part, size: float) -> str:
    """Clickable areas of the cells beside the new building where the token can go."""
    cells = {name: cell for name, cell in free_sides(g).items() if _is_in(part, cell)}
    corners = {name: (_MARGIN + (x - part[0]) * size, _MARGIN + (y - part[2]) * size) for name, (x, y) in cells.items()}
    return "".join(svg.named(f"token:{name}", click_area(*corner, size, size)) for name, corner in corners.items())


def _is_in(part: _Part, cell: _Cell) -> bool:
    left, right, top, bottom = part
    return left <= cell[0] <= right and top <= cell[1] <= bottom


def _pieces(g: PlainRecord) -> dict[_Cell, _Piece]:
    """The content of each cell: tile, floors and owner of a building, or the letter of a token."""
    buildings = {(g.x[s], g.y[s]): (g.top[s], g.floors[s], g.owner[s]) for s in range(g.n_buildings)}
    tokens = {(g.token_x[k], g.token_y[k]): (N_TILES + k,) for k in range(N_LETTERS) if g.token_x[k] != NOWHERE}
    return {**buildings, **tokens}


def _parts(cells: list[_Cell]) -> Iterator[_Part]:
    """As few parts of the map as possible, without empty ones."""
    for columns in _shares([x for x, _ in cells], _MOST_COLUMNS):
        for rows in _shares([y for _, y in cells], _MOST_ROWS):
            inside = [(x, y) for x, y in cells if x in columns and y in rows]
            if inside:
                xs, ys = [x for x, _ in inside], [y for _, y in inside]
                yield min(xs), max(xs), min(ys), max(ys)


def _shares(values: list[int], most: int) -> list[range]:
    return parts_of(range(min(values), max(values) + 1), most)


def _axes(part: _Part, size: float) -> str:
    """The coordinates in the margins."""
    left, right, top, bottom = part
    over = [
        svg.text(_MARGIN + (x - left + 0.5) * size, 11, x, "dim", size=SMALL, anchor="middle") for x in range(left, right + 1)
    ]
    beside = [svg.text(18, _MARGIN + (y - top + 0.5) * size, y, "dim", size=SMALL, anchor="end") for y in range(top, bottom + 1)]
    return "".join(over + beside)


def _zone(g: PlainRecord, x: int, y: int, size: float) -> str:
    """The frame of a cell in the zone of a pending event (X4.3)."""
    if g.player == NOBODY or g.event[g.player] == NONE:
        return ""
    zone_x, zone_y, center = g.zone
    inside = abs(x - zone_x) + abs(y - zone_y) == 1 or (center and (x, y) == (zone_x, zone_y))
    frame = svg.rect(1, 1, size - 2, size - 2, "none s-page", stroke_width=5) if inside else ""
    return frame + svg.rect(1, 1, size - 2, size - 2, "none s-purple", stroke_width=3, stroke_dasharray="7 4") if inside else ""


def districts_of(g: PlainRecord) -> list[list[_Cell]]:
    """The cells of each district (R8.3), in the order in which points name them.

    That is the order of their first tiles.
    """
    hues = {(g.x[s], g.y[s]): NAMES[g.top[s]][0] for s in range(g.n_buildings) if g.top[s] != GREEN_SPACE}
    found, seen = [], set[_Cell]()
    for start in hues:
        group = [start] if start not in seen else []
        for x, y in group:
            seen.add((x, y))
            beside = [(x + dx, y + dy) for dx, dy in ((0, -1), (1, 0), (0, 1), (-1, 0))]
            group += [cell for cell in beside if hues.get(cell) == hues[start] and cell not in group]
        found += [group] if len(group) > 1 else []
    return found


# --- content of a cell -----------------------------------------------------------------------------------------------------


def _drawn(piece: _Piece, g: PlainRecord, size: float, district: int) -> str:
    """A token, or a building with its tile, floors, owner and construction site."""
    if len(piece) == 1:
        return svg.titled(token_title(NAMES[piece[0]]), token_sign(NAMES[piece[0]], size / 2, size / 2, 0.31 * size))
    top, floors, owner = piece
    name, owned, pawn = NAMES[top], owner != NOBODY, g.pawn[g.slot[top]] if top != GREEN_SPACE else 0
    green = top == GREEN_SPACE
    middle, room = (0.38, 0.62) if pawn else (0.62, 0.6) if green else (0.5, 0.84)
    hue, inner = hue_of(name), size - 3
    body = svg.rect(1.5, 1.5, inner, inner, f"f-{hue} s-edge", r=0.1 * size)
    body += svg.text(middle * size, 0.31 * size, name, f"on-{hue}", size=0.32 * size, anchor="middle", bold=True, fit=room * size)
    body += tree_sign(0.25 * size, 0.3 * size, 0.2 * size, "f-light") if green else ""
    body += pawn_sign(0.83 * size, 0.27 * size, 0.16 * size) if pawn else ""
    body += floors_sign(floors, (0.48 if owned else 0.27) * size, 0.55 * size, 0.46 * size, 0.34 * size)
    side = mark(g, owner) if owned else ""
    body += badge(sign_of(g, owner), 0.27 * size, 0.72 * size, 0.165 * size, side) if owned else ""
    return svg.titled(building_title(top, floors, owner, pawn, side, district), body)


def floors_sign(n: int, x: float, y: float, width: float, height: float) -> str:
    """The floors as a stack and a number; a number of two digits stands alone."""
    bars = min(n, _MOST_BARS) if n < 10 else 0
    levels = [y + 0.7 * height - 0.2 * height * k for k in range(bars)]
    stack = "".join(svg.rect(x + 0.12 * width, level, 0.32 * width, 0.14 * height, "f-edge") for level in levels)
    middle, room = (0.71, 0.52) if bars else (0.5, 0.9)
    at, size = (x + middle * width, y + height / 2), 0.8 * height
    figure = svg.text(*at, n, "on-light", size=size, anchor="middle", bold=True, fit=room * width)
    return svg.rect(x, y, width, height, "f-light s-edge", r=0.18 * height, stroke_width=0.8) + stack + figure


def number_sign(n: int, x: float, y: float, r: float) -> str:
    """The number of a district, as points by source name it."""
    return svg.circle(x, y, r, "f-page s-ink") + svg.text(x, y, n, size=SMALL, anchor="middle", bold=True, fit=1.7 * r)


def pawn_sign(x: float, y: float, r: float) -> str:
    """The pawn of a construction site."""
    wide, narrow, foot, neck = 0.75 * r, 0.25 * r, y + 1.25 * r, y - 0.2 * r
    cls = "f-light s-edge"
    body = svg.polygon([(x - wide, foot), (x + wide, foot), (x + narrow, neck), (x - narrow, neck)], cls)
    return body + svg.circle(x, y - 0.45 * r, 0.55 * r, cls)


def token_sign(letter: str, x: float, y: float, r: float) -> str:
    """An urbanization token."""
    return svg.circle(x, y, r, "f-well s-dim") + svg.text(x, y, letter, size=1.05 * r, anchor="middle", bold=True)
