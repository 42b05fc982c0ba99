"""From round to round: turn order, passing hands on, the end (R3.1, R3.5, R8.1, R8.4)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.log import emit
from ginkgo_env.games.ginkgopolis.constants import NONE, WORDS, Ending, Log, Module, Stage
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module
from ginkgo_env.games.ginkgopolis.rules.cards import draw_hand
from ginkgo_env.games.ginkgopolis.rules.gains import trigger_end
from ginkgo_env.games.ginkgopolis.rules.solo import draw_round
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def in_turn_order(g: State, k: int) -> int:
    """Return the k-th seat in turn order (R2.9), k below the number of players."""
    p = g.first + k
    return p - g.players if p >= g.players else p


@kernel
def start_round(g: State, log: np.ndarray) -> None:
    """Begin a round with its choices (R3.1)."""
    g.rounds += 1
    g.cursor = 0
    g.stage = Stage.COMMIT
    emit(log, Log.ROUND, g.rounds, g.first, 0)


@kernel
def prepare_round(g: State, log: np.ndarray) -> None:
    """End the game (R8.1, R8.4), or prepare the next round (R3.5)."""
    g.cursor = 0
    if g.ending == Ending.NONE and g.rounds >= g.max_rounds:  # R8.4: cut off
        trigger_end(g, Ending.MAX_ROUNDS, log)
    if g.ending != Ending.NONE:
        g.stage = Stage.OVER
        return
    if g.solo:
        draw_round(g, log)
    else:
        pass_hands(g)  # R3.5
        if EXPANSION and has_module(g, Module.KEEP_CARD):
            take_kept_cards(g)
        g.first = in_turn_order(g, 1)
        for k in range(g.players):  # the new first player first
            draw_hand(g, in_turn_order(g, k), 1, 0, log)
    start_round(g, log)


@kernel
def pass_hands(g: State) -> None:
    """Pass what is left of each hand to the left (R3.5)."""
    last = int(g.players) - 1
    for w in range(WORDS):
        for p in range(g.players):
            g.passed[p, w] = g.hand[p, w]  # R10.3: who passes cards knows them
        kept = g.hand[last, w]
        for p in range(last, 0, -1):
            g.hand[p, w] = g.hand[p - 1, w]
        g.hand[0, w] = kept


@kernel
def take_kept_cards(g: State) -> None:
    """Add kept cards to the hands that came from the right (X5.1)."""
    for p in range(g.players):
        if g.kept[p] != NONE:
            add(g.hand[p], g.kept[p])
            g.kept[p] = NONE
