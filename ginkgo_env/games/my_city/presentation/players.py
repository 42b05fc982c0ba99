"""The players: points, the chosen placement, the board, and passed buildings."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.core.fields import Fields, members
from ginkgo_env.drawing.shapes import badge_box, card, changed_ring, disc, gold_star, square_sign
from ginkgo_env.drawing.svg import LARGE, SMALL, TEXT, Box, below, beside, flow, label, line, rect, text, text_width
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Building, Buildings
from ginkgo_env.games.my_city.constants import GOLD_POINTS, NONE, Source, Terrain
from ginkgo_env.games.my_city.presentation.board import MARGIN, board_box
from ginkgo_env.games.my_city.presentation.shapes import SOFT_HUES, church_cross
from ginkgo_env.games.my_city.presentation.terrain import terrain_drawn
from ginkgo_env.games.my_city.text.describe import choice_seen
from ginkgo_env.games.my_city.text.notation import action_text
from ginkgo_env.games.my_city.text.words import say

PAD = 8.0
_LEAST_CELL, _MOST_CELL = 22.0, 40.0
_SIDE = 170.0  # width of the column beside a board

_Sign = Callable[[float, float, float], str]
"""Draws around (x, y) with radius r."""


def _terrain_sign(terrain: Terrain) -> _Sign:
    return lambda x, y, r: Box(2 * r, 2 * r, terrain_drawn(terrain, ((0, 0),), 2 * r)).at(x - r, y - r)


def _church(x: float, y: float, r: float) -> str:
    return square_sign(x, y, r, "f-light") + church_cross(x, y, 0.65 * r)


def _empty(x: float, y: float, r: float) -> str:
    return rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r, "soft-green s-dim")


_SIGNS: dict[Source, _Sign] = {
    Source.TREES: _terrain_sign(Terrain.TREES),
    Source.ROCKS: _terrain_sign(Terrain.ROCKS),
    Source.YELLOW: lambda x, y, r: square_sign(x, y, r, "f-yellow"),
    Source.RED: lambda x, y, r: square_sign(x, y, r, "f-red"),
    Source.BLUE: lambda x, y, r: square_sign(x, y, r, "f-blue"),
    Source.CHURCHES: _church,
    Source.WELLS: _terrain_sign(Terrain.WELL),
    Source.EMPTY: _empty,
}
_ORDER = (Source.TREES, Source.ROCKS, Source.EMPTY, Source.WELLS, Source.CHURCHES, Source.YELLOW, Source.RED, Source.BLUE)


def player_box(
    g: Fields,
    points: Sequence[int],
    board: Board,
    buildings: Buildings,
    p: int,
    name: str,
    width: float,
    *,
    sign: tuple[int, str],
    seat: int | None,
    since: Fields | None,
) -> Box:
    """A player's board with points and passed buildings beside or below it.

    sign : number and letter of the player's badge
    """
    beside_board = width - MARGIN - 1 - _SIDE - 12 >= _LEAST_CELL * board.columns
    room = (width - _SIDE - 12 if beside_board else width) - MARGIN - 1
    size = min(_MOST_CELL, room / board.columns)
    drawn = board_box(g, board, buildings, p, size, seat=seat, since=since)
    side = width - drawn.width - 12 if beside_board else width
    doing = _doing(g, board, p, seat, since)
    facts = below([_points(g, p, points, side), doing, _passed(g, buildings, p, side, since)], 8)
    head = _head(name, sum(points), width, sign)
    parts = beside([drawn, facts], 12, align=0) if beside_board else below([drawn, facts], 6)
    return below([head, parts], 6)


def board_alone(g: Fields, board: Board, buildings: Buildings, p: int, seat: int | None, since: Fields | None) -> Box:
    """A player's board, with large cells for the viewer's own."""
    return board_box(g, board, buildings, p, _MOST_CELL if p == seat else _LEAST_CELL, seat=seat, since=since)


def side_rows(
    g: Fields,
    points: Sequence[int],
    board: Board,
    buildings: Buildings,
    p: int,
    seat: int | None,
    since: Fields | None,
    width: float,
) -> dict[str, list[Box]]:
    """What a player has beside the board, by name."""
    passed = [lost(buildings.list[b]) for b in members(g.passed[p])]
    return {"points": [_points(g, p, points, width)], "state": [_doing(g, board, p, seat, since)], "passed": passed}


def abreast(board: Board, players: int, width: float, gap: float) -> int:
    """The number of boards beside each other: two if their cells are large enough, otherwise one."""
    half = (width - gap) / 2 - 2 * PAD - MARGIN - 1
    return 2 if players > 1 and half / board.columns >= _LEAST_CELL else 1


def _head(name: str, total: int, width: float, sign: tuple[int, str]) -> Box:
    """The player's name and total points."""
    number, letter = sign
    badge = badge_box(number, letter, 10)
    words = say("{n} points", n=total)
    room = width - badge.width - 6 - text_width(words, TEXT, bold=True) - 10
    body = badge.body + text(badge.width + 6, badge.height / 2, name, size=0.8 * LARGE, bold=True, fit=room)
    return Box(width, badge.height, body + text(width, badge.height / 2, words, anchor="end", bold=True))


