"""The game as a state machine that runs from decision to decision (M2, M3, M5 to M7)."""

from __future__ import annotations

from typing import Any

import numpy as np

from ginkgo_env.core.compile.bits import ZERO, bit
from ginkgo_env.core.compile.intrinsics import clear
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.events import emit, emit_outcome
from ginkgo_env.core.masks import ENDED, RUNNING
from ginkgo_env.core.rng import shuffle
from ginkgo_env.games.my_city.components import Components
from ginkgo_env.games.my_city.constants import GOLD_POINTS, NOBODY, NONE, Ending, Event, Source, Stage, Terrain
from ginkgo_env.games.my_city.rules.cells import built_on
from ginkgo_env.games.my_city.rules.placing import end_action, has_to_end, legal_for, pass_action, place
from ginkgo_env.games.my_city.rules.scoring import gold_open
from ginkgo_env.games.my_city.state import State


@kernel
def reset(g: State, t: Components, seed: np.uint64, mask: np.ndarray, log: np.ndarray) -> None:
    """Set up a blank record (M2) and run to the first decision."""
    g.seed = seed
    g.rng = seed
    n = t.n_buildings + 1
    for card in range(n):  # M11.8: shuffled from the order of M11.1, the blocking card last
        g.deck[card] = card
    shuffle(g, g.deck, n)
    emit_outcome(log, 0, g.deck, n)
    open_one(g, t, mask, log)


@kernel(inline=True)
def open_one(g: State, t: Components, mask: np.ndarray, log: np.ndarray) -> None:
    """Turn up the first card of a deck that lies ready, and run to the first decision (M3.1)."""
    reveal(g, t, log)
    run_on(g, t, 0, mask, log)


@kernel(inline=True)
def step(g: State, t: Components, action: int, mask: np.ndarray, log: np.ndarray) -> int:
    """Take the actor's choice and run to the next decision.

    Returns whether the game goes on; nothing is ever truncated (M7.3).
    """
    p = int(g.actor)
    g.choice[p] = action  # M3.3: hidden and without effect until the last player has chosen
    run_on(g, t, p + 1, mask, log)
    return ENDED if g.stage == Stage.OVER else RUNNING


@kernel
def legal(g: State, t: Components, mask: np.ndarray) -> None:
    """Write the mask (A,) int8 of the actor's legal actions, 1 = legal; all zero when the game is over."""
    clear(mask)
    if g.stage != Stage.OVER:
        legal_for(g, t, int(g.actor), mask)


@kernel(inline=True)
def run_on(g: State, t: Components, p: int, mask: np.ndarray, log: np.ndarray) -> None:
    """Run from seat p to the next decision and write its mask, all zero at the end of the game."""
    while g.stage != Stage.OVER:
        if p == g.players:  # M3.4
            take_effect(g, t, log)
            p = 0
            continue
        if g.ended[p] == 0:
            if legal_for(g, t, p, mask) > 1:
                g.actor = p
                return
            g.choice[p] = end_action(t)  # M5.2, M5.4: who can neither place nor pass ends without being asked
        p += 1
    clear(mask)


@kernel(inline=True)
def reveal(g: State, t: Components, log: np.ndarray) -> None:
    """Turn up cards until there is a building to build; without one the game ends (M3.1, M7.2)."""
    while g.drawn <= t.n_buildings:
        card = next_card(g, log)
        if card < t.n_buildings:
            g.current = card
            g.rounds += 1  # M3.5: the blocking card, and the building that it blocks, have no round
            emit(log, Event.ROUND, g.rounds, card, 0)
            return
        if g.drawn <= t.n_buildings:  # M5.5: the building of the next card is lost to everybody
            g.blocked = next_card(g, log)
            emit(log, Event.BLOCKED, g.blocked, 0, 0)
    finish(g, Ending.CARDS, log)


@kernel(inline=True)
def next_card(g: State, log: np.ndarray) -> int:
    """Turn up the next card (M2.2)."""
    card = int(g.deck[g.drawn])
    g.drawn += 1
    emit(log, Event.REVEAL, card, 0, 0)
    return card


@kernel
def finish(g: State, ending: int, log: np.ndarray) -> None:
    """End the game (M7)."""
    g.ending = ending
    g.stage = Stage.OVER
    g.actor = NOBODY
    g.current = NONE
    emit(log, Event.ENDING, ending, 0, 0)


@kernel(inline=True)
def take_effect(g: State, t: Components, log: np.ndarray) -> None:
    """Let all choices take effect together, give the gold, and go on to the next card (M3.4)."""
    building, playing = int(g.current), 0
    for p in range(g.players):
        if g.ended[p] != 0:
            continue
        action = int(g.choice[p])
        g.choice[p] = NONE
        if action == end_action(t):
            g.ended[p] = g.rounds  # M5.3: at no cost
            if log.shape[0] > 0:
                emit(log, Event.END, p, building, 1 if has_to_end(g, t, p) else 0)
            continue
        playing += 1
        if action == pass_action(t):
            g.points[p] -= 1  # M5.1
            g.sources[p, Source.PASSES] -= 1
            g.passed[p] |= bit(building)
            emit(log, Event.PASS, p, building, 0)
        else:
            place(g, t, p, building, action)
            emit(log, Event.BUILD, p, building, action)
    if gold_open(g, t):  # M6.1: after the placements of the round, so that no seat is first
        give_gold(g, t, log)
    if playing == 0:  # M7.1: without turning up more cards, also at the last card
        finish(g, Ending.ENDED, log)
    else:
        reveal(g, t, log)


@kernel(inline=True)
def give_gold(g: State, t: Components, log: np.ndarray) -> None:
    """Give the gold to all who are the first to have covered every vein (M6.1)."""
    for p in range(g.players):
        low, high = built_on(g, p)
        if (t.of_mark[Terrain.VEIN, 0] & ~low) == ZERO and (t.of_mark[Terrain.VEIN, 1] & ~high) == ZERO:
            g.points[p] += GOLD_POINTS
            g.sources[p, Source.GOLD] = GOLD_POINTS
            g.gold[p] = 1
            g.gold_round = g.rounds  # M6.1: after this round nobody gets any
            emit(log, Event.GOLD, p, 0, 0)


@entry
def open_game(states: Any, components: Any, mask: Any, log: Any) -> None:
    """Go on to the first decision of a game whose deck is in a blank record.

    states : (1,); mask : (A,) int8
    """
    open_one(states[0], components[0], mask, log)
