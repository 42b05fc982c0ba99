"""The houses in a position (G11.5)."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from ginkgo_env.core.errors import shown, some
from ginkgo_env.core.fields import Fields
from ginkgo_env.core.validation import entries_of, fail, number
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import FIRST_DISTRICT, HOUSES


def write_houses(g: Fields, board: Board) -> dict[str, list[int]]:
    """Return the places with houses, in order, with the seats of their owners."""
    seats = {place: [p for p in range(g.players) if g.houses[p] >> i & 1] for i, place in enumerate(board.place_ids)}
    return {place: owners for place, owners in seats.items() if owners}


def read_seats(value: Any, players: int, where: str) -> list[int]:
    """Return a list of seats in ascending order. Raises PositionError."""
    seats = [number(seat, 0, players - 1, where) for seat in entries_of(value, "seats", where)]
    if any(seat >= following for seat, following in pairwise(seats)):
        raise fail(where, "expected seats in ascending order")
    return seats


def read_houses(g: Fields, value: Any, board: Board) -> None:
    """Read the houses, and the values derived from them, into g. Raises PositionError."""
    if not isinstance(value, dict):
        raise fail("houses", f"expected an object, got {shown(value)}")
    if unknown := [shown(place) for place in value if place not in board.place_ids]:
        raise fail("houses", f"there is no place {some(unknown)}")
    roads = board.tables[0].roads.tolist()
    for i, place in enumerate(board.place_ids):
        if place not in value:
            continue
        where = f"houses.{place}"
        seats = read_seats(value[place], g.players, where)
        if not seats:
            raise fail(where, "expected a seat; places without houses are left out")
        if i < FIRST_DISTRICT and len(seats) > 1:
            raise fail(where, "only in a district there can be several houses (G5.2)")
        for p in seats:
            g.houses[p] |= 1 << i
            g.reach[p] |= roads[i]
    for p in range(g.players):
        g.houses_left[p] = HOUSES[g.players] - g.houses[p].bit_count()
        if g.houses_left[p] < 0:
            raise fail("houses", f"seat {p} has {g.houses[p].bit_count()} houses, more than the {HOUSES[g.players]} of the box")
