"""The whole table as a picture: the current building, players, cards to come; the presenter."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.core.state import OBSERVER, States, VisibleState, members
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Building
from ginkgo_env.games.my_city.constants import BLOCKING_CARD, GOLD_POINTS, HEADINGS, NONE, Color, Source, Terrain
from ginkgo_env.games.my_city.describe import MEANINGS, cards_left, gold_text, headline
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.narrate import building_text
from ginkgo_env.games.my_city.notation import action_text
from ginkgo_env.games.my_city.pictures.board import MARGIN, board_box, building_effect, choice_of, heading_part
from ginkgo_env.games.my_city.pictures.pieces import SOFT_HUES, anchor_sign, church_cross, gone_shape, small_shape, terrain_drawn
from ginkgo_env.games.my_city.queries import translate
from ginkgo_env.pictures import svg
from ginkgo_env.pictures.presenter import Areas, Choice, Presenter
from ginkgo_env.pictures.svg import GAP, LARGE, PAGE, SMALL, TEXT, Box
from ginkgo_env.pictures.widgets import (
    badge_box,
    card,
    changed_ring,
    disc,
    gold_star,
    heading,
    letters,
    panel,
    sign_of,
    square_sign,
)

# --- players: points, the chosen placement, the board, passed buildings ------------------------------------------------------


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
    return svg.rect(x - 0.85 * r, y - 0.85 * r, 1.7 * r, 1.7 * r, "soft-green s-dim")


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


def player_box(g: VisibleState, p: int, width: float, sign: tuple[int, str]) -> Box:
    """A player's board with points and passed buildings beside or below it.

    sign : number and letter of the player's badge
    """
    beside_board = width - MARGIN - 1 - _SIDE - 12 >= _LEAST_CELL * g.board.columns
    room = (width - _SIDE - 12 if beside_board else width) - MARGIN - 1
    drawn = board_box(g, p, min(_MOST_CELL, room / g.board.columns))
    side = width - drawn.width - 12 if beside_board else width
    facts = svg.below([_points(g, p, side), _doing(g, p), _passed(g, p, side)], 8)
    head = _head(g.names[p], sum(g.sources[p]), width, sign)
    parts = svg.beside([drawn, facts], 12, align=0) if beside_board else svg.below([drawn, facts], 6)
    return svg.below([head, parts], 6)


def side_rows(g: VisibleState, p: int) -> dict[str, list[Box]]:
    """What a player has beside the board, by name."""
    passed = [passed_building_chip(g.buildings.list[b]) for b in members(g.passed[p])]
    return {"points": _point_columns(g, p, _COLUMN), "state": [_doing(g, p)], "passed": passed}


def abreast(board: Board, players: int, width: float, gap: float) -> int:
    """The number of boards beside each other: two if their cells are large enough, otherwise one."""
    half = (width - gap) / 2 - 2 * PAD - MARGIN - 1
    return 2 if players > 1 and half / board.columns >= _LEAST_CELL else 1


def _head(name: str, total: int, width: float, sign: tuple[int, str]) -> Box:
    """The player's name and total points."""
    number, letter = sign
    badge = badge_box(number, letter, 10)
    points = translate("{n} points", n=total)
    room = width - badge.width - 6 - svg.text_width(points, TEXT, bold=True) - 10
    body = badge.body + svg.text(badge.width + 6, badge.height / 2, name, size=0.8 * LARGE, bold=True, fit=room)
    return Box(width, badge.height, body + svg.text(width, badge.height / 2, points, anchor="end", bold=True))


def _doing(g: VisibleState, p: int) -> Box:
    """Gold, the chosen action if the viewer knows it, and the end."""
    chips, since = [], g.since
    if g.gold[p]:
        chips.append(
            _framed(_sign_and_text(gold_star, translate("gold +{n}", n=GOLD_POINTS)), since is not None and not since.gold[p])
        )
    if g.choice[p] != NONE:
        chips.append(svg.label(translate("chosen: {place}", place=action_text(g.board, g.choice[p])), bold=True))
    if g.ended[p]:
        chips.append(
            _framed(svg.label(translate("ended in round {n}", n=g.ended[p]), "dim"), since is not None and not since.ended[p])
        )
    return svg.flow(chips, _SIDE * 2, 16)


def _sign_and_text(sign: _Sign, text: str) -> Box:
    name = svg.label(text)
    return Box(20 + name.width, name.height, sign(8, name.height / 2, 8) + name.at(20, 0))


def _framed(box: Box, fresh: bool) -> Box:
    """A box, with a frame if it is new since the earlier state."""
    if not fresh:
        return box
    framed = box.padded(4)
    return framed._replace(body=framed.body + changed_ring(1.5, 1.5, framed.width - 3, framed.height - 3))


def _points(g: VisibleState, p: int, width: float) -> Box:
    """The counter and the points by source, in columns."""
    return svg.beside(_point_columns(g, p, width), 14, align=0)


