"""The island: sea, landscapes, rivers, wall and roads, and places with rewards and houses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.state import VisibleState
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    FIRST_DISTRICT,
    FIRST_SUBURB,
    N_PLACES,
    Kind,
    Landscape,
    Reward,
    River,
)
from ginkgo_env.games.golden_city.describe import MARKS
from ginkgo_env.games.golden_city.pictures.pieces import (
    HUES,
    LANDSCAPE_SIGNS,
    REWARD_SIGNS,
    coin_sign,
    house,
    key_sign,
    river_sign,
)
from ginkgo_env.games.golden_city.queries import LANDSCAPES, REWARDS, owners_of, translate
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.svg import PAGE, Box, cached
from ginkgo_env.pictures.widgets import card_sign, changed_ring

# --- positions: those of the file of the board -----------------------------------------------------------------------------


Points = NDArray[np.float64]

ID_SIZE = 13.0
PILL = 16.0  # height of the label with the id of a place
PLACE_HEIGHT = 46.0
PLACE_WIDTH = 40.0  # minimum; a long id needs more
DISTRICT = 54.0, 54.0

_LEAST = np.array([DISTRICT if i >= FIRST_DISTRICT else (PLACE_WIDTH, PLACE_HEIGHT) for i in range(N_PLACES)])
_GAP = 2.0  # between places
_EDGE = 6.0  # between places and the edge of the map
_TALLEST = 1.3  # maximum factor by which a map is stretched vertically to make room for all places
_WIDTHS = PAGE * 1.12 ** np.arange(7)  # of maps: wider than a page only if places would overlap


class Layout(NamedTuple):
    """Positions and sizes of places."""

    width: float
    height: float
    at: Points
    """The middle of each place, shape (58, 2)."""
    sizes: Points
    """Width and height of each place, shape (58, 2)."""
    is_ring: bool
    """Whether the places lie on a ring, because those of the file would overlap."""


@lru_cache(maxsize=16)
def layout_of(board: Board) -> Layout:
    """The layout of a board's map: places as in its file, or on a ring where they would overlap."""
    sizes = np.stack([np.maximum(_LEAST[:, 0], [*map(pill_width, board.place_ids)]), _LEAST[:, 1]], axis=1)
    given = np.array([(int(row["x"]), int(row["y"])) for row in board.places], float)
    for width in _WIDTHS.tolist():
        at = _scaled(given, sizes, width)
        if not are_overlapping(at, sizes):
            return _framed(at, sizes, is_ring=False)
    return _framed(_ring(sizes), sizes, is_ring=True)


def pill_width(name: str) -> float:
    """The width of a place's id with the sign of its landscape."""
    return 19 + svg.text_width(name, ID_SIZE, bold=True)


def _scaled(at: Points, sizes: Points, width: float) -> Points:
    """Scale points to the width of the map, and vertically so that all places have room."""
    low, span = at.min(axis=0), np.maximum(np.ptp(at, axis=0), 1e-9)
    across = (width - 2 * _EDGE - sizes[:, 0].max()) / span[0]
    dx, dy = (np.abs(at[:, None, k] - at[None, :, k]) for k in (0, 1))
    close = np.triu(dx * across < (sizes[:, None, 0] + sizes[None, :, 0]) / 2 + _GAP, 1) & (dy > 0)
    needed = ((sizes[:, None, 1] + sizes[None, :, 1]) / 2 + _GAP)[close] / dy[close]
    down = across * min(_TALLEST, max(1.0, needed.max(initial=0) / across))
    return (at - low) * (across, down)


def are_overlapping(at: Points, sizes: Points) -> bool:
    """Whether any two places overlap."""
    apart = np.abs(at[:, None] - at[None]) - (sizes[:, None] + sizes[None]) / 2
    return bool(np.triu((apart < 0).all(axis=2), 1).any())


def _ring(sizes: Points) -> Points:
    """Return points on a circle that is large enough for all places, in the order of the file."""
    turns = 2 * np.pi * np.arange(N_PLACES) / N_PLACES
    radius = np.hypot(*sizes.max(axis=0)) / (2 * np.sin(np.pi / N_PLACES))  # neighbors are a diagonal of a place apart
    return radius * np.stack([-np.cos(turns), -np.sin(turns)], axis=1)


def _framed(at: Points, sizes: Points, *, is_ring: bool) -> Layout:
    at = at - (at - sizes / 2).min(axis=0) + _EDGE
    wide, high = (at + sizes / 2).max(axis=0) + _EDGE
    at[:, 0] += max(0.0, PAGE - wide) / 2
    return Layout(float(max(PAGE, wide)), float(high), at, sizes, is_ring)


# --- places ------------------------------------------------------------------------------------------------------------------


