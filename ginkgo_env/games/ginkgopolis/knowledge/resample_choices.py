"""Deal anew what others have chosen and nobody has seen: commitments, events, kept cards, tiles set aside (R10.1, X7.3)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.bits import ONE, ZERO, add, count, has, list_into, lowest, remove
from ginkgo_env.core.jit import kernel
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
from ginkgo_env.games.ginkgopolis.modules import EXPANSION, has_module, is_expert
from ginkgo_env.games.ginkgopolis.rules.choose import can_go, is_of_another
from ginkgo_env.games.ginkgopolis.rules.effects import can_pay
from ginkgo_env.games.ginkgopolis.rules.returns import set_aside
from ginkgo_env.games.ginkgopolis.rules.tiles import put_behind, take_from_behind
from ginkgo_env.games.ginkgopolis.state import State
from ginkgo_env.games.ginkgopolis.tables import EVENT_PAIRS, is_letter

UNSEEN = -1  # how much lies on a card while players choose


@kernel
def resample_aside(g: State, q: int) -> None:
    """R7.1: who has chosen may have set aside any tiles; who is choosing is taken to stand at the beginning."""
    position = (q + g.players - g.first) % g.players
    if position >= g.returner:
        return
    for w in range(WORDS):
        rest = g.tiles[q, w]
        while rest != ZERO:
            tile = (w << 6) + lowest(rest)
            rest &= rest - ONE
            for _ in range(int(g.green[q]) if EXPANSION and tile == GREEN_SPACE else 1):
                if below(g, 2) == 1:
                    set_aside(g, q, tile)


@kernel
def resample_commitment(g: State, q: int, on_card: int, event_on_card: int) -> None:
    """A hidden commitment, uniform among those that the player could have made; what is seen on the card stays there."""
    building = EXPANSION and needs_building(g, q, event_on_card)
    cards, tiles = np.empty(N_ALL_CARDS, np.int64), np.empty(N_ALL_TILES + 1, np.int64)
    n_cards = list_into(g.hand[q], cards)
    n_tiles = list_into(g.tiles[q], tiles)
    if on_card == UNSEEN:
        tiles[n_tiles] = NONE
        n_tiles += 1
    elif on_card == 0:
        tiles[0] = NONE
        n_tiles = 1
    pairs = np.empty(n_cards * n_tiles, np.int64)
    n = 0
    for strictly in range(1, -1, -1):
        for i in range(n_cards):
            for j in range(n_tiles):
                if building and is_letter(cards[i]):
                    continue
                if could_commit(g, q, int(cards[i]), int(tiles[j]), strictly == 1):
                    pairs[n] = i * n_tiles + j
                    n += 1
        if n > 0:
            break  # else: payable when it was chosen, not with what was dealt now
    if n == 0:
        return
    chosen = pairs[below(g, n)]
    g.card[q] = cards[chosen // n_tiles]
    remove(g.hand[q], g.card[q])
    g.tile[q] = tiles[chosen % n_tiles]
    if g.tile[q] != NONE:
        take_from_behind(g, q, int(g.tile[q]))


@kernel
def could_commit(g: State, q: int, card: int, tile: int, strictly: bool) -> bool:
    """Whether a card could go with a tile or NONE; strictly: what could not be paid now was not offered (R3.3)."""
    if tile == NONE:
        return True
    return can_go(card, tile) and (not strictly or g.strict == 0 or can_pay(g, q, card, tile, NONE))


@kernel
def needs_building(g: State, q: int, event_on_card: int) -> bool:
    """Whether the event on a hidden card is known to be an expropriation, which lies on building cards (X4.1, X4.4)."""
    if not has_module(g, Module.EXPERTS):
        return False
    held = int(g.events[q])
    if g.event[q] != NONE:
        held |= 1 << g.event[q]
    return event_on_card == 1 and held == 1 << EventTile.EXPROPRIATION


@kernel
def mend_hand(g: State, q: int, seat: int, on_card: int, event_on_card: int) -> None:
    """See that a hand holds a card for what everybody sees on the hidden one.

    That is a letter if there are only green spaces to lie on it, a building card for an expropriation. If the deal brought none,
    a card is exchanged for one from the deck or another hidden hand: the true card was dealt to one of them.
    """
    building = needs_building(g, q, event_on_card)
    only_green = on_card > 0 and g.green[q] > 0 and count(g.tiles[q]) == 1
    if not building and not only_green:
        return
    cards = np.empty(N_ALL_CARDS, np.int64)
    for i in range(list_into(g.hand[q], cards)):
        if is_letter(cards[i]) != building:
            return
    n = list_into(g.hand[q], cards)
    given = NONE
    for i in range(n):
        if q != (seat + 1) % g.players or not has(g.passed[seat], cards[i]):
            given = cards[i]
    if given == NONE:
        return
    for i in range(g.deck_size):
        if is_letter(g.deck[i]) != building:
            remove(g.hand[q], given)
            add(g.hand[q], g.deck[i])
            g.deck[i] = given
            return
    for other in range(g.players):
        if other in (seat, q):
            continue
        for i in range(list_into(g.hand[other], cards)):
            known = other == (seat + 1) % g.players and has(g.passed[seat], cards[i])
            if is_letter(cards[i]) != building and not known:
                remove(g.hand[q], given)
                add(g.hand[q], cards[i])
                remove(g.hand[other], cards[i])
                add(g.hand[other], given)
                return


@kernel
def stop_choosing(g: State, seat: int) -> None:
    """Another player in the middle of a sequence is taken to stand at its beginning, where all others see him (X7.3)."""
    q = int(g.actor)
    if q == seat or not (g.stage == Stage.LOWER or g.stage == Stage.EVENT or g.stage == Stage.KEEP):
        return
    g.stage = Stage.COMMIT
    add(g.hand[q], g.card[q])
    g.card[q] = NONE
    if g.tile[q] != NONE:
        put_behind(g, q, int(g.tile[q]))
        g.tile[q] = NONE
    if g.lower[q] != NONE:
        put_behind(g, q, int(g.lower[q]))
        g.lower[q] = NONE
    if g.event[q] != NONE:
        g.events[q] |= 1 << g.event[q]
        g.event[q] = NONE


@kernel
def resample_events(g: State, seat: int) -> None:
    """Event tiles of the others: without experts they are secret, but for those played and shown (X7.4)."""
    for q in range(g.players):
        if q == seat or has_module(g, Module.EXPERTS) or (g.stage == Stage.EVENTS and q >= g.actor):
            continue
        gone = int(g.events_played[q])
        if g.player == q and g.event[q] != NONE:
            gone |= 1 << g.event[q]
        elif g.event[q] != NONE:
            g.events[q] |= 1 << g.event[q]
        n = 0
        for kind in range(N_EVENTS):
            n += g.events[q] >> kind & 1
        if n == 0:
            continue
        while True:
            bits = EVENT_PAIRS[below(g, N_EVENT_PAIRS)] if n == 2 else 1 << below(g, N_EVENTS)
            if bits & gone == 0:
                break
        g.events[q] = bits  # one of them lies on the card again when that is dealt


@kernel
def resample_on_card(g: State, q: int, on_card: int, event_on_card: int) -> None:
    """A lower tile and an event with a hidden commitment."""
    tiles = np.empty(N_ALL_TILES, np.int64)
    g.lower[q] = NONE
    if g.tile[q] != NONE and is_expert(g, q, Expert.ARCHITECT):
        n = list_into(g.tiles[q], tiles)
        if n > 0 and (on_card == 2 or (on_card == UNSEEN and below(g, n + 1) < n)):
            g.lower[q] = tiles[below(g, n)]
            take_from_behind(g, q, int(g.lower[q]))
    if has_module(g, Module.EXPERTS) and g.event[q] != NONE:
        g.events[q] |= 1 << g.event[q]
    g.event[q] = NONE
    fitting = np.empty(N_EVENTS + 1, np.int64)
    n = 0
    for kind in range(N_EVENTS):
        if g.events[q] >> kind & 1 and (kind != EventTile.EXPROPRIATION or can_name(g, q, event_on_card)):
            fitting[n] = kind
            n += 1
    if event_on_card == UNSEEN:
        fitting[n] = NONE
        n += 1
    elif event_on_card == 1 and n == 0 and not has_module(g, Module.EXPERTS):
        n = exchange_event(g, q, fitting)
    if event_on_card != 0 and n > 0:
        g.event[q] = fitting[below(g, n)]
        if g.event[q] != NONE:
            g.events[q] &= ~(1 << g.event[q])


@kernel
def exchange_event(g: State, q: int, fitting: np.ndarray) -> int:
    """Instead of an expropriation the player holds another kind, which may lie on a letter; return how many it could be."""
    g.events[q] &= ~(1 << EventTile.EXPROPRIATION)
    n = 0
    for kind in range(N_EVENTS):
        if kind != EventTile.EXPROPRIATION and (g.events[q] | g.events_played[q]) >> kind & 1 == 0:
            fitting[n] = kind
            n += 1
    return n


@kernel
def can_name(g: State, q: int, event_on_card: int) -> bool:
    """Whether an expropriation may lie on the card; owners may have changed since it was laid there."""
    if event_on_card == UNSEEN:
        return is_of_another(g, q, int(g.card[q]))
    return not is_letter(g.card[q])


@kernel
def resample_kept(g: State, q: int) -> None:
    """Any card of the hand is the one kept (X5)."""
    if g.kept[q] == NONE:
        return
    cards = np.empty(N_ALL_CARDS, np.int64)
    g.kept[q] = cards[below(g, list_into(g.hand[q], cards))]
    remove(g.hand[q], g.kept[q])
