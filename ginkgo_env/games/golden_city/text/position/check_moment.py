"""Checks that bidding, building turn, decision and ending of a position fit together."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from ginkgo_env.core.fields import Fields
from ginkgo_env.core.state import States
from ginkgo_env.core.validation import fail
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import (
    HAND_LIMIT,
    HOUSES_A_TURN,
    MAX_PLAYERS,
    N_BONUS,
    N_SCORING,
    NOBODY,
    NONE,
    Ending,
    Reward,
    Stage,
)
from ginkgo_env.games.golden_city.rules.sites import list_sites
from ginkgo_env.games.golden_city.text.position.biddings import BIDDINGS
from ginkgo_env.games.golden_city.text.reading import DECISIONS, ENDINGS, REWARDED, turn_order

_PAIR = 2  # cards


class Places(NamedTuple):
    """The places where players can build: a set for each player."""

    sites: list[int]
    """Sites, with inner districts only for holders of a key."""
    offers: list[int]
    """Sites that the hand can pay for."""


def places_of(states: States, board: Board) -> Places:
    """Return where players can build in a state, by the rules' kernels."""
    sites, offers = np.zeros(MAX_PLAYERS, np.uint64), np.zeros(MAX_PLAYERS, np.uint64)
    find: Callable[..., None] = list_sites
    find(states, board.tables, sites, offers)
    return Places(sites.tolist(), offers.tolist())


def check_moment(g: Fields, board: Board, places: Places) -> None:
    """Raise PositionError unless play can reach the decision, as far as these checks can say."""
    _check_hands(g)
    _check_blocked(g, places)
    _check_ending(g)
    if g.stage == Stage.BID:
        _check_bidding(g)
    elif g.stage != Stage.OVER:
        _check_turn(g)
        _DECISIONS[Stage(g.stage)](g, board, places)


# --- hands and the end of the game -----------------------------------------------------------------------------------------


def _check_hands(g: Fields) -> None:
    """Check hands: five cards at most, seven from taking a pair to the end of the own turn (G4.5, G5.8)."""
    order = turn_order(g)
    waiting = [] if g.stage == Stage.BID else order[g.turns :]
    for p in range(g.players):
        n, most = sum(g.hand[p]), HAND_LIMIT + (_PAIR if p in waiting else 0)
        if n > most:
            raise fail(f"players[{p}].hand", f"expected at most {most} cards at this moment, got {n}")


def _check_blocked(g: Fields, places: Places) -> None:
    """Check blocked players: they had no site at the start of their turn in the last round, and never will (G5.9)."""
    begun = [] if g.stage == Stage.BID else turn_order(g)[: g.turns + 1]
    for p in range(g.players):
        if not g.blocked[p]:
            continue
        if p not in begun:
            raise fail("blocked", f"the turn of seat {p} in this round has not begun")
        if g.houses_left[p] == 0:
            raise fail("blocked", f"seat {p} has built all houses: the game ended with that round")
        if places.sites[p]:
            raise fail("blocked", f"seat {p} has a site to build on")
    p = g.actor
    if g.stage == Stage.DISCARD and g.built == 0 and not g.blocked[p] and not places.sites[p]:
        raise fail("blocked", f"expected seat {p} among the blocked: there is no site in a turn without a house")


def _check_ending(g: Fields) -> None:
    """Check the ending: it is the first trigger in time, in the current round (G8.1)."""
    wanted = int(Ending.CARDS if g.stage == Stage.OVER and g.rounds == N_SCORING else Ending.NONE)
    for turn, p in reversed(list(enumerate(turn_order(g)))):
        if g.houses_left[p] == 0:
            if g.stage == Stage.BID or turn > g.turns:
                raise fail(f"players[{p}].houses_left", "expected a house left: the turn in this round has not begun")
            wanted = int(Ending.HOUSES)
        elif g.blocked[p]:
            wanted = int(Ending.BLOCKED)
    if g.stage == Stage.OVER and wanted == Ending.NONE:
        raise fail("decision.kind", f"the game is not over in round {g.rounds}: all have houses left, and nobody is blocked")
    if g.ending != wanted:
        raise fail("ending", f"expected {ENDINGS[wanted]!r}, got {ENDINGS[g.ending]!r}")


# --- bidding (G4) ----------------------------------------------------------------------------------------------------------


