"""Actions and observations in named blocks."""

from __future__ import annotations

from ginkgo_env.core.layout import Block, Layout
from three_cards.constants import MAX_ACTIONS, N_RANKS

_MOST = 9  # cards of a rank, or chips of an ante or bet, in any deck

ACTIONS = Layout([Block("act", (2,), "pass, bet")])
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
