"""The layout of the compact features, for learning. Seats are relative to the viewer, 0 is oneself.

Numbers are divided so that most lie between 0 and 1; the bounds are wide, for odd positions on other boards.
"""

from __future__ import annotations

from enum import IntEnum

from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.my_city.constants import N_COLORS, SIDES_OF_WELL, Color, Source

MANY = 4096  # bound of all numbers


class F(IntEnum):
    """Blocks of the features in their order."""

    DECISION = 0
    GAME = 1
    SIDES = 2
    FITS = 3
    JOINS = 4


GAME = ("share_left", "cards_left", "blocking_card_left", "gold_open")
_COLORS = [color.name.lower() for color in Color]
N_OPEN = 5  # numbers of free neighbors
SMALL = 6  # larger areas of free cells are counted together


def _each(what: str, names: list[str]) -> tuple[str, ...]:
    return tuple(f"{what}_{name}" for name in names)


SIDES = (
    *_each("points", [source.name.lower() for source in Source]),
    *("total", "lead", "counter", "has_ended", "veins_open", "gold"),
    *_each("placed", _COLORS),
    *_each("to_come", _COLORS),
    *_each("groups", _COLORS[:N_COLORS]),
    *_each("beside_largest_group", _COLORS[:N_COLORS]),
    *_each("churches_beside_colors", [str(n) for n in range(N_COLORS + 1)]),
    *_each("wells_with_sides", [str(n) for n in range(SIDES_OF_WELL + 1)]),
    "wells_covered",
    "free",
    *_each("free_beside_free", [str(n) for n in range(N_OPEN)]),
    *_each("in_areas_of", [*(str(n) for n in range(1, SMALL)), "more"]),
    *("areas", "beside_buildings"),
)
"""What is counted for each seat; its buildings to come are those of colors not placed, passed or blocked, the current one
included; free cells are light green and not built on, beside each other on one bank."""


def features_layout(players: int, buildings: int) -> Layout:
    """The blocks of the features with this number of players and of buildings."""

    def block(name: str, shape: tuple[int, ...], meaning: str, *, low: int = 0) -> Block:
        return Block(name, shape, meaning, low=low, high=MANY)

    fits = "ln(1 + number of placements), if the viewer may still get it"
    return Layout(
        [
            block("decision", (buildings,), "building to place"),
            block("game", (len(GAME),), ", ".join(GAME)),
            block("sides", (players, len(SIDES)), f"for each seat: {', '.join(SIDES)}", low=-MANY),
            block("fits", (buildings,), f"for each building, the current one and those to come: {fits}"),
            block("joins", (buildings,), f"the same of placements beside the viewer's largest group of its color: {fits}"),
        ]
    )
