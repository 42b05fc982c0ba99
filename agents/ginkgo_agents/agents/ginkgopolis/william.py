"""William as an agent at a seat among 2 to 5 players.

Alone against him (R9) William is part of the rules: a random card, always with a random tile. Among players he is an agent
who does the same as far as the rules for players allow.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from ginkgo_agents.agents.base import Agent, Turn, nth_words, pick
from ginkgo_env.core.layout import Layout
from ginkgo_env.games.ginkgopolis.actions import ALONE
from ginkgo_env.games.ginkgopolis.constants import Stage


class WilliamAgent(Agent):
    """A random card of his hand, with a random tile whenever he has one that may lie on it.

    He never asks for a New Hand and gives no tile back (R7.1). Other choices, such as what to take, are random.
    """

    def act(self, turn: Turn) -> NDArray[np.int64]:
        """A legal action for each row of the turn."""
        actions = pick(turn.masks, turn.words)
        actions[turn.kinds == Stage.RETURN] = turn.game.actions["return"].stop - 1  # done
        commits = np.flatnonzero(turn.kinds == Stage.COMMIT)
        if commits.size:
            actions[commits] = build(turn.game.actions, turn.masks[commits], turn.words[commits])
        return actions


def build(layout: Layout, masks: NDArray[np.int8], words: NDArray[np.uint64]) -> NDArray[np.int64]:
    """A random card, and on it a random tile among those that the mask allows with it; without a tile if none is allowed."""
    commits = layout.view(masks, "commit")
    cards = pick(commits[:, :, ALONE], nth_words(words, 1))
    with_tile = commits[np.arange(len(commits)), cards].copy()
    with_tile[:, ALONE] = 0
    choices = pick(with_tile, nth_words(words, 2))
    places = cards * commits.shape[2] + np.where(choices < 0, ALONE, choices)
    return np.asarray(layout["commit"].start + places, np.int64)
