"""The state of one game: a single numpy record. A batch is an array of them.

Wide fields come first, so that there is no padding. What a seat cannot see reaches it only through ``observe``.

Sets of places are 64-bit words: place i is bit i (``core.compile.bits``). Hands and piles whose order does not matter are numbers
of cards by landscape or by kind.
"""

from __future__ import annotations

import numpy as np

from ginkgo_env.core.state import (
    AS_SET,
    IN_PART,
    NO_SEAT,
    Array,
    Axis,
    Record,
    Things,
    counts,
    flag,
    item,
    number,
    one_of,
    pile,
    record_dtype,
    seat,
    set_of,
    uint64,
)
from ginkgo_env.games.golden_city.constants import (
    COINS,
    COPIES,
    HOUSES,
    HOUSES_A_TURN,
    KEYS,
    MAX_PAIRS,
    MAX_PLAYERS,
    N_BONUS,
    N_CARDS,
    N_GOODS_CARDS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_LETTER_SOURCES,
    N_PLACES,
    N_SCORING,
    Ending,
    Stage,
)

P = Axis(MAX_PLAYERS, "players")

LANDSCAPE = Things("landscape card", N_LANDSCAPES)
GOODS = Things("goods card", N_GOODS_KINDS)
BONUS = Things("bonus card", N_BONUS, all_in_places=False)
SCORING = Things("scoring card", N_SCORING, all_in_places=False)
COIN = Things("coin", 1)
KEY = Things("key", 1, all_in_places=False)  # those of houses in inner districts are spent (G5.6)
PLACE = Things("place", N_PLACES)


class State(Record):
    """A game's record, field by field: source of the dtype, and type of ``g`` for type checkers."""

    # words
    rng: np.uint64 = uint64("state of the generator", seen_by=NO_SEAT)
    seed: np.uint64 = uint64("seed of this game", seen_by=NO_SEAT)
    board: np.uint64 = uint64("digest of the board (G1.6.3); configuration")
    houses: Array = set_of("places with a house of this player", PLACE, P, alone=True)
    reach: Array = set_of("places joined by a road to a place with a house of this player", PLACE, P, alone=True)

    # short numbers
    letters: Array = number("points so far by Source (G10.1)", P, N_LETTER_SOURCES, high=2**15 - 1)

    # configuration
    players: int = number("how many; configuration", low=2, high=MAX_PLAYERS)
    # where the game stands
    stage: int = one_of("the kind of decision awaited", Stage, high=Stage.OVER)
    actor: int = seat("who decides; nobody when over")
    first: int = seat("first player; nobody before setup", low=0)
    rounds: int = number("the round's number", low=1, high=N_SCORING)
    turns: int = number("building turns finished in this round", high="players")
    ending: int = one_of("what triggered the end first", Ending)
    blocked: Array = flag("1 for a player who was blocked at the start of a building turn (G5.9)", P)
    # the bidding
    pairs: Array = item("landscapes of each pair, the lower first; none when not bidding", LANDSCAPE, MAX_PAIRS, 2)
    pair_seat: Array = seat("whose hand lies on the pair; nobody for a free one", MAX_PAIRS)
    displacements: int = number("in this bidding, 0 outside", high=COINS)
    # the building turn
    built: int = number("houses built in this turn", high=HOUSES_A_TURN)
    place: int = item("being paid for, or whose reward is decided", PLACE)
    discarded: int = item("last landscape discarded in this turn, none before", LANDSCAPE, is_place=False)
    # what players have
    coins: Array = number("coins", P, high=COINS, of=COIN)
    keys: Array = number("keys", P, high=KEYS, of=KEY)
    houses_left: Array = number("houses not yet built", P, high=max(HOUSES))
    hand: Array = counts("cards in hand; others see the `known` ones", LANDSCAPE, P, high=COPIES, seen_by=IN_PART)
    known: Array = counts("cards of the hand that are known to all (G10.3)", LANDSCAPE, P, high=COPIES, is_place=False)
    goods: Array = counts("goods cards by kind", GOODS, P, high=N_GOODS_CARDS)
    # piles and stacks
    discard: Array = counts("the discard pile", LANDSCAPE, high=COPIES)
    display: Array = counts("goods cards that lie open", GOODS, high=N_GOODS_CARDS)
    boxed: Array = counts("goods cards out of the game", GOODS, high=N_GOODS_CARDS)
    key_stack: int = number("keys that no player has taken", high=KEYS, of=KEY)
    supply: int = number("coins that no player holds", high=COINS, of=COIN)
    n_bonus: int = number("bonus cards taken", high=N_BONUS)
    bonus_card: Array = pile("in the order of taking; hidden but for G10.3", BONUS, N_BONUS, size="n_bonus", seen_by=IN_PART)
    bonus_seat: Array = seat("who took the bonus cards", Axis(N_BONUS, "n_bonus"), low=0)
    scoring: int = item("scoring card of this round, after the end that of the last one", SCORING, low=0)
    n_scoring: int = number("scoring cards to come", high=N_SCORING)
    scoring_stack: Array = pile("the next one last; their backs are public", SCORING, N_SCORING, size="n_scoring", seen_by=AS_SET)
    goods_size: int = number("goods cards in the stack", high=N_GOODS_CARDS)
    goods_stack: Array = pile("the next one last", GOODS, N_GOODS_CARDS, size="goods_size", seen_by=AS_SET)
    deck_size: int = number("landscape cards in the deck", high=N_CARDS)
    deck: Array = pile("the next one last", LANDSCAPE, N_CARDS, size="deck_size", seen_by=NO_SEAT)


RECORD = record_dtype(State)
"""The dtype of a game's state, at most 1 KB. A single object, as Numba recognizes dtypes by identity."""