def _point_columns(g: VisibleState, p: int, width: float) -> list[Box]:
    """The counter and the points by source, in three columns or one."""
    entries: list[tuple[_Sign, str, int]] = [(disc, "counter", g.points[p])]
    entries += [(_SIGNS[source], source.name.lower(), g.sources[p][source]) for source in _ORDER]
    columns = 3 if width > 1.5 * _SIDE else 1
    step = (width + 14) / columns
    lines = [_entry(*entry, step - 14 if columns > 1 else min(step, _SIDE)) for entry in entries]
    rows = -(-len(lines) // columns)
    return [svg.below(lines[k * rows : (k + 1) * rows], 3 if columns > 1 else 6) for k in range(columns)]


def _entry(sign: _Sign, text: str, n: int, width: float) -> Box:
    value = str(n)
    right = svg.text(width, 9, value, anchor="end", bold=True, size=13, cls="ink" if n else "dim")
    room = width - 21 - svg.text_width(value, 13, bold=True) - 4
    rule = svg.line(21, 18.5, width, 18.5, stroke_width=0.6)
    return Box(width, 19, sign(8, 9, 7.5) + svg.text(21, 9, translate(text), "dim", size=SMALL, fit=room) + right + rule)


def _passed(g: VisibleState, p: int, width: float) -> Box:
    """The buildings that the player has passed."""
    before = g.passed[p] if g.since is None else g.since.passed[p]
    chips = [_framed(passed_building_chip(g.buildings.list[b]), not before >> b & 1) for b in members(g.passed[p])]
    if not chips:
        return Box(0, 0)
    name = svg.label(translate("passed"), "dim", size=SMALL)
    return svg.beside([name, svg.flow(chips, width - name.width - 8, 5)], 8)


def passed_building_chip(building: Building) -> Box:
    """A building that can no longer be built: its id on its pale color."""
    return card(building.id, SOFT_HUES[building.color], height=22)


# --- cards: the current building, those to come, the blocked one, the legend -------------------------------------------------


_SLOT, _HIGH = 38.0, 28.0  # width of a card to come, and height of its shape
_CELL, _LARGE_CELL = 9.0, 18.0
_LEAST_TARGET = 24.0  # what a finger can hit


def headings(g: VisibleState) -> list[Box]:
    """The current building in each heading (M11.4); empty when the game is over."""
    if g.current == NONE:
        return []
    building = g.buildings.list[g.current]
    return [_turned(building, h) for h in building.headings]


def _turned(building: Building, h: int) -> Box:
    name = svg.label(HEADINGS[h], "dim", bold=True)
    box = svg.beside([name, small_shape(building, h, _LARGE_CELL, anchor=True)], 8)
    height = max(box.height, _LEAST_TARGET)
    area = svg.rect(0, 0, box.width, height, "none", pointer_events="all")  # clickable between letter and shape, too
    text = f"{building_text(building)}: {building_effect(building)}"
    drawn = box.at(0, (height - box.height) / 2) + area
    return Box(box.width, height, svg.named(heading_part(HEADINGS[h]), svg.titled(text, drawn)))


def cards_box(g: VisibleState, width: float) -> Box:
    """All cards; those that have been turned up are outlines."""
    left, buildings = set(cards_left(g)), g.buildings.list
    slots = max(1, int(width // _SLOT))
    slot = width / slots
    cards = [_card(building, slot, b in left) for b, building in enumerate(buildings)]
    cards.append(_blocking_card(slot, len(buildings) in left))
    parts = [
        heading(translate("Still to come: {n}", n=len(left)), width, translate("outlines: turned up already")),
        svg.flow(cards, width + 1, 0, 4),
    ]
    if g.blocked != NONE:
        parts.append(
            svg.beside([svg.label(translate("blocked"), "dim", size=SMALL), passed_building_chip(buildings[g.blocked])], 8)
        )
    if gold := gold_text(g):
        sign = Box(18, 18, terrain_drawn(Terrain.VEIN, ((0, 0),), 18))
        parts.append(svg.beside([sign, svg.paragraph(translate("Gold: {gold}", gold=gold), width - 26)], 8))
    return svg.below(parts, 6)


def _card(building: Building, slot: float, to_come: bool) -> Box:
    """A card with shape and id, or an outline after it has been turned up."""
    height, width = (1 + max(axis) for axis in zip(*building.cells, strict=True))
    size = min(_CELL, _HIGH / height, (slot - 3) / width)
    shape = small_shape(building, 0, size) if to_come else Box(width * size, height * size, gone_shape(building, size))
    called = f"{building_text(building)} ({building_effect(building)})"
    return _slot_box(building.id, called, shape.at((slot - shape.width) / 2, (_HIGH - shape.height) / 2), slot, to_come)


def _blocking_card(slot: float, to_come: bool) -> Box:
    """The blocking card."""
    x, y, cls = slot / 2, _HIGH / 2, "s-ink" if to_come else "s-line"
    frame = svg.rect(x - 9, y - 12, 18, 24, f"{'f-panel' if to_come else 'none'} {cls}", r=3)
    cross = "".join(svg.line(x - 5, y - way * 5, x + 5, y + way * 5, cls, stroke_width=2.5) for way in (1, -1))
    return _slot_box(BLOCKING_CARD, translate("the blocking card (M5.5)"), frame + cross, slot, to_come)


def _slot_box(name: str, called: str, drawn: str, slot: float, to_come: bool) -> Box:
    """A card with its name below, and a tooltip."""
    cls = "ink" if to_come else "dim"
    title = svg.text(slot / 2, _HIGH + 9, name, cls, size=SMALL, anchor="middle", bold=to_come, fit=slot - 2)
    state = translate("{card} is to come" if to_come else "{card} has been turned up", card=called)
    return Box(slot, _HIGH + 17, svg.titled(state, drawn + title))


def legend(width: float = PAGE) -> Box:
    """The meaning of the signs."""
    ground = svg.rect(0.5, 0.5, 17, 17, "soft-green s-line")
    signs = [
        (Box(18, 18, (ground if terrain < Terrain.MOUNTAIN else "") + terrain_drawn(terrain, ((0, 0),), 18)), text)
        for terrain, text in zip(Terrain, MEANINGS, strict=True)
    ]
    river = svg.line(2, 9, 16, 9, "s-blue", stroke_width=5) + svg.line(2, 9, 16, 9, "s-sky", stroke_width=3)
    signs.append((Box(18, 18, river), "river"))
    dot = svg.rect(0.5, 0.5, 17, 17, "f-panel s-edge", r=3) + anchor_sign(9, 9, 5)
    signs.append((Box(18, 18, dot), "in a shape: the cell that names the place"))
    return svg.flow([svg.beside([sign, svg.label(translate(text), "dim", size=SMALL)], 5) for sign, text in signs], width, 14, 5)


# --- the table ---------------------------------------------------------------------------------------------------------------


_COLUMN = 330.0  # width of what stands beside a board


def _row(parts: Sequence[Box], active: Sequence[bool], width: float) -> Box:
    """Panels of the same height beside each other; a single one has the whole width."""
    height = max(box.height for box in parts)
    wide = PAGE if len(parts) == 1 else width
    panels = [panel(Box(box.width, height, box.body), wide, pad=PAD, active=on) for box, on in zip(parts, active, strict=True)]
    return svg.beside(panels, GAP)


# --- the presenter -----------------------------------------------------------------------------------------------------------


_STYLES = {Color.YELLOW: "yellow", Color.RED: "red", Color.BLUE: "bright_blue"}


class MyCityPresenter(Presenter):
    """Draws boards and cards; a placement is picked as a heading and a cell."""

    game: MyCity
    text_order = (r".*\b{name}: -?\d+ points", r".*: -?\d+ points")
    text_asked = " +N [ @]"  # the shape of the building
    texts = translate
    how_to_play_file = "how_to_play/{language}.md"

    def __init__(self, game: MyCity) -> None:
        super().__init__(game)
        ids = {color: [building.id for building in game.buildings.list if building.color == color] for color in _STYLES}
        self.text_styles = {rf"\b({'|'.join(ids[color])})\b": style for color, style in _STYLES.items() if ids[color]}

    def draw(self, g: VisibleState) -> Box:
        """Draw boards and cards."""
        across = abreast(g.board, g.players, PAGE, GAP)
        width = (PAGE - GAP * (across - 1)) / across
        room, signs = width - 2 * PAD, letters(self.game)
        parts = [player_box(g, p, room, (sign_of(self.game, p), signs[p])) for p in range(g.players)]
        parts.append(cards_box(g, room if g.players % across else PAGE - 2 * PAD))
        active = [p == g.actor for p in range(len(parts))]
        rows = [_row(parts[k : k + across], active[k : k + across], width) for k in range(0, len(parts), across)]
        head = svg.below([heading(headline(g)), svg.flow(headings(g), PAGE, 28, 8)], 6)
        return svg.below([head, *rows, legend(), svg.below(self._notes(), 0)], GAP)

    def _notes(self) -> list[Box]:
        """The origin of board and buildings."""
        texts = [
            translate(f"{option.capitalize()} {{value}} ({{text}})", value=repr(value), text=translate(texts[value]))
            for option, texts in self.game.option_values.items()
            if (value := getattr(self.game.config, option)) in texts
        ]
        return [svg.paragraph(text, PAGE, "dim", size=SMALL) for text in texts]

    def draw_areas(self, g: VisibleState) -> Areas:
        """The viewer's board, or all; the current building; points; the cards to come."""
        boards = [board_box(g, p, _MOST_CELL if p == g.viewer else _LEAST_CELL) for p in range(g.players)]
        own = None if g.viewer in (None, OBSERVER) else g.viewer
        sides = [side_rows(g, p) | ({} if own in (None, p) else {"board": [boards[p]]}) for p in range(g.players)]
        cards = {"cards": [cards_box(g, _COLUMN)], "signs": [legend(_COLUMN)]}
        return Areas(svg.flow(boards, PAGE, GAP) if own is None else boards[own], {"building": headings(g)}, sides, cards)

    def choice(self, state: States, action: int) -> Choice:
        """Heading and cell of a placement, or to pass or end."""
        building = self.game.buildings.list[self.game.checked_state(state)["current"][0]]
        return choice_of(self.game.board, building, action)
