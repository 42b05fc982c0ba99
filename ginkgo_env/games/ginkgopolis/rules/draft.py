"""Characters and experts: packets and picks, or introductory sets (R2.7, X6)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add, clear, has, list_into, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit, emit_outcome
from ginkgo_env.core.rng import below, shuffle
from ginkgo_env.games.ginkgopolis.actions import DRAFT, first
from ginkgo_env.games.ginkgopolis.components import CHARACTER_COPIES, SETS
from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    N_CHARACTER_CARDS,
    N_CHARACTERS,
    N_EXPERTS,
    N_SETS,
    NONE,
    PACKET_EXPERTS,
    Event,
    Module,
    Shuffle,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module
from ginkgo_env.games.ginkgopolis.state import State

_CHARACTER_CARDS = np.repeat(np.arange(N_CHARACTERS), CHARACTER_COPIES)
_FIRST_PACKET = 4  # R2.7


@kernel
def deal_packets(g: State, log: np.ndarray) -> None:
    """Deal packets of four characters (R2.7), with module 6 also of two experts (X6.1)."""
    items = _CHARACTER_CARDS.copy()
    shuffle(g, items, N_CHARACTER_CARDS)
    emit_outcome(log, Shuffle.CHARACTERS, items, N_CHARACTER_CARDS)
    for i in range(g.players * _FIRST_PACKET):
        g.packet[i // _FIRST_PACKET, items[i]] += 1
    if has_module(g, Module.EXPERTS):
        experts = np.arange(N_EXPERTS)
        shuffle(g, experts, N_EXPERTS)
        emit_outcome(log, Shuffle.EXPERTS, experts, N_EXPERTS)
        for i in range(g.players * PACKET_EXPERTS):
            add(g.packet_experts[i // PACKET_EXPERTS], experts[i])


@kernel
def deal_sets(g: State, log: np.ndarray) -> None:
    """Deal an introductory set to each player (R2.7)."""
    items = np.arange(N_SETS)
    shuffle(g, items, N_SETS)
    emit_outcome(log, Shuffle.SETS, items + 1, N_SETS)  # sets are numbered from 1
    for p in range(g.players):
        for i in range(SETS.shape[1]):
            g.characters[p, SETS[items[p], i]] += 1


# --- picks ------------------------------------------------------------------------------------------------------------------


@kernel
def draft_picks(g: State) -> int:
    """Return how many cards each player keeps (R2.7, X6.1)."""
    return DRAFT_PICKS + (1 if has_module(g, Module.EXPERTS) else 0)


@kernel
def legal_picks(g: State, mask: np.ndarray) -> int:
    """Allow each different character of the packet (R2.7) and each expert (X6.1)."""
    n = 0
    start = first(DRAFT)
    kept = 0
    for c in range(N_CHARACTERS):
        kept += int(g.characters[g.actor, c])
    for c in range(N_CHARACTERS):
        if g.packet[g.actor, c] > 0 and kept < DRAFT_PICKS:  # X6.1: no fourth character
            mask[start + c] = 1
            n += 1
    if EXPANSION and has_module(g, Module.EXPERTS) and g.expert[g.actor] == NONE:  # no second expert
        for e in range(N_EXPERTS):
            if has(g.packet_experts[g.actor], e):
                mask[start + N_CHARACTERS + e] = 1
                n += 1
    return n


@kernel
def keep_pick(g: State, p: int, action: int, log: np.ndarray) -> None:
    """Keep a character or an expert of the packet."""
    pick = action - first(DRAFT)
    if pick < N_CHARACTERS:  # experts come after characters
        g.packet[p, pick] -= 1
        g.characters[p, pick] += 1
    else:
        remove(g.packet_experts[p], pick - N_CHARACTERS)
        g.expert[p] = pick - N_CHARACTERS
    next_picker(g, log)


@kernel
def next_picker(g: State, log: np.ndarray) -> None:
    """Let the next player pick; when all have picked, packets move to the left (R2.7)."""
    g.actor += 1
    if g.actor < g.players:
        return
    g.actor = 0
    g.pick += 1
    pass_packets(g.packet, int(g.players))
    if EXPANSION:
        pass_packets(g.packet_experts, int(g.players))
    if g.pick < draft_picks(g):
        return
    if EXPANSION and has_module(g, Module.EXPERTS):
        deal_random_experts(g, log)
    for seat in range(g.players):  # the rest goes back to the box
        for c in range(N_CHARACTERS):
            g.packet[seat, c] = 0
        clear(g.packet_experts[seat])
    g.stage = Stage.DEAL


@kernel
def pass_packets(packets: np.ndarray, players: int) -> None:
    """Move rows (P, n) one seat to the left, in place."""
    for c in range(packets.shape[1]):
        passed = packets[players - 1, c]
        for seat in range(players - 1, 0, -1):
            packets[seat, c] = packets[seat - 1, c]
        packets[0, c] = passed


@kernel
def deal_random_experts(g: State, log: np.ndarray) -> None:
    """Give a random expert to each player without one, out of those that nobody kept (X6.1)."""
    left = np.zeros(1, np.uint64)  # the experts that nobody kept
    for seat in range(g.players):
        left[0] |= g.packet_experts[seat, 0]
    for seat in range(g.players):
        if g.expert[seat] == NONE:
            candidates = np.empty(N_EXPERTS, np.int64)
            n = list_into(left, candidates)
            g.expert[seat] = candidates[below(g, n)]
            remove(left, g.expert[seat])
            emit(log, Event.OUTCOME, Shuffle.RANDOM_EXPERT, 1, seat)
            emit(log, Event.ITEM, g.expert[seat], 0, 0)
