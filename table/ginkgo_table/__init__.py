"""Games that people play against agents and each other: in the browser (``ginkgo table``) and the terminal (``ginkgo play``).

``live`` plays a game, ``view`` is what one seat may see of it, ``hints`` asks an agent; none of them knows a rule of a game.
"""

from __future__ import annotations

from ginkgo_table.live import LiveGame, NotYourTurnError, SeatAssignment

__all__ = ["LiveGame", "NotYourTurnError", "SeatAssignment"]
