"""Whether a record of any content is sound: the one check of states that do not come from play.

In a sound record every piece of the box is in one place, fields that follow from others agree with them, and the decision fits
what is on the table. Whether play can have led there is not asked. Each check relies on those before it, so that no index is used
before it is checked.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import count
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.games.ginkgopolis.constants import (
    DRAFT_PICKS,
    FIRST_NEW_BUILDING,
    FIRST_PRESTIGE,
    MAX_BUILDINGS,
    MAX_HAND,
    MAX_PLAYERS,
    N_ALL_CARDS,
    N_EVENTS,
    N_EXPERTS,
    N_GREEN_SPACES,
    N_IDS,
    N_TILES,
    NEW_HANDS,
    NOBODY,
    NONE,
    Action,
    Ending,
    Module,
    Phase,
    Stage,
    Timing,
)
from ginkgo_env.games.ginkgopolis.modules import EXPANSION
from ginkgo_env.games.ginkgopolis.rules.flaws import Flaw
from ginkgo_env.games.ginkgopolis.rules.soundness_city import flaw_of_city, flaw_of_tiles, has_cards
from ginkgo_env.games.ginkgopolis.rules.soundness_seats import flaw_of_seat, has_characters, is_draft, is_hand, total
from ginkgo_env.games.ginkgopolis.rules.soundness_turn import flaw_of_moment, flaw_of_turn
from ginkgo_env.games.ginkgopolis.state import State

_ALL_EVENTS = (1 << N_EVENTS) - 1


@kernel
def sound(g: State, t: None) -> int:
    """Return the number of the first flaw of a record, 0 if it is sound."""
    flaw = flaw_of_numbers(g)
    if flaw == 0:
        flaw = flaw_of_city(g)
    if flaw == 0:
        flaw = flaw_of_tiles(g)
    if flaw == 0:
        flaw = flaw_of_moment(g)
    if flaw != 0:
        return flaw
    if not has_cards(g):
        return Flaw.CARDS
    if not has_characters(g):
        return Flaw.CHARACTERS
    for p in range(g.players):
        flaw = flaw_of_seat(g, p)
        if flaw != 0:
            return flaw
    if not is_draft(g):
        return Flaw.DRAFT
    flaw = flaw_of_turn(g)
    if flaw != 0:
        return flaw
    for p in range(g.players):
        if not is_hand(g, p):
            return Flaw.HAND
    return 0 if has_choice(g) else Flaw.ACTION


@kernel
def has_choice(g: State) -> bool:
    """Whether an action is legal, as always but for these decisions."""
    if g.stage == Stage.COMMIT or g.stage == Stage.KEEP:
        return count(g.hand[g.actor]) > 0
    if g.stage == Stage.TAKE:  # R4.1
        return g.supply_resources[g.player] > 0 or g.supply_size > 0
    if g.stage == Stage.DRAFT:  # X6.1: no fourth character
        return count(g.packet_experts[g.actor]) > 0 or total(g.characters[g.actor]) < DRAFT_PICKS
    return True


@kernel
def within(values: np.ndarray, low: int, high: int) -> bool:
    """Whether all numbers lie in a range."""
    outside = 0
    for i in range(values.size):
        outside += 1 if values[i] < low or values[i] > high else 0
    return outside == 0


@kernel
def is_pile(pile: np.ndarray, size: int, low: int, stop: int) -> bool:
    """Whether a pile has ids from low to below stop, and NONE above its top."""
    return 0 <= size <= pile.size and within(pile[:size], low, stop - 1) and within(pile[size:], NONE, NONE)


@kernel
def flaw_of_numbers(g: State) -> int:
    """Return the first flaw of single numbers, 0 if there is none."""
    last = int(g.players) - 1
    players = 1 <= last < MAX_PLAYERS and (g.solo == 0 or (g.solo == 1 and last == 1))
    modules = g.expansion == (1 if EXPANSION else 0) and within(g.modules, 0, 1 if EXPANSION else 0)
    if not players or not modules or g.hand_size < 1 or g.hand_size > MAX_HAND:
        return Flaw.CONFIGURATION
    seats = NOBODY <= g.actor <= last and NOBODY <= g.first <= last and NOBODY <= g.player <= last
    places = 0 <= g.cursor <= last and 0 <= g.returner <= last and 0 <= g.payer <= last
    status = 0 <= g.stage <= Stage.PAY and 0 <= g.ending <= Ending.MAX_ROUNDS and 0 <= g.exhaustions <= 2
    turn = 0 <= g.action <= Action.CONSTRUCT and 0 <= g.phase <= Phase.AFTER and NONE <= g.timing <= Timing.AFTER
    city = within(g.top, NONE, N_IDS - 1) and within(g.owner, NOBODY, last) and within(g.pawn, 0, 1)
    slots = 1 <= g.n_buildings <= (MAX_BUILDINGS if EXPANSION else N_TILES) and within(g.slot, NONE, MAX_BUILDINGS - 1)
    stacks = 0 <= g.green_stack <= N_GREEN_SPACES and 0 <= g.green_drawn <= g.modules[Module.GREEN_SPACES]
    if not (seats and places and status and turn and city and slots and stacks and are_of_seats(g)):
        return Flaw.RANGE
    supply, deck = is_pile(g.supply, int(g.supply_size), 0, N_TILES), is_pile(g.deck, int(g.deck_size), 0, N_ALL_CARDS)
    stack = is_pile(g.new_buildings, int(g.n_new_buildings), FIRST_NEW_BUILDING, FIRST_PRESTIGE)
    return 0 if supply and deck and stack else Flaw.PILES


@kernel
def are_of_seats(g: State) -> bool:
    """Whether the numbers of all seats lie in their ranges."""
    cards = within(g.card, NONE, N_ALL_CARDS - 1) and within(g.kept, NONE, N_ALL_CARDS - 1)
    tiles = within(g.tile, NONE, N_IDS - 1) and within(g.lower, NONE, N_IDS - 1)
    events = (
        within(g.events, 0, _ALL_EVENTS) and within(g.events_known, 0, _ALL_EVENTS) and within(g.events_played, 0, _ALL_EVENTS)
    )
    others = within(g.event, NONE, N_EVENTS - 1) and within(g.expert, NONE, N_EXPERTS - 1) and within(g.new_hands, 0, NEW_HANDS)
    greens = within(g.green, 0, N_GREEN_SPACES) and within(g.green_aside, 0, N_GREEN_SPACES)
    more_greens = within(g.green_known, 0, N_GREEN_SPACES) and within(g.green_lower, 0, N_GREEN_SPACES)
    return cards and tiles and events and others and greens and more_greens
