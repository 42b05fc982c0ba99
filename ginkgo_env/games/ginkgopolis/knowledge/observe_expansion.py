"""Observations: blocks and fields of games with modules (X7.3, X7.4)."""

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
)
from ginkgo_env.games.ginkgopolis.knowledge.layout import (
    EVENT_PLANES,
    EventPlane,
    PendingField,
    PlayerField,
    TilePlane,
    TurnField,
)
from ginkgo_env.games.ginkgopolis.modules import has_module
from ginkgo_env.games.ginkgopolis.rules.tiles import count_tiles
from ginkgo_env.games.ginkgopolis.state import State

_N_EVENT_PLANES = len(EVENT_PLANES)
# Field of block pending by Phase.
_PHASE_FIELD = np.array([NONE, PendingField.TIMING, PendingField.BEFORE_ACTION, PendingField.AFTER_ACTION])


@kernel
def is_in_sequence(g: State, p: int) -> bool:
    """Whether a player has committed a card and is still choosing, which nobody else may see (X7.3)."""
    return g.actor == p and (g.stage == Stage.LOWER or g.stage == Stage.EVENT or g.stage == Stage.KEEP)


@kernel
def write_modules(g: State, out: np.ndarray) -> None:
    """Write block modules."""
    for module in range(N_MODULES):
        out[module] = g.modules[module]
    out[N_MODULES] = g.hand_size


@kernel
def write_turn(g: State, p: int, choosing: bool, out: np.ndarray) -> None:
    """Write the fields of block turn that modules add."""
    out[TurnField.HAS_LOWER_OUT] = 1 if g.lower[p] != NONE and not choosing else 0
    out[TurnField.HAS_EVENT_OUT] = 1 if g.event[p] != NONE and not choosing else 0


@kernel
def write_counts(g: State, p: int, choosing: bool, out: np.ndarray) -> None:
    """Write the fields of block players that modules add."""
    events = 1 if choosing and g.event[p] != NONE else 0  # R10.1: committed ones count as held
    for kind in range(N_EVENTS):
        events += g.events[p] >> kind & 1
    out[PlayerField.EVENTS] = events
    out[PlayerField.LOWER_TILES] = count_tiles(g.lower_tiles[p], int(g.green_lower[p]))


@kernel
def write_expert(g: State, p: int, out: np.ndarray) -> None:
    """Write a row of block expert (X6.1)."""
    if g.expert[p] != NONE:
        out[g.expert[p]] = 1


@kernel
def write_packet(g: State, seat: int, out: np.ndarray) -> None:
    """Write block packet_experts (X6.1)."""
    for expert in range(N_EXPERTS):
        if has(g.packet_experts[seat], expert):
            out[expert] = 1


@kernel
def write_events(g: State, seat: int, k: int, p: int, out: np.ndarray) -> None:
    """Write what block events has of player p, the k-th to the left."""
    held = int(g.events[p])
    if k == 0:  # X7.4: event tiles are private
        for kind in range(N_EVENTS):
            out[EventPlane.SCREEN * N_EVENTS + kind] = held >> kind & 1
        if g.event[p] != NONE:
            out[EventPlane.COMMITTED * N_EVENTS + g.event[p]] = 1
    if g.event[p] != NONE and g.player != p:  # X4.2: face down, so still known to be held
        held |= 1 << g.event[p]
    if not has_module(g, Module.EXPERTS):  # X4.1: with experts they are public
        held &= int(g.events_known[p])
    row, seats = _N_EVENT_PLANES + k, (out.shape[0] // N_EVENTS - _N_EVENT_PLANES) // 2  # absent ones of a padded block included
    for kind in range(N_EVENTS):
        out[row * N_EVENTS + kind] = held >> kind & 1
        out[(row + seats) * N_EVENTS + kind] = g.events_played[p] >> kind & 1


@kernel
def write_pending(g: State, out: np.ndarray) -> None:
    """Write block pending: the turn under way, as everybody sees it."""
    if g.player == NOBODY:
        return
    if g.phase != Phase.ACTION:
        out[_PHASE_FIELD[g.phase]] = 1
    if g.timing != NONE:
        out[PendingField.CHOSE_BEFORE + g.timing] = 1
    if g.event[g.player] != NONE:  # shown, with its zone (X4.3)
        out[PendingField.DESIGN + g.event[g.player]] = 1
        out[PendingField.ZONE_X] = g.zone[0] - g.west + 1
        out[PendingField.ZONE_Y] = g.zone[1] - g.north + 1
        out[PendingField.ZONE_CENTER] = g.zone[2]
    for choice in range(Split.DONE):
        out[PendingField.SPLIT_RED + choice] = g.split[choice]
    out[PendingField.GREEN_DRAWN] = g.green_drawn
    out[PendingField.RECEIVED] = g.received


@kernel
def write_greens(g: State, seat: int, out: np.ndarray, width: int, first_known: int) -> None:
    """Write the numbers of green spaces in block tiles, where a set only says whether there are any."""
    column = tile_index(GREEN_SPACE)
    out[TilePlane.SCREEN * width + column] = g.green[seat]
    out[TilePlane.ASIDE * width + column] = g.green_aside[seat]
    out[TilePlane.OWN_LOWER * width + column] = g.green_lower[seat]
    for k in range(g.players):
        p = seat + k if seat + k < g.players else seat + k - g.players
        out[(first_known + k) * width + column] = g.green_known[p]
