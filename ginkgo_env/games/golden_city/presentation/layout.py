"""Positions of places on the map: those of the board's file, moved where places would overlap."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.drawing.svg import PAGE, text_width
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import FIRST_DISTRICT, FIRST_SUBURB, N_COASTS, N_PLACES

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
_CROWDED = 20  # number of overlaps from which the file's coordinates are ignored
_STEPS, _GROWTH, _MOST_GROWN = 200, 1.12, 40


class Layout(NamedTuple):
    """Positions and sizes of places."""

    width: float
    height: float
    at: Points
    """The middle of each place, shape (58, 2)."""
    sizes: Points
    """Width and height of each place, shape (58, 2)."""


@lru_cache(maxsize=16)
def layout_of(board: Board) -> Layout:
    """The layout of a board's map: without overlaps, and wider than a page only if necessary."""
    sizes = np.stack([np.maximum(_LEAST[:, 0], [*map(pill_width, board.place_ids)]), _LEAST[:, 1]], axis=1)
    given = np.array([(int(row["x"]), int(row["y"])) for row in board.places], float)
    starts = [given] if _is_usable(given) else _computed(board)
    layouts = [_without_overlaps(start, sizes) for start in starts]
    return min(layouts, key=lambda layout: (crossings(board, layout.at), layout.width))


def pill_width(name: str) -> float:
    """The width of a place's id with the sign of its landscape."""
    return 19 + text_width(name, ID_SIZE, bold=True)


def roads_of(board: Board) -> NDArray[np.int64]:
    """Both ends of every road, shape (R, 2)."""
    ids = {name: i for i, name in enumerate(board.place_ids)}
    return np.array([(ids[row["place_1"]], ids[row["place_2"]]) for row in board.roads])


def crossings(board: Board, at: Points) -> int:
    """The number of pairs of roads that cross."""
    roads = roads_of(board)
    a, b = at[roads[:, 0]], at[roads[:, 1]]

    def side(p: Points, q: Points, r: Points) -> Points:
        """The side of the line from p to q on which each r lies, shape (R, R)."""
        d, e = (q - p)[:, None], r[None, :] - p[:, None]
        return np.sign(np.round(d[..., 0] * e[..., 1] - d[..., 1] * e[..., 0], 6))

    crossing = (side(a, b, a) * side(a, b, b) < 0) & (side(a, b, a).T * side(a, b, b).T < 0)
    return int(crossing.sum()) // 2


# --- from a file -----------------------------------------------------------------------------------------------------------


def _is_usable(at: Points) -> bool:
    """Whether few places overlap, regardless of long ids."""
    if (np.ptp(at, axis=0) == 0).any():
        return False
    across, down = _overlaps(_scaled(at, _LEAST, PAGE), _LEAST - 12)
    return bool(np.count_nonzero(np.triu((across > 0) & (down > 0), 1)) < _CROWDED)


def _scaled(at: Points, sizes: Points, width: float) -> Points:
    """Scale points to the width of the map, and vertically so that all places have room."""
    low, span = at.min(axis=0), np.maximum(np.ptp(at, axis=0), 1e-9)
    across = (width - 2 * _EDGE - sizes[:, 0].max()) / span[0]
    dx, dy = (np.abs(at[:, None, k] - at[None, :, k]) for k in (0, 1))
    close = np.triu(dx * across < (sizes[:, None, 0] + sizes[None, :, 0]) / 2 + _GAP, 1) & (dy > 0)
    needed = ((sizes[:, None, 1] + sizes[None, :, 1]) / 2 + _GAP)[close] / dy[close]
    down = across * min(_TALLEST, max(1.0, needed.max(initial=0) / across))
    return (at - low) * (across, down)


def _overlaps(at: Points, sizes: Points) -> tuple[Points, Points]:
    """Horizontal and vertical overlap of all pairs of places, two arrays of shape (58, 58).

    Places overlap if both values are positive.
    """
    overlaps = [(sizes[:, None, k] + sizes[None, :, k]) / 2 + _GAP - np.abs(at[:, None, k] - at[None, :, k]) for k in (0, 1)]
    for overlap in overlaps:
        np.fill_diagonal(overlap, 0)
    return overlaps[0], overlaps[1]


def _without_overlaps(start: Points, sizes: Points) -> Layout:
    """Push overlapping places apart, on a wider map if necessary."""
    width = PAGE
    for _ in range(_MOST_GROWN):
        at = _pushed(_scaled(start, sizes, width), sizes, width)
        across, down = _overlaps(at, sizes)
        if not ((across > 0.5) & (down > 0.5)).any():
            break
        width *= _GROWTH
    at = at - (at - sizes / 2).min(axis=0) + _EDGE
    wide, high = (at + sizes / 2).max(axis=0) + _EDGE
    at[:, 0] += max(0.0, PAGE - wide) / 2
    return Layout(float(max(PAGE, wide)), float(high), at, sizes)


def _pushed(at: Points, sizes: Points, width: float) -> Points:
    order = np.sign(np.arange(N_PLACES)[:, None] - np.arange(N_PLACES)[None, :])  # for places at the same point
    for _ in range(_STEPS):
        across, down = _overlaps(at, sizes)
        overlapping = (across > 0) & (down > 0)
        if not overlapping.any():
            break
        for k, (overlap, other) in enumerate(((across, down), (down, across))):
            delta = at[:, None, k] - at[None, :, k]
            push = np.where(delta == 0, order, np.sign(delta)) * overlap * (overlapping & (overlap <= other))
            at[:, k] += 0.3 * push.sum(axis=1)
        at[:, 0] = np.clip(at[:, 0], 0, width - 2 * _EDGE - sizes[:, 0].max())
    return at


# --- from roads alone ------------------------------------------------------------------------------------------------------


def _computed(board: Board) -> list[Points]:
    """Initial positions: coast places on a circle, all others at the mean of their neighbors.

    After Tutte, "How to draw a graph" (1963), which draws planar roads without crossings. As the center is crowded, places are
    then moved outward, in each start by a different amount.
    """
    roads = roads_of(board)
    joined = np.zeros((N_PLACES, N_PLACES))
    joined[roads[:, 0], roads[:, 1]] = joined[roads[:, 1], roads[:, 0]] = 1
    turns = 2 * np.pi * (np.arange(N_COASTS) + 0.5) / N_COASTS
    coast = np.stack([-np.cos(turns), -np.sin(turns)], axis=1)
    inland = slice(FIRST_SUBURB, N_PLACES)
    matrix = np.diag(joined[inland].sum(axis=1)) - joined[inland, inland]
    amid = np.linalg.solve(matrix, joined[inland, :N_COASTS] @ coast)
    far = np.hypot(amid[:, 0], amid[:, 1])
    even = np.sqrt((np.argsort(np.argsort(far, kind="stable"), kind="stable") + 0.5) / len(far)) * 0.85
    starts = []
    for share in (0.0, 0.3, 0.6, 0.9):
        stretched = amid * ((1 - share) + share * even / np.maximum(far, 1e-9))[:, None]
        starts.append(np.concatenate([coast, stretched]))
    return starts
