"""M8 Scoring, as things stand, and the ranking."""

from .board import COLORS, EMPTY, ROCKS, TREES, WELL, Board, Cell, Cells, around, neighbors
from .table import GOLD, POINTS_AT_START, Player, Table

SOURCES = ("start", "passes", "gold", "trees", "rocks", *COLORS, "churches", "wells", "empty")


def score(table: Table, seat: int) -> dict[str, int]:
    """Points by source (M8.1 to M8.6) and their total."""
    player, board = table.players[seat], table.board
    groups = {color: largest_group(of_color(table, player, color)) for color in COLORS}
    points = {
        "start": POINTS_AT_START,
        "passes": -len(player.passed),
        "gold": GOLD if player.gold else 0,
        "trees": 2 * len(visible(board, player, TREES)),
        "rocks": -2 * len(visible(board, player, ROCKS)),
        **groups,
        "churches": 3 * sum(church_scores(table, player, cells) for cells in of_color(table, player, "church")),
        "wells": 4 * sum(well_scores(player, well) for well in visible(board, player, WELL)),
        "empty": -len(visible(board, player, EMPTY)),
    }
    return points | {"total": sum(points.values())}


def visible(board: Board, player: Player, letter: str) -> set[Cell]:
    """The cells of a kind that carry no building."""
    return board.showing(letter) - player.covered


def of_color(table: Table, player: Player, color: str) -> list[Cells]:
    """The cells of each building of a color, or of each church."""
    return [cells for name, (_, cells) in player.placed.items() if table.buildings[name].color == color]


def touch(cells: Cells, other: Cells) -> bool:
    """M4.5: a common side, the river ignored."""
    return bool(around(cells) & other)


def largest_group(buildings: list[Cells]) -> int:
    """M8.4: how many buildings the largest group has."""
    left, largest = list(buildings), 0
    while left:
        group = [left.pop()]
        for member in group:  # grows while it is gone through
            group += [other for other in left if touch(member, other)]
            left = [other for other in left if other not in group]
        largest = max(largest, len(group))
    return largest


def church_scores(table: Table, player: Player, church: Cells) -> bool:
    """M8.5: it touches all three colors."""
    return all(any(touch(church, cells) for cells in of_color(table, player, color)) for color in COLORS)


def well_scores(player: Player, well: Cell) -> bool:
    """M8.5: four buildings on the four cells beside it."""
    beside = [name for cell in neighbors(well) for name, (_, cells) in player.placed.items() if cell in cells]
    return len(set(beside)) == 4


def empty_by_row(table: Table, seat: int) -> list[int]:
    """Visible empty land in each row from the top."""
    empty = visible(table.board, table.players[seat], EMPTY)
    return [sum(cell[0] == row for cell in empty) for row in range(table.board.rows)]


def ranking(table: Table, seat: int) -> tuple[int, ...]:
    """M8.8: the greatest wins."""
    return (score(table, seat)["total"], *(-number for number in empty_by_row(table, seat)))


def winners(table: Table) -> list[int]:
    """M8.8."""
    best = max(ranking(table, seat) for seat in table.seats)
    return [seat for seat in table.seats if ranking(table, seat) == best]
