"""The current building in all headings, the cards to come, the blocked building, and the legend."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.shapes import heading
from ginkgo_env.drawing.svg import PAGE, SMALL, Box, below, beside, flow, label, line, named, paragraph, rect, text, titled
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Building, Buildings
from ginkgo_env.games.my_city.constants import BLOCKING_CARD, HEADINGS, NONE, Terrain
from ginkgo_env.games.my_city.presentation.board import building_effect
from ginkgo_env.games.my_city.presentation.choices import heading_part
from ginkgo_env.games.my_city.presentation.players import lost
from ginkgo_env.games.my_city.presentation.shapes import anchor_sign, gone_shape, small_shape
from ginkgo_env.games.my_city.presentation.terrain import terrain_drawn
from ginkgo_env.games.my_city.text.describe import MEANINGS, cards_left, gold_text
from ginkgo_env.games.my_city.text.narrate import building_text
from ginkgo_env.games.my_city.text.words import say

_SLOT, _HIGH = 38.0, 28.0  # width of a card to come, and height of its shape
_CELL, _LARGE_CELL = 9.0, 18.0


def current_box(g: Fields, buildings: Buildings) -> Box:
    """The current building, once for each heading (M11.4); empty when the game is over."""
    return flow(headings(g, buildings), PAGE, 28, 8)


def headings(g: Fields, buildings: Buildings) -> list[Box]:
    """The current building in each heading; empty when the game is over."""
    if g.current == NONE:
        return []
    building = buildings.list[g.current]
    return [_turned(building, h) for h in building.headings]


def _turned(building: Building, h: int) -> Box:
    name = label(HEADINGS[h], "dim", bold=True)
    box = beside([name, small_shape(building, h, _LARGE_CELL, anchor=True)], 8)
    area = rect(0, 0, box.width, box.height, "none", pointer_events="all")  # clickable between letter and shape, too
    words = f"{building_text(building)}: {building_effect(building)}"
    return box._replace(body=named(heading_part(HEADINGS[h]), titled(words, box.body + area)))


def cards_box(g: Fields, board: Board, buildings: Buildings, names: Sequence[str], width: float) -> Box:
    """All cards; those that have been turned up are outlines."""
    left = set(cards_left(g, buildings))
    slots = max(1, int(width // _SLOT))
    slot = width / slots
    cards = [_card(building, slot, b in left) for b, building in enumerate(buildings.list)]
    cards.append(_blocking_card(slot, len(buildings.list) in left))
    parts = [
        heading(say("Still to come: {n}", n=len(left)), width, say("outlines: turned up already")),
        flow(cards, width + 1, 0, 4),
    ]
    blocked = g.blocked != NONE
    if blocked:
        parts.append(beside([label(say("blocked"), "dim", size=SMALL), lost(buildings.list[g.blocked])], 8))
    if gold := gold_text(g, board, names):
        sign = Box(18, 18, terrain_drawn(Terrain.VEIN, ((0, 0),), 18))
        parts.append(beside([sign, paragraph(say("Gold: {gold}", gold=gold), width - 26)], 8))
    return below(parts, 6)


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
    frame = rect(x - 9, y - 12, 18, 24, f"{'f-panel' if to_come else 'none'} {cls}", r=3)
    cross = "".join(line(x - 5, y - way * 5, x + 5, y + way * 5, cls, stroke_width=2.5) for way in (1, -1))
    return _slot_box(BLOCKING_CARD, say("the blocking card (M5.5)"), frame + cross, slot, to_come)


def _slot_box(name: str, called: str, drawn: str, slot: float, to_come: bool) -> Box:
    """A card with its name below, and a tooltip."""
    cls = "ink" if to_come else "dim"
    words = text(slot / 2, _HIGH + 9, name, cls, size=SMALL, anchor="middle", bold=to_come, fit=slot - 2)
    state = say("{card} is to come" if to_come else "{card} has been turned up", card=called)
    return Box(slot, _HIGH + 17, titled(state, drawn + words))


def legend(width: float = PAGE) -> Box:
    """The meaning of the signs."""
    ground = rect(0.5, 0.5, 17, 17, "soft-green s-line")
    signs = [
        (Box(18, 18, (ground if terrain < Terrain.MOUNTAIN else "") + terrain_drawn(terrain, ((0, 0),), 18)), words)
        for terrain, words in zip(Terrain, MEANINGS, strict=True)
    ]
    river = line(2, 9, 16, 9, "s-blue", stroke_width=5) + line(2, 9, 16, 9, "s-sky", stroke_width=3)
    signs.append((Box(18, 18, river), "river"))
    dot = rect(0.5, 0.5, 17, 17, "f-panel s-edge", r=3) + anchor_sign(9, 9, 5)
    signs.append((Box(18, 18, dot), "in a shape: the cell that names the place"))
    return flow([beside([sign, label(say(words), "dim", size=SMALL)], 5) for sign, words in signs], width, 14, 5)
