"""Blocks and fields of observations that only games with modules have (X7.3, X7.4)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import has
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.actions import tile_index
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    N_EVENTS,
    N_EXPERTS,
    N_MODULES,
    NOBODY,
    NONE,
    Module,
    Phase,
    Split,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.knowledge.layout import EVENT_PLANES
from ginkgo_env.games.ginkgopolis.modules import has_module
from ginkgo_env.games.ginkgopolis.rules.tiles import count_tiles
from ginkgo_env.games.ginkgopolis.state import State

_PHASES, _CHOSEN, _EVENT, _ZONE, _SPLIT = 0, 3, 5, 5 + N_EVENTS, 8 + N_EVENTS
_GREEN_DRAWN = _SPLIT + Split.DONE


@kernel
def is_in_sequence(g: State, p: int) -> bool:
    """Whether a player has committed a card and is not done with choosing, which nobody else may see (X7.3)."""
    return g.actor == p and (g.stage == Stage.LOWER or g.stage == Stage.EVENT or g.stage == Stage.KEEP)


@kernel
def write_modules(g: State, out: np.ndarray) -> None:
    """Block modules."""
    for module in range(N_MODULES):
        out[module] = g.modules[module]
    out[N_MODULES] = g.hand_size


@kernel
def write_stacks(g: State, out: np.ndarray) -> None:
    """The last fields of block status, which only modules bring."""
    out[0] = g.n_new_buildings
    out[1] = g.green_stack


@kernel
def write_turn(g: State, p: int, choosing: bool, out: np.ndarray) -> None:
    """The last fields of block turn."""
    out[0] = 1 if g.lower[p] != NONE and not choosing else 0
    out[1] = 1 if g.event[p] != NONE and not choosing else 0


@kernel
def write_counts(g: State, p: int, choosing: bool, out: np.ndarray) -> None:
    """The last fields of block players; what is committed counts as held while players choose."""
    events = 1 if choosing and g.event[p] != NONE else 0
    for kind in range(N_EVENTS):
        events += g.events[p] >> kind & 1
    out[0] = events
    out[1] = count_tiles(g.lower_tiles[p], int(g.green_lower[p]))


@kernel
def write_expert(g: State, p: int, out: np.ndarray) -> None:
    """A row of block expert."""
    if g.expert[p] != NONE:
        out[g.expert[p]] = 1


@kernel
def write_packet(g: State, seat: int, out: np.ndarray) -> None:
    """Block packet_experts."""
    for expert in range(N_EXPERTS):
        if has(g.packet_experts[seat], expert):
            out[expert] = 1


@kernel
def write_events(g: State, seat: int, k: int, p: int, out: np.ndarray) -> None:
    """Block events: what player p, the k-th to the left, holds and has played."""
    held = int(g.events[p])
    if k == 0:
        for kind in range(N_EVENTS):
            out[kind] = held >> kind & 1
        if g.event[p] != NONE:
            out[N_EVENTS + g.event[p]] = 1
    if g.event[p] != NONE and g.player != p:
        held |= 1 << g.event[p]
    if not has_module(g, Module.EXPERTS):  # else they are public with the expert (X4.1)
        held &= int(g.events_known[p])
    row = len(EVENT_PLANES) + k
    for kind in range(N_EVENTS):
        out[row * N_EVENTS + kind] = held >> kind & 1
        out[(row + g.players) * N_EVENTS + kind] = g.events_played[p] >> kind & 1


@kernel
def write_pending(g: State, out: np.ndarray) -> None:
    """Block pending: the turn under way, as everybody sees it."""
    if g.player == NOBODY:
        return
    if g.phase != Phase.ACTION:
        out[_PHASES + g.phase - Phase.TIMING] = 1
    if g.timing != NONE:
        out[_CHOSEN + g.timing - Timing.BEFORE] = 1
    if g.event[g.player] != NONE:
        out[_EVENT + g.event[g.player]] = 1
        out[_ZONE] = g.zone[0] - g.west + 1
        out[_ZONE + 1] = g.zone[1] - g.north + 1
        out[_ZONE + 2] = g.zone[2]
    for choice in range(Split.DONE):
        out[_SPLIT + choice] = g.split[choice]
    out[_GREEN_DRAWN] = g.green_drawn
    out[_GREEN_DRAWN + 1] = g.received


@kernel
def write_greens(g: State, seat: int, out: np.ndarray, width: int, first_known: int) -> None:
    """Green spaces in block tiles: how many, where a set only says whether."""
    column = tile_index(GREEN_SPACE)
    out[column] = g.green[seat]
    out[2 * width + column] = g.green_aside[seat]
    out[(first_known - 1) * width + column] = g.green_lower[seat]
    for k in range(g.players):
        p = seat + k if seat + k < g.players else seat + k - g.players
        out[(first_known + k) * width + column] = g.green_known[p]