def _check_bidding(g: Fields) -> None:
    pairs, seats = g.pairs[: g.players], g.pair_seat[: g.players]
    for i, (one, next_one) in enumerate(pairwise(pairs)):
        if one > next_one:
            raise fail(f"pairs[{i + 1}].cards", "expected the pairs in ascending order (G4.1)")
        if one == next_one and seats[i] == NOBODY != seats[i + 1]:
            raise fail(f"pairs[{i + 1}].seat", "of equal free pairs the first is taken (G4.4)")
    lying = [seat for seat in seats if seat != NOBODY]
    if len(lying) != len(set(lying)):
        raise fail("pairs", "a hand lies on two pairs")
    if g.actor in lying:
        raise fail("decision.actor", f"expected a seat without a hand on a pair, got {g.actor}")
    hands = sum(1 << (seat - g.first) % g.players for seat in lying)
    if (hands, g.displacements, (g.actor - g.first) % g.players) not in BIDDINGS[g.players]:
        raise fail("decision.actor", "no bidding comes from this first player to these hands, displacements and actor (G4.2)")
    paid = g.displacements * (g.displacements + 1) // 2
    if g.supply < paid:
        raise fail("coins", f"expected at least {paid} in the supply, which the displacements of this round brought")


# --- the building turn (G5) ------------------------------------------------------------------------------------------------


def _check_turn(g: Fields) -> None:
    """Check what holds at all decisions of a turn."""
    least = 1 if g.stage in REWARDED else 0
    most = HOUSES_A_TURN if g.stage in REWARDED or g.stage == Stage.DISCARD else HOUSES_A_TURN - 1
    if not least <= g.built <= most:
        raise fail("turn.built", f"expected {least} to {most} during {DECISIONS[g.stage]!r}, got {g.built}")
    if g.built > g.houses[g.actor].bit_count():
        raise fail("turn.built", f"seat {g.actor} has fewer houses on the board")
    if g.houses_left[g.actor] == 0 and g.built == 0:
        raise fail("turn.built", f"seat {g.actor} has built the last house in this turn: the game ends with this round")
    if g.blocked[g.actor] and (g.stage != Stage.DISCARD or g.built):
        raise fail("blocked", f"seat {g.actor} builds, so he had a site")
    if (g.place != NONE) != (g.stage == Stage.PAY or g.stage in REWARDED):
        raise fail("turn.place", "expected a place exactly while it is paid for or its reward is decided")
    if g.discarded != NONE and g.stage != Stage.DISCARD:
        raise fail("turn.discarded", "expected null: nothing is discarded before the turn's building has ended")


def _check_build(g: Fields, board: Board, places: Places) -> None:
    if not places.offers[g.actor]:
        raise fail("decision.kind", f"no place can be offered to seat {g.actor}, who is not asked to build (G5.5)")


def _check_pay(g: Fields, board: Board, places: Places) -> None:
    if not places.offers[g.actor] >> g.place & 1:
        raise fail("turn.place", f"{board.place_ids[g.place]} is not offered to seat {g.actor} (G5.5)")


def _check_reward(g: Fields, board: Board, places: Places) -> None:
    """Check that the house is on a place with this reward, and that there is something to choose from (G6)."""
    place, reward = board.place_ids[g.place], REWARDED[Stage(g.stage)]
    if not g.houses[g.actor] >> g.place & 1:
        raise fail("turn.place", f"seat {g.actor} has no house on {place}")
    if board.tables[0].reward[g.place] != reward:
        raise fail("turn.place", f"the reward of {place} is not {reward.name.lower()!r}")
    if g.stage == Stage.GOODS and not any(g.display) and g.goods_size == 0:
        raise fail("decision.kind", "no goods card is left")
    if reward == Reward.BONUS and g.n_bonus == N_BONUS:
        raise fail("decision.kind", "no bonus card is left")


def _check_discard(g: Fields, board: Board, places: Places) -> None:
    """Check a discard: one or two cards, in ascending order of landscapes (G5.8)."""
    hand, last = g.hand[g.actor], g.discarded
    where = f"players[{g.actor}].hand"
    owed = sum(hand) - HAND_LIMIT
    if owed < 1:
        raise fail(where, f"expected more than {HAND_LIMIT} cards: one is to be discarded")
    if last == NONE:
        return
    if owed != _PAIR - 1:
        raise fail(where, f"expected {HAND_LIMIT + _PAIR - 1} cards after the first discard, got {sum(hand)}")
    if g.discard[last] == 0:
        raise fail("turn.discarded", "this card does not lie on the discard pile")
    if sum(hand[last:]) < owed:
        raise fail("turn.discarded", "the hand has no card of this landscape or a later one")


_DECISIONS: dict[Stage, Callable[[Fields, Board, Places], None]] = {
    Stage.BUILD: _check_build,
    Stage.PAY: _check_pay,
    Stage.GOODS: _check_reward,
    Stage.BOX: _check_reward,
    Stage.BONUS: _check_reward,
    Stage.DISCARD: _check_discard,
}
