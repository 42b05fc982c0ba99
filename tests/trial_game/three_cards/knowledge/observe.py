"""The observation, and dealing anew what it does not tell."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import mix
from three_cards.constants import N_RANKS
from three_cards.knowledge.layout import ACTS, CARDS, FIRST, OTHER, OWN, STAKES
from three_cards.rules.betting import draw
from three_cards.state import State
from three_cards.tables import Tables


@kernel
def sees_other(g: State) -> bool:
    """Whether the other card lies open."""
    return g.open == 1 or g.shown == 1


@kernel
def observe(g: State, t: Tables, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write what a seat knows into out (n,), blocks as in ``OBSERVATION``."""
    for i in range(out.shape[0]):
        out[i] = 0
    out[offsets[OWN] + g.hand[seat]] = 1
    if sees_other(g):
        out[offsets[OTHER] + g.hand[1 - seat]] = 1
    for k in range(g.n_acts):
        out[offsets[ACTS] + 2 * k + g.acts[k] - 1] = 1
    out[offsets[FIRST]] = seat == 0
    for rank in range(N_RANKS):
        out[offsets[CARDS] + rank] = t.cards[rank]
    out[offsets[STAKES]] = t.ante
    out[offsets[STAKES] + 1] = t.bet


@kernel
def resample(g: State, t: Tables, seat: int, word: np.uint64) -> None:
    """Draw the other card anew from those that it can be."""
    g.seed = word
    g.rng = mix(word)
    if not sees_other(g):
        left = t.cards.copy()
        left[g.hand[seat]] -= 1
        g.hand[1 - seat] = draw(g, left)
