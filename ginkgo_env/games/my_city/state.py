"""The state of one game: a single numpy record. A batch is an array of them.

Each field is documented where it is declared: shape letters P = seats, B = buildings; then its meaning, empty value and who may
know it. Fields marked *hidden* reach a player only through ``observe``. Wide fields come first, so that there is no padding.

Sets of cells are two words, sets of buildings one (``core.compile.bits``).
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.state import Array, Record, byte, fields_of, record_dtype, short, word
from ginkgo_env.games.my_city.constants import MAX_BUILDINGS, MAX_DECK, MAX_PLAYERS, N_WORDS, Color, Source

P, B, W = MAX_PLAYERS, MAX_BUILDINGS, N_WORDS


class State(Record):
    """A game's record, field by field: source of the dtype, and type of ``g`` for type checkers."""

    # words
    rng: np.uint64 = word()  # state of the generator; hidden
    seed: np.uint64 = word()  # seed of this game; hidden
    board: np.uint64 = word()  # digest of the board; configuration, public
    buildings: np.uint64 = word()  # digest of the buildings; configuration, public
    covered: Array = word(P, len(Color), W)  # cells by the color of the building on them; public
    anchors: Array = word(P, W)  # the first cell of each building (M11.5); public
    east: Array = word(P, W)  # cells whose building also covers the next cell of the row; public
    south: Array = word(P, W)  # cells whose building also covers the cell below; public
    placed: Array = word(P)  # set of buildings on the board; public
    passed: Array = word(P)  # set of buildings passed; public

    # short numbers
    sources: Array = short(P, len(Source))  # points by source as they stand (M8.9); public
    at: Array = short(P, B)  # the action that placed a building, NONE; public
    choice: Array = short(P)  # action chosen in this round and not yet in effect (M3.3), NONE; hidden from the others

    # configuration, public
    players: int = byte()  # 1 to 4
    # where the game stands, public
    stage: int = byte()  # Stage
    actor: int = byte()  # seat that decides, NOBODY when over
    rounds: int = byte()  # number of buildings that came up to be built
    current: int = byte()  # building of this round, NONE when over
    blocked: int = byte()  # building lost to everybody (M5.5), NONE
    gold_round: int = byte()  # round in which the gold was given, 0 before
    ending: int = byte()  # Ending
    # players, public
    points: Array = byte(P)  # on the counter (M8.1)
    gold: Array = byte(P)  # 1 if the gold was received
    ended: Array = byte(P)  # round in which the player ended, 0 before
    # cards
    drawn: int = byte()  # how many cards of the deck have been turned up; public
    deck: Array = byte(MAX_DECK)  # all cards in drawing order, NONE beyond; hidden from index ``drawn`` on


RECORD = record_dtype(fields_of(State))
"""The dtype of a game's state, at most 1 KB. A single object, as Numba recognizes dtypes by identity."""