def _doing(g: Fields, board: Board, p: int, seat: int | None, since: Fields | None) -> Box:
    """Gold, the chosen action if the viewer knows it, and the end."""
    chips = []
    if g.gold[p]:
        chips.append(_framed(_words(gold_star, say("gold +{n}", n=GOLD_POINTS)), since is not None and not since.gold[p]))
    choice = choice_seen(g, p, seat)
    if choice != NONE:
        chips.append(label(say("chosen: {place}", place=action_text(board, choice)), bold=True))
    if g.ended[p]:
        chips.append(_framed(label(say("ended in round {n}", n=g.ended[p]), "dim"), since is not None and not since.ended[p]))
    return flow(chips, _SIDE * 2, 16)


def _words(sign: _Sign, words: str) -> Box:
    name = label(words)
    return Box(20 + name.width, name.height, sign(8, name.height / 2, 8) + name.at(20, 0))


def _framed(box: Box, fresh: bool) -> Box:
    """A box, with a frame if it is new since the earlier state."""
    if not fresh:
        return box
    framed = box.padded(4)
    return framed._replace(body=framed.body + changed_ring(1.5, 1.5, framed.width - 3, framed.height - 3))


def _points(g: Fields, p: int, points: Sequence[int], width: float) -> Box:
    """The counter and the points by source, in three columns or one."""
    entries: list[tuple[_Sign, str, int]] = [(disc, "counter", g.points[p])]
    entries += [(_SIGNS[source], source.name.lower(), points[source]) for source in _ORDER]
    columns = 3 if width > 1.5 * _SIDE else 1
    step = (width + 14) / columns
    lines = [_entry(*entry, step - 14 if columns > 1 else min(step, _SIDE)) for entry in entries]
    rows = -(-len(lines) // columns)
    return beside((below(lines[k * rows : (k + 1) * rows], 3 if columns > 1 else 6) for k in range(columns)), 14, align=0)


def _entry(sign: _Sign, words: str, n: int, width: float) -> Box:
    value = str(n)
    right = text(width, 9, value, anchor="end", bold=True, size=13, cls="ink" if n else "dim")
    room = width - 21 - text_width(value, 13, bold=True) - 4
    rule = line(21, 18.5, width, 18.5, stroke_width=0.6)
    return Box(width, 19, sign(8, 9, 7.5) + text(21, 9, say(words), "dim", size=SMALL, fit=room) + right + rule)


def _passed(g: Fields, buildings: Buildings, p: int, width: float, since: Fields | None) -> Box:
    """The buildings that the player has passed."""
    chips = [_framed(lost(buildings.list[b]), since is not None and not since.passed[p] >> b & 1) for b in members(g.passed[p])]
    if not chips:
        return Box(0, 0)
    name = label(say("passed"), "dim", size=SMALL)
    return beside([name, flow(chips, width - name.width - 8, 5)], 8)


def lost(building: Building) -> Box:
    """A building that can no longer be built: its id on its pale color."""
    return card(building.id, SOFT_HUES[building.color], height=22)
