"""What a seat may know (G10), as one flat vector of named blocks (G11.6). The only way from hidden fields to output.

The blocks and what they hold are declared in ``layout``.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.compile.bits import ONE, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.seats import from_viewer, seat_at
from ginkgo_env.games.golden_city.constants import (
    HAND_LIMIT,
    N_BONUS,
    N_GOODS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_PLACES,
    N_QUARTERS,
    N_RIVERS,
    NOBODY,
    NONE,
    Ending,
    Stage,
)
from ginkgo_env.games.golden_city.knowledge.layout import PLAYER_FIELDS, TOP, TURN_FIELDS, O
from ginkgo_env.games.golden_city.rules.cards import cards_in_hand
from ginkgo_env.games.golden_city.rules.sites import sites
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.tables import Tables

_TURN, _PLAYER = len(TURN_FIELDS), len(PLAYER_FIELDS)
_EIGHT = 8
_BYTE = np.uint64(2**_EIGHT - 1)
_BITS = np.array([[byte >> i & 1 for i in range(_EIGHT)] for byte in range(2**_EIGHT)], np.uint8)
"""The bits of each byte."""
_BONUS_CARDS = PLAYER_FIELDS.index("bonus_cards")


@kernel
def observe_one(g: State, t: Tables, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Write what the seat may know into out (n,) uint8; `at` are the offsets of the blocks."""
    for i in range(out.shape[0]):
        out[i] = 0
    write_status(g, out, at)
    for k in range(g.players):
        write_player(g, t, seat_at(g, seat, k), k, out, at)
    for landscape in range(N_LANDSCAPES):
        out[at[O.HAND] + landscape] = g.hand[seat, landscape]
    if g.stage == Stage.BID:
        write_pairs(g, seat, out, at)
    write_scoring(g, t, out, at)
    write_goods(g, out[at[O.GOODS] :])
    write_bonus(g, seat, out, at)
    if g.place != NONE:
        out[at[O.PLACE] + g.place] = 1
    write_places(sites(g, t, seat), out[at[O.SITES] :])


@kernel
def write_status(g: State, out: np.ndarray, at: np.ndarray) -> None:
    """Blocks decision, status and discard."""
    if g.stage < Stage.OVER:
        out[at[O.DECISION] + g.stage] = 1
    k, pile = at[O.DISCARD], 0
    for landscape in range(N_LANDSCAPES):
        out[k + landscape] = g.discard[landscape]
        pile += g.discard[landscape]
    k = at[O.STATUS]
    out[k] = g.rounds
    out[k + 1] = g.n_scoring
    out[k + 2] = g.displacements + 1 if g.stage == Stage.BID else 0
    out[k + 3] = g.deck_size
    out[k + 4] = pile
    out[k + 5] = g.goods_size
    out[k + 6] = N_BONUS - g.n_bonus
    out[k + 7] = g.key_stack
    out[k + 8] = g.supply
    out[k + 9] = g.built
    if g.stage == Stage.DISCARD:
        out[k + 10] = cards_in_hand(g, g.actor) - HAND_LIMIT
    out[k + 11] = 1 if g.ending != Ending.NONE else 0


