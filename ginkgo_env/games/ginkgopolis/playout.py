"""Random play for lookahead, which continues resampled states to the end of a round."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import count, nth
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.masks import NO_ACTION, draw_legal
from ginkgo_env.core.rng import mix, reduce
from ginkgo_env.games.ginkgopolis.actions import (
    ALONE,
    COMMIT,
    EVENT,
    KEEP,
    LOWER,
    NEW_HAND,
    NOTHING,
    PAY,
    RETURN,
    SPLIT,
    TIMING,
    first,
    n_tiles,
    tile_index,
)
from ginkgo_env.games.ginkgopolis.constants import EventTile, Split, Stage, Timing
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.events import control_due
from ginkgo_env.games.ginkgopolis.rules.round import count_commits, is_free_choice
from ginkgo_env.games.ginkgopolis.state import State


@kernel
def playout(g: State, t: None, seat: int, mask: np.ndarray, key: np.uint64) -> int:
    """Return a random legal action; `key` is the random key, `seat` the one that looks ahead."""
    if g.stage == Stage.RETURN and g.actor == seat:  # R7.1: gives nothing more back
        return first(RETURN) + n_tiles()
    if g.stage == Stage.COMMIT and is_free_choice(g):
        return random_commit(g, mix(key))
    if EXPANSION:  # X7.6: decisions that matter little
        action = custom(g)
        if action != NO_ACTION:
            return action
    return draw_legal(mask, mix(key))


@kernel
def random_commit(g: State, key: np.uint64) -> int:
    """Return the action that ``draw_legal`` would draw from the mask of a free choice (R3.3)."""
    p = int(g.actor)
    choices = 1 + count(g.tiles[p])
    k = reduce(key, count_commits(g))
    if k == count(g.hand[p]) * choices:  # the last one of the mask
        return first(NEW_HAND)
    place, choice = k // choices, k % choices
    return first(COMMIT) + place * (1 + n_tiles()) + (ALONE if choice == 0 else 1 + tile_index(nth(g.tiles[p], choice - 1)))


@kernel
def custom(g: State) -> int:
    """Return a fixed action for decisions that only modules have, NO_ACTION for others.

    One tile, no event, the first card kept, all draws of value I, resources rather than SP for a quality control.
    """
    if g.stage == Stage.LOWER:
        return first(LOWER) + NOTHING
    if g.stage == Stage.EVENT:
        return first(EVENT) + NOTHING
    if g.stage == Stage.KEEP:
        return first(KEEP)
    if g.stage == Stage.SPLIT:
        return first(SPLIT) + Split.DONE
    if g.stage == Stage.TIMING:
        # X4.4: own resources in the zone may be more after the action; what is taken from others is taken before it.
        own = g.event[g.player] == EventTile.DESIGN or g.event[g.player] == EventTile.PRESS
        return first(TIMING) + (Timing.AFTER if own else Timing.BEFORE)
    if g.stage == Stage.PAY:
        return first(PAY) + min(control_due(g, int(g.actor)), int(g.resources[g.actor]))
    return NO_ACTION
