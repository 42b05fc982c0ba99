"""Positions: the complete state as plain data, and back (G11.5).

Reading is strict. A position with missing, surplus or malformed values raises an error that names the place. Whether its record
is sound is left to ``validity``. An accepted position is written again exactly as it was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from ginkgo_env.core.errors import shown, some
from ginkgo_env.core.game import States
from ginkgo_env.core.state import Fields
from ginkgo_env.core.validation import (
    choice,
    drawn_from,
    entries_of,
    fail,
    fields_of,
    in_order,
    listed,
    name_or_null,
    named,
    number,
    or_null,
    pile_of,
    same,
    word,
)
from ginkgo_env.games.golden_city.board import Board
from ginkgo_env.games.golden_city.config import GoldenCityConfig
from ginkgo_env.games.golden_city.constants import (
    COINS,
    FIRST_DISTRICT,
    HOUSES,
    HOUSES_A_TURN,
    KEYS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_SCORING,
    NOBODY,
    Stage,
)
from ginkgo_env.games.golden_city.queries import (
    DECISIONS,
    ENDINGS,
    LANDSCAPE_NUMBERS,
    LANDSCAPES,
    LETTER_SOURCES,
    counts_of,
    names_of,
)
from ginkgo_env.games.golden_city.state import State

# --- houses ------------------------------------------------------------------------------------------------------------------


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


# --- pairs and the building turn ---------------------------------------------------------------------------------------------


MOST_DISPLACEMENTS = 7
"""The most displacements in a round (G8.2): with an eighth they would cost 36 coins together."""
_TURN = {"player", "built", "place", "discarded"}


def write_pairs(g: Fields) -> dict[str, Any]:
    """Return the pairs during the bidding, and the number of displacements."""
    n = g.players if g.stage == Stage.BID else 0
    pairs = [{"cards": [LANDSCAPES[card] for card in g.pairs[i]], "seat": or_null(g.pair_seat[i])} for i in range(n)]
    return {"pairs": pairs, "displacements": g.displacements}


def read_pairs(g: Fields, data: Mapping[str, Any]) -> None:
    """Read the pairs into g. Raises PositionError."""
    pairs = entries_of(data["pairs"], "pairs", "pairs")
    bidding = g.stage == Stage.BID
    if len(pairs) != (g.players if bidding else 0):
        wanted = f"{g.players} pairs" if bidding else "no pairs"
        raise fail("pairs", f"expected {wanted}: the decision is {DECISIONS[g.stage]!r}")
    for i, pair in enumerate(pairs):
        where = f"pairs[{i}]"
        fields = fields_of(pair, {"cards", "seat"}, where)
        cards = in_order(fields["cards"], LANDSCAPE_NUMBERS, f"{where}.cards", range(N_LANDSCAPES))
        if len(cards) != 2:
            raise fail(f"{where}.cards", f"expected two cards, got {len(cards)}")
        g.pairs[i] = cards
        if fields["seat"] is not None:
            g.pair_seat[i] = number(fields["seat"], 0, g.players - 1, f"{where}.seat")
    g.displacements = number(data["displacements"], 0, MOST_DISPLACEMENTS if bidding else 0, "displacements")


def write_turn(g: Fields, board: Board) -> dict[str, Any] | None:
    """Return the current building turn, None if there is none."""
    if g.stage in (Stage.BID, Stage.OVER):
        return None
    return {
        "player": g.actor,
        "built": g.built,
        "place": name_or_null(g.place, board.place_ids),
        "discarded": name_or_null(g.discarded, LANDSCAPES),
    }


def read_turn(g: Fields, turn: Any, board: Board) -> None:
    """Read the building turn, and the number of turns before it, into g. Raises PositionError."""
    if g.stage in (Stage.BID, Stage.OVER):
        if turn is not None:
            raise fail("turn", f"expected null outside building turns, got {shown(turn)}")
        g.turns = g.players if g.stage == Stage.OVER else 0
        return
    fields = fields_of(turn, _TURN, "turn")
    if number(fields["player"], 0, g.players - 1, "turn.player") != g.actor:
        raise fail("turn.player", f"expected {g.actor}, who decides")
    g.turns = (g.actor - g.first) % g.players
    g.built = number(fields["built"], 0, HOUSES_A_TURN, "turn.built")
    if fields["place"] is not None:
        g.place = named(fields["place"], {place: i for i, place in enumerate(board.place_ids)}, "turn.place")
    if fields["discarded"] is not None:
        g.discarded = choice(fields["discarded"], LANDSCAPE_NUMBERS, "turn.discarded")


# --- a player ----------------------------------------------------------------------------------------------------------------


_MOST_LETTERS = 2**15 - 1  # of a field of the record
_PLAYER_KEYS = {"letters", "coins", "keys", "houses_left", "hand", "known", "goods"}


def write_player(g: Fields, board: Board, p: int) -> dict[str, Any]:
    """Return the player of seat p as plain data."""
    return {
        "letters": dict(zip(LETTER_SOURCES, g.letters[p], strict=True)),
        "coins": g.coins[p],
        "keys": g.keys[p],
        "houses_left": g.houses_left[p],
        "hand": names_of(g.hand[p], LANDSCAPES),
        "known": names_of(g.known[p], LANDSCAPES),
        "goods": names_of(g.goods[p], board.goods_names),
    }


def read_player(g: Fields, board: Board, p: int, value: Any, where: str) -> None:
    """Read the player of seat p into g. Raises PositionError."""
    fields = fields_of(value, _PLAYER_KEYS, where)
    _read_letters(g, p, fields["letters"], f"{where}.letters")
    g.coins[p] = number(fields["coins"], 0, COINS, f"{where}.coins")
    g.keys[p] = number(fields["keys"], 0, KEYS, f"{where}.keys")
    left = f"{where}.houses_left"
    if number(fields["houses_left"], 0, 127, left) != g.houses_left[p]:
        raise fail(left, f"expected {g.houses_left[p]}: {g.houses[p].bit_count()} houses stand on the board")
    g.hand[p], g.known[p] = (
        counts_of(in_order(fields[key], LANDSCAPE_NUMBERS, f"{where}.{key}", range(N_LANDSCAPES)), N_LANDSCAPES)
        for key in ("hand", "known")
    )
    for name, known, held in zip(LANDSCAPES, g.known[p], g.hand[p], strict=True):
        if known > held:
            raise fail(f"{where}.known", f"{name} {known} times, but only {held} in hand")
    kinds = {name: i for i, name in enumerate(board.goods_names)}
    g.goods[p] = counts_of(in_order(fields["goods"], kinds, f"{where}.goods", range(N_GOODS_KINDS)), N_GOODS_KINDS)


def _read_letters(g: Fields, p: int, value: Any, where: str) -> None:
    letters = fields_of(value, set(LETTER_SOURCES), where)
    for source, name in enumerate(LETTER_SOURCES):
        g.letters[p][source] = number(letters[name], 0, _MOST_LETTERS, f"{where}.{name}")


# --- positions as a whole ----------------------------------------------------------------------------------------------------


_HEAD = {"format": "ginkgo-position", "version": 1, "game": "golden_city"}
_KEYS = {
    *(*_HEAD, "config", "board_digest", "random", "seed", "round", "first_player", "decision", "ending", "blocked"),
    *("scoring_card", "scoring_stack", "pairs", "displacements", "turn", "houses", "deck", "discard", "goods"),
    *("bonus_taken", "keys", "coins", "players"),
}
_KINDS = {name: stage for stage, name in enumerate(DECISIONS)}
_ENDINGS = {name: ending for ending, name in enumerate(ENDINGS)}


def write_position(record: State, config: GoldenCityConfig, board: Board) -> dict[str, Any]:
    """Return a record as plain data."""
    g = Fields(record)
    return {
        **_HEAD,
        "config": {"players": config.players, "board": board.name},
        "board_digest": board.digest,
        **_write_status(g),
        "scoring_card": board.scoring_names[g.scoring],
        "scoring_stack": drawn_from(g.scoring_stack, g.n_scoring, board.scoring_names),
        **write_pairs(g),
        "turn": write_turn(g, board),
        "houses": write_houses(g, board),
        **_write_piles(g, board),
        "players": [write_player(g, board, p) for p in range(g.players)],
    }


def read_position(position: Any, template: States, board: Board) -> States:
    """Return a record of shape (1,) from plain data.

    template : the blank record of the position's configuration

    Raises PositionError for malformed data.
    """
    g = Fields(template[0])
    data = fields_of(position, _KEYS, "the whole")
    for key, wanted in _HEAD.items():
        same(data[key], wanted, key)
    same(data["board_digest"], board.digest, "board_digest")
    _read_status(g, data)
    _read_scoring(g, data, board)
    read_pairs(g, data)
    read_turn(g, data["turn"], board)
    read_houses(g, data["houses"], board)
    _read_piles(g, data, board)
    players = entries_of(data["players"], "players", "players")
    if len(players) != g.players:
        raise fail("players", f"expected a list of {g.players} players")
    for p, player in enumerate(players):
        read_player(g, board, p, player, f"players[{p}]")
    states: States = template.copy().view(np.recarray)
    g.store(states[0])
    return states


# --- where the game stands -------------------------------------------------------------------------------------------------


def _write_status(g: Fields) -> dict[str, Any]:
    return {
        "random": f"0x{g.rng:016x}",
        "seed": f"0x{g.seed:016x}",
        "round": g.rounds,
        "first_player": g.first,
        "decision": {"kind": DECISIONS[g.stage], "actor": or_null(g.actor)},
        "ending": ENDINGS[g.ending],
        "blocked": [p for p in range(g.players) if g.blocked[p]],
    }


def _read_status(g: Fields, data: Mapping[str, Any]) -> None:
    g.rng, g.seed = word(data["random"], "random"), word(data["seed"], "seed")
    g.rounds = number(data["round"], 1, N_SCORING, "round")
    g.first = number(data["first_player"], 0, g.players - 1, "first_player")
    decision = fields_of(data["decision"], {"kind", "actor"}, "decision")
    g.stage = choice(decision["kind"], _KINDS, "decision.kind")
    if g.stage == Stage.OVER:
        if decision["actor"] is not None:
            raise fail("decision.actor", "expected null: the game is over")
        g.actor = NOBODY
    else:
        g.actor = number(decision["actor"], 0, g.players - 1, "decision.actor")
    g.ending = choice(data["ending"], _ENDINGS, "ending")
    for p in read_seats(data["blocked"], g.players, "blocked"):
        g.blocked[p] = 1


def _read_scoring(g: Fields, data: Mapping[str, Any], board: Board) -> None:
    cards = {name: i for i, name in enumerate(board.scoring_names)}
    stack = listed(data["scoring_stack"], cards, "scoring_stack")
    g.scoring = named(data["scoring_card"], cards, "scoring_card")
    g.scoring_stack, g.n_scoring = pile_of(stack, N_SCORING), len(stack)


# --- piles -----------------------------------------------------------------------------------------------------------------


def _write_piles(g: Fields, board: Board) -> dict[str, Any]:
    return {
        "deck": drawn_from(g.deck, g.deck_size, LANDSCAPES),
        "discard": names_of(g.discard, LANDSCAPES),
        "goods": {
            "display": names_of(g.display, board.goods_names),
            "stack": drawn_from(g.goods_stack, g.goods_size, board.goods_names),
            "box": names_of(g.boxed, board.goods_names),
        },
        "bonus_taken": [[g.bonus_seat[i], board.bonus_names[g.bonus_card[i]]] for i in range(g.n_bonus)],
        "keys": g.key_stack,
        "coins": g.supply,
    }


def _read_piles(g: Fields, data: Mapping[str, Any], board: Board) -> None:
    every = range(N_LANDSCAPES)
    deck = listed(data["deck"], LANDSCAPE_NUMBERS, "deck", every)
    g.deck, g.deck_size = _pile(deck, len(g.deck), "deck"), len(deck)
    g.discard = counts_of(in_order(data["discard"], LANDSCAPE_NUMBERS, "discard", every), N_LANDSCAPES)
    kinds, several = {name: i for i, name in enumerate(board.goods_names)}, range(N_GOODS_KINDS)
    goods = fields_of(data["goods"], {"display", "stack", "box"}, "goods")
    g.display = counts_of(in_order(goods["display"], kinds, "goods.display", several), N_GOODS_KINDS)
    g.boxed = counts_of(in_order(goods["box"], kinds, "goods.box", several), N_GOODS_KINDS)
    stack = listed(goods["stack"], kinds, "goods.stack", several)
    g.goods_stack, g.goods_size = _pile(stack, len(g.goods_stack), "goods.stack"), len(stack)
    _read_bonus(g, data["bonus_taken"], board)
    g.key_stack = number(data["keys"], 0, KEYS, "keys")
    g.supply = number(data["coins"], 0, COINS, "coins")


def _pile(ids: list[int], size: int, where: str) -> list[int]:
    """Return a pile as the record holds it. Raises PositionError if the record has no room for it."""
    if len(ids) > size:
        raise fail(where, f"expected at most {size} cards, got {len(ids)}")
    return pile_of(ids, size)


def _read_bonus(g: Fields, taken: Any, board: Board) -> None:
    cards = {name: i for i, name in enumerate(board.bonus_names)}
    entries = entries_of(taken, "[seat, card]", "bonus_taken")
    for i, entry in enumerate(entries):
        if not isinstance(entry, list) or len(entry) != 2:
            raise fail(f"bonus_taken[{i}]", f"expected [seat, card], got {shown(entry)}")
    for i, card in enumerate(listed([card for _, card in entries], cards, "bonus_taken")):
        g.bonus_seat[i], g.bonus_card[i] = number(entries[i][0], 0, g.players - 1, f"bonus_taken[{i}]"), card
    g.n_bonus = len(entries)
