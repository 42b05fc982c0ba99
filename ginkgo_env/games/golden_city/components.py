"""A board as one record for kernels, so that another board needs no other machine code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.compile.jit import kernel
from ginkgo_env.core.state import Array, Record, byte, record_dtype, short, uint64
from ginkgo_env.games.golden_city.constants import (
    COINS,
    FIRST_DISTRICT,
    HOUSES,
    MOST_GOODS,
    N_BONUS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_PLACES,
    N_QUARTERS,
    N_REWARDS,
    N_RIVERS,
    N_SCORING,
    NONE,
    SHARE,
    Counted,
    Good,
    Kind,
    Landscape,
    Quarter,
    Reward,
    River,
    Source,
)
from ginkgo_env.games.golden_city.state import State

Row = dict[str, str]


class Components(Record):
    """The record, field by field: source of the dtype, and type of ``t`` for type checkers.

    Sets of places are words: place i is bit i.
    """

    board: np.uint64 = uint64("digest of the board (G1.6.3)")
    # sets of places
    roads: Array = uint64("places joined to each place by a road", N_PLACES)
    of_landscape: Array = uint64("by the landscape of the cards that they cost", N_LANDSCAPES)
    inland: Array = uint64("suburbs and districts of a landscape (G9.1)", N_LANDSCAPES)
    at_river: Array = uint64("by River", N_RIVERS)
    in_quarter: Array = uint64("the three districts", N_QUARTERS)
    of_reward: Array = uint64("coast places and suburbs with a reward (G6)", N_REWARDS)
    area: Array = uint64("of each scoring card (G7)", N_SCORING)
    counted: Array = uint64("places on which a bonus card counts houses (G9.1); empty for Counted.GOODS_CARDS and COINS", N_BONUS)
    coasts: np.uint64 = uint64("coast places")
    suburbs: np.uint64 = uint64("suburbs")
    districts: np.uint64 = uint64("districts")
    inner: np.uint64 = uint64("inner districts")

    letters_each: Array = short("letters of a bonus card for each thing that it counts", N_BONUS)

    # places
    kind: Array = byte("Kind", N_PLACES)
    landscape: Array = byte("of the cards that it costs", N_PLACES)
    reward: Array = byte("Reward, NONE for districts", N_PLACES)
    letters_first: Array = byte("letters of the first house in a district", N_PLACES)
    letters_second: Array = byte("letters of further houses in a district", N_PLACES)
    coins_first: Array = byte("coins for the first house in a district", N_PLACES)
    cards_first: Array = byte("landscape cards for the first house in a district", N_PLACES)
    # cards
    shown: Array = byte("goods on each kind of goods card, NONE for a kind that is not there", N_GOODS_KINDS, 2)
    copies: Array = byte("how many of each kind of goods card", N_GOODS_KINDS)
    scoring_good: Array = byte("Good of each scoring card", N_SCORING)
    scoring_source: Array = byte("Source.RIVERS or Source.QUARTERS", N_SCORING)
    scoring_area: Array = byte("which river, or N_RIVERS + which quarter", N_SCORING)
    bonus_source: Array = byte("Source of the letters of each bonus card", N_BONUS)
    bonus_counts: Array = byte("Counted: what each bonus card counts", N_BONUS)
    thousands: int = byte("of letters, so many that no two scores differ by as much (G9.5)")

    with_forced_decisions: int = byte("1 if a building turn in which no place is offered is asked for all the same (G10.7)")


COMPONENTS = record_dtype(Components)
"""The dtype of a board for kernels. A single object, as Numba recognizes dtypes by identity."""


class BonusRule(NamedTuple):
    """The rule of a bonus card (G9.1)."""

    source: Source
    letters: int
    """Letters for each thing that the card of the rule book counts; a board's file may have another number (G1.6.2)."""
    counts: Counted
    places: Callable[[Any], np.uint64] | None = None
    """For Counted.HOUSES, the set of places of a board on which houses count."""


