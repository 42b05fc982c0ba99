"""From the deal to the showdown."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.core.masks import ENDED, RUNNING
from ginkgo_env.core.rng import below
from three_cards.components import Components
from three_cards.constants import N_HANDS, NOBODY, Action, Event, Stage
from three_cards.state import State


@kernel
def reset(g: State, t: Components, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Deal a card to each hand; seat 0 decides first."""
    g.seed = seed
    g.rng = seed
    left = t.cards.copy()
    for hand in range(N_HANDS):
        g.hand[hand] = draw(g, left)
        emit(log, Event.DEAL, hand, g.hand[hand], 0)
    g.actor = 0
    legal(g, t, mask)


@kernel
def draw(g: State, left: np.ndarray) -> int:
    """A rank from how many are left of each, a random one unless they are sorted; takes it away."""
    n = 0
    for rank in range(left.shape[0]):
        n += left[rank]
    nth = 0 if g.sorted else below(g, n)
    rank = 0
    while nth >= left[rank]:
        nth -= left[rank]
        rank += 1
    left[rank] -= 1
    return rank


@kernel
def legal(g: State, t: Components, mask: np.ndarray) -> None:
    """Everything is allowed until the game is over."""
    for action in range(mask.shape[0]):
        mask[action] = g.stage != Stage.OVER


@kernel
def step(g: State, t: Components, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Pass or bet. To pass after a bet is to give up, to bet is to call; alone the dealer calls."""
    emit(log, Event.ACT, g.actor, action, 0)
    first = g.n_acts == 0
    answers = not first and g.acts[g.n_acts - 1] == 1 + Action.BET
    g.acts[g.n_acts] = 1 + action
    g.n_acts += 1
    if g.players == 2 and not answers and (first or action == Action.BET):
        g.actor = 1 - g.actor
        legal(g, t, mask)
        return RUNNING
    # A showdown: both have paid the same, and alone one has not given up.
    g.shown = bets(g, 0) == bets(g, 1) and (g.players == 2 or bets(g, 0) == 1)
    if g.shown:
        for hand in range(N_HANDS):
            emit(log, Event.SHOW, hand, g.hand[hand], 0)
    g.actor = NOBODY
    g.stage = Stage.OVER
    legal(g, t, mask)
    return ENDED


@kernel
def bets(g: State, hand: int) -> int:
    """How many bets a hand has paid: 0 or 1. The dealer has as many as the player."""
    first = 0 if g.players == 1 else hand
    n = 0
    for k in range(first, g.n_acts, 2):
        n += g.acts[k] == 1 + Action.BET
    return n
