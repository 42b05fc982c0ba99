"""Setup (G2): a blank record becomes a game before its first round."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.core.piles import stack_up
from ginkgo_env.core.rng import below
from ginkgo_env.games.golden_city.constants import (
    BACKS,
    COPIES,
    DISPLAYED,
    N_CARDS,
    N_GOODS_CARDS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_SCORING,
    NONE,
    Landscape,
    Log,
    Shuffle,
    Stage,
)
from ginkgo_env.games.golden_city.rules.cards import draw_unseen, take_known
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

_BACKS = np.array(BACKS, np.int64)


@kernel
def reset_one(g: State, t: Tables, seed: np.uint64, log: np.ndarray) -> None:
    """Set up a blank record (G2), in the order of G11.2. The first round is still to be opened."""
    g.seed = seed
    g.rng = seed
    shuffle_landscapes(g, log)
    shuffle_goods(g, t, log)
    shuffle_scoring(g, log)
    g.first = below(g, g.players)
    emit(log, Log.OUTCOME, Shuffle.FIRST_PLAYER, 1, 0)
    emit(log, Log.ITEM, g.first, 0, 0)
    for p in range(g.players):
        take_known(g, p, Landscape.COAST)
        draw_unseen(g, p, log)
    g.stage = Stage.OPEN_ROUND


@kernel
def shuffle_landscapes(g: State, log: np.ndarray) -> None:
    """All landscape cards but a coast card for each player (G2.1)."""
    n = 0
    for landscape in range(N_LANDSCAPES):
        for _ in range(COPIES - (g.players if landscape == Landscape.COAST else 0)):
            g.deck[n] = landscape
            n += 1
    stack_up(g, g.deck, n, Shuffle.LANDSCAPES, log)
    g.deck_size = N_CARDS - g.players


@kernel
def shuffle_goods(g: State, t: Tables, log: np.ndarray) -> None:
    """Three goods cards lie open, the others are the stack (G2.2)."""
    n = 0
    for kind in range(N_GOODS_KINDS):
        for _ in range(t.copies[kind]):
            g.goods_stack[n] = kind
            n += 1
    stack_up(g, g.goods_stack, n, Shuffle.GOODS, log)
    g.goods_size = N_GOODS_CARDS
    for _ in range(DISPLAYED):
        lay_out_goods(g)


@kernel
def lay_out_goods(g: State) -> int:
    """The top goods card of a stack that is not empty comes to the display."""
    kind = pop_goods(g)
    g.display[kind] += 1
    return kind


@kernel
def pop_goods(g: State) -> int:
    """The top goods card of a stack that is not empty."""
    g.goods_size -= 1
    kind = int(g.goods_stack[g.goods_size])
    g.goods_stack[g.goods_size] = NONE
    return kind


@kernel
def shuffle_scoring(g: State, log: np.ndarray) -> None:
    """The scoring cards are shuffled within each back; all of back 1 come first, then 2, then 3 (G2.3)."""
    begin, end = 0, N_SCORING
    for back in range(_BACKS.size):
        n = _BACKS[back]
        end -= n
        pile = g.scoring_stack[end : end + n]  # what is drawn first lies last
        for i in range(n):
            pile[i] = begin + i
        begin += n
        stack_up(g, pile, n, Shuffle.SCORING_1 + back, log)
    g.n_scoring = N_SCORING
