"""The state of one game: a single numpy record. A batch is an array of them.

Each field is documented where it is declared: shape letters P = seats; then its meaning, empty value and who may know it. Fields
marked *hidden* reach a player only through ``observe``. Wide fields come first, so that there is no padding.

Sets of places are 64-bit words: place i is bit i (``core.compile.bits``). Hands and piles whose order does not matter are numbers
of cards by landscape or by kind.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.state import Array, Record, byte, fields_of, record_dtype, short, word
from ginkgo_env.games.golden_city.constants import (
    MAX_PAIRS,
    MAX_PLAYERS,
    N_BONUS,
    N_CARDS,
    N_GOODS_CARDS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_LETTER_SOURCES,
    N_SCORING,
)

P, L = MAX_PLAYERS, N_LANDSCAPES


class State(Record):
    """A game's record, field by field: source of the dtype, and type of ``g`` for type checkers."""

    # words
    rng: np.uint64 = word()  # state of the generator; hidden
    seed: np.uint64 = word()  # seed of this game; hidden
    board: np.uint64 = word()  # digest of the board (G1.6.3); configuration, public
    houses: Array = word(P)  # set of places with a house of this player; public
    reach: Array = word(P)  # set of places joined by a road to a place with a house of this player; public

    # short numbers
    letters: Array = short(P, N_LETTER_SOURCES)  # points so far by Source; public (G10.1)

    # configuration, public
    players: int = byte()  # 2 to 4
    # where the game stands, public
    stage: int = byte()  # Stage: the kind of decision awaited
    actor: int = byte()  # seat that decides, NOBODY when over
    first: int = byte()  # first player, NOBODY before setup
    rounds: int = byte()  # the round's number, from 1
    turns: int = byte()  # building turns finished in this round
    ending: int = byte()  # Ending: what triggered the end first
    blocked: Array = byte(P)  # 1 for a player who was blocked at the start of a building turn (G5.9)
    # the bidding, public
    pairs: Array = byte(MAX_PAIRS, 2)  # landscapes of each pair, the lower first; NONE when not bidding
    pair_seat: Array = byte(MAX_PAIRS)  # whose hand lies on the pair, NOBODY for a free one
    displacements: int = byte()  # in this bidding, 0 outside
    # the building turn, public
    built: int = byte()  # houses built in this turn
    place: int = byte()  # being paid for, or whose reward is decided; NONE else
    discarded: int = byte()  # last landscape discarded in this turn, NONE before
    # what players have
    coins: Array = byte(P)  # public
    keys: Array = byte(P)  # public
    houses_left: Array = byte(P)  # public
    hand: Array = byte(P, L)  # cards by landscape; hidden from others but for the known part
    known: Array = byte(P, L)  # of these, known to all (G10.3); public
    goods: Array = byte(P, N_GOODS_KINDS)  # goods cards by kind; public
    # piles and stacks
    discard: Array = byte(L)  # discard pile by landscape; public
    display: Array = byte(N_GOODS_KINDS)  # public
    boxed: Array = byte(N_GOODS_KINDS)  # goods cards out of the game; public
    key_stack: int = byte()  # public
    supply: int = byte()  # coins that no player holds; public
    n_bonus: int = byte()  # bonus cards taken; public
    bonus_card: Array = byte(N_BONUS)  # cards in the order of taking, NONE after them; hidden but for those of G10.3
    bonus_seat: Array = byte(N_BONUS)  # who took them, NOBODY after them; public
    scoring: int = byte()  # scoring card of this round, after the end that of the last one; public
    n_scoring: int = byte()  # scoring cards to come; public
    scoring_stack: Array = byte(N_SCORING)  # the next one last, NONE above; order within a back hidden
    goods_size: int = byte()  # goods cards in the stack; public
    goods_stack: Array = byte(N_GOODS_CARDS)  # kinds, the next one last, NONE above; order hidden
    deck_size: int = byte()  # landscape cards in the deck; public
    deck: Array = byte(N_CARDS)  # landscapes, the next one last, NONE above; hidden


RECORD = record_dtype(fields_of(State))
"""The dtype of a game's state, at most 1 KB. A single object, as Numba recognizes dtypes by identity."""
