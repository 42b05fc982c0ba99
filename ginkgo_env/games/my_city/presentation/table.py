"""The whole table: the current building, the boards, the cards to come."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import OBSERVER
from ginkgo_env.drawing.presenter import Areas
from ginkgo_env.drawing.shapes import heading, panel
from ginkgo_env.drawing.svg import GAP, PAGE, SMALL, Box, below, beside, flow, paragraph
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Buildings
from ginkgo_env.games.my_city.presentation.cards import cards_box, current_box, headings, legend
from ginkgo_env.games.my_city.presentation.players import PAD, abreast, board_alone, player_box, side_rows
from ginkgo_env.games.my_city.state import State
from ginkgo_env.games.my_city.text.describe import headline, is_seen_deciding

_COLUMN = 330.0  # width of what stands beside a board


def draw(
    record: State,
    points: Sequence[Sequence[int]],
    board: Board,
    buildings: Buildings,
    seat: int | None,
    names: Sequence[str],
    since: State | None,
    *,
    signs: Sequence[tuple[int, str]],
    notes: Sequence[str],
) -> Box:
    """Draw the table; with a seat, other seats' choices of this round are hidden.

    Parameters
    ----------
    points : the current points of each player by source
    signs : number and letter of each player's badge
    notes : the origin of board and buildings
    """
    g, before = Fields(record), None if since is None else Fields(since)
    across = abreast(board, g.players, PAGE, GAP)
    width = (PAGE - GAP * (across - 1)) / across
    room = width - 2 * PAD
    boards = [
        player_box(g, points[p], board, buildings, p, names[p], room, sign=signs[p], seat=seat, since=before)
        for p in range(g.players)
    ]
    cards = cards_box(g, board, buildings, names, room if g.players % across else PAGE - 2 * PAD)
    parts = [*boards, cards]
    active = [p < g.players and is_seen_deciding(g, p, seat) for p in range(len(parts))]
    rows = [_row(parts[k : k + across], active[k : k + across], width) for k in range(0, len(parts), across)]
    head = below([heading(headline(g, buildings, seat, names)), current_box(g, buildings)], 6)
    under = below([paragraph(note, PAGE, "dim", size=SMALL) for note in notes], 0)
    return below([head, *rows, legend(), under], GAP)


def areas(
    record: State,
    points: Sequence[Sequence[int]],
    board: Board,
    buildings: Buildings,
    seat: int | None,
    names: Sequence[str],
    since: State | None,
) -> Areas:
    """The table in areas; arguments as in :func:`draw`."""
    g, before = Fields(record), None if since is None else Fields(since)
    boards = [board_alone(g, board, buildings, p, seat, before) for p in range(g.players)]
    sides = []
    for p in range(g.players):
        rows = side_rows(g, points[p], board, buildings, p, seat, before, _COLUMN)
        sides.append(rows if seat in (None, OBSERVER, p) else rows | {"board": [boards[p]]})
    cards = {"cards": [cards_box(g, board, buildings, names, _COLUMN)], "signs": [legend(_COLUMN)]}
    return Areas(
        flow(boards, PAGE, GAP) if seat is None or seat == OBSERVER else boards[seat],
        {"building": headings(g, buildings)},
        sides,
        cards,
    )


def _row(parts: Sequence[Box], active: Sequence[bool], width: float) -> Box:
    """Panels of the same height beside each other; a single one has the whole width."""
    height = max(box.height for box in parts)
    wide = PAGE if len(parts) == 1 else width
    panels = [panel(Box(box.width, height, box.body), wide, pad=PAD, active=on) for box, on in zip(parts, active, strict=True)]
    return beside(panels, GAP)
