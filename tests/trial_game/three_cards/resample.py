"""Resample what a seat does not know."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import mix
from three_cards.components import Components
from three_cards.observe import sees_other
from three_cards.rules.betting import draw
from three_cards.state import State


@kernel
def resample(g: State, t: Components, seat: int, key: np.uint64) -> None:
    """Draw the other card anew from those that it can be."""
    g.seed = key
    g.rng = mix(key)
    if not sees_other(g):
        left = t.cards.copy()
        left[g.hand[seat]] -= 1
        g.hand[1 - seat] = draw(g, left)
