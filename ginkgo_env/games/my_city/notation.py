"""The notation of actions (M11.6)."""

from __future__ import annotations

import re

from ginkgo_env.core.checks import integer
from ginkgo_env.core.errors import NotationError, short_repr
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.constants import HEADINGS, N_HEADINGS

PASS, END = "pass", "end"


def action_text(board: Board, action: int) -> str:
    """Return the notation of an action: ``e1E`` (anchor and heading), ``pass`` or ``end``.

    Raises NotationError for an id that is out of range.
    """
    n_cells = board.rows * board.columns
    action = integer(action, 0, N_HEADINGS * n_cells + 1, "action", NotationError)
    heading, cell = divmod(action, n_cells)
    if heading == N_HEADINGS:
        return (PASS, END)[cell]
    return board.cell_name(cell) + HEADINGS[heading]


def parse_action(board: Board, text: str) -> int:
    """Return the action of a text, be it legal or not.

    Raises NotationError for text that is malformed or names no cell of the board.
    """
    if not isinstance(text, str):
        raise NotationError(f"an action must be a string, got {type(text).__name__}")
    n_cells = board.rows * board.columns
    if text in (PASS, END):
        return N_HEADINGS * n_cells + (PASS, END).index(text)
    match = re.fullmatch(rf"([a-p])([1-9][0-9]?)([{HEADINGS}])", text)
    if not match:
        raise NotationError(f"{short_repr(text)}: expected a cell and a heading such as a1N, {PASS} or {END}")
    column, row = ord(match[1]) - ord("a"), int(match[2]) - 1
    if column >= board.columns or row >= board.rows:
        raise NotationError(f"{short_repr(text)}: the board ends at {board.cell_name(n_cells - 1)}")
    return HEADINGS.index(match[3]) * n_cells + row * board.columns + column
