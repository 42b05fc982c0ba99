"""The whole table: the current decision, the cards of the round, the island, the players, the piles."""

from __future__ import annotations

from collections.abc import Sequence

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import OBSERVER
from ginkgo_env.drawing.presenter import Areas
from ginkgo_env.drawing.svg import GAP, PAGE, Box, below
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.presentation.island import island_box
from ginkgo_env.games.golden_city.presentation.pieces import name_box
from ginkgo_env.games.golden_city.presentation.piles import legend, piles_box, piles_rows
from ginkgo_env.games.golden_city.presentation.players import hand_rows, player_box, side_rows
from ginkgo_env.games.golden_city.presentation.round import phase_box, round_rows, scoring_box
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.text.describe import headline

_LEGEND = 330.0  # width


def draw(record: State, board: Board, seat: int | None, names: Sequence[str], since: State | None) -> Box:
    """Draw the table; with a seat, what only others know is face down."""
    g, before = Fields(record), None if since is None else Fields(since)
    island = island_box(g, board, before)
    players = [player_box(g, board, p, names[p], seat, before) for p in range(g.players)]
    top = [name_box(headline(g, names), PAGE, bold=True), scoring_box(g, board, before), phase_box(g, board, names, before)]
    boxes = [*top, island, legend(), *players, piles_box(g, board, before)]
    return below([_centered(box, island.width) for box in boxes], GAP)


def areas(record: State, board: Board, seat: int | None, names: Sequence[str], since: State | None) -> Areas:
    """The table in areas; arguments as in :func:`draw`."""
    g, before = Fields(record), None if since is None else Fields(since)
    hand = {} if seat is None or seat == OBSERVER else hand_rows(g, board, seat)
    sides = [side_rows(g, board, p, seat, before) for p in range(g.players)]
    table = {**round_rows(g, board, names, before), **piles_rows(g, board, before), "signs": [legend(_LEGEND)]}
    return Areas(island_box(g, board, before), hand, sides, table)


def _centered(box: Box, width: float) -> Box:
    """Center a box of the default width in a wider picture (boards with long ids)."""
    return Box(width, box.height, box.at((width - PAGE) / 2, 0)) if box.height and box.width < width else box
