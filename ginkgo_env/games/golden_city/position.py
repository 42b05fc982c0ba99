"""Positions: the complete state as plain data, by a table of forms (G11.5)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.errors import join_names, short_repr
from ginkgo_env.core.forms import (
    SEAT,
    Form,
    Forms,
    by_name,
    checked_list,
    checked_object,
    decision,
    each_seat,
    entry,
    fail,
    ids_of,
    number,
    or_null,
    seats,
    unless_null,
)
from ginkgo_env.core.state import PlainRecord
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.constants import MAX_PAIRS, N_BONUS, NONE, Ending, Stage
from ginkgo_env.games.golden_city.queries import DECISIONS, ENDINGS, LANDSCAPES, LETTER_SOURCES, owners_of
from ginkgo_env.games.golden_city.state import BONUS, GOODS, LANDSCAPE, PLACE, SCORING, State

_LETTERS = by_name(LETTER_SOURCES, number(0, 2**15 - 1))
_SEAT_OR_NULL = or_null(SEAT)


def _pairs() -> Form:
    """Return the form of the pairs during the bidding (G4.1), with the seats whose hands lie on them."""

    def write(g: PlainRecord, p: int | None) -> list[dict[str, Any]]:
        pairs = [(cards, seat) for cards, seat in zip(g.pairs, g.pair_seat, strict=True) if NONE not in cards]
        return [{"cards": [LANDSCAPES[c] for c in cards], "seat": _SEAT_OR_NULL.write(seat)} for cards, seat in pairs]

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        for i, pair in enumerate(checked_list(document, "pairs", where, most=MAX_PAIRS)):
            given = checked_object(pair, {"cards", "seat"}, f"{where}[{i}]")
            g.pairs[i] = ids_of(given["cards"], LANDSCAPES, f"{where}[{i}].cards")
            if len(g.pairs[i]) != 2:
                raise fail(f"{where}[{i}].cards", f"expected two cards, got {len(g.pairs[i])}")
            g.pair_seat[i] = _SEAT_OR_NULL.read(given["seat"], g, f"{where}[{i}].seat")

    return Form(write, read)


def _houses(board: Board) -> Form:
    """Return the form of the places with houses, in order, with the seats of their owners."""
    places = {place: i for i, place in enumerate(board.place_ids)}

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        if not isinstance(document, dict):
            raise fail(where, f"expected an object, got {short_repr(document)}")
        if unknown := [short_repr(place) for place in document if place not in places]:
            raise fail(where, f"there is no place {join_names(unknown)}")
        for place, owners in document.items():
            for seat in checked_list(owners, "seats", f"{where}.{place}"):
                g.houses[SEAT.read(seat, g, f"{where}.{place}")] |= 1 << places[place]

    return Form(lambda g, p: {place: owners for place, i in places.items() if (owners := owners_of(g, i))}, read)


def _bonus(names: Sequence[str]) -> Form:
    """Return the form of the bonus cards taken, each with its seat, in the order of taking."""

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        for i, taken in enumerate(checked_list(document, "[seat, card]", where, most=N_BONUS)):
            if not isinstance(taken, list) or len(taken) != 2:
                raise fail(f"{where}[{i}]", f"expected [seat, card], got {short_repr(taken)}")
            g.bonus_seat[i] = SEAT.read(taken[0], g, f"{where}[{i}]")
        g.n_bonus = len(document)
        g.bonus_card[: len(document)] = ids_of([card for _, card in document], names, where)

    return Form(lambda g, p: [[g.bonus_seat[i], names[g.bonus_card[i]]] for i in range(g.n_bonus)], read)


def form_of(board: Board, config: dict[str, Any]) -> Form:
    """Return the form of the positions of a configuration."""
    names: Any = {LANDSCAPE: LANDSCAPES, GOODS: board.goods_names, BONUS: board.bonus_names, SCORING: board.scoring_names}
    forms = Forms(State, names | {PLACE: board.place_ids, Ending: ENDINGS})
    goods = forms.object("display", ("stack", "goods_stack"), ("box", "boxed"))
    turn = forms.object(("player", "actor"), "built", "place", "discarded")
    letters = entry("letters", _LETTERS)
    player = forms.object(("letters", letters), "coins", "keys", "houses_left", "hand", "known", "goods")
    head = {"format": "ginkgo-position", "version": 1, "game": "golden_city"}
    return forms.object(
        ("random", "rng"),
        "seed",
        ("round", "rounds"),
        ("first_player", "first"),
        ("decision", decision(DECISIONS)),
        "ending",
        ("blocked", seats("blocked")),
        ("scoring_card", "scoring"),
        "scoring_stack",
        ("pairs", _pairs()),
        "displacements",
        ("turn", unless_null(lambda g, p: g.stage not in (Stage.BID, Stage.OVER), turn)),
        ("houses", _houses(board)),
        "deck",
        "discard",
        ("goods", goods),
        ("bonus_taken", _bonus(board.bonus_names)),
        ("keys", "key_stack"),
        ("coins", "supply"),
        ("players", each_seat(player)),
        constants={**head, "config": config | {"board": board.name}, "board_digest": board.digest},
    )


def derive(g: PlainRecord, board: Board) -> None:
    """Fill in how many turns are over, and what the houses reach by roads."""
    g.turns = {Stage.BID: 0, Stage.OVER: g.players}.get(g.stage, (g.actor - g.first) % g.players)
    roads = board.components[0].roads.tolist()
    for p in range(g.players):
        for place, near in enumerate(roads):
            g.reach[p] |= near if g.houses[p] >> place & 1 else 0
