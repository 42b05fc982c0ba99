"""The builder: any placement, and a pass where there is none. The scripted opponent of My City (M15)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn, pick


class BuilderAgent(Agent):
    """Places the building anywhere, each placement with the same probability; passes if it cannot, and never chooses to end."""

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """A legal action for each row of the turn."""
        masks = turn.masks.copy()
        actions = turn.game.actions
        masks[:, actions["end"].start] = 0  # whoever is asked can place or pass
        masks[masks[:, actions["place"].slice].any(axis=1), actions["pass"].start] = 0
        return pick(masks, turn.words)
