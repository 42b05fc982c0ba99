"""What a seat knows, as one flat vector of named blocks."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.layout import Block, Layout
from three_cards.components import Components
from three_cards.constants import MAX_ACTIONS, N_RANKS
from three_cards.state import State

_MOST = 9  # cards of a rank, or chips of an ante or bet, in any deck

OBSERVATION = Layout(
    [
        Block("own", (N_RANKS,), "rank of the own card, one-hot", seen_by="self"),
        Block("other", (N_RANKS,), "rank of the other card if it lies open, one-hot"),
        Block("acts", (MAX_ACTIONS, 2), "what was done so far, one-hot"),
        Block("first", (1,), "whether one is the first player"),
        Block("cards", (N_RANKS,), "how many of each rank are in the deck", 0, _MOST),
        Block("stakes", (2,), "chips of the ante and of a bet", 0, _MOST),
    ]
)
OWN, OTHER, ACTS, FIRST, CARDS, STAKES = range(len(OBSERVATION))


@kernel
def sees_other(g: State) -> bool:
    """Whether the other card lies open."""
    return g.open == 1 or g.shown == 1


@kernel
def observe(g: State, t: Components, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
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
