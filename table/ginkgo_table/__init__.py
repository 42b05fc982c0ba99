"""Games of people and agents in the browser (``ginkgo table``) and the terminal (``ginkgo play``).

``live`` plays a game, ``view`` gives what one seat may see of it, ``hints`` gives an agent's advice. No module here knows the
rules of a game.
"""

from __future__ import annotations

from ginkgo_table.live import LiveGame, NotYourTurnError, SeatAssignment

__all__ = ["LiveGame", "NotYourTurnError", "SeatAssignment"]
