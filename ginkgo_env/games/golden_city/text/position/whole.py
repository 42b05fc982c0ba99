"""Positions as a whole: the complete state as plain data, and back (G11.5).

Reading is strict. A position with missing, surplus or malformed values raises an error that names the place. Whether its record
is sound is left to the rules (``soundness``). An accepted position is written again exactly as it was read.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from ginkgo_env.core.errors import shown
from ginkgo_env.core.fields import Fields
from ginkgo_env.core.game import States
from ginkgo_env.core.validation import (
    choice,
    drawn_from,
    entries_of,
    fail,
    fields_of,
    in_order,
    listed,
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
    KEYS,
    N_GOODS_KINDS,
    N_LANDSCAPES,
    N_SCORING,
    NOBODY,
    Stage,
)
from ginkgo_env.games.golden_city.state import State
from ginkgo_env.games.golden_city.text.position.houses import read_houses, read_seats, write_houses
from ginkgo_env.games.golden_city.text.position.moment import read_pairs, read_turn, write_pairs, write_turn
from ginkgo_env.games.golden_city.text.position.player import read_player, write_player
from ginkgo_env.games.golden_city.text.reading import DECISIONS, ENDINGS, LANDSCAPE_NUMBERS, LANDSCAPES, counts_of, names_of

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
