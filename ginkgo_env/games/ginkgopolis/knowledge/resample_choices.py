"""Resample hidden choices of others: commitments, events, kept cards, tiles set aside (R10.1, X7.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, add, list_into, lowest, remove
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.rng import below
from ginkgo_env.games.ginkgopolis.constants import (
    GREEN_SPACE,
    N_ALL_CARDS,
    N_ALL_TILES,
    N_EVENT_PAIRS,
    N_EVENTS,
    NONE,
    WORDS,
    EventTile,
    Expert,
    Module,
    Stage,
)
from ginkgo_env.games.ginkgopolis.knowledge.observe_expansion import is_in_sequence
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module, is_expert
from ginkgo_env.games.ginkgopolis.rules.choose import can_go, is_of_another
from ginkgo_env.games.ginkgopolis.rules.effects import can_pay
from ginkgo_env.games.ginkgopolis.rules.returns import set_aside
from ginkgo_env.games.ginkgopolis.rules.tiles import put_behind, take_from_behind
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import EVENT_PAIRS, RANK, is_letter

# Columns of `seen`, what everybody sees of a player's choice: whether a card lies face down, how many tiles and events lie on
# it, whether another card is kept, and whether a tile lies under the one on a revealed card.
CARD, TILES, EVENT, KEPT, UNDER = range(5)
N_SEEN = 5
UNSEEN = -1  # numbers of tiles and events while players choose (R10.1)

# Which commitments are possible, each level only if the one before has none: payable now; payable when chosen; in positions made
# by hand also expropriation (X4.4) of any building.
_PAYABLE_NOW, _PAYABLE_THEN, _ANY_BUILDING, _N_LEVELS = 0, 1, 2, 3

_WHOLE = 720_720
"""The weight of a card with a tile of which everything agrees: divisible by 1 to 16, for numbers of lower tiles and events."""


# --- undoing choices -------------------------------------------------------------------------------------------------------


@kernel
def take_back(g: State, q: int, choosing: bool, seen: np.ndarray) -> None:
    """Take back the hidden choices of q; write what everybody sees of them into `seen` (N_SEEN,)."""
    if g.card[q] != NONE and g.player != q:  # not revealed
        seen[CARD] = 1
        seen[TILES] = 1 if g.tile[q] != NONE else 0
        add(g.hand[q], g.card[q])
        g.card[q] = NONE
        if g.tile[q] != NONE:
            put_behind(g, q, int(g.tile[q]))
            g.tile[q] = NONE
        if EXPANSION:
            take_back_expansion(g, q, seen)
        if choosing:  # R3.1: seen only once actions are resolved
            seen[TILES], seen[EVENT] = UNSEEN, UNSEEN
    for w in range(WORDS):
        g.tiles[q, w] |= g.aside[q, w]
        g.aside[q, w] = ZERO
    if EXPANSION:
        take_back_rest(g, q, seen)


@kernel
def take_back_expansion(g: State, q: int, seen: np.ndarray) -> None:
    """Take back a lower tile and an event on a card that is not revealed (X4.2, X6.4)."""
    if is_in_sequence(g, q):
        seen[CARD] = 0  # X7.3: the choice begins again
    if g.lower[q] != NONE:
        seen[TILES] += 1
        put_behind(g, q, int(g.lower[q]))
        g.lower[q] = NONE
    if g.event[q] != NONE:
        seen[EVENT] = 1
        g.events[q] |= 1 << g.event[q]
        g.event[q] = NONE


@kernel
def take_back_rest(g: State, q: int, seen: np.ndarray) -> None:
    """Take back a kept card, green spaces set aside, and the lower tile on a revealed card."""
    if g.kept[q] != NONE:
        seen[KEPT] = 1
        add(g.hand[q], g.kept[q])
        g.kept[q] = NONE
    g.green[q] += g.green_aside[q]
    g.green_aside[q] = 0
    if g.lower[q] != NONE:  # X6.4: hidden for good
        seen[UNDER] = 1
        put_behind(g, q, int(g.lower[q]))
        g.lower[q] = NONE


# --- commitments (R3.1, X7.3) ----------------------------------------------------------------------------------------------


@kernel
def commit(g: State, q: int, seen: np.ndarray) -> None:
    """Commit a card as a player who chooses uniformly at each decision (X7.3), given what is seen."""
    cards, tiles = np.empty(N_ALL_CARDS, np.int64), np.empty(N_ALL_TILES + 1, np.int64)
    n_cards, n_tiles = list_into(g.hand[q], cards), list_tiles(g, q, seen, tiles)
    weights, buffer = np.empty(n_cards * n_tiles, np.int64), np.empty(N_ALL_TILES + 1, np.int64)
    total, level = 0, -1
    while total == 0 and level < _N_LEVELS - 1:
        level += 1
        for i in range(n_cards):
            for j in range(n_tiles):
                weight = weigh(g, q, seen, level, int(cards[i]), int(tiles[j]), buffer)
                weights[i * n_tiles + j] = weight
                total += weight
    if total == 0:  # as may happen in positions made by hand
        return
    rest, pair = below(g, total), 0
    while rest >= weights[pair]:
        rest -= weights[pair]
        pair += 1
    card, tile = int(cards[pair // n_tiles]), int(tiles[pair % n_tiles])
    if EXPANSION:
        commit_expansion(g, q, seen, level, card, tile, rest)
    g.card[q] = card
    remove(g.hand[q], card)
    g.tile[q] = tile
    if tile != NONE:
        take_from_behind(g, q, tile)


@kernel
def list_tiles(g: State, q: int, seen: np.ndarray, out: np.ndarray) -> int:
    """Write the tiles that may lie on a card into out, NONE included; return their number."""
    if seen[TILES] == 0:
        out[0] = NONE
        return 1
    n = list_into(g.tiles[q], out)
    if seen[TILES] == UNSEEN:
        out[n] = NONE
        n += 1
    return n


@kernel
def weigh(g: State, q: int, seen: np.ndarray, level: int, card: int, tile: int, buffer: np.ndarray) -> int:
    """Return the weight of committing a card with a tile or NONE, 0 if impossible; overwrite `buffer`.

    All pairs of card and tile are equally likely; the weight is the share of the lower tiles and events that agree with what
    everybody sees among all that the player then chooses from.
    """
    if tile != NONE:
        if not can_go(card, tile):
            return 0
        if level == _PAYABLE_NOW and g.strict and not can_pay(g, q, card, tile, NONE):  # R3.3
            return 0
    if not EXPANSION:
        return 1
    lowers, events = list_lowers(g, q, level, card, tile, buffer), list_events(g, q, level, card, buffer)
    return agreeing(lowers, seen[TILES] - 1) * agreeing(events, seen[EVENT]) * (_WHOLE // (lowers * events))


@kernel
def agreeing(n: int, seen: int) -> int:
    """Count those of n options, the first of which is NONE, that agree with what is seen of the choice.

    seen : 1 for any but NONE, 0 for NONE, negative for all
    """
    return n if seen < 0 else (n - 1 if seen == 1 else 1)


@kernel
def list_lowers(g: State, q: int, level: int, card: int, tile: int, out: np.ndarray) -> int:
    """Write the lower tiles that a player chooses from into out, NONE first (X6.4); return their number."""
    out[0] = NONE
    if tile == NONE or not is_expert(g, q, Expert.ARCHITECT):
        return 1
    if level == _PAYABLE_NOW and g.strict and not can_pay(g, q, card, tile, tile):  # all lower tiles cost the same
        return 1
    n = 1
    for w in range(WORDS):
        rest = g.tiles[q, w]
        while rest != ZERO:
            lower = (w << 6) + lowest(rest)
            rest &= rest - ONE
            if lower != tile or (lower == GREEN_SPACE and g.green[q] > 1):
                out[n] = lower
                n += 1
    return n


@kernel
def list_events(g: State, q: int, level: int, card: int, out: np.ndarray) -> int:
    """Write the events that a player chooses from into out, NONE first (X4.2); return their number.

    The owner of the building named is the same as when it was chosen, as only the holder of its card can change it.
    """
    out[0] = NONE
    n = 1
    for kind in range(N_EVENTS):
        # X4.4: expropriation needs a building of another player.
        fits = kind != EventTile.EXPROPRIATION or is_of_another(g, q, card) or (level == _ANY_BUILDING and not is_letter(card))
        if fits and g.events[q] >> kind & 1:
            out[n] = kind
            n += 1
    return n


@kernel
def commit_expansion(g: State, q: int, seen: np.ndarray, level: int, card: int, tile: int, share: int) -> None:
    """Commit the lower tile and the event.

    share : a random number below the weight of the card with the tile
    """
    lowers, events = np.empty(N_ALL_TILES + 1, np.int64), np.empty(N_EVENTS + 1, np.int64)
    n_lowers, n_events = list_lowers(g, q, level, card, tile, lowers), list_events(g, q, level, card, events)
    way = share // (_WHOLE // (n_lowers * n_events))
    n = agreeing(n_events, seen[EVENT])
    g.event[q] = events[way % n + (1 if seen[EVENT] == 1 else 0)]
    if g.event[q] != NONE:
        g.events[q] &= ~(1 << g.event[q])
    g.lower[q] = lowers[way // n + (1 if seen[TILES] == 2 else 0)]
    if g.lower[q] != NONE:
        take_from_behind(g, q, int(g.lower[q]))


# --- whether a deal is possible --------------------------------------------------------------------------------------------


@kernel
def is_possible(g: State, seat: int, choosing: bool, seen: np.ndarray) -> bool:
    """Whether the deal allows what everybody sees: what lies on cards, and that the actor has a choice."""
    for q in range(g.players):
        if q != seat and seen[q, CARD] == 1 and not choosing and not can_commit(g, q, seen[q]):
            return False
    return not choosing or g.actor == seat or first_choice(g, int(g.actor)) != NONE


@kernel
def can_commit(g: State, q: int, seen: np.ndarray) -> bool:
    """Whether a card can have been committed as everybody sees it."""
    cards, tiles = np.empty(N_ALL_CARDS, np.int64), np.empty(N_ALL_TILES + 1, np.int64)
    buffer = np.empty(N_ALL_TILES + 1, np.int64)
    n_tiles = list_tiles(g, q, seen, tiles)
    for i in range(list_into(g.hand[q], cards)):
        for j in range(n_tiles):
            if weigh(g, q, seen, _PAYABLE_THEN, int(cards[i]), int(tiles[j]), buffer) > 0:
                return True
    return False


@kernel
def first_choice(g: State, p: int) -> int:
    """Return the stage in which a choice begins, NONE if there is nothing to choose."""
    cards, tiles = np.empty(N_ALL_CARDS, np.int64), np.empty(N_ALL_TILES, np.int64)
    if list_into(g.hand[p], cards) > 1 or g.new_hands[p] > 0:
        return Stage.COMMIT
    card = int(cards[0])  # the only one: a decision with one legal action is not asked
    for j in range(list_into(g.tiles[p], tiles)):
        if can_go(card, int(tiles[j])) and (g.strict == 0 or can_pay(g, p, card, int(tiles[j]), NONE)):
            return Stage.COMMIT
    for kind in range(N_EVENTS):
        if g.events[p] >> kind & 1 and (kind != EventTile.EXPROPRIATION or is_of_another(g, p, card)):
            return Stage.EVENT
    return NONE


@kernel
def restart_choice(g: State) -> None:
    """Put the actor back to the beginning of the choice (X7.3)."""
    p = int(g.actor)
    g.stage = Stage.COMMIT
    if first_choice(g, p) == Stage.EVENT:
        g.stage = Stage.EVENT
        commit_only_card(g, p)


@kernel
def commit_only_card(g: State, q: int) -> None:
    """The only card in hand, such as William's (R9.2)."""
    items = np.empty(N_ALL_CARDS, np.int64)
    list_into(g.hand[q], items)
    g.card[q] = items[0]
    remove(g.hand[q], g.card[q])


