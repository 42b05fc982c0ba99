"""Tiles, cards and counters, by their names in texts."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ginkgo_env.drawing.shapes import backs, card, card_sign, counter, cube, disc, gold_star, square_sign, tile
from ginkgo_env.drawing.svg import SMALL, Box, beside, circle, label, rect
from ginkgo_env.games.ginkgopolis.constants import Action
from ginkgo_env.games.ginkgopolis.presentation.parts import COLORS, with_parts
from ginkgo_env.games.ginkgopolis.text.words import say

_LONGEST = 3  # length of names that begin with the letter of a color


def hue_of(name: str) -> str:
    """The hue of a tile, a card or a character; grey for letters, experts and events."""
    if name == "GS":
        return "green"
    return COLORS.get(name[0], "grey") if 1 < len(name) <= _LONGEST else "grey"


def tiles_of(names: Sequence[str], group: str = "") -> list[Box]:
    """Tiles, face up; with a group, as its picks."""
    return with_parts([tile(name, hue_of(name)) for name in names], group, names)


def cards_of(names: Sequence[str], group: str = "") -> list[Box]:
    """Cards, characters, experts and events; with a group, as its picks."""
    return with_parts([card(say(name), hue_of(name)) for name in names], group, names)


def tile_backs(n: int) -> Box:
    """Tiles face down."""
    return backs(n, 32, 32, r=3)


def card_backs(n: int) -> Box:
    """Cards face down."""
    return backs(n, 36, 24, r=5)


def tree_sign(x: float, y: float, r: float, cls: str = "f-green") -> str:
    """A ginkgo tree, for a green space."""
    trunk = rect(x - 0.12 * r, y + 0.1 * r, 0.24 * r, 0.85 * r, "f-edge")
    return trunk + circle(x, y - 0.25 * r, 0.68 * r, f"{cls} s-edge")


SIGNS: dict[str, Callable[[float, float, float], str]] = {
    "SP": gold_star,
    "resources": cube,
    "supply": lambda x, y, r: cube(x, y, r, "f-grey"),
    "tiles": square_sign,
    "tile supply": square_sign,
    "new buildings": lambda x, y, r: square_sign(x, y, r, "f-sky"),
    "New Hands": lambda x, y, r: disc(x, y, r, "f-sky", words="N", on="on-sky"),
    "events": lambda x, y, r: disc(x, y, r, "f-purple", words="!", on="on-purple"),
}
"""Signs of counters by their names in descriptions; other counters have a card."""

_ITEMS = ("resources", "tiles", "SP")  # by Item


def counter_of(name: str, n: int) -> Box:
    """A counter by its name in descriptions."""
    return counter(SIGNS.get(name, card_sign), n, say(name))


def bonuses(bonus: Sequence[Sequence[int]]) -> list[Box]:
    """The bonus of each action, indexed by action and item."""
    actions = [action for action in Action if any(bonus[action])]
    return [beside([label(say(action.name.lower()), size=SMALL), *_items(bonus[action]), Box(8, 0)], 4) for action in actions]


def _items(numbers: Sequence[int]) -> list[Box]:
    return [
        beside([label(f"+{n}", size=SMALL, bold=True), Box(16, 16, SIGNS[item](8, 8, 7))], 2)
        for item, n in zip(_ITEMS, numbers, strict=True)
        if n
    ]
