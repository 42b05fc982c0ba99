"""The stacks of the expansion: which tiles a player takes instead of base tiles, and what comes back (X0)."""

from collections.abc import Callable

from .components import COLORS, GREEN, NEW_BUILDINGS, PRESTIGE, TILES, color_of, in_order
from .table import Flow, Question, Side, Table

# X0.1: what may be taken, in the order of choosing and drawing, and the draws that a tile of it costs
COSTS = {"red": 3, "blue": 3, "yellow": 3, "new_building": 2, "green_space": 1}
KINDS = list(COSTS)
DONE = "split:done"
PRESTIGE_COLOR = dict(zip(KINDS, COLORS, strict=False))


def notation(kind: str) -> str:
    """The action that takes one tile of a kind."""
    return f"split:{kind.replace('_', '-')}"


def in_stock(table: Table, kind: str) -> int:
    """How many tiles of a kind can be had now: those of the stack (X0.2), one green space in a turn (X3.1)."""
    if kind == "new_building":
        return len(table.new_buildings)
    if kind == "green_space":
        assert table.pending is not None
        return 0 if table.pending.green_drawn else min(1, table.green_spaces)
    return len(prestige_stack(table, PRESTIGE_COLOR[kind]))


def prestige_stack(table: Table, color: str) -> list[str]:
    """The stack of a color, 24 above 25 (X2)."""
    return in_order([tile for tile in table.prestige if color_of(tile) == color])


def split_draws(table: Table, seat: int) -> Flow:
    """X0.1: fixes the whole split, then takes all but the base tiles; the draws left over are base tiles."""
    pending = table.pending
    assert pending is not None
    pending.split = dict.fromkeys(KINDS, 0)
    at = 0
    while True:
        takeable = [kind for kind in KINDS[at:] if can_take(table, kind)]
        answer = yield Question("split", seat, [notation(kind) for kind in takeable] + [DONE])
        if answer == DONE:
            break
        kind = next(kind for kind in takeable if notation(kind) == answer)
        pending.split[kind] += 1
        pending.draws -= COSTS[kind]
        at = KINDS.index(kind)
    chosen, pending.split = pending.split, None
    take_chosen(table, table.sides[seat], chosen)


def can_take(table: Table, kind: str) -> bool:
    """Whether the draws and the stack allow one more of a kind."""
    pending = table.pending
    assert pending is not None and pending.split is not None
    return COSTS[kind] <= pending.draws and pending.split[kind] < in_stock(table, kind)


def take_chosen(table: Table, side: Side, chosen: dict[str, int]) -> None:
    """The tiles of the split in the order of X0.1; what lay face up stays known (X7.4)."""
    assert table.pending is not None
    seen = [tile for kind, color in PRESTIGE_COLOR.items() for tile in prestige_stack(table, color)[: chosen[kind]]]
    table.prestige = [tile for tile in table.prestige if tile not in seen]
    count = chosen["new_building"]
    blind, table.new_buildings = table.new_buildings[:count], table.new_buildings[count:]
    if chosen["green_space"]:
        table.green_spaces -= 1
        table.pending.green_drawn = True
        seen.append(GREEN)
    side.tiles += seen + blind
    for tile in seen:
        side.know(tile)


def to_base(table: Table, tiles: list[str]) -> None:
    """X0.4, R7.1: base tiles, shuffled, are the new supply."""
    table.returned = tiles
    table.supply = list(table.chance("returned_tiles", list(tiles)))


def to_new_buildings(table: Table, tiles: list[str]) -> None:
    """X0.4: the whole stack of value II is shuffled again."""
    table.shuffle_new_buildings(table.new_buildings + tiles)


def to_prestige(table: Table, tiles: list[str]) -> None:
    """X0.4: face up on their colors, 24 above 25."""
    table.prestige = in_order(table.prestige + tiles)


def to_green_spaces(table: Table, tiles: list[str]) -> None:
    """X0.4: back to the stack of green spaces."""
    table.green_spaces += len(tiles)


# Tiles, and how they come back (shuffles in the order of X7.5)
STACKS: list[tuple[list[str], Callable[[Table, list[str]], None]]] = [
    (TILES, to_base),
    (NEW_BUILDINGS, to_new_buildings),
    (PRESTIGE, to_prestige),
    ([GREEN], to_green_spaces),
]


def put_back(table: Table, tiles: list[str]) -> None:
    """X0.4: returned tiles go to their own stacks."""
    for stack, put in STACKS:
        group = [tile for tile in tiles if tile in stack]
        if group:
            put(table, group)
