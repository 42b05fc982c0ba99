"""What a seat learns from one step (M11.10): lines for records, and the log rows that it may see.

Only the order of the deck, and choices that are not yet in effect, are hidden. Neither leaves a row here, as choices are logged
when they take effect. So all seats learn the same, also of their own choices.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.game import VisibleStep
from ginkgo_env.core.log import Row
from ginkgo_env.games.my_city.board import Board
from ginkgo_env.games.my_city.buildings import Buildings
from ginkgo_env.games.my_city.constants import Log
from ginkgo_env.games.my_city.text.notation import END, PASS, action_text


def visible_step(rows: Sequence[Row], board: Board, buildings: Buildings) -> VisibleStep:
    """Return what any seat learns from a step."""
    visible = [row for row in rows if row[0] not in (Log.OUTCOME, Log.ITEM)]
    lines: list[dict[str, Any]] = []
    for i, (kind, number, _, action) in enumerate(visible):
        if kind == Log.REVEAL:
            if i == 0 or visible[i - 1][0] not in (Log.REVEAL, Log.BLOCKED):
                lines.append({"revealed": []})
            lines[-1]["revealed"].append(buildings.cards[number])
        elif kind == Log.BUILD:
            lines.append({"seat": number, "action": action_text(board, action)})
        elif kind in (Log.PASS, Log.END):
            lines.append({"seat": number, "action": PASS if kind == Log.PASS else END})
    return VisibleStep(lines, visible)
