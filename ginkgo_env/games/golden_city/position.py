"""Positions: the complete state as plain data, by a table of forms (G11.5)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ginkgo_env.core.errors import shown, some
from ginkgo_env.core.forms import (
    ByName,
    Decision,
    EachSeat,
    Form,
    Forms,
    Names,
    Number,
    Object,
    OrNothing,
    OrNull,
    Same,
    Seats,
    checked_list,
    checked_object,
    fail,
)
from ginkgo_env.core.state import Fields
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import MAX_PAIRS, NONE, Ending, Stage
from ginkgo_env.games.golden_city.queries import DECISIONS, ENDINGS, LANDSCAPES, LETTER_SOURCES, owners_of
from ginkgo_env.games.golden_city.state import BONUS, GOODS, LANDSCAPE, PLACE, SCORING, State

_MOST_LETTERS = 2**15 - 1  # of a field of the record
_SEAT = Number(0, -1, "players")


class Pairs(Form):
    """The pairs during the bidding (G4.1), with the seats whose hands lie on them."""

    def write(self, g: Fields, p: int | None = None) -> list[dict[str, Any]]:
        """Return a list."""
        pairs = zip(g.pairs, g.pair_seat, strict=True)
        return [
            {"cards": [LANDSCAPES[card] for card in cards], "seat": OrNull(_SEAT).write(seat)}
            for cards, seat in pairs
            if NONE not in cards
        ]

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read a list."""
        if len(checked_list(data, "pairs", where)) > MAX_PAIRS:
            raise fail(where, f"expected at most {MAX_PAIRS} pairs, got {len(data)}")
        for i, pair in enumerate(data):
            given = checked_object(pair, {"cards", "seat"}, f"{where}[{i}]")
            g.pairs[i] = Names(LANDSCAPES).ids(given["cards"], f"{where}[{i}].cards")
            if len(g.pairs[i]) != 2:
                raise fail(f"{where}[{i}].cards", f"expected two cards, got {len(g.pairs[i])}")
            g.pair_seat[i] = OrNull(_SEAT).read(given["seat"], g, f"{where}[{i}].seat")


@dataclass(frozen=True)
class Houses(Form):
    """The places with houses, in order, with the seats of their owners."""

    board: Board

    def write(self, g: Fields, p: int | None = None) -> dict[str, list[int]]:
        """Return an object."""
        return {place: owners for i, place in enumerate(self.board.place_ids) if (owners := owners_of(g, i))}

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read an object."""
        if not isinstance(data, dict):
            raise fail(where, f"expected an object, got {shown(data)}")
        places = {place: i for i, place in enumerate(self.board.place_ids)}
        if unknown := [shown(place) for place in data if place not in places]:
            raise fail(where, f"there is no place {some(unknown)}")
        for place, seats in data.items():
            for seat in checked_list(seats, "seats", f"{where}.{place}"):
                g.houses[_SEAT.read(seat, g, f"{where}.{place}")] |= 1 << places[place]


class Bonus(Form):
    """The bonus cards taken, each with its seat, in the order of taking."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = Names(names)

    def write(self, g: Fields, p: int | None = None) -> list[list[Any]]:
        """Return a list."""
        return [[g.bonus_seat[i], self.names.names[g.bonus_card[i]]] for i in range(g.n_bonus)]

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read a list."""
        for i, entry in enumerate(checked_list(data, "[seat, card]", where)):
            if not isinstance(entry, list) or len(entry) != 2:
                raise fail(f"{where}[{i}]", f"expected [seat, card], got {shown(entry)}")
        if len(data) > len(g.bonus_card):
            raise fail(where, f"expected at most {len(g.bonus_card)} cards, got {len(data)}")
        g.n_bonus = len(data)
        g.bonus_card[: len(data)] = self.names.ids([card for _, card in data], where)
        g.bonus_seat[: len(data)] = [_SEAT.read(seat, g, f"{where}[{i}]") for i, (seat, _) in enumerate(data)]


def form_of(board: Board, config: dict[str, Any]) -> Object:
    """Return the form of the positions of a configuration."""
    names: Any = {LANDSCAPE: LANDSCAPES, GOODS: board.goods_names, BONUS: board.bonus_names, SCORING: board.scoring_names}
    forms = Forms(State, names | {PLACE: board.place_ids, Ending: ENDINGS})
    goods = forms.object("display", ("stack", "goods_stack"), ("box", "boxed"))
    turn = forms.object(("player", "actor"), "built", "place", "discarded")
    letters = forms.entry("letters", ByName(LETTER_SOURCES, Number(0, _MOST_LETTERS)))
    player = forms.object(("letters", letters), "coins", "keys", "houses_left", "hand", "known", "goods")
    return forms.object(
        ("format", Same("ginkgo-position")),
        ("version", Same(1)),
        ("game", Same("golden_city")),
        ("config", Same(config | {"board": board.name})),
        ("board_digest", Same(board.digest)),
        ("random", "rng"),
        "seed",
        ("round", "rounds"),
        ("first_player", "first"),
        ("decision", Decision(DECISIONS)),
        "ending",
        ("blocked", Seats("blocked")),
        ("scoring_card", "scoring"),
        "scoring_stack",
        ("pairs", Pairs()),
        "displacements",
        ("turn", OrNothing(lambda g, p: g.stage not in (Stage.BID, Stage.OVER), turn)),
        ("houses", Houses(board)),
        "deck",
        "discard",
        ("goods", goods),
        ("bonus_taken", Bonus(board.bonus_names)),
        ("keys", "key_stack"),
        ("coins", "supply"),
        ("players", EachSeat(player)),
    )


def derive(g: Fields, board: Board) -> None:
    """Fill in how many turns are over, and what the houses reach by roads."""
    g.turns = {Stage.BID: 0, Stage.OVER: g.players}.get(g.stage, (g.actor - g.first) % g.players)
    roads = board.tables[0].roads.tolist()
    for p in range(g.players):
        for place, near in enumerate(roads):
            g.reach[p] |= near if g.houses[p] >> place & 1 else 0
