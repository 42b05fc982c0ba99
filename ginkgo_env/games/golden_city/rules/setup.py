"""The setup of a game (G2)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.core.kernels import stack_up
from ginkgo_env.core.rng import below
from ginkgo_env.games.golden_city.components import Components
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
    Event,
    Landscape,
    Shuffle,
    Stage,
)
from ginkgo_env.games.golden_city.rules.cards import draw_unseen, take_known
from ginkgo_env.games.golden_city.state import State

_BACKS = np.array(BACKS, np.int64)
_SHUFFLES = np.array([Shuffle.SCORING_1, Shuffle.SCORING_2, Shuffle.SCORING_3], np.int64)  # by back


@kernel
def set_up(g: State, t: Components, log: np.ndarray) -> None:
    """Set up a blank record (G2); the first round is still to be opened.

    The order of random outcomes is fixed by G11.2.
    """
    shuffle_landscapes(g, log)
    shuffle_goods(g, t, log)
    shuffle_scoring(g, log)
    g.first = below(g, g.players)  # G2.4
    emit(log, Event.OUTCOME, Shuffle.FIRST_PLAYER, 1, 0)
    emit(log, Event.ITEM, g.first, 0, 0)
    for p in range(g.players):
        take_known(g, p, Landscape.COAST)  # G10.3 (a): everybody knows the coast card, and only the player the drawn one
        draw_unseen(g, p, log)
    g.stage = Stage.OPEN_ROUND


@kernel
def shuffle_landscapes(g: State, log: np.ndarray) -> None:
    """Shuffle the deck (G2.1)."""
    n = 0
    for landscape in range(N_LANDSCAPES):
        # G2.1: each player has a coast card already
        for _ in range(COPIES - (g.players if landscape == Landscape.COAST else 0)):
            g.deck[n] = landscape
            n += 1
    stack_up(g, g.deck, n, Shuffle.LANDSCAPES, log)
    g.deck_size = N_CARDS - g.players


@kernel
def shuffle_goods(g: State, t: Components, log: np.ndarray) -> None:
    """Shuffle the goods cards: three lie open, the others are the stack (G2.2)."""
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
    """Lay out the top goods card of the stack, which must not be empty; return its kind (G2.2, G6.2)."""
    kind = pop_goods(g)
    g.display[kind] += 1
    return kind


@kernel
def pop_goods(g: State) -> int:
    """Remove the top goods card of the stack, which must not be empty; return its kind."""
    g.goods_size -= 1
    kind = int(g.goods_stack[g.goods_size])
    g.goods_stack[g.goods_size] = NONE
    return kind


@kernel
def shuffle_scoring(g: State, log: np.ndarray) -> None:
    """Shuffle the scoring cards within each back and stack them (G2.3)."""
    # G2.3: those with back 1 come first, then 2, then 3. What is drawn first lies last in the stack.
    begin, end = 0, N_SCORING
    for back in range(_BACKS.size):
        n = _BACKS[back]
        end -= n
        pile = g.scoring_stack[end : end + n]
        for i in range(n):
            pile[i] = begin + i
        begin += n
        stack_up(g, pile, n, _SHUFFLES[back], log)
    g.n_scoring = N_SCORING
