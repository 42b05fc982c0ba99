"""Soundness of seats: what each has, what is known of it, its cards; the draft."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import count, has, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import (
    ARCHITECT_TILES,
    DRAFT_PICKS,
    GREEN_SPACE,
    MOST_A_ROUND,
    MOST_POINTS,
    N_ALL_CARDS,
    N_CHARACTERS,
    N_COLORS,
    N_EVENTS,
    N_EXPERTS,
    NONE,
    PACKET_EXPERTS,
    RESOURCES,
    WILLIAM,
    WORDS,
    EventTile,
    Expert,
    Module,
    Phase,
    Stage,
)
from ginkgo_env.games.ginkgopolis.modules import has_module
from ginkgo_env.games.ginkgopolis.rules.draft import draft_picks
from ginkgo_env.games.ginkgopolis.rules.flaws import Flaw
from ginkgo_env.games.ginkgopolis.rules.soundness_turn import is_choosing, is_setup
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import (
    CARD_ACTION,
    CARD_GAIN,
    CHARACTER_ACTION,
    CHARACTER_COPIES,
    CHARACTER_GAIN,
    EVENTS_OF_EXPERT,
    is_letter,
)

_RESOURCES = np.array(RESOURCES)
_FIRST_PACKET = 4  # R2.7
_EVENTS_EACH = 2  # X4.1


@kernel
def flaw_of_seat(g: State, p: int) -> int:
    """Return the first flaw of a seat, 0 if there is none."""
    if not can_have(g, p):
        return Flaw.SEAT
    rest = _RESOURCES[g.players]  # R2.5
    for s in range(g.n_buildings):
        rest -= int(g.floors[s]) if g.owner[s] == p else 0
    if g.resources[p] < 0 or g.supply_resources[p] < 0 or rest != int(g.resources[p]) + int(g.supply_resources[p]):
        return Flaw.RESOURCES
    if g.points[p] < 0 or g.points[p] > min(MOST_POINTS, MOST_A_ROUND * (1 + int(g.rounds))):
        return Flaw.POINTS
    if not has_bonus(g, p):
        return Flaw.BONUS
    if not has_events(g, p):
        return Flaw.EVENTS
    if not is_card_possible(g, p):
        return Flaw.COMMITMENT
    return 0 if is_known(g, p) else Flaw.KNOWN


@kernel
def can_have(g: State, p: int) -> bool:
    """Whether a seat has only what there is in this game, and tiles set aside only during R7.1."""
    expert = count(g.lower_tiles[p]) > 0 or g.expert[p] != NONE or g.lower[p] != NONE or g.packet_experts[p, 0] != 0
    if (expert and not has_module(g, Module.EXPERTS)) or (g.kept[p] != NONE and not has_module(g, Module.KEEP_CARD)):
        return False
    if g.solo and (g.new_hands[p] > 0 or count(g.passed[p]) > 0):
        return False
    if g.solo and p == WILLIAM and (count(g.hand[p]) + count(g.tiles[p]) > 0 or g.tile[p] != NONE):
        return False
    return g.stage == Stage.RETURN or count(g.aside[p]) == 0


@kernel
def has_bonus(g: State, p: int) -> bool:
    """Whether the bonuses are those of characters and cards (R1.5, R2.8); William has none (R9.3)."""
    bonus = np.zeros((N_COLORS, N_COLORS), np.int64)
    for item in range(0 if g.stage == Stage.DRAFT or (g.solo and p == WILLIAM) else N_COLORS):
        for c in range(N_CHARACTERS):
            bonus[CHARACTER_ACTION[c], item] += int(g.characters[p, c]) * CHARACTER_GAIN[c, item]
        for card in range(N_ALL_CARDS):
            if CARD_ACTION[card] != NONE and has(g.tableau[p], card):
                bonus[CARD_ACTION[card], item] += CARD_GAIN[card, item]
    wrong = 0
    for action in range(N_COLORS):
        for item in range(N_COLORS):
            wrong += 1 if g.bonus[p, action, item] != bonus[action, item] else 0
    return wrong == 0


@kernel
def committed_event(g: State, p: int) -> int:
    """Return the event tile on a card as bits."""
    return 0 if g.event[p] == NONE else 1 << int(g.event[p])


@kernel
def has_events(g: State, p: int) -> bool:
    """Whether each event tile is in one place; after the setup a player has or had two (X4.1)."""
    held, played, committed = int(g.events[p]), int(g.events_played[p]), committed_event(g, p)
    mine = held + played + committed
    if not has_module(g, Module.EVENTS) or g.stage == Stage.DRAFT:
        return mine == 0
    if held | played | committed != mine:
        return False
    if g.stage == Stage.EVENTS and p >= g.actor:
        return held == (1 << N_EVENTS) - 1
    return mine == EVENTS_OF_EXPERT[g.expert[p]] if has_module(g, Module.EXPERTS) else popcount(np.uint64(mine)) == _EVENTS_EACH


@kernel
def is_card_possible(g: State, p: int) -> bool:
    """Whether what lies on a card goes with it (X3.1, X4.4, X6.4); an event may outlast it (X4.2)."""
    card, tile = int(g.card[p]), int(g.tile[p])
    if tile != NONE and (card == NONE or (tile == GREEN_SPACE and not is_letter(card))):
        return False
    if g.lower[p] != NONE and (tile == NONE or g.expert[p] != Expert.ARCHITECT):
        return False
    if g.event[p] == EventTile.EXPROPRIATION and (card == NONE or is_letter(card)):
        return False
    return g.event[p] == NONE or card != NONE or g.player == p


@kernel
def is_known(g: State, p: int) -> bool:
    """Whether what is known to be behind a screen or in a hand is there (R10.3, X4.4, X7.4)."""
    greens = int(g.green[p]) + int(g.green_aside[p]) + (g.tile[p] == GREEN_SPACE) + (g.lower[p] == GREEN_SPACE)
    if has(g.known_tiles[p], GREEN_SPACE) != (g.green_known[p] > 0) or g.green_known[p] > greens:
        return False
    left = p + 1 if p + 1 < g.players else 0
    hidden = NONE if g.player == left else int(g.card[left])
    for i in range(64 * WORDS):
        behind = has(g.tiles[p], i) or has(g.aside[p], i) or g.tile[p] == i or g.lower[p] == i
        if has(g.known_tiles[p], i) and not behind:
            return False
        if has(g.passed[p], i) and not (has(g.hand[left], i) or g.kept[left] == i or hidden == i):
            return False
    return int(g.events_known[p]) & ~(int(g.events[p]) | committed_event(g, p)) == 0


@kernel
def is_hand(g: State, p: int) -> bool:
    """Whether a card is out from choosing until it is put away, and not too many are passed on (R3)."""
    cards, kept, out = count(g.hand[p]), 1 if g.kept[p] != NONE else 0, 1 if g.card[p] != NONE else 0
    if is_setup(g):
        return cards + kept + out + count(g.tableau[p]) == 0
    if g.stage == Stage.OVER or (g.solo and p == WILLIAM):
        return cards + kept + out <= g.hand_size
    choosing, turn = is_choosing(g), (p + int(g.players) - int(g.first)) % int(g.players)
    if choosing:
        is_out, chosen = turn < g.cursor + (1 if g.stage != Stage.COMMIT else 0), turn < g.cursor
    else:
        is_out, chosen = p == g.player if g.solo else turn >= g.cursor + (1 if g.phase == Phase.AFTER else 0), True
    if is_out != (out == 1) and (out == 1 or cards + kept > 0):  # R3.6: one without cards was passed over
        return False
    if g.solo or not chosen:  # R9.2: what is not played is discarded before William acts
        return kept == 0 and cards + out <= g.hand_size and (choosing or is_out or cards == 0)
    if cards > 0 and kept == 0 and has_module(g, Module.KEEP_CARD):
        return False
    return cards + kept < g.hand_size


# --- the draft ---------------------------------------------------------------------------------------------------------------


@kernel
def total(counts: np.ndarray) -> int:
    """Return the sum of small numbers."""
    n = 0
    for i in range(counts.size):
        n += int(counts[i])
    return n


@kernel
def has_characters(g: State) -> bool:
    """Whether characters and experts are in the box, and complete after the draft (R1.6, X6.1)."""
    used, copies, kept = np.zeros(N_CHARACTERS, np.int64), np.zeros(N_EXPERTS, np.int64), 0
    drafting, offered = g.stage == Stage.DRAFT, 0
    for p in range(g.players):
        for c in range(N_CHARACTERS):
            used[c] += int(g.characters[p, c]) + int(g.packet[p, c])
            if g.characters[p, c] < 0 or g.packet[p, c] < 0 or used[c] > CHARACTER_COPIES[c]:
                return False
        most, n = 0 if g.solo else DRAFT_PICKS, total(g.characters[p])
        if n > most or (not drafting and (n < most or total(g.packet[p]) > 0)):
            return False
        kept += 1 if g.expert[p] != NONE else 0
        offered += count(g.packet_experts[p])
        for e in range(N_EXPERTS):
            copies[e] += (1 if g.expert[p] == e else 0) + (1 if has(g.packet_experts[p], e) else 0)
            if copies[e] > 1:
                return False
    if not has_module(g, Module.EXPERTS):
        return kept + offered == 0
    if drafting:
        return kept + offered == PACKET_EXPERTS * g.players and kept + offered == total(copies)
    return kept == g.players and offered == 0


@kernel
def is_draft(g: State) -> bool:
    """Whether packets and cards kept fit the pick (R2.7, X6.1), and the supply the start items (R2.8)."""
    if g.stage != Stage.DRAFT:
        return g.pick == 0
    experts = 1 if has_module(g, Module.EXPERTS) else 0
    if g.pick < 0 or g.pick >= draft_picks(g) or g.supply_size < DRAFT_PICKS * g.players + ARCHITECT_TILES * experts:
        return False
    for p in range(g.players):
        picked, offered = 1 if p < g.actor else 0, count(g.packet_experts[p])
        kept = total(g.characters[p]) + (1 if g.expert[p] != NONE else 0)
        if picked and g.pick == DRAFT_PICKS and kept == DRAFT_PICKS and g.expert[p] == NONE and offered == 0:
            picked = 0  # X6.1: passed over, as the last packet has no expert
        packet = _FIRST_PACKET + PACKET_EXPERTS * experts - kept
        if kept != g.pick + picked or offered > PACKET_EXPERTS or total(g.packet[p]) + offered != packet:
            return False
    return True
