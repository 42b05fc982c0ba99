"""The agents that know My City (M15).

The *builder* is the scripted opponent; *greedy* makes the best board of each round. To greedy, the value of a board
is the score as it stands, minus the expected cost of enclosed land: free cells that hardly any building can cover, as none or
one of their neighbors on the same bank is free.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.base import Agent, DecisionBatch, best_actions, sample_legal
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.rewards import MARGIN_UNIT
from ginkgo_env.games.my_city.features import GAME, PER_CELL, PER_POINT, SIDES


class BuilderAgent(Agent):
    """Places the building at random, with the same probability for each placement.

    It passes if there is no placement, and never chooses to end.
    """

    game_name = "my_city"

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        masks = turn.masks.copy()
        actions = turn.game.actions
        masks[:, actions["end"].start] = 0  # a seat that decides can place or pass
        masks[masks[:, actions["place"].slice].any(axis=1), actions["pass"].start] = 0
        return sample_legal(masks, turn.keys)


CLOSED, NEARLY = 1.0, 0.25
"""Points for a free cell with no free neighbor, and with a single one."""
_COUNTED = [SIDES.index(name) for name in ("total", "free_beside_free_0", "free_beside_free_1")]
_PER_UNIT = np.array([1 / PER_POINT, 1 / PER_CELL, 1 / PER_CELL])


class GreedyAgent(Agent):
    """Plays the placement, or the pass, that leaves the best board.

    Ties go to the action with the lower id. It ends only if it has to, or at the last card, where ending costs less than a pass.

    closed, nearly : points for a free cell with no free neighbor on its bank, and with a single one
    """

    game_name = "my_city"

    def __init__(self, closed: float = CLOSED, nearly: float = NEARLY) -> None:
        for points in (closed, nearly):
            if isinstance(points, bool) or not isinstance(points, int | float) or not 0 <= points < MARGIN_UNIT:
                raise ConfigError(f"closed and nearly must be at least 0 and below {MARGIN_UNIT:g}, got {short_repr(points)}")
        self._closed, self._nearly = closed, nearly

    def act(self, turn: DecisionBatch) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        layout, end = turn.game.features, turn.game.actions["end"].start
        after = turn.afterstates(1)  # the viewer's next board depends on nothing hidden
        counted = layout.view(after.views[:, 0], "sides")[:, 0, _COUNTED]
        total, closed, nearly = np.rint(counted * _PER_UNIT).T  # whole numbers: rounding breaks no tie
        values = total - self._closed * closed - self._nearly * nearly
        more = layout.view(turn.features(), "game")[:, GAME.index("cards_left")] > 0
        values[(after.actions == end) & np.repeat(more, np.diff(after.offsets))] = -np.inf
        return best_actions(after, values)
