"""What one seat is shown (M10, M12.3): blocks by name as nested lists, the own player first."""

from functools import cache
from typing import Any

from .board import BLOCKING, COLORS, HEADINGS, LETTERS, VEIN, Board, Cell, cell_name
from .scoring import SOURCES, score
from .table import Player, Table

PLANES = (*COLORS, "church")
SHAPE = range(6)  # rows and columns of the block `shape`
LEAST, MOST = -128, 127


def view(table: Table, viewer: int) -> dict[str, Any]:
    """Every block of M12.3; numbers beyond a byte are shown as the nearest that fits."""
    seats = [(viewer + k) % len(table.players) for k in table.seats]
    players = [table.players[seat] for seat in seats]
    current = table.current
    return {
        "current": [int(building is current) for building in table.buildings.values()],
        "shape": shape(table),
        "left": [int(card in table.deck) for card in (*table.buildings, BLOCKING)],
        "blocked": [int(name == table.blocked) for name in table.buildings],
        "turn": clipped([table.round, len(table.deck), int(gold_is_open(table))]),
        "terrain": terrain(table.board),
        "boards": [player_board(table, player) for player in players],
        "players": [player_row(table, seat) for seat in seats],
        "buildings": [[where_it_is(table, player, name) for name in table.buildings] for player in players],
        "chosen": chosen(table, viewer),
    }


def gold_is_open(table: Table) -> bool:
    """Nobody has had the gold, and there is some (M6.3)."""
    return table.gold_round is None and bool(table.board.showing(VEIN))


def shape(table: Table) -> list[list[list[int]]]:
    """The current building turned, from the top left corner."""
    turned = table.current.turned if table.current else (None,) * len(HEADINGS)
    return [[[int((r, c) in (cells or ())) for c in SHAPE] for r in SHAPE] for cells in turned]


def plane(board: Board, cells: Any) -> list[list[int]]:
    """1 for each of these cells."""
    return [[int((r, c) in cells) for c in range(board.columns)] for r in range(board.rows)]


@cache
def terrain(board: Board) -> list[list[list[int]]]:
    marks = [board.showing(letter) for letter in LETTERS]
    first_bank = {cell for cell, bank in board.banks.items() if bank == board.banks[0, 0]}
    river = [{cell for cell in board.terrain if board.river_between(cell, step(cell))} for step in (east, south)]
    return [plane(board, cells) for cells in (*marks, first_bank, *river)]


def east(cell: Cell) -> Cell:
    return cell[0], cell[1] + 1


def south(cell: Cell) -> Cell:
    return cell[0] + 1, cell[1]


def player_board(table: Table, player: Player) -> list[list[list[int]]]:
    colors: dict[str, set[Cell]] = {color: set() for color in PLANES}
    joined: tuple[set[Cell], set[Cell]] = set(), set()
    for name, (_, cells) in player.placed.items():
        colors[table.buildings[name].color] |= cells
        for found, step in zip(joined, (east, south), strict=True):
            found |= {cell for cell in cells if step(cell) in cells}
    free = table.board.light_green - player.covered
    return [plane(table.board, cells) for cells in (free, *colors.values(), *joined)]


def player_row(table: Table, seat: int) -> list[int]:
    player, points = table.players[seat], score(table, seat)
    veins = len(table.board.showing(VEIN) & player.covered)
    own = [player.points, int(player.ended is not None), veins, int(player.gold)]
    return clipped([*own, *(points[name] for name in SOURCES)])


def where_it_is(table: Table, player: Player, name: str) -> list[int]:
    """Placed, lost."""
    placed = name in player.placed
    lost = name in player.passed or name == table.blocked or player.ended is not None
    return [int(placed), int(lost and not placed)]


def chosen(table: Table, viewer: int) -> list[int]:
    """The own choice that is not yet in effect as an action of M11.7; last: none."""
    board, choice = table.board, table.players[viewer].choice
    cells = [cell_name(cell) + heading for heading in HEADINGS for cell in sorted(board.terrain)]
    return [int(text == choice) for text in (*cells, "pass", "end", None)]


def clipped(numbers: list[int]) -> list[int]:
    """All else are flags."""
    return [max(LEAST, min(MOST, number)) for number in numbers]