BONUS_RULES: dict[str, BonusRule] = {
    "goods": BonusRule(Source.BONUS_GOODS, 3, Counted.GOODS_CARDS),
    "coins": BonusRule(Source.BONUS_COINS, 2, Counted.COINS),
    "city": BonusRule(Source.BONUS_CITY, 1, Counted.HOUSES, lambda t: t.districts),
    "rivers": BonusRule(Source.BONUS_RIVERS, 2, Counted.HOUSES, lambda t: np.bitwise_or.reduce(t.at_river)),
    "forest": BonusRule(Source.BONUS_LANDSCAPES, 1, Counted.HOUSES, lambda t: t.inland[Landscape.FOREST]),
    "meadow": BonusRule(Source.BONUS_LANDSCAPES, 1, Counted.HOUSES, lambda t: t.inland[Landscape.MEADOW]),
    "mountain": BonusRule(Source.BONUS_LANDSCAPES, 1, Counted.HOUSES, lambda t: t.inland[Landscape.MOUNTAIN]),
    "desert": BonusRule(Source.BONUS_LANDSCAPES, 1, Counted.HOUSES, lambda t: t.inland[Landscape.DESERT]),
}
"""The rules of bonus cards by their names in ``bonus.csv``. A board with a card that has no rule here is refused."""
_MOST_COUNTED = {Counted.HOUSES: max(HOUSES), Counted.GOODS_CARDS: MOST_GOODS + 1, Counted.COINS: COINS}


def _set(places: Sequence[bool]) -> np.uint64:
    return np.uint64(sum(1 << i for i, member in enumerate(places) if member))


@kernel
def has_components(g: State, t: Components) -> bool:
    """Return whether these are the components of a record's game."""
    return bool(g.board == t.board)


def components_of(
    digest: str, places: Sequence[Row], roads: Sequence[Row], goods: Sequence[Row], scoring: Sequence[Row], bonus: Sequence[Row]
) -> NDArray[Any]:
    """Return the rows of a checked board's files, and its digest, as one record, shape (1,), read-only."""
    components = np.zeros(1, COMPONENTS)  # no record array: Numba takes several times longer to recognize its type
    t = components[0]
    t.board = int(digest, 16)
    ids = {row["place"]: i for i, row in enumerate(places)}
    for row in roads:
        a, b = ids[row["place_1"]], ids[row["place_2"]]
        t.roads[a] |= np.uint64(1 << b)
        t.roads[b] |= np.uint64(1 << a)
    kinds = [Kind[row["kind"].upper()] for row in places]
    t.kind = kinds
    t.coasts, t.suburbs, t.inner = (_set([kind == wanted for kind in kinds]) for wanted in (Kind.COAST, Kind.SUBURB, Kind.INNER))
    t.districts = _set([i >= FIRST_DISTRICT for i in range(N_PLACES)])
    for landscape in Landscape:
        name = landscape.name.lower()
        t.of_landscape[landscape] = _set([row["landscape"] == name for row in places])
        t.inland[landscape] = t.of_landscape[landscape] & ~t.coasts
    for quarter in Quarter:
        t.in_quarter[quarter] = t.of_landscape[Landscape[quarter.name]] & t.districts
    for river in River:
        t.at_river[river] = _set([row["river"] == river.name for row in places])
    t.landscape = [Landscape[row["landscape"].upper()] for row in places]
    t.reward = [Reward[row["reward"].upper()] if row["reward"] else NONE for row in places]
    for reward in Reward:
        t.of_reward[reward] = _set([row["reward"] == reward.name.lower() for row in places])
    for name in ("letters_first", "letters_second", "coins_first", "cards_first"):
        t[name] = [int(row[name]) for row in places]
    t.shown = NONE
    for i, row in enumerate(goods):
        t.shown[i] = Good[row["good_1"].upper()], Good[row["good_2"].upper()]
        t.copies[i] = int(row["copies"])
    for i, row in enumerate(scoring):
        is_river = row["kind"] == "river"
        t.scoring_good[i] = Good[row["good"].upper()]
        t.scoring_source[i] = Source.RIVERS if is_river else Source.QUARTERS
        area = River[row["area"]] if is_river else Quarter[row["area"].upper()]
        t.scoring_area[i] = area if is_river else N_RIVERS + area
        t.area[i] = t.at_river[area] if is_river else t.in_quarter[area]
    for i, row in enumerate(bonus):
        rule = BONUS_RULES[row["card"]]
        t.bonus_source[i], t.bonus_counts[i], t.letters_each[i] = rule.source, rule.counts, int(row["letters_each"])
        if rule.places:
            t.counted[i] = rule.places(t)
    t.thousands = 1 + _widest(t) // 1000
    components.setflags(write=False)
    return components


def _widest(t: Any) -> int:
    """Return by how much two scores can differ at most; in a standing no score makes up for being blocked (G9.5)."""
    most = N_SCORING * 4 * SHARE + int(np.maximum(t.letters_first, t.letters_second).sum())
    for counts, letters in zip(t.bonus_counts.tolist(), t.letters_each.tolist(), strict=True):
        most += abs(letters) * _MOST_COUNTED[counts]
    return most
