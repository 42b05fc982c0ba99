"""The state of one game: a single numpy record. A batch is an array of them.

Wide fields come first, so that there is no padding. What a seat cannot see reaches it only through ``observe``. Sets of cells are
two words, sets of buildings one (``core.compile.bits``).
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.state import (
    IN_PART,
    NO_SEAT,
    Array,
    Axis,
    Record,
    Things,
    flag,
    item,
    number,
    one_of,
    record_dtype,
    seat,
    set_of,
    short,
    uint64,
)
from ginkgo_env.games.my_city.constants import (
    MAX_BUILDINGS,
    MAX_CELLS,
    MAX_DECK,
    MAX_PLAYERS,
    N_HEADINGS,
    Color,
    Ending,
    Source,
    Stage,
)

P, B = Axis(MAX_PLAYERS, "players"), MAX_BUILDINGS

CARD = Things("card", MAX_DECK)
BUILDING = Things("building", MAX_BUILDINGS)
CELL = Things("cell", MAX_CELLS)
ACTION = Things("action", N_HEADINGS * MAX_CELLS + 2)


class State(Record):
    """A game's record, field by field: source of the dtype, and type of ``g`` for type checkers."""

    # words
    rng: np.uint64 = uint64("state of the generator", seen_by=NO_SEAT)
    seed: np.uint64 = uint64("seed of this game", seen_by=NO_SEAT)
    board: np.uint64 = uint64("digest of the board; configuration")
    buildings: np.uint64 = uint64("digest of the buildings; configuration")
    covered: Array = set_of("cells by the color of the building on them", CELL, P, len(Color))
    anchors: Array = set_of("the first cell of each building (M11.5)", CELL, P)
    east: Array = set_of("cells whose building also covers the next cell of the row", CELL, P)
    south: Array = set_of("cells whose building also covers the cell below", CELL, P)
    placed: Array = set_of("buildings on the board", BUILDING, P, alone=True)
    passed: Array = set_of("buildings passed", BUILDING, P, alone=True)

    # short numbers
    sources: Array = short("points by Source as they stand (M8.9)", P, len(Source))
    at: Array = item("the action that placed each building", ACTION, P, B)
    choice: Array = item("action chosen in this round and not yet in effect (M3.3)", ACTION, P, seen_by=IN_PART)

    # configuration
    players: int = number("how many; configuration", low=1, high=MAX_PLAYERS)
    # where the game stands
    stage: int = one_of("where the game stands", Stage)
    actor: int = seat("who decides; nobody when over")
    rounds: int = number("buildings that came up to be built", high=MAX_DECK)
    current: int = item("building of this round; none when over", BUILDING)
    blocked: int = item("building lost to everybody (M5.5)", BUILDING)
    gold_round: int = number("round in which the gold was given, 0 before", high=MAX_DECK)
    ending: int = one_of("how the game ended", Ending)
    # players
    points: Array = number("on the counter (M8.1)", P, high=127)
    gold: Array = flag("1 if the gold was received", P)
    ended: Array = number("round in which the player ended, 0 before", P, high=MAX_DECK)
    # cards
    drawn: int = number("cards of the deck that have been turned up", high=MAX_DECK)
    deck: Array = item("all cards in drawing order; hidden from index `drawn` on", CARD, MAX_DECK, seen_by=IN_PART)


RECORD = record_dtype(State)
"""The dtype of a game's state, at most 1 KB. A single object, as Numba recognizes dtypes by identity."""
