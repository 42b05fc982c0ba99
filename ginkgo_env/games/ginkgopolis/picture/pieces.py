"""Tiles, cards and what is counted, by their names in texts."""

from __future__ import annotations

from collections.abc import Iterable

from ginkgo_env.core.pieces import backs, card, card_sign, counter, cube, disc, gold_star, square_sign, tile
from ginkgo_env.core.svg import Box

_HUES = {"R": "red", "B": "blue", "Y": "yellow"}
_LONGEST = 3  # of names that begin with a color's letter


def hue_of(name: str) -> str:
    """The hue of a tile, a card or a character; grey for letters, experts and events."""
    if name == "GS":
        return "green"
    return _HUES.get(name[0], "grey") if 1 < len(name) <= _LONGEST else "grey"


def tiles_of(names: Iterable[str]) -> list[Box]:
    """Tiles as they lie behind a screen."""
    return [tile(name, hue_of(name)) for name in names]


def cards_of(names: Iterable[str]) -> list[Box]:
    """Cards, characters, experts and events."""
    return [card(name, hue_of(name)) for name in names]


def tile_backs(n: int) -> Box:
    """Tiles face down."""
    return backs(n, 30, 30, r=3)


def card_backs(n: int) -> Box:
    """Cards face down."""
    return backs(n, 32, 24, r=5)


def counter_of(what: str, n: int) -> Box:
    """What everybody counts of a side, by its name in descriptions."""
    signs = {
        "SP": gold_star,
        "resources": cube,
        "supply": lambda x, y, r: cube(x, y, r, "f-well"),
        "tiles": square_sign,
        "New Hands": lambda x, y, r: disc(x, y, r, "f-sky", words="N", on="on-sky"),
        "events": lambda x, y, r: disc(x, y, r, "f-purple", words="!", on="on-purple"),
    }
    return counter(signs.get(what, card_sign), n, what)
