"""The building turn: where a player can build, building, paying, discarding (G5)."""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, ZERO, bit, lowest
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.events import emit
from ginkgo_env.games.golden_city.actions import BUILD, DISCARD, DONE, PAY_ONE, PAY_TWO, SOURCES_OF_TWO
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import (
    HAND_LIMIT,
    HOUSES_A_TURN,
    JOKER,
    N_LANDSCAPES,
    N_SOURCES_OF_TWO,
    NONE,
    Ending,
    Event,
    Kind,
    Landscape,
    Stage,
)
from ginkgo_env.games.golden_city.rules.cards import cards_in_hand, put_away
from ginkgo_env.games.golden_city.state import State

# --- sites (G5.2, G5.5) ------------------------------------------------------------------------------------------------------


@kernel
def built_on(g: State) -> tuple[np.uint64, np.uint64]:
    """Return the sets of places with at least one house, and with at least two."""
    once = twice = ZERO
    for p in range(g.players):
        twice |= once & g.houses[p]
        once |= g.houses[p]
    return once, twice


@kernel
def sites(g: State, t: Components, p: int) -> np.uint64:
    """Return the set of a player's sites, regardless of cards and keys (G5.2)."""
    taken, _ = built_on(g)
    # G5.2: on the coast and in suburbs there is room for one house; in a district only the own one matters
    return (t.coasts & ~taken) | (g.reach[p] & ((t.suburbs & ~taken) | (t.districts & ~g.houses[p])))


@kernel
def sites_with_keys(g: State, t: Components, p: int) -> np.uint64:
    """Return the set of a player's sites, inner districts only with a key card (G5.5, G5.9)."""
    places = sites(g, t, p)
    return places if g.keys[p] > 0 else places & ~t.inner  # G5.3


@kernel
def units(g: State, p: int, landscape: int) -> int:
    """Return how many cards of a landscape the hand can stand for, jokers included (G5.4)."""
    n = int(g.hand[p, landscape])  # G5.4: two cards of another landscape stand for one; the coast is no exception
    for other in range(N_LANDSCAPES):
        if other != landscape:
            n += g.hand[p, other] // JOKER
    return n


@kernel
def offered_places(g: State, t: Components, p: int) -> np.uint64:
    """Return the set of places that are offered to a player: sites that the player can pay for (G5.5)."""
    if g.houses_left[p] == 0:  # G5.5
        return ZERO
    affordable = ZERO
    for landscape in range(N_LANDSCAPES):
        # G5.3, G5.4: no card is part of two jokers, so the place can be paid for if there are units enough
        if units(g, p, landscape) >= (1 if landscape == Landscape.COAST else 2):
            affordable |= t.of_landscape[landscape]
    return sites_with_keys(g, t, p) & affordable


@kernel
def put_house(g: State, t: Components, p: int, place: int) -> None:
    """Put a house on a place; the player then reaches its neighbors (G5.2)."""
    g.houses[p] |= bit(place)
    # Houses are never taken away, so the set of places reached only grows.
    g.reach[p] |= t.roads[place]
    g.houses_left[p] -= 1


# --- the turn ----------------------------------------------------------------------------------------------------------------


@kernel
def trigger_end(g: State, ending: int, p: int, log: np.ndarray) -> None:
    """Trigger the end of the game with this round (G8.1)."""
    if g.ending == Ending.NONE:  # G8.1: the first trigger in time is the one that is reported
        g.ending = ending
        emit(log, Event.ENDING, ending, p, 0)


@kernel
def begin_turn(g: State, t: Components, log: np.ndarray) -> None:
    """Begin the next building turn in turn order; a player without any site is blocked (G5.9)."""
    p = (g.first + g.turns) % g.players
    g.actor = p
    # G5.9: inner districts do not count without a key, as only building brings keys. The hand does not matter.
    if sites_with_keys(g, t, p) == ZERO:
        g.blocked[p] = 1
        emit(log, Event.BLOCKED, p, 0, 0)
        trigger_end(g, Ending.BLOCKED, p, log)
    g.stage = Stage.BUILD  # G5.9: also for a blocked player, who still discards


# --- building (G5.1, G5.7) -----------------------------------------------------------------------------------------------------


@kernel
def legal_builds(g: State, t: Components, mask: np.ndarray) -> int:
    """Allow the places offered, and done (G5.5, G5.7)."""
    rest = offered_places(g, t, g.actor)
    if rest == ZERO and not t.with_forced_decisions:
        return 0  # G5.7: building ends without a question
    n = 1
    mask[DONE] = 1  # G5.1: building is never compulsory
    while rest != ZERO:
        mask[BUILD + lowest(rest)] = 1
        rest &= rest - ONE
        n += 1
    return n


