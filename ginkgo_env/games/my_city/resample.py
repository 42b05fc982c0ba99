"""Resample hidden information: the order of the deck, and choices not yet in effect (M10.4)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest
from ginkgo_env.core.compile.intrinsics import clear
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.masks import draw_legal
from ginkgo_env.core.rng import mix, next_bits, shuffle
from ginkgo_env.games.my_city.components import Components
from ginkgo_env.games.my_city.constants import MAX_CELLS, N_HEADINGS, NONE, Stage
from ginkgo_env.games.my_city.rules.placing import end_action, legal_for
from ginkgo_env.games.my_city.state import State

_MOST_ACTIONS = N_HEADINGS * MAX_CELLS + 2


@kernel
def resample(g: State, t: Components, seat: int, key: np.uint64) -> None:
    """Resample what is hidden from the seat, in place.

    key : seeds both the deal and the game's further chance
    """
    # The seed tells the order of the deck (M11.8), so it is replaced too.
    g.seed = key
    g.rng = mix(key)
    shuffle_rest(g, t)
    for p in range(g.players):
        if p != seat and g.choice[p] != NONE:  # M10.2: the choice is hidden until the round takes effect
            g.choice[p] = random_choice(g, t, p)


@kernel
def shuffle_rest(g: State, t: Components) -> None:
    """Shuffle the cards that are left."""
    # From the sorted set, so that the result does not depend on the true order, which the seat cannot know (M10.3).
    rest, n = ZERO, t.n_buildings + 1 - g.drawn
    for i in range(n):
        rest |= bit(g.deck[g.drawn + i])
    for i in range(n):
        g.deck[g.drawn + i] = lowest(rest)
        rest &= rest - ONE
    shuffle(g, g.deck[g.drawn :], n)


@kernel
def random_choice(g: State, t: Components, p: int) -> int:
    """Return a legal choice of a player, all equally likely (M10.4)."""
    mask = np.empty(_MOST_ACTIONS, np.int8)[: end_action(t) + 1]
    if legal_for(g, t, p, mask) == 1:
        return end_action(t)
    return draw_legal(mask, next_bits(g))


@kernel
def ask(g: State, t: Components, seat: int, k: int, mask: np.ndarray) -> int:
    """Ask player k for the choice that is not yet in effect (M10.2), see ``core.loops.Scalars.ask``."""
    if k >= g.players or g.stage == Stage.OVER:
        return -1
    if k == seat or g.choice[k] == NONE:
        return 0
    clear(mask)
    n = legal_for(g, t, k, mask)
    if n == 1:  # M5.4: it was not asked
        return 0
    g.actor = k
    g.choice[k:] = NONE
    return n


@kernel
def answer(g: State, t: Components, k: int, action: int) -> None:
    """Replace the choice of player k."""
    g.choice[k] = action
