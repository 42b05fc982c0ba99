"""What a seat may know (G10), as one flat vector of named blocks (G11.6).

Seats are relative to the viewer, who is seat 0. Ids are frozen by ``tests/golden_city/frozen_ids.json``. :func:`observe` is the
only way from hidden fields to output.
"""

from __future__ import annotations

from enum import IntEnum

import numpy as np

from ginkgo_env.core.compile.bits import ONE, popcount
from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.kernels import from_viewer, seat_at
from ginkgo_env.core.layout import Block, Layout, field_names
from ginkgo_env.games.golden_city.components import Components
from ginkgo_env.games.golden_city.constants import (
    COPIES,
    DISTRICTS_OF_QUARTER,
    HAND_LIMIT,
    MAX_PAIRS,
    N_BONUS,
    N_CARDS,
    N_DECISIONS,
    N_GOODS,
    N_GOODS_CARDS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_PLACES,
    N_QUARTERS,
    N_RIVERS,
    N_SCORING,
    NOBODY,
    NONE,
    SUBURBS_OF_RIVER,
    Ending,
    Stage,
)
from ginkgo_env.games.golden_city.rules.building import sites
from ginkgo_env.games.golden_city.rules.cards import cards_in_hand
from ginkgo_env.games.golden_city.state import State

# --- layout ------------------------------------------------------------------------------------------------------------------


OBSERVATION_DTYPE = np.uint8
TOP = 255  # larger numbers are written as this; only letters can be larger


ObsBlock = IntEnum(
    "ObsBlock",
    """
    DECISION STATUS TURN PLAYERS HAND KNOWN DISCARD PAIRS PAIR_SEAT SCORING TO_COME GOODS
    BONUS HOUSES PLACE SITES AT_RIVERS IN_QUARTERS
    """,
    start=0,
)
"""Blocks of an observation in their order."""


StatusField = IntEnum(
    "StatusField",
    """
    ROUND SCORING_CARDS_TO_COME PRICE DECK DISCARD_PILE GOODS_STACK BONUS_CARDS_LEFT KEYS_LEFT SUPPLY
    HOUSES_BUILT DISCARDS_OWED END_TRIGGERED
    """,
    start=0,
)
"""Fields of block ``status``."""


class TurnField(IntEnum):
    """Fields of each seat in block ``turn``."""

    IS_ACTOR, IS_FIRST, HAS_BID, IS_BLOCKED = range(4)


class PlayerField(IntEnum):
    """Fields of each seat in block ``players``."""

    LETTERS, COINS, KEYS, HOUSES_LEFT, HAND, HAND_UNKNOWN, GOODS_CARDS, BONUS_CARDS, BONUS_SINCE, IN_CITY = range(10)


class GoodsRow(IntEnum):
    """Rows of block ``goods``; the other seats follow the viewer."""

    DISPLAY, BOX, VIEWER = range(3)


class BonusRow(IntEnum):
    """Rows of block ``bonus``."""

    OWN, LEFT = range(2)


STATUS_FIELDS, TURN_FIELDS, PLAYER_FIELDS = field_names(StatusField), field_names(TurnField), field_names(PlayerField)


def observation_layout(players: int) -> Layout:
    """Return the blocks of an observation for this number of players."""
    decisions = ", ".join(stage.name.lower() for stage in Stage if stage < Stage.OVER)
    return Layout(
        [
            Block("decision", (N_DECISIONS,), f"kind of decision awaited: {decisions}"),
            Block(
                "status",
                (len(STATUS_FIELDS),),
                f"{', '.join(STATUS_FIELDS)} (price: 0 when not bidding; houses built in this turn; discards_owed: 0 unless"
                " asked)",
                high=N_CARDS,
            ),
            Block("turn", (players, len(TURN_FIELDS)), f"for each seat: {', '.join(TURN_FIELDS)}"),
            Block(
                "players",
                (players, len(PLAYER_FIELDS)),
                f"for each seat: {', '.join(PLAYER_FIELDS)} (letters without bonus cards; bonus_since: taken since the viewer's"
                " last take)",
                high=TOP,
            ),
            Block("hand", (N_LANDSCAPES,), "own cards by landscape", high=COPIES, seen_by="self"),
            Block("known", (players, N_LANDSCAPES), "for each seat: known part of the hand by landscape", high=COPIES),
            Block("discard", (N_LANDSCAPES,), "discard pile by landscape", high=COPIES),
            Block("pairs", (MAX_PAIRS, N_LANDSCAPES), "cards of each pair by landscape, while bidding", high=2),
            Block("pair_seat", (MAX_PAIRS, players), "for each pair: whose hand lies on it"),
            Block(
                "scoring",
                (N_GOODS + N_RIVERS + N_QUARTERS,),
                "scoring card of the round: its good, its river, its quarter",
            ),
            Block("to_come", (N_SCORING,), "set of the scoring cards to come"),
            Block(
                "goods",
                (GoodsRow.VIEWER + players, N_GOODS_KINDS),
                "goods cards by kind: the display, those out of the game, then for each seat",
                high=N_GOODS_CARDS,
            ),
            Block(
                "bonus",
                (len(BonusRow), N_BONUS),
                "bonus cards: own; those left after the viewer's last take, while choosing those there now",
                seen_by="self",
            ),
            Block("houses", (players, N_PLACES), "for each seat: places with its houses"),
            Block("place", (N_PLACES,), "place being paid for, or whose reward is decided"),
            Block("sites", (N_PLACES,), "own sites, cards and keys disregarded"),
            Block("at_rivers", (players, N_RIVERS), "for each seat: houses at each river", high=SUBURBS_OF_RIVER),
            Block("in_quarters", (players, N_QUARTERS), "for each seat: houses in each quarter", high=DISTRICTS_OF_QUARTER),
        ]
    )


