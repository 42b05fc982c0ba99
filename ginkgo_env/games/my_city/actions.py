"""The flat action space of a board (M11.7): heading and anchor of the current building, pass, end."""

from __future__ import annotations

from ginkgo_env.core.layout import Block, Layout
from ginkgo_env.games.my_city.constants import N_HEADINGS


def actions_layout(rows: int, columns: int) -> Layout:
    """Return the blocks of actions on a board of this size."""
    place = "place the current building: heading N, E, S, W and the first cell covered in reading order (M11.5)"
    return Layout(
        [
            Block("place", (N_HEADINGS, rows, columns), place),
            Block("pass", (), "pass for 1 point (M5.1)"),
            Block("end", (), "end: leave the game (M5.3)"),
        ]
    )
