"""Clickable parts of a picture, by which the seat to act picks an action (``choices``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ginkgo_env.core.fields import Fields
from ginkgo_env.drawing.svg import Box, named, rect
from ginkgo_env.games.ginkgopolis.constants import Stage
from ginkgo_env.games.ginkgopolis.presentation.choices import NEW_HAND
from ginkgo_env.games.ginkgopolis.tables import COLOR_LETTERS

_HELD: Mapping[Stage, Mapping[str, str]] = {
    Stage.DRAFT: {"packet": "draft", "packet_experts": "draft"},
    Stage.COMMIT: {"hand": "card", "tiles": "tile"},
    Stage.RETURN: {"tiles": "return"},
    Stage.LOWER: {"tiles": "lower"},
    Stage.EVENT: {"events": "event"},
    Stage.KEEP: {"hand": "keep"},
}
"""By kind of decision: fields with cards and tiles that can be picked, and the group of the picks."""

_COUNTED: Mapping[Stage, Mapping[str, str]] = {
    Stage.COMMIT: {"New Hands": f"card:{NEW_HAND}"},
    Stage.TAKE: {"supply": "take:resource", "tile supply": "take:tile"},
    Stage.SPLIT: {"tile supply": "split:done", "new buildings": "split:new-building", "green spaces": "split:green-space"},
}
"""By kind of decision: counters that can be picked, and the pick."""

COLORS = dict(zip(COLOR_LETTERS, ("red", "blue", "yellow"), strict=True))


def asked_of(g: Fields, seat: int | None) -> Stage | None:
    """The kind of decision of the viewer; None if another seat acts, as the picture has no parts then."""
    return Stage(g.stage) if seat is not None and seat == g.actor else None


def group_of(asked: Stage | None, field: str) -> str:
    """The group of picks in a field of the seat to act; empty if nothing in it can be picked."""
    return "" if asked is None else _HELD.get(asked, {}).get(field, "")


def with_parts(boxes: Iterable[Box], group: str, names: Iterable[str]) -> list[Box]:
    """Boxes as parts of a group; unchanged without a group."""
    if not group:
        return list(boxes)
    return [box._replace(body=named(f"{group}:{name}", box.body)) for box, name in zip(boxes, names, strict=True)]


def counter_with_part(box: Box, asked: Stage | None, name: str) -> Box:
    """A counter as a part with all of its area, if it can be picked now."""
    part = "" if asked is None else _COUNTED.get(asked, {}).get(name, "")
    return box._replace(body=named(part, box.body + click_area(0, 0, box.width, box.height))) if part else box


def prestige_with_parts(boxes: Iterable[Box], asked: Stage | None, names: Iterable[str]) -> list[Box]:
    """Tiles of value III as parts, named by the color of their stack."""
    return with_parts(boxes, "split" if asked == Stage.SPLIT else "", (COLORS[name[0]] for name in names))


def click_area(x: float, y: float, width: float, height: float) -> str:
    """An invisible area that can be clicked."""
    return rect(x, y, width, height, fill="none", pointer_events="all")