_EFFECTS = {
    Reward.CARD: "a house here gains a landscape card (G6.1)",
    Reward.COIN: "a house here gains a coin (G6.1)",
    Reward.TWO_COINS: "a house here gains two coins (G6.1)",
    Reward.KEY: "a house here gains a key card, for inner districts (G6.1)",
    Reward.BONUS: "a house here gains a bonus card, which brings letters at the end (G6.4)",
    Reward.GOODS: "a house here gains a goods card (G6.2)",
}
_R = 17.0  # radius of a coast place or suburb


def place_box(g: VisibleState, i: int, width: float, height: float) -> Box:
    """A place with its houses."""
    return _box(g.board, i, tuple(owners_of(g, i)), width, height)


@cached
def _box(board: Board, i: int, owners: tuple[int, ...], width: float, height: float) -> Box:
    drawn = _district(board, i, owners, width, height) if i >= FIRST_DISTRICT else _road_place(board, i, owners, width)
    return Box(width, height, svg.titled(_tooltip(board, i, owners), drawn + _id(board, i, width / 2, height - PILL / 2)))


def _tooltip(board: Board, i: int, owners: Sequence[int]) -> str:
    """The tooltip of a place."""
    t, river = board.components[0], board.places[i]["river"]
    kind = Kind(int(t.kind[i])).name.lower()
    label = "coast place" if kind == "coast" else f"{kind}{'' if kind == 'suburb' else ' district'}"
    texts = [translate(label)]
    texts += [] if kind == "coast" else [translate(LANDSCAPES[t.landscape[i]])]
    texts += [translate("river {name}", name=river)] if river else []
    texts += [translate(REWARDS[t.reward[i]].replace("_", " "))] if i < FIRST_DISTRICT else []
    texts += [translate("house of {sides}", sides=", ".join(MARKS[p] for p in owners))] if owners else []
    return f"{board.place_ids[i]}: {', '.join(texts)}; {_effect(board, i)}"


def _effect(board: Board, i: int) -> str:
    """What a house on a place brings."""
    t = board.components[0]
    if i < FIRST_DISTRICT:
        return translate(_EFFECTS[Reward(int(t.reward[i]))])
    first, second = int(t.letters_first[i]), int(t.letters_second[i])
    more = [thing for n, thing in ((t.coins_first[i], "a coin"), (t.cards_first[i], "a landscape card")) if n]
    letters = translate("letters for the first house: {first}, for the second: {second} (G6.5)", first=first, second=second)
    besides = (
        translate("the first house also gains {things}", things=translate.joined([translate(thing) for thing in more]))
        if more
        else ""
    )
    key = translate("costs a key card too (G5.3)") if t.kind[i] == Kind.INNER else ""
    return "; ".join(filter(None, (letters, besides, key)))


def _id(board: Board, i: int, x: float, y: float) -> str:
    """The id of a place with the sign of its landscape."""
    name, landscape = board.place_ids[i], Landscape(int(board.components[0].landscape[i]))
    wide = pill_width(name)
    left = x - wide / 2
    back = svg.rect(left, y - PILL / 2, wide, PILL, f"f-panel s-{HUES[landscape]}", r=PILL / 2, stroke_width=1.2)
    text = svg.text(left + 15.5, y, name, size=ID_SIZE, bold=True)
    return back + LANDSCAPE_SIGNS[landscape](left + 8.5, y, 5.5) + text


def _road_place(board: Board, i: int, owners: Sequence[int], width: float) -> str:
    """A coast place or suburb: its reward, smaller if there is a house."""
    t, river = board.components[0], board.places[i]["river"]
    x, y, hue = width / 2, _R + 1, HUES[Landscape(int(t.landscape[i]))]
    body = svg.circle(x, y, _R, f"f-panel s-{hue}", stroke_width=3)
    body += river_sign(river, x - _R + 2, y - 7, 8.5) if river else ""
    sign = REWARD_SIGNS[Reward(int(t.reward[i]))]
    if not owners:
        return body + sign(x, y - 2, 10)
    body += svg.circle(x + _R - 3, y - 9, 7.5, f"f-panel s-{hue}", stroke_width=1) + sign(x + _R - 3, y - 9, 5)
    return body + house(owners[0], x, y, 10.5, MARKS[owners[0]])


def _district(board: Board, i: int, owners: Sequence[int], width: float, height: float) -> str:
    """A district: letters for both houses, further rewards of the first one, and the houses."""
    t, high = board.components[0], height - PILL / 2
    hue, inner = HUES[Landscape(int(t.landscape[i]))], t.kind[i] == Kind.INNER
    x, gains = width / 2, [coin_sign] * int(t.coins_first[i]) + [card_sign] * int(t.cards_first[i])
    body = svg.rect(1.5, 1.5, width - 3, high - 3, f"f-panel s-{hue}", r=5, stroke_width=3)
    body += svg.rect(4, 4, width - 8, high - 8, f"none s-{hue}", r=3, stroke_width=1) if inner else ""
    letters = f"{t.letters_first[i]}/{t.letters_second[i]}"
    wide = svg.text_width(letters, 13)
    left = x - (wide + 12 * len(gains)) / 2
    body += svg.text(left, 12, letters, size=13, fit=width - 8 - 12 * len(gains))
    body += "".join(sign(left + wide + 8 + 12 * k, 12, 5.5) for k, sign in enumerate(gains))
    body += key_sign(x, 29, 8) if inner and not owners else ""
    r, gap, tall = (9.5, 3, 1.0) if len(owners) <= 2 else (5.7, 1.2, 1.5)
    left = x - (2 * r + gap) * (len(owners) - 1) / 2
    return body + "".join(house(p, left + (2 * r + gap) * k, 30, r, MARKS[p], tall=tall) for k, p in enumerate(owners))


