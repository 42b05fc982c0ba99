"""The island: sea, landscapes, rivers, the wall of the city, roads and places."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.shapes import changed_ring
from ginkgo_env.drawing.svg import Box, cached, line, named, path, placed, polygon, rect, regular
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import FIRST_DISTRICT, FIRST_SUBURB, N_PLACES, Landscape, River
from ginkgo_env.games.golden_city.presentation.layout import Layout, Points, layout_of, roads_of
from ginkgo_env.games.golden_city.presentation.places import place_box
from ginkgo_env.games.golden_city.presentation.signs import HUES

_Corner = tuple[float, float]


def island_box(g: Fields, board: Board, since: Fields | None) -> Box:
    """The map, with frames around places that changed and around the place in play."""
    layout = layout_of(board)
    body, frames = _empty(board), ""
    for i, ((x, y), (width, height)) in enumerate(zip(layout.at.tolist(), layout.sizes.tolist(), strict=True)):
        box = place_box(g, board, i, width, height)
        name = board.place_ids[i]
        body += placed(name, named(f"site:{name}", box.at(x - width / 2, y - height / 2)))
        ring = ""
        if since is not None and box != place_box(since, board, i, width, height):
            ring = changed_ring(-2, -2, width + 4, height + 4)
        elif g.place == i:
            ring = rect(-2, -2, width + 4, height + 4, "none s-mark", r=8, stroke_width=2)
        frames += Box(width, height, ring).at(x - width / 2, y - height / 2) if ring else ""
    return Box(layout.width, layout.height, body + frames)


@cached
def _empty(board: Board) -> str:
    """The map without places."""
    layout = layout_of(board)
    sea = rect(0, 0, layout.width, layout.height, "soft-blue s-line", r=10)
    return sea + _ground(board, layout) + _roads(board, layout, "s-edge", 6.5) + _roads(board, layout, "s-light", 4)


def _roads(board: Board, layout: Layout, cls: str, thick: float) -> str:
    ends = layout.at[roads_of(board)].reshape(-1, 4).tolist()
    return "".join(line(x1, y1, x2, y2, cls, stroke_width=thick, stroke_linecap="round") for x1, y1, x2, y2 in ends)


# --- the ground ------------------------------------------------------------------------------------------------------------


def _ground(board: Board, layout: Layout) -> str:
    """Land, quarters, rivers and the wall; only the land if quarters would cover places of others."""
    inland = range(FIRST_SUBURB, N_PLACES)
    quarters = [row["quarter"] for row in board.places]
    parts = [[i for i in range(N_PLACES) if quarters[i] == name.name.lower()] for name in list(Landscape)[1:]]
    land = polygon(hull(_around(layout, range(N_PLACES), 6)), "f-well s-line", stroke_width=2)
    if any(_covers(layout, part) for part in parts):
        return land
    body = land + "".join(
        polygon(hull(_around(layout, part, 4)), f"soft-{HUES[name]}")
        for name, part in zip(list(Landscape)[1:], parts, strict=True)
    )
    city = [i for i in inland if i >= FIRST_DISTRICT]
    return body + "".join(_rivers(board, layout)) + ("" if _covers(layout, city) else _wall(layout, city))


def _around(layout: Layout, places: Iterable[int], room: float) -> list[_Corner]:
    """Corners around places, inside the map."""
    corners = [corner for x, y in layout.at[list(places)].tolist() for corner in regular(12, x, y, 23 + room)]
    return [(min(max(x, 1), layout.width - 1), min(max(y, 1), layout.height - 1)) for x, y in corners]


def _covers(layout: Layout, part: list[int]) -> bool:
    """Whether the convex hull of some places contains others."""
    corners = np.array(hull([tuple(at) for at in layout.at[part].tolist()]))
    if len(corners) < 3:
        return True
    ahead = np.roll(corners, -1, axis=0) - corners
    to = layout.at[:, None] - corners[None]
    inside = (ahead[None, :, 0] * to[..., 1] - ahead[None, :, 1] * to[..., 0] > 0).all(axis=1)
    inside[part] = False
    return bool(inside.any())


def hull(points: Iterable[_Corner]) -> list[_Corner]:
    """The corners of the convex hull."""
    ordered = sorted(set(points))

    def half(corners: Iterable[_Corner]) -> list[_Corner]:
        chain: list[_Corner] = []
        for x, y in corners:
            while len(chain) > 1 and _turns_right(chain[-2], chain[-1], (x, y)):
                chain.pop()
            chain.append((x, y))
        return chain[:-1]

    return half(ordered) + half(reversed(ordered))


def _turns_right(a: _Corner, b: _Corner, c: _Corner) -> bool:
    """Whether the path from a over b to c turns right or runs straight."""
    return (b[0] - a[0]) * (c[1] - a[1]) <= (b[1] - a[1]) * (c[0] - a[0])


def _rivers(board: Board, layout: Layout) -> Iterator[str]:
    """Each river, from the coast between its two outermost suburbs to near the city."""
    middle = layout.at[FIRST_DISTRICT:].mean(axis=0)
    for river in River:
        places = [i for i in range(N_PLACES) if board.places[i]["river"] == river.name]
        far = np.hypot(*(layout.at[places] - middle).T)
        mouth = layout.at[places][np.argsort(-far, kind="stable")[:2]].mean(axis=0) - middle
        length = float(np.hypot(*mouth))
        if length < 60:
            continue
        along = mouth / length
        reach = min(length * 1.28, _as_far_as_the_edge(layout, middle, along) - 10)
        start, end = middle + along * reach, middle + along * float(far.min()) * 0.78
        yield _stream(start, end)


def _as_far_as_the_edge(layout: Layout, start: Points, along: Points) -> float:
    """The distance from a point of the map to its edge in a direction."""
    ends = np.where(along > 0, [layout.width, layout.height], 0.0)
    steps = [(ends[k] - start[k]) / along[k] for k in (0, 1) if abs(along[k]) > 1e-9]
    return float(min(steps))


def _stream(start: Points, end: Points) -> str:
    (x1, y1), (x2, y2) = start.tolist(), end.tolist()
    bend_x, bend_y = (y1 - y2) * 0.09, (x2 - x1) * 0.09
    half_x, half_y = (x1 + x2) / 2, (y1 + y2) / 2
    d = f"M{x1:.1f} {y1:.1f}Q{(x1 + half_x) / 2 + bend_x:.1f} {(y1 + half_y) / 2 + bend_y:.1f} {half_x:.1f} {half_y:.1f}"
    return path(f"{d}T{x2:.1f} {y2:.1f}", "none s-blue", stroke_width=9, stroke_linecap="round", stroke_opacity=0.75)


def _wall(layout: Layout, city: list[int]) -> str:
    """The wall of the Golden City."""
    corners = []
    for i in city:
        (x, y), (width, height) = layout.at[i].tolist(), layout.sizes[i].tolist()
        corners += [(x + a * (width / 2 + 6), y + b * (height / 2 + 6)) for a in (-1, 1) for b in (-1, 1)]
    form = hull(corners)
    return polygon(form, "f-well s-edge", stroke_width=7, stroke_linejoin="round") + polygon(
        form, "none s-yellow", stroke_width=4.5, stroke_linejoin="round"
    )
