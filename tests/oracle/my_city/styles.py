"""Ways of playing for tests: uniform play ends early. A style picks one of the legal actions (in notation)."""

import random
from collections.abc import Callable
from typing import Any

from .board import EMPTY, ROCKS, TREES, VEIN, WELL, Board, Building, Cell, Cells, around, load_board, load_buildings
from .placing import placement

Json = dict[str, Any]
Style = Callable[[random.Random, list[str], Json, int], str]

WORTH = {EMPTY: 1.0, TREES: -2.0, ROCKS: 2.0, WELL: -1.0, VEIN: 2.0}  # of covering a cell


def uniform(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Any action."""
    return chance.choice(legal)


def builder(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Any placement; a pass if there is none; ends only when forced (M15)."""
    return chance.choice(legal[:-1] if "pass" not in legal or len(legal) == 2 else legal[:-2])


def passer(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Mostly passes: no points left, first buildings late."""
    return "pass" if "pass" in legal and chance.random() < 0.8 else builder(chance, legal, position, seat)


def ender(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Builds, and ends before the others."""
    return "end" if chance.random() < 0.1 else builder(chance, legal, position, seat)


def last_card(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Builds, and ends at one of the last cards or not at all."""
    late = len(position["deck"]) < 3
    return "end" if late and chance.random() < 0.5 else builder(chance, legal, position, seat)


def gold_seeker(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Goes for the veins by the shortest way."""
    board, covered = board_of(position), covered_by(position, seat)
    goals = board.showing(VEIN) - covered

    def worth(cells: Cells) -> float:
        return len(goals & cells) * 100.0 - sum(min(distance(goal, cell) for cell in cells | covered) for goal in goals - cells)

    return best(chance, legal, position, worth)


def hugger(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Stays at the river, on both banks."""
    board = board_of(position)
    return best(chance, legal, position, lambda cells: sum(board.at_river(cell) for cell in cells))


def compact(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Fills up: few free cells beside the building, rocks rather than trees."""
    board, covered = board_of(position), covered_by(position, seat)

    def worth(cells: Cells) -> float:
        beside = around(cells) & board.light_green - covered
        return sum(WORTH[board.terrain[cell]] for cell in cells) - 0.6 * len(beside)

    return best(chance, legal, position, worth)


def gatherer(chance: random.Random, legal: list[str], position: Json, seat: int) -> str:
    """Groups of one color, churches among all colors, buildings around wells."""
    board, known, color = board_of(position), load_buildings(position["config"]["buildings"]), current(position).color
    wells = around(board.showing(WELL) - covered_by(position, seat))
    placed = position["players"][seat]["placed"]

    def worth(cells: Cells) -> float:
        reach = around(cells)
        touched = [known[entry["building"]].color for entry in placed if cells_of(position, entry) & reach]
        gained = len({*touched}) if color == "church" else touched.count(color) + ("church" in touched)
        return 2.0 * gained + len(wells & cells) - 3.0 * len(board.showing(WELL) & cells)

    return best(chance, legal, position, worth)


STYLES: tuple[Style, ...] = (uniform, builder, passer, ender, last_card, gold_seeker, hugger, compact, gatherer)


def seat_styles(chance: random.Random, seats: int) -> list[Style]:
    """A style for each seat; in some games all have the same, which leads far into one corner."""
    if chance.random() < 0.25:
        return [chance.choice(STYLES)] * seats
    return [chance.choice(STYLES) for _ in range(seats)]


def best(chance: random.Random, legal: list[str], position: Json, worth: Callable[[Cells], float]) -> str:
    """The placement worth most, at random among equals; otherwise as a builder."""
    places = {text: placement(board_of(position), current(position), text).cells for text in legal if text not in ("pass", "end")}
    if not places:
        return builder(chance, legal, position, 0)
    worths = {text: worth(cells) for text, cells in places.items()}
    return chance.choice([text for text in places if worths[text] == max(worths.values())])


def board_of(position: Json) -> Board:
    return load_board(position["config"]["board"])


def current(position: Json) -> Building:
    return load_buildings(position["config"]["buildings"])[position["revealed"][-1]]


def cells_of(position: Json, entry: Json) -> Cells:
    """The cells of an entry in `placed`."""
    building = load_buildings(position["config"]["buildings"])[entry["building"]]
    return placement(board_of(position), building, entry["at"]).cells


def covered_by(position: Json, seat: int) -> set[Cell]:
    return {cell for entry in position["players"][seat]["placed"] for cell in cells_of(position, entry)}


def distance(cell: Cell, other: Cell) -> int:
    return abs(cell[0] - other[0]) + abs(cell[1] - other[1])