@kernel
def build(g: State, t: Components, p: int, action: int, log: np.ndarray) -> None:
    """Choose a place to pay for, or end building (G5.5, G5.7)."""
    if action == DONE:
        emit(log, Event.DONE, p, 0, 0)
        g.stage = Stage.DISCARD
    else:
        g.place = action - BUILD
        g.stage = Stage.PAY


@kernel
def cannot_build(g: State, t: Components, log: np.ndarray) -> None:
    """End the building of this turn, as no place is offered (G5.7)."""
    g.stage = Stage.DISCARD


@kernel
def go_on_building(g: State, t: Components, log: np.ndarray) -> None:
    """Continue the turn after a house and its reward (G5.1)."""
    g.place = NONE
    g.stage = Stage.BUILD if g.built < HOUSES_A_TURN else Stage.DISCARD


# --- paying (G5.3 to G5.6) -----------------------------------------------------------------------------------------------------


@kernel
def cards_of(source: int, landscape: int) -> int:
    """Return how many cards of a source stand for one card of a landscape (G5.4)."""
    return 1 if source == landscape else JOKER


@kernel
def legal_payments(g: State, t: Components, mask: np.ndarray) -> int:
    """Allow the sources that the hand can pay with (G5.5)."""
    hand, landscape = g.hand[g.actor], t.landscape[g.place]
    n = 0
    if t.kind[g.place] == Kind.COAST:  # G5.3: one card; every other place costs two of its landscape
        for source in range(N_LANDSCAPES):
            if hand[source] >= cards_of(source, landscape):
                mask[PAY_ONE + source] = 1
                n += 1
        return n
    for pair in range(N_SOURCES_OF_TWO):
        a, b = SOURCES_OF_TWO[pair, 0], SOURCES_OF_TWO[pair, 1]
        # G5.4: a card is part of one payment only, so two equal sources need the cards of both
        first, second = cards_of(a, landscape), cards_of(b, landscape)
        if (hand[a] >= first + second) if a == b else (hand[a] >= first and hand[b] >= second):
            mask[PAY_TWO + pair] = 1
            n += 1
    return n


@kernel
def pay(g: State, t: Components, p: int, action: int, log: np.ndarray) -> None:
    """Pay for a place and build on it (G5.6); the reward follows."""
    # G5.6: the cards are on the discard pile before the reward, so a new deck can bring them back
    landscape = t.landscape[g.place]
    a, b = action - PAY_ONE, NONE
    if action >= PAY_TWO:
        a, b = int(SOURCES_OF_TWO[action - PAY_TWO, 0]), int(SOURCES_OF_TWO[action - PAY_TWO, 1])
        put_away(g, p, b, cards_of(b, landscape))
    put_away(g, p, a, cards_of(a, landscape))
    if t.kind[g.place] == Kind.INNER:
        g.keys[p] -= 1  # G5.6: a key card that was paid leaves the game
    put_house(g, t, p, g.place)
    g.built += 1
    emit(log, Event.PAY, p, a, b)
    emit(log, Event.HOUSE, p, g.place, 0)
    if g.houses_left[p] == 0:  # G8.1: triggered before the reward
        trigger_end(g, Ending.HOUSES, p, log)
    g.stage = Stage.REWARD


# --- discarding (G5.8) ---------------------------------------------------------------------------------------------------------


@kernel
def legal_discards(g: State, t: Components, mask: np.ndarray) -> int:
    """Allow landscapes from the last one discarded in this turn on (G5.8)."""
    p = g.actor
    owed = cards_in_hand(g, p) - HAND_LIMIT
    if owed <= 0:
        return 0
    # G5.8: in ascending order, so that each set of discards can be chosen in one way only. The hand needs as many cards of the
    # landscape and of later ones as are still to go; going down, `left` counts these.
    n = left = 0
    for landscape in range(N_LANDSCAPES - 1, max(0, g.discarded) - 1, -1):
        left += g.hand[p, landscape]
        if g.hand[p, landscape] > 0 and left >= owed:
            mask[DISCARD + landscape] = 1
            n += 1
    return n


@kernel
def discard(g: State, t: Components, p: int, action: int, log: np.ndarray) -> None:
    """Put a card of the hand on the discard pile (G5.8)."""
    g.discarded = action - DISCARD
    put_away(g, p, g.discarded, 1)
    emit(log, Event.DISCARD, p, g.discarded, 0)


@kernel
def within_limit(g: State, t: Components, log: np.ndarray) -> None:
    """End the turn, as the hand is within the limit (G5.8)."""
    g.stage = Stage.END_TURN
