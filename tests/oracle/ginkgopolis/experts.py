"""What the experts bring at the end of the game (X6). What they change before is in expansion.py."""

from collections.abc import Callable

from .table import Table

Ending = Callable[[Table, int], int]


def colored(color: str) -> Ending:
    """1 SP for each building of a color that another player owns, 2 for each own."""

    def points(table: Table, seat: int) -> int:
        owners = [building.owner for building in table.city.buildings if building.color == color]
        return sum(2 if owner == seat else 1 for owner in owners if owner is not None)

    return points


def resources_left(table: Table, seat: int) -> int:
    """Banker: 1 SP for each resource behind the screen."""
    return table.sides[seat].resources


def tiles_left(table: Table, seat: int) -> int:
    """Engineer: 1 SP for each tile behind the screen, if the base supply never ran out; a committed one still counts (R10.1)."""
    side = table.sides[seat]
    committed = side.commitment.tiles() if side.commitment is not None else []
    return len(side.tiles + committed) if table.exhaustions == 0 else 0


def all_districts(table: Table, seat: int) -> int:
    """Mayor: 1 SP for each district in the city."""
    return len(table.city.districts())


ENDINGS: dict[str, Ending] = {
    "banker": resources_left,
    "entrepreneur": colored("R"),
    "professor": colored("B"),
    "journalist": colored("Y"),
    "engineer": tiles_left,
    "mayor": all_districts,
}


def expert_points(table: Table, seat: int) -> int:
    """End points of the own expert; 0 without one."""
    expert = table.sides[seat].expert
    return ENDINGS[expert](table, seat) if expert in ENDINGS else 0
