"""Resample the draft for a seat (R2.7, X6.1)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import add, clear, count, has
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import below, shuffle
from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    MAX_PLAYERS,
    N_CHARACTER_CARDS,
    N_CHARACTERS,
    N_EXPERTS,
    NONE,
    PACKET_EXPERTS,
    Module,
)
from ginkgo_env.games.ginkgopolis.modules import has_module
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import CHARACTER_COPIES

_CARDS = 4 + PACKET_EXPERTS  # R2.7, X6.1: in a full packet
_ATTEMPTS = 10_000


@kernel
def resample_draft(g: State, seat: int) -> None:
    """Deal packets and kept cards of the others out of all that the seat does not have (R10.4)."""
    if has_module(g, Module.EXPERTS):
        resample_with_experts(g, seat)
        return
    pool = np.empty(N_CHARACTER_CARDS, np.int64)
    n = characters_elsewhere(g, seat, pool)
    while True:
        shuffle(g, pool, n)
        left = n
        for q in range(g.players):
            if q != seat:
                left = deal_characters(g.characters[q], pool, left)
                left = deal_characters(g.packet[q], pool, left)
        if g.actor == seat or kinds_in(g.packet[g.actor]) > 1:  # everybody sees that there is a choice
            return


@kernel
def characters_elsewhere(g: State, seat: int, pool: np.ndarray) -> int:
    """Write the characters that the seat does not have into pool; return their number."""
    n = 0
    for c in range(N_CHARACTERS):
        for _ in range(CHARACTER_COPIES[c] - g.characters[seat, c] - g.packet[seat, c]):
            pool[n] = c
            n += 1
    return n


@kernel
def kinds_in(packet: np.ndarray) -> int:
    """Count the different characters of a packet: equal ones are one choice (R2.7)."""
    kinds = 0
    for c in range(N_CHARACTERS):
        kinds += 1 if packet[c] > 0 else 0
    return kinds


@kernel
def deal_characters(counts: np.ndarray, pool: np.ndarray, n: int) -> int:
    """Replace characters by as many from the end of the pool; return the size of the rest of the pool."""
    size = 0
    for c in range(N_CHARACTERS):
        size += int(counts[c])
        counts[c] = 0
    for _ in range(size):
        n -= 1
        counts[pool[n]] += 1
    return n


@kernel
def resample_with_experts(g: State, seat: int) -> None:
    """Resample a draft with experts, where it is also hidden which of the cards kept are experts (X6.1).

    Each packet was dealt with two experts in it and lost one card at each pick to the player who held it. So experts are put at
    random places of all packets until everybody has kept what is allowed and the seat has what it has: uniform among the ways
    that the draft can have gone. Positions made by hand may allow none; then nothing changes.
    """
    characters, packet = g.characters.copy(), g.packet.copy()
    expert, packet_experts = g.expert.copy(), g.packet_experts.copy()
    places = np.zeros(MAX_PLAYERS, np.int64)
    for _ in range(_ATTEMPTS):
        for r in range(g.players):
            first, second = below(g, _CARDS), below(g, _CARDS - 1)
            places[r] = 1 << first | 1 << (second + 1 if second >= first else second)
        if is_draft(g, seat, places):
            deal_draft(g, seat, places)
            if g.actor == seat or choices(g, int(g.actor)) > 1:  # everybody sees that there is a choice
                return
            g.characters[:], g.packet[:] = characters, packet
            g.expert[:], g.packet_experts[:] = expert, packet_experts


@kernel
def place_of(g: State, places: np.ndarray, p: int, j: int) -> int:
    """Return 1 if the card at place j of the packet that p held at pick j is an expert, else 0.

    Cards of a packet are in the order in which they are kept.
    """
    return places[(p - j) % g.players] >> j & 1  # R2.7: packets move to the left


@kernel
def in_packet(g: State, places: np.ndarray, p: int, start: int) -> int:
    """Count the experts in the packet that p holds, from a place on."""
    n = 0
    for j in range(start, _CARDS):
        n += places[(p - g.pick) % g.players] >> j & 1
    return n


@kernel
def cards_kept(g: State, places: np.ndarray, p: int) -> int:
    """Count the cards that p has kept; NONE if more than three characters and one expert (X6.1)."""
    pick, experts = int(g.pick), 0
    for j in range(pick):
        experts += place_of(g, places, p, j)
    if experts > 1:
        return NONE
    if p >= g.actor:  # has not picked yet in this turn of packets
        return pick
    takes = place_of(g, places, p, pick)
    if experts == 0 and pick == DRAFT_PICKS:
        if in_packet(g, places, p, pick) == 0:
            return pick  # X6.1: no expert in the last packet, so passed over
        return pick + 1 if takes == 1 else NONE
    return NONE if experts + takes > 1 else pick + 1


@kernel
def is_draft(g: State, seat: int, places: np.ndarray) -> bool:
    """Whether everybody has kept what is allowed, and the seat what the record says."""
    for p in range(g.players):
        kept = cards_kept(g, places, p)
        if kept == NONE or (p == seat and not is_own(g, p, places, kept)):
            return False
    return True


@kernel
def is_own(g: State, p: int, places: np.ndarray, kept: int) -> bool:
    """Whether the record agrees about a player's cards, kept and in the packet."""
    experts, cards = 0, 1 if g.expert[p] != NONE else 0
    for j in range(kept):
        experts += place_of(g, places, p, j)
    for c in range(N_CHARACTERS):
        cards += int(g.characters[p, c])
    own = 1 if g.expert[p] != NONE else 0
    return kept == cards and experts == own and in_packet(g, places, p, kept) == count(g.packet_experts[p])


@kernel
def deal_draft(g: State, seat: int, places: np.ndarray) -> None:
    """Deal characters and experts to the others, to keep and in packets."""
    characters, experts = np.empty(N_CHARACTER_CARDS, np.int64), np.empty(N_EXPERTS, np.int64)
    n, m = characters_elsewhere(g, seat, characters), 0
    for e in range(N_EXPERTS):
        if g.expert[seat] != e and not has(g.packet_experts[seat], e):
            experts[m] = e
            m += 1
    shuffle(g, characters, n)
    shuffle(g, experts, m)
    for p in range(g.players):
        if p == seat:
            continue
        kept = cards_kept(g, places, p)
        g.characters[p, :] = 0
        g.packet[p, :] = 0
        clear(g.packet_experts[p])
        g.expert[p] = NONE
        for j in range(_CARDS):
            is_expert = place_of(g, places, p, j) if j < kept else places[(p - g.pick) % g.players] >> j & 1
            if is_expert == 1:
                m -= 1
                if j < kept:
                    g.expert[p] = experts[m]
                else:
                    add(g.packet_experts[p], experts[m])
            else:
                n -= 1
                if j < kept:
                    g.characters[p, characters[n]] += 1
                else:
                    g.packet[p, characters[n]] += 1


@kernel
def choices(g: State, p: int) -> int:
    """Count the different cards that a player may keep (X6.1)."""
    kept = 0
    for c in range(N_CHARACTERS):
        kept += int(g.characters[p, c])
    n = kinds_in(g.packet[p]) if kept < DRAFT_PICKS else 0
    return n + (count(g.packet_experts[p]) if g.expert[p] == NONE else 0)