# --- events, kept cards, tiles set aside -----------------------------------------------------------------------------------


@kernel
def resample_events(g: State, seat: int) -> None:
    """Deal event tiles of others again, except those played, revealed or taken back (X7.4)."""
    for q in range(g.players):
        if q == seat or has_module(g, Module.EXPERTS) or (g.stage == Stage.EVENTS and q >= g.actor):
            continue
        gone = int(g.events_played[q])
        if g.event[q] != NONE:  # on a card that has been shown
            gone |= 1 << g.event[q]
        known, n = int(g.events_known[q]) & ~gone, 0
        for kind in range(N_EVENTS):
            n += g.events[q] >> kind & 1
        if n == 0:
            continue
        while True:
            bits = EVENT_PAIRS[below(g, N_EVENT_PAIRS)] if n == 2 else 1 << below(g, N_EVENTS)
            if bits & gone == 0 and bits & known == known:
                break
        g.events[q] = bits


@kernel
def resample_rest(g: State, q: int, seen: np.ndarray) -> None:
    """Choose a card to keep (X5.1) and the lower tile on a revealed card (X6.4)."""
    if seen[KEPT] == 1:
        cards = np.empty(N_ALL_CARDS, np.int64)
        g.kept[q] = cards[below(g, list_into(g.hand[q], cards))]
        remove(g.hand[q], g.kept[q])
    if seen[UNDER] == 1:
        tiles = np.empty(N_ALL_TILES, np.int64)
        g.lower[q] = tiles[below(g, list_into(g.tiles[q], tiles))]
        take_from_behind(g, q, int(g.lower[q]))


@kernel
def resample_aside(g: State, q: int) -> None:
    """Set tiles aside as a player who chose uniformly at each decision and has finished (R7.1)."""
    position = (q + g.players - g.first) % g.players
    if position >= g.returner:  # one who is choosing begins again
        return
    tiles, last = np.empty(N_ALL_TILES, np.int64), NONE
    while True:
        n = 0
        for i in range(list_into(g.tiles[q], tiles)):
            if RANK[tiles[i]] >= last:  # ascending order; equal are only green spaces (X0.4)
                tiles[n] = tiles[i]
                n += 1
        k = below(g, n + 1)
        if k == n:  # done
            return
        last = RANK[tiles[k]]
        set_aside(g, q, int(tiles[k]))
