"""Chips won, and who is first."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from three_cards.components import Components
from three_cards.constants import Action, Stage
from three_cards.rules.betting import bets
from three_cards.state import State


@kernel
def chips(g: State, t: Components, seat: int) -> int:
    """What a seat has won; before the end less what it has paid."""
    other = 1 - seat
    own: int = t.ante + t.bet * bets(g, seat)
    others: int = t.ante + t.bet * bets(g, other)
    if g.stage != Stage.OVER:
        return -own
    if not g.shown:  # the one who bet has won, alone the dealer
        return others if bets(g, seat) > bets(g, other) else -own
    if g.hand[seat] == g.hand[other]:
        return 0
    return others if g.hand[seat] > g.hand[other] else -own


@kernel
def score(g: State, t: Components, out: np.ndarray) -> None:
    """Write the chips of each side."""
    for seat in range(out.shape[0]):
        out[seat, 0] = chips(g, t, seat)


@kernel
def standing(g: State, t: Components, points: np.ndarray, out: np.ndarray) -> None:
    """Chips; where they are equal, who bet first is before the other."""
    bettor = -1
    for k in range(g.n_acts):
        if bettor < 0 and g.acts[k] == 1 + Action.BET:
            bettor = k % 2
    for seat in range(out.shape[0]):
        out[seat] = 2 * np.int64(points[seat, 0]) + (seat == bettor)
