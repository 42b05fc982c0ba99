"""What can be clicked: the parts of a picture by which the seat that decides picks an action (``text.choices``)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ginkgo_env.drawing.svg import Box, named, rect
from ginkgo_env.games.ginkgopolis.constants import Stage
from ginkgo_env.games.ginkgopolis.presentation.choices import NEW_HAND
from ginkgo_env.games.ginkgopolis.tables import COLOR_LETTERS
from ginkgo_env.games.ginkgopolis.text.fields import Fields

_HELD: Mapping[Stage, Mapping[str, str]] = {
    Stage.DRAFT: {"packet": "draft", "packet_experts": "draft"},
    Stage.COMMIT: {"hand": "card", "tiles": "tile"},
    Stage.RETURN: {"tiles": "return"},
    Stage.LOWER: {"tiles": "lower"},
    Stage.EVENT: {"events": "event"},
    Stage.KEEP: {"hand": "keep"},
}
"""By kind of decision the fields whose cards and tiles can be picked, and in which group."""

_COUNTED: Mapping[Stage, Mapping[str, str]] = {
    Stage.COMMIT: {"New Hands": f"card:{NEW_HAND}"},
    Stage.TAKE: {"supply": "take:resource", "tile supply": "take:tile"},
    Stage.SPLIT: {"tile supply": "split:done", "new buildings": "split:new-building", "green spaces": "split:green-space"},
}
"""The same for what is counted: the pick."""

_COLORS = dict(zip(COLOR_LETTERS, ("red", "blue", "yellow"), strict=True))


def asked_of(g: Fields, seat: int | None) -> Stage | None:
    """What the viewer is asked; None for one who does not decide, whose picture has no parts."""
    return Stage(g.stage) if seat is not None and seat == g.actor else None


def group_of(asked: Stage | None, field: str) -> str:
    """The group in which the things in a field of the seat that decides are picked; empty if they are not."""
    return "" if asked is None else _HELD.get(asked, {}).get(field, "")


def with_parts(boxes: Iterable[Box], group: str, names: Iterable[str]) -> list[Box]:
    """Things as parts of a group; as they are without one."""
    if not group:
        return list(boxes)
    return [box._replace(body=named(f"{group}:{name}", box.body)) for box, name in zip(boxes, names, strict=True)]


def counter_with_part(box: Box, asked: Stage | None, what: str) -> Box:
    """A counter as a part, all of its area, if what it counts can be picked now."""
    part = "" if asked is None else _COUNTED.get(asked, {}).get(what, "")
    return box._replace(body=named(part, box.body + click_area(0, 0, box.width, box.height))) if part else box


def prestige_with_parts(boxes: Iterable[Box], asked: Stage | None, names: Iterable[str]) -> list[Box]:
    """Tiles of value III as parts, by the color from whose stack one draws."""
    return with_parts(boxes, "split" if asked == Stage.SPLIT else "", (_COLORS[name[0]] for name in names))


def click_area(x: float, y: float, width: float, height: float) -> str:
    """Nothing to see, but something to click."""
    return rect(x, y, width, height, fill="none", pointer_events="all")
