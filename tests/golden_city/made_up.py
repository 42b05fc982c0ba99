"""Positions made by hand: what a test says, and everything else so that the pieces add up."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from ginkgo_env.games.golden_city.board import load_board

Json = dict[str, Any]

LANDSCAPES = ["coast", "forest", "meadow", "mountain", "desert"]
COASTS = [f"C{i}" for i in range(1, 17)]
_GOODS = ["pottery+wine", "pottery+wine", "pottery+cloth", "pottery+spices"]
_GOODS += ["wine+cloth", "wine+spices", "cloth+spices", "cloth+spices"]
_SCORING = ["1A", "1B", "1C", "1D", *(f"2{letter}" for letter in "ABCDEFGH"), "3A", "3B", "3C", "3D"]
_HOUSES = {2: 18, 3: 18, 4: 16}


def position(
    players: int = 3,
    kind: str = "build",
    actor: int | None = 0,
    *,
    first: int = 0,
    rounds: int = 1,
    houses: Mapping[str, Sequence[int]] | None = None,
    hands: Sequence[Sequence[str]] | None = None,
    pairs: Sequence[tuple[str, str, int | None]] = (),
    discard: Sequence[str] = (),
    goods: Sequence[Sequence[str]] | None = None,
    turn: Mapping[str, Any] | None = None,
    **other: Any,
) -> Json:
    """A position of our own board. `hands` are two coast cards each, unless given; `other` are further keys as they stand."""
    hands = [["coast", "coast"]] * players if hands is None else hands
    goods = [[]] * players if goods is None else goods
    houses = houses or {}
    built = [sum(p in seats for seats in houses.values()) for p in range(players)]
    spent = sum(len(houses.get(place, ())) for place in ("FI", "MI", "TI", "DI"))
    cards = Counter(LANDSCAPES * 10)
    cards.subtract([*discard, *(card for hand in hands for card in hand), *(card for *two, _ in pairs for card in two)])
    left = Counter(_GOODS)
    left.subtract(card for held in goods for card in held)
    stack = sorted(left.elements(), key=_GOODS.index)
    keys, coins = other.pop("player_keys", [0] * players), other.pop("player_coins", [3] * players)
    whole: Json = {
        "format": "ginkgo-position",
        "version": 1,
        "game": "golden_city",
        "config": {"players": players, "board": "own"},
        "board_digest": load_board().digest,
        "random": "0x0000000000000001",
        "seed": "0x0000000000000002",
        "round": rounds,
        "first_player": first,
        "decision": {"kind": kind, "actor": actor},
        "ending": None,
        "blocked": [],
        "scoring_card": _SCORING[rounds - 1],
        "scoring_stack": _SCORING[rounds:],
        "pairs": [{"cards": [one, two], "seat": seat} for one, two, seat in pairs],
        "displacements": 0,
        "turn": None,
        "houses": {place: list(seats) for place, seats in houses.items()},
        "deck": sorted(cards.elements(), key=LANDSCAPES.index),
        "discard": sorted(discard, key=LANDSCAPES.index),
        "goods": {"display": stack[:3], "stack": stack[3:], "box": []},
        "bonus_taken": [],
        "keys": 6 - sum(keys) - spent,
        "coins": 35 - sum(coins),
        "players": [
            {
                "letters": {"outer": 0, "inner": 0, "goods": 0, "rivers": 0, "quarters": 0},
                "coins": coins[p],
                "keys": keys[p],
                "houses_left": _HOUSES[players] - built[p],
                "hand": sorted(hands[p], key=LANDSCAPES.index),
                "known": [],
                "goods": sorted(goods[p], key=_GOODS.index),
            }
            for p in range(players)
        ],
    }
    if kind not in ("bid", "over"):
        whole["turn"] = {"player": actor, "built": 0, "place": None, "discarded": None} | dict(turn or {})
    return whole | other