# --- the island --------------------------------------------------------------------------------------------------------------


_Corner = tuple[float, float]


def island_box(g: VisibleState) -> Box:
    """The map, with frames around places that changed and around the place in play."""
    layout = layout_of(g.board)
    body, frames = _empty(g.board), ""
    for i, ((x, y), (width, height)) in enumerate(zip(layout.at.tolist(), layout.sizes.tolist(), strict=True)):
        box = place_box(g, i, width, height)
        name = g.board.place_ids[i]
        body += svg.placed(name, svg.named(f"site:{name}", box.at(x - width / 2, y - height / 2)))
        ring = ""
        if g.since is not None and box != place_box(g.since, i, width, height):
            ring = changed_ring(-2, -2, width + 4, height + 4)
        elif g.place == i:
            ring = svg.rect(-2, -2, width + 4, height + 4, "none s-mark", r=8, stroke_width=2)
        frames += Box(width, height, ring).at(x - width / 2, y - height / 2) if ring else ""
    return Box(layout.width, layout.height, body + frames)


@cached
def _empty(board: Board) -> str:
    """The map without places."""
    layout = layout_of(board)
    sea = svg.rect(0, 0, layout.width, layout.height, "soft-blue s-line", r=10)
    if layout.is_ring:
        note = translate("no map: places would overlap at the coordinates of this board")
        ground = svg.text(2 * _EDGE, 3 * _EDGE, note, size=PILL, fit=layout.width / 3)  # a corner outside of the ring
    else:
        ground = _ground(board, layout)
    return sea + ground + _roads(board, layout, "s-edge", 6.5) + _roads(board, layout, "s-light", 4)


def _roads(board: Board, layout: Layout, cls: str, thick: float) -> str:
    ids = {name: i for i, name in enumerate(board.place_ids)}
    roads = [(ids[row["place_1"]], ids[row["place_2"]]) for row in board.roads]
    ends = layout.at[np.array(roads)].reshape(-1, 4).tolist()
    return "".join(svg.line(x1, y1, x2, y2, cls, stroke_width=thick, stroke_linecap="round") for x1, y1, x2, y2 in ends)


# --- the ground ------------------------------------------------------------------------------------------------------------


def _ground(board: Board, layout: Layout) -> str:
    """Land, quarters, rivers and the wall; only the land if quarters would cover places of others."""
    inland = range(FIRST_SUBURB, N_PLACES)
    quarters = [row["quarter"] for row in board.places]
    parts = [[i for i in range(N_PLACES) if quarters[i] == name.name.lower()] for name in list(Landscape)[1:]]
    land = svg.polygon(hull(_around(layout, range(N_PLACES), 6)), "f-well s-line", stroke_width=2)
    if any(_covers(layout, part) for part in parts):
        return land
    body = land + "".join(
        svg.polygon(hull(_around(layout, part, 4)), f"soft-{HUES[name]}")
        for name, part in zip(list(Landscape)[1:], parts, strict=True)
    )
    city = [i for i in inland if i >= FIRST_DISTRICT]
    return body + "".join(_rivers(board, layout)) + ("" if _covers(layout, city) else _wall(layout, city))


def _around(layout: Layout, places: Iterable[int], room: float) -> list[_Corner]:
    """Corners around places, inside the map."""
    corners = [corner for x, y in layout.at[list(places)].tolist() for corner in svg.regular(12, x, y, 23 + room)]
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
    return svg.path(f"{d}T{x2:.1f} {y2:.1f}", "none s-blue", stroke_width=9, stroke_linecap="round", stroke_opacity=0.75)


def _wall(layout: Layout, city: list[int]) -> str:
    """The wall of the Golden City."""
    corners = []
    for i in city:
        (x, y), (width, height) = layout.at[i].tolist(), layout.sizes[i].tolist()
        corners += [(x + a * (width / 2 + 6), y + b * (height / 2 + 6)) for a in (-1, 1) for b in (-1, 1)]
    form = hull(corners)
    return svg.polygon(form, "f-well s-edge", stroke_width=7, stroke_linejoin="round") + svg.polygon(
        form, "none s-yellow", stroke_width=4.5, stroke_linejoin="round"
    )
