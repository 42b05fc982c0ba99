"""Where a player can build (G5.2, G5.5), asked of a state as texts read it."""

from __future__ import annotations

from functools import reduce
from operator import or_

from ginkgo_env.core.fields import Fields
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import JOKER, Kind
from ginkgo_env.games.golden_city.text.reading import members


def sites_of(g: Fields, board: Board, p: int) -> int:
    """The set of a player's sites; inner districts only with a key (G5.5, G5.9)."""
    t = board.tables[0]
    taken = reduce(or_, g.houses)
    coasts, suburbs, districts, inner = int(t.coasts), int(t.suburbs), int(t.districts), int(t.inner)
    found = (coasts & ~taken) | (g.reach[p] & ((suburbs & ~taken) | (districts & ~g.houses[p])))
    return found if g.keys[p] > 0 else found & ~inner


def is_paid_for(g: Fields, board: Board, p: int, place: int) -> bool:
    """Whether the hand holds the cards that a place costs (G5.3, G5.4)."""
    t = board.tables[0]
    landscape = int(t.landscape[place])
    units = sum(n if other == landscape else n // JOKER for other, n in enumerate(g.hand[p]))
    return bool(units >= (1 if t.kind[place] == Kind.COAST else 2))


def offered_to(g: Fields, board: Board, p: int) -> set[int]:
    """The places that are offered to a player (G5.5)."""
    if g.houses_left[p] == 0:
        return set()
    return {place for place in members(sites_of(g, board, p)) if is_paid_for(g, board, p, place)}
