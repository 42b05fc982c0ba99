"""Deal the draft anew for a seat (R2.7, X6)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.bits import add, clear, count, has
from ginkgo_env.core.jit import kernel
from ginkgo_env.core.rng import shuffle
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

_PACKET = 4  # characters in a full packet


@kernel
def resample_draft(g: State, seat: int) -> None:
    """Packets and kept cards of the others, out of all that the seat does not have itself."""
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
        if g.actor == seat or kinds_in(g.packet[g.actor]) > 1:  # everybody sees that he was asked
            return


@kernel
def characters_elsewhere(g: State, seat: int, pool: np.ndarray) -> int:
    """List the characters that the seat does not have; return how many there are."""
    n = 0
    for c in range(N_CHARACTERS):
        for _ in range(CHARACTER_COPIES[c] - g.characters[seat, c] - g.packet[seat, c]):
            pool[n] = c
            n += 1
    return n


@kernel
def kinds_in(packet: np.ndarray) -> int:
    """How many different characters a packet holds."""
    kinds = 0
    for c in range(N_CHARACTERS):
        kinds += 1 if packet[c] > 0 else 0
    return kinds


@kernel
def deal_characters(counts: np.ndarray, pool: np.ndarray, n: int) -> int:
    """Replace the characters counted by as many from the end of the pool; return what is left of it."""
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
    """The same where packets hold experts too: how many of each kind the others have kept is hidden as well.

    So all cards dealt to the others are mixed, and a deal is taken in which nobody has kept, and no packet holds, too many
    of a kind.
    """
    characters = np.empty(N_CHARACTER_CARDS, np.int64)
    n = characters_elsewhere(g, seat, characters)
    experts = np.empty(N_EXPERTS, np.int64)
    m = 0
    for e in range(N_EXPERTS):
        if g.expert[seat] != e and not has(g.packet_experts[seat], e):
            experts[m] = e
            m += 1
    others = int(g.players) - 1
    kept, size = np.zeros(MAX_PLAYERS, np.int64), np.zeros(MAX_PLAYERS, np.int64)
    total = 0
    for q in range(g.players):
        kept[q] = g.pick + (1 if q < g.actor else 0)
        size[q] = _PACKET + PACKET_EXPERTS - kept[q]
        total += kept[q] + size[q] if q != seat else 0
    own = count(g.packet_experts[seat]) + (1 if g.expert[seat] != NONE else 0)
    dealt = (others + 1) * PACKET_EXPERTS - own  # experts among the others' cards
    cards = np.empty(MAX_PLAYERS * (_PACKET + PACKET_EXPERTS), np.int64)
    while True:
        shuffle(g, characters, n)
        shuffle(g, experts, m)
        for i in range(total):
            cards[i] = N_CHARACTERS + experts[i] if i < dealt else characters[i - dealt]
        shuffle(g, cards, total)
        if deal_cards(g, seat, kept, size, cards) and (g.actor == seat or choices(g, int(g.actor)) > 1):
            return


@kernel
def deal_cards(g: State, seat: int, kept: np.ndarray, size: np.ndarray, cards: np.ndarray) -> bool:
    """Deal kept cards and packets to the others from the front of a list; False if anybody has too many of a kind."""
    at = 0
    possible = True
    for q in range(g.players):
        if q == seat:
            continue
        g.characters[q, :] = 0
        g.packet[q, :] = 0
        clear(g.packet_experts[q])
        g.expert[q] = NONE
        characters = 0
        for i in range(kept[q] + size[q]):
            card = cards[at]
            at += 1
            if card < N_CHARACTERS:
                characters += 1 if i < kept[q] else 0
                if i < kept[q]:
                    g.characters[q, card] += 1
                else:
                    g.packet[q, card] += 1
            elif i >= kept[q]:
                add(g.packet_experts[q], card - N_CHARACTERS)
            elif g.expert[q] == NONE:
                g.expert[q] = card - N_CHARACTERS
            else:
                possible = False
        left = size[q] - count(g.packet_experts[q])
        possible = possible and characters <= DRAFT_PICKS and left <= _PACKET and size[q] - left <= PACKET_EXPERTS
    return possible


@kernel
def choices(g: State, p: int) -> int:
    """How many different cards a player may keep (X6)."""
    kept = 0
    for c in range(N_CHARACTERS):
        kept += int(g.characters[p, c])
    n = kinds_in(g.packet[p]) if kept < DRAFT_PICKS else 0
    return n + (count(g.packet_experts[p]) if g.expert[p] == NONE else 0)
