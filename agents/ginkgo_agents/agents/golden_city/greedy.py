"""The greedy agent for The Golden City, which looks one action ahead.

Each legal action is played on to the end of the round in a few resampled worlds, and the result is evaluated from the
features of the player. The *stake* of a player, in letters, is the sum of letters and bonus cards as they count now, of the
scoring cards if they were scored now, and of the expected value of means::

    stake = letters and bonus cards + the card of the round + 0.8 x the cards to come
            + min(1, FADE x share of the game left) x (coins, keys, cards in hand, and sites by what they bring, each
              times its weight)

The value is the own stake less the highest of the others; once the game has ended, it is the margin plus WIN x the reward
``win``.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import WORLDS, ResamplingAgent, Turn, best_actions
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.layout import Layout
from ginkgo_env.core.rewards import MARGIN_UNIT
from ginkgo_env.games.golden_city.features import GAME, SIDES

WEIGHTS: dict[str, float] = {
    "total": 100.0,
    "now": 8.0,
    "coming": 80.0,
    "coins": 8.0,
    "keys": 5.0,
    "hand": 5.0,
    "sites_goods": 2.0,
    "sites_bonus": 2.0,
    "sites_key": 1.0,
    "outer_first": 4.0,
    "outer_second": 2.0,
    "inner_first": 4.0,
    "inner_second": 2.0,
}
"""Value in letters of each unit of these features of a side (``features.SIDES``). These are scaled to about 0 to 1:
letters by 1/100, those of the card of the round by 1/8."""
CERTAIN = ("total", "now", "coming")
"""The features that count in full until the end; the others are means, which lose their value."""
FADE = 4.0
WIN = 30.0


class GreedyAgent(ResamplingAgent):
    """Plays the action with the best average value at the end of the round over resampled worlds.

    Ties go to the action with the lower id.

    worlds : number of resampled worlds for each decision
    weights : weights of the evaluation; the defaults are in :data:`WEIGHTS`
    fade : inverse of the share of the game left from which means lose their value
    """

    game_name = "golden_city"

    def __init__(self, worlds: int = WORLDS, weights: Mapping[str, float] | None = None, fade: float = FADE) -> None:
        super().__init__(worlds)
        for unknown in set(weights or {}) - set(SIDES):
            raise ConfigError(f"weights must name features of a side such as coins, got {shown(unknown)}")
        self.fade = fade
        chosen = {**WEIGHTS, **(weights or {})}
        self._certain = _column(chosen, CERTAIN)
        self._means = _column(chosen, [name for name in chosen if name not in CERTAIN])

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """Return a legal action for each row of the turn."""
        after = turn.afterstates(self.worlds)
        values = np.where(
            after.done, MARGIN_UNIT * after.margin + WIN * after.win, self.evaluate(turn.game.features, after.views)
        ).mean(axis=1)
        return best_actions(after, values)

    def evaluate(self, layout: Layout, views: NDArray[Any]) -> NDArray[np.float64]:
        """The value of features (..., n) to their viewer, in letters."""
        sides = layout.view(views, "sides")
        left = layout.view(views, "game")[..., GAME.index("share_left")]
        fade = np.minimum(1.0, self.fade * left)[..., None]
        stakes = sides @ self._certain + fade * (sides @ self._means)
        return np.asarray(stakes[..., 0] - stakes[..., 1:].max(axis=-1))


def _column(weights: Mapping[str, float], names: Any) -> NDArray[np.float64]:
    return np.array([weights[name] if name in names else 0.0 for name in SIDES])