# --- the observation ---------------------------------------------------------------------------------------------------------


_TURN, _PLAYER = len(TURN_FIELDS), len(PLAYER_FIELDS)
_EIGHT = 8
_BYTE = np.uint64(2**_EIGHT - 1)
_BITS = np.array([[byte >> i & 1 for i in range(_EIGHT)] for byte in range(2**_EIGHT)], np.uint8)
"""The bits of each byte."""


@kernel
def observe(g: State, t: Components, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write what a seat may know into out (n,) uint8; offsets (blocks + 1,) are those of the layout."""
    for i in range(out.shape[0]):
        out[i] = 0
    write_status(g, out, offsets)
    for k in range(g.players):
        write_player(g, t, seat_at(g, seat, k), k, out, offsets)
    for landscape in range(N_LANDSCAPES):  # G10.2: of hands only the own one is seen whole
        out[offsets[ObsBlock.HAND] + landscape] = g.hand[seat, landscape]
    if g.stage == Stage.BID:
        write_pairs(g, seat, out, offsets)
    write_scoring(g, t, out, offsets)
    write_goods(g, out[offsets[ObsBlock.GOODS] :])
    write_bonus(g, seat, out, offsets)
    if g.place != NONE:
        out[offsets[ObsBlock.PLACE] + g.place] = 1
    write_places(sites(g, t, seat), out[offsets[ObsBlock.SITES] :])


@kernel(inline=True)
def write_status(g: State, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write blocks ``decision``, ``status`` and ``discard``."""
    if g.stage < Stage.OVER:
        out[offsets[ObsBlock.DECISION] + g.stage] = 1
    row, pile = offsets[ObsBlock.DISCARD], 0
    for landscape in range(N_LANDSCAPES):
        out[row + landscape] = g.discard[landscape]
        pile += g.discard[landscape]
    row = offsets[ObsBlock.STATUS]
    out[row + StatusField.ROUND] = g.rounds
    out[row + StatusField.SCORING_CARDS_TO_COME] = g.n_scoring
    out[row + StatusField.PRICE] = g.displacements + 1 if g.stage == Stage.BID else 0  # G4.3
    out[row + StatusField.DECK] = g.deck_size
    out[row + StatusField.DISCARD_PILE] = pile
    out[row + StatusField.GOODS_STACK] = g.goods_size
    out[row + StatusField.BONUS_CARDS_LEFT] = N_BONUS - g.n_bonus
    out[row + StatusField.KEYS_LEFT] = g.key_stack
    out[row + StatusField.SUPPLY] = g.supply
    out[row + StatusField.HOUSES_BUILT] = g.built
    if g.stage == Stage.DISCARD:
        out[row + StatusField.DISCARDS_OWED] = cards_in_hand(g, g.actor) - HAND_LIMIT  # G5.8
    out[row + StatusField.END_TRIGGERED] = 1 if g.ending != Ending.NONE else 0


@kernel(inline=True)
def write_player(g: State, t: Components, p: int, k: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write what player p, the k-th to the left of the viewer, has.

    :func:`write_pairs` adds the hands on pairs to block ``turn``, :func:`write_bonus` the bonus cards to block ``players``.
    """
    row = offsets[ObsBlock.TURN] + k * _TURN
    out[row + TurnField.IS_ACTOR] = 1 if g.actor == p else 0
    out[row + TurnField.IS_FIRST] = 1 if g.first == p else 0
    out[row + TurnField.IS_BLOCKED] = g.blocked[p]
    hand = known = cards = 0
    row = offsets[ObsBlock.KNOWN] + k * N_LANDSCAPES
    for landscape in range(N_LANDSCAPES):
        out[row + landscape] = g.known[p, landscape]
        hand += g.hand[p, landscape]
        known += g.known[p, landscape]
    row = offsets[ObsBlock.GOODS] + (k + GoodsRow.VIEWER) * N_GOODS_KINDS
    for kind in range(N_GOODS_KINDS):
        out[row + kind] = g.goods[p, kind]
        cards += g.goods[p, kind]
    letters = 0
    for source in range(g.letters.shape[1]):
        letters += int(g.letters[p, source])
    houses = g.houses[p]
    row = offsets[ObsBlock.PLAYERS] + k * _PLAYER
    out[row + PlayerField.LETTERS] = min(TOP, letters)  # G10.1: letters are public, but for those of bonus cards
    out[row + PlayerField.COINS] = g.coins[p]
    out[row + PlayerField.KEYS] = g.keys[p]
    out[row + PlayerField.HOUSES_LEFT] = g.houses_left[p]
    out[row + PlayerField.HAND] = hand  # G10.1: the numbers of cards in hands are public
    out[row + PlayerField.HAND_UNKNOWN] = hand - known
    out[row + PlayerField.GOODS_CARDS] = cards
    out[row + PlayerField.IN_CITY] = popcount(houses & t.districts)  # G9.3: breaks ties
    write_places(houses, out[offsets[ObsBlock.HOUSES] + k * N_PLACES :])
    row = offsets[ObsBlock.AT_RIVERS] + k * N_RIVERS
    for river in range(N_RIVERS):
        out[row + river] = popcount(houses & t.at_river[river])
    row = offsets[ObsBlock.IN_QUARTERS] + k * N_QUARTERS
    for quarter in range(N_QUARTERS):
        out[row + quarter] = popcount(houses & t.in_quarter[quarter])


@kernel
def write_places(places: np.uint64, out: np.ndarray) -> None:
    """Write a set of places, one number for each place."""
    for byte in range(N_PLACES // _EIGHT):  # eight places at a time, which the compiler copies as one word
        row = np.int64((places >> np.uint64(byte * _EIGHT)) & _BYTE)
        for i in range(_EIGHT):
            out[byte * _EIGHT + i] = _BITS[row, i]
    for i in range(N_PLACES // _EIGHT * _EIGHT, N_PLACES):
        out[i] = (places >> np.uint64(i)) & ONE


@kernel(inline=True)
def write_pairs(g: State, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write blocks ``pairs`` and ``pair_seat``, and in block ``turn`` whose hand lies on a pair."""
    for i in range(g.players):
        row = offsets[ObsBlock.PAIRS] + i * N_LANDSCAPES
        out[row + g.pairs[i, 0]] += 1
        out[row + g.pairs[i, 1]] += 1
        p = int(g.pair_seat[i])
        if p != NOBODY:
            k = from_viewer(g, p, seat)
            out[offsets[ObsBlock.PAIR_SEAT] + i * g.players + k] = 1
            out[offsets[ObsBlock.TURN] + k * _TURN + TurnField.HAS_BID] = 1


@kernel(inline=True)
def write_scoring(g: State, t: Components, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write blocks ``scoring`` and ``to_come``."""
    row = offsets[ObsBlock.SCORING]
    if g.scoring != NONE:
        out[row + t.scoring_good[g.scoring]] = 1
        out[row + N_GOODS + t.scoring_area[g.scoring]] = 1
    row = offsets[ObsBlock.TO_COME]
    for i in range(g.n_scoring):  # G10.5: a set, as the order within a back is hidden
        out[row + g.scoring_stack[i]] = 1


@kernel(inline=True)
def write_goods(g: State, out: np.ndarray) -> None:
    """Write block ``goods`` without the rows of players."""
    for kind in range(N_GOODS_KINDS):
        out[GoodsRow.DISPLAY * N_GOODS_KINDS + kind] = g.display[kind]
        out[GoodsRow.BOX * N_GOODS_KINDS + kind] = g.boxed[kind]


@kernel(inline=True)
def last_look(g: State, seat: int) -> int:
    """Return how many bonus cards had been taken when the seat last saw which are left (G10.3 (b)).

    While the seat chooses a bonus card these are all.
    """
    if g.stage == Stage.BONUS and g.actor == seat:
        return int(g.n_bonus)
    seen = 0
    for i in range(g.n_bonus):
        if g.bonus_seat[i] == seat:
            seen = i + 1
    return seen


@kernel(inline=True)
def write_bonus(g: State, seat: int, out: np.ndarray, offsets: np.ndarray) -> None:
    """Write block ``bonus``, and the numbers of bonus cards in block ``players``."""
    own = offsets[ObsBlock.BONUS] + BonusRow.OWN * N_BONUS
    left, seen = offsets[ObsBlock.BONUS] + BonusRow.LEFT * N_BONUS, last_look(g, seat)
    for card in range(N_BONUS):
        out[left + card] = 1
    for i in range(g.n_bonus):
        p, card = int(g.bonus_seat[i]), g.bonus_card[i]
        row = offsets[ObsBlock.PLAYERS] + from_viewer(g, p, seat) * _PLAYER
        out[row + PlayerField.BONUS_CARDS] += 1
        if i >= seen:  # G10.5: that a card was taken is public, which one is hidden
            out[row + PlayerField.BONUS_SINCE] += 1
        else:
            out[left + card] = 0
        if p == seat:
            out[own + card] = 1
