"""The city as a map, north up. A city that is too wide or too high is shown in parts."""

from __future__ import annotations

from collections.abc import Iterator

from ginkgo_env.core.pieces import badge, changed_ring
from ginkgo_env.core.svg import PAGE, SMALL, Box, circle, flow, polygon, rect, text
from ginkgo_env.core.theme import SEAT_HUES
from ginkgo_env.games.ginkgopolis.constants import N_LETTERS, N_TILES, NOBODY, NOWHERE, WILLIAM
from ginkgo_env.games.ginkgopolis.picture.pieces import hue_of
from ginkgo_env.games.ginkgopolis.tables import NAMES
from ginkgo_env.games.ginkgopolis.text.describe_players import mark
from ginkgo_env.games.ginkgopolis.text.fields import Fields

_Cell = tuple[int, int]
_MARGIN = 24.0  # for coordinates
_SMALLEST, _LARGEST = 46.0, 76.0  # sizes of a cell
_MOST_COLUMNS = int((PAGE - _MARGIN) // _SMALLEST)
_MOST_ROWS = 20


def sign_of(g: Fields, p: int) -> int:
    """The number of a side's badge."""
    return len(SEAT_HUES) - 1 if g.solo and p == WILLIAM else p


def city_box(g: Fields, since: Fields | None) -> Box:
    """The whole city; what differs from an earlier state is framed."""
    buildings = {(g.x[s], g.y[s]): s for s in range(g.n_buildings)}
    tokens = {(g.token_x[k], g.token_y[k]): NAMES[N_TILES + k] for k in range(N_LETTERS) if g.token_x[k] != NOWHERE}
    changed = set() if since is None else _changed(g, since)
    parts = list(_parts(list({**buildings, **tokens})))
    columns = max(right - left + 1 for left, right, _, _ in parts)
    size = max(_SMALLEST, min(_LARGEST, (PAGE - _MARGIN) / columns))
    maps = []
    for left, right, top, bottom in parts:
        cells = [(x, y) for y in range(top, bottom + 1) for x in range(left, right + 1)]
        body = _axes(left, right, top, bottom, size)
        for x, y in cells:
            at = _MARGIN + (x - left) * size, _MARGIN + (y - top) * size
            if (x, y) in buildings:
                body += Box(size, size, _building(g, buildings[x, y], size, framed=(x, y) in changed)).at(*at)
            elif (x, y) in tokens:
                body += Box(size, size, _token(tokens[x, y], size, framed=(x, y) in changed)).at(*at)
        maps.append(Box(_MARGIN + size * (right - left + 1), _MARGIN + size * (bottom - top + 1), body))
    if len(maps) == 1:
        return Box(PAGE, maps[0].height, maps[0].at((PAGE - maps[0].width - _MARGIN) / 2 if maps[0].width < PAGE - 40 else 0, 0))
    return flow(maps, PAGE, 16, align=0)


def _parts(cells: list[_Cell]) -> Iterator[tuple[int, int, int, int]]:
    """West, east, north and south ends of the parts that are shown: as few as it takes, those without anything left out."""
    for columns in _shares([x for x, _ in cells], _MOST_COLUMNS):
        for rows in _shares([y for _, y in cells], _MOST_ROWS):
            there = [(x, y) for x, y in cells if x in columns and y in rows]
            if there:
                xs, ys = [x for x, _ in there], [y for _, y in there]
                yield min(xs), max(xs), min(ys), max(ys)


def _shares(values: list[int], most: int) -> list[range]:
    low, n = min(values), max(values) - min(values) + 1
    shares = -(-n // most)
    return [range(low + n * k // shares, low + n * (k + 1) // shares) for k in range(shares)]


def _axes(left: int, right: int, top: int, bottom: int, size: float) -> str:
    """The coordinates in the margins."""
    over = [text(_MARGIN + (x - left + 0.5) * size, 11, x, "dim", size=SMALL, anchor="middle") for x in range(left, right + 1)]
    beside = [text(18, _MARGIN + (y - top + 0.5) * size, y, "dim", size=SMALL, anchor="end") for y in range(top, bottom + 1)]
    return "".join(over + beside)


def _changed(g: Fields, since: Fields) -> set[_Cell]:
    """Cells whose building or token is not what it was."""
    return {cell for cell, _ in _pieces(g) ^ _pieces(since)}


def _pieces(g: Fields) -> set[tuple[_Cell, tuple[int, ...]]]:
    there = {((g.x[s], g.y[s]), (g.top[s], g.floors[s], g.owner[s], g.pawn[s])) for s in range(g.n_buildings)}
    return there | {((g.token_x[k], g.token_y[k]), (k,)) for k in range(N_LETTERS) if g.token_x[k] != NOWHERE}


# --- what lies on a cell ---------------------------------------------------------------------------------------------------


def _building(g: Fields, s: int, size: float, *, framed: bool) -> str:
    """A building: its tile, floors, owner and construction site."""
    name, owner = NAMES[g.top[s]], g.owner[s]
    hue, a = hue_of(name), size - 3
    body = rect(1.5, 1.5, a, a, f"f-{hue} s-ink", r=0.1 * size)
    middle, room = (0.38, 0.62) if g.pawn[s] else (0.5, 0.84)
    body += text(middle * size, 0.31 * size, name, f"on-{hue}", size=0.32 * size, anchor="middle", bold=True, fit=room * size)
    if g.pawn[s]:
        body += _pawn(0.83 * size, 0.27 * size, 0.15 * size)
    body += _floors(g.floors[s], size, owned=owner != NOBODY)
    if owner != NOBODY:
        body += badge(sign_of(g, owner), 0.27 * size, 0.72 * size, 0.165 * size, mark(g, owner))
    return body + (changed_ring(1.5, 1.5, a, a, r=0.12 * size) if framed else "")


def _floors(n: int, size: float, *, owned: bool) -> str:
    """How many floors: a stack of them and the number."""
    width, height = 0.46 * size, 0.34 * size
    x = (0.48 if owned else 0.27) * size
    y = 0.55 * size
    bottom, bar = y + height - 0.10 * size, 0.07 * size
    stack = "".join(rect(x + 0.05 * size, bottom - bar * k, 0.15 * size, 0.045 * size, "f-ink") for k in range(min(n, 4)))
    figure = text(x + 0.33 * size, y + height / 2, n, "ink", size=0.27 * size, anchor="middle", bold=True, fit=0.24 * size)
    return rect(x, y, width, height, "f-panel s-ink", r=0.06 * size, stroke_width=0.8) + stack + figure


def _pawn(x: float, y: float, r: float) -> str:
    """The pawn of a construction site."""
    cls = "f-panel s-ink"
    wide, narrow, foot, neck = 0.75 * r, 0.25 * r, y + 1.25 * r, y - 0.2 * r
    body = polygon([(x - wide, foot), (x + wide, foot), (x + narrow, neck), (x - narrow, neck)], cls)
    return body + circle(x, y - 0.45 * r, 0.55 * r, cls)


def _token(letter: str, size: float, *, framed: bool) -> str:
    """An urbanization token."""
    half = size / 2
    body = circle(half, half, 0.31 * size, "f-well s-dim")
    body += text(half, half, letter, size=0.32 * size, anchor="middle", bold=True)
    return body + (circle(half, half, 0.37 * size, "none s-mark", stroke_width=3) if framed else "")