@kernel
def write_player(g: State, t: Tables, p: int, k: int, out: np.ndarray, at: np.ndarray) -> None:
    """What player p, the k-th to the left of the viewer, has; block turn but for hands on pairs, players but for bonus cards."""
    turn = at[O.TURN] + k * _TURN
    out[turn] = 1 if g.actor == p else 0
    out[turn + 1] = 1 if g.first == p else 0
    out[turn + 3] = g.blocked[p]
    hand = known = cards = 0
    row = at[O.KNOWN] + k * N_LANDSCAPES
    for landscape in range(N_LANDSCAPES):
        out[row + landscape] = g.known[p, landscape]
        hand += g.hand[p, landscape]
        known += g.known[p, landscape]
    row = at[O.GOODS] + (k + 2) * N_GOODS_KINDS
    for kind in range(N_GOODS_KINDS):
        out[row + kind] = g.goods[p, kind]
        cards += g.goods[p, kind]
    letters = 0
    for source in range(g.letters.shape[1]):
        letters += int(g.letters[p, source])
    houses = g.houses[p]
    row = at[O.PLAYERS] + k * _PLAYER
    out[row] = min(TOP, letters)
    out[row + 1] = g.coins[p]
    out[row + 2] = g.keys[p]
    out[row + 3] = g.houses_left[p]
    out[row + 4] = hand
    out[row + 5] = hand - known
    out[row + 6] = cards
    out[row + 9] = popcount(houses & t.districts)
    write_places(houses, out[at[O.HOUSES] + k * N_PLACES :])
    row = at[O.AT_RIVERS] + k * N_RIVERS
    for river in range(N_RIVERS):
        out[row + river] = popcount(houses & t.at_river[river])
    row = at[O.IN_QUARTERS] + k * N_QUARTERS
    for quarter in range(N_QUARTERS):
        out[row + quarter] = popcount(houses & t.in_quarter[quarter])


@kernel
def write_places(places: np.uint64, out: np.ndarray) -> None:
    """A set of places, a number for each: eight at a time, which the compiler copies as one word."""
    for byte in range(N_PLACES // _EIGHT):
        row = np.int64((places >> np.uint64(byte * _EIGHT)) & _BYTE)
        for i in range(_EIGHT):
            out[byte * _EIGHT + i] = _BITS[row, i]
    for i in range(N_PLACES // _EIGHT * _EIGHT, N_PLACES):
        out[i] = (places >> np.uint64(i)) & ONE


@kernel
def write_pairs(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Blocks pairs and pair_seat, and whose hand lies on a pair in block turn."""
    for i in range(g.players):
        row = at[O.PAIRS] + i * N_LANDSCAPES
        out[row + g.pairs[i, 0]] += 1
        out[row + g.pairs[i, 1]] += 1
        p = int(g.pair_seat[i])
        if p != NOBODY:
            k = from_viewer(g, p, seat)
            out[at[O.PAIR_SEAT] + i * g.players + k] = 1
            out[at[O.TURN] + k * _TURN + 2] = 1


@kernel
def write_scoring(g: State, t: Tables, out: np.ndarray, at: np.ndarray) -> None:
    """Blocks scoring and to_come."""
    k = at[O.SCORING]
    if g.scoring != NONE:
        out[k + t.scoring_good[g.scoring]] = 1
        out[k + N_GOODS + t.scoring_area[g.scoring]] = 1
    k = at[O.TO_COME]
    for i in range(g.n_scoring):
        out[k + g.scoring_stack[i]] = 1


@kernel
def write_goods(g: State, out: np.ndarray) -> None:
    """Block goods, but for those of players."""
    for kind in range(N_GOODS_KINDS):
        out[kind] = g.display[kind]
        out[N_GOODS_KINDS + kind] = g.boxed[kind]


@kernel
def last_look(g: State, seat: int) -> int:
    """How many bonus cards had been taken when the seat last saw which are left; all while it chooses (G10.3)."""
    if g.stage == Stage.BONUS and g.actor == seat:
        return int(g.n_bonus)
    seen = 0
    for i in range(g.n_bonus):
        if g.bonus_seat[i] == seat:
            seen = i + 1
    return seen


@kernel
def write_bonus(g: State, seat: int, out: np.ndarray, at: np.ndarray) -> None:
    """Block bonus, and numbers of bonus cards in block players."""
    own, left, seen = at[O.BONUS], at[O.BONUS] + N_BONUS, last_look(g, seat)
    for card in range(N_BONUS):
        out[left + card] = 1
    for i in range(g.n_bonus):
        p, card = int(g.bonus_seat[i]), g.bonus_card[i]
        row = at[O.PLAYERS] + from_viewer(g, p, seat) * _PLAYER + _BONUS_CARDS
        out[row] += 1
        if i >= seen:
            out[row + 1] += 1
        else:
            out[left + card] = 0
        if p == seat:
            out[own + card] = 1
