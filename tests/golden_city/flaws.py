"""What cannot be in The Golden City: the table of flaws (``tests/contract/flaws.py``)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ginkgo_env.games.golden_city.validity import Flaw

from ..contract.flaws import Edit, Json, Says, add, lose, mover, put, reverse, to
from ..rules.golden_city.components import BONUS, COASTS, LANDSCAPES
from ..rules.golden_city.positions import all_coasts, bidding, over, turn

SEVEN, TWO = "ccfffff", ("cc", "cc", "cc")  # hands
FIVE_GOODS = ["pottery+wine", "pottery+wine", "pottery+cloth", "wine+cloth", "wine+spices"]
ALL_BUT_COASTS = {"C16": 1, "F1": 0, "F2": 0, "F3": 0}
CARD_LOST, TOO_MANY = "each landscape card must be in one place", "there are too many scoring cards"
move = mover(LANDSCAPES)

POSITIONS_OF: dict[str, Json] = {
    "bid": bidding("cf cf ee", *TWO),
    "bids": bidding("cf cf ee", *TWO, bids=[0]),
    "build": turn(*TWO),
    "second": turn(*TWO, seat=1, first=0, houses={"C1": 0, "C2": 1}),
    "pay": turn(*TWO, kind="pay", place="C1"),
    "one way to pay": turn("c", "", "", kind="pay", place="C1"),  # G10.6: resampled states may have one legal action
    "goods": turn(*TWO, kind="goods", houses={"C3": 0, "F3": 0}, built=1, place="F3"),
    "box": turn(*TWO, kind="box", houses={"C3": 0, "F3": 0}, goods=[FIVE_GOODS], built=1, place="F3"),
    "bonus": turn(*TWO, kind="bonus", houses={"C2": 0, "F1": 0}, built=1, place="F1"),
    "discard": turn(SEVEN, "", "", kind="discard", discard="c"),
    "six": turn(SEVEN[1:], "", "", kind="discard", discard="c", discarded="coast"),
    "city": turn(*TWO, houses={"C2": 0, "F1": 0, "F5": 0, "FO1": 0, "FI": 0}, keys=[0, 1, 0]),
    "over": over(3, hands=TWO),
    "blocked": turn("", "ffff", "", seat=1, first=0, houses=all_coasts(1, 2), blocked=[0], ending="blocked"),
    "blocked, discarding": turn("ffffdd", "", "", kind="discard", houses=all_coasts(1, 2), blocked=[0], ending="blocked"),
    "houses": turn("", "dd", "", seat=1, first=0, houses=all_coasts(0) | ALL_BUT_COASTS, ending="houses"),
    # G8.1: seat 1 was blocked after seat 0 has built the last house, or before
    "houses first": over(3, card="1A", rounds=1, houses=all_coasts(0) | {"F1": 0, "F2": 0}, blocked=[1], ending="houses"),
    "blocked first": over(
        3, card="1A", rounds=1, first=1, houses=all_coasts(0) | {"F1": 0, "F2": 0}, blocked=[1], ending="blocked"
    ),
}
BASES: dict[str, Callable[[], Json]] = {name: lambda position=position: position for name, position in POSITIONS_OF.items()}  # type: ignore[misc]


def house(place: str, *seats: int) -> Edit:
    """Houses in a place; what each player has left follows."""

    def edit(data: Json) -> None:
        for seat in data["houses"].pop(place, []):
            data["players"][seat]["houses_left"] += 1
        if seats:
            data["houses"][place] = list(seats)
        for seat in seats:
            data["players"][seat]["houses_left"] -= 1

    return edit


POSITIONS: list[tuple[Any, Says, *tuple[Edit, ...]]] = [
    # --- form: what the table of forms does not derive
    ("bid", "pairs[0].cards: expected two cards, got 1", put("pairs.0.cards", ["coast"])),
    ("bid", "pairs[0].seat: expected a whole number", put("pairs.0.seat", 3)),
    ("bid", "pairs[0]: expected an object", put("pairs.0", 3)),
    ("bid", "pairs: expected at most", lambda p: p["pairs"].extend(p["pairs"] * 2)),
    ("bid", "turn: expected None, got dict", put("turn", {"player": 0, "built": 0, "place": None, "discarded": None})),
    ("build", "turn: expected an object, got None", put("turn", None)),
    ("build", "houses: expected an object", put("houses", [])),
    ("build", "houses: there is no place 'Z1'", put("houses", {"Z1": [0]})),
    ("build", "houses: unknown 'C1'", put("houses", {"C1": []})),
    ("build", "houses.C1: expected a whole number from 0 to 2", put("houses", {"C1": [3]})),
    ("city", "houses.FO1: expected a list of 1, got 2", put("houses.FO1", [0, 0])),
    ("build", "goods.display[0]: expected 'pottery+wine', got 'pottery+cloth'", reverse("goods.display")),
    ("build", "bonus_taken: unexpected 'house'", put("bonus_taken", [[0, "house"]])),
    ("build", "bonus_taken[0]: expected a whole number from 0 to 2", put("bonus_taken", [[3, "city"]])),
    ("build", "bonus_taken[0]: expected [seat, card], got 'city'", put("bonus_taken", ["city"])),
    ("build", "bonus_taken: unexpected list", put("bonus_taken", [[0, ["city"]]])),
    ("build", "players[0].letters.goods: expected a whole number", put("players.0.letters.goods", 0.0)),
    # --- where the game stands
    ("over", Flaw.STATUS, put("decision.actor", 0)),
    ("over", Flaw.STATUS, put("turn", {"player": 0, "built": 0, "place": None, "discarded": None})),
    # --- scoring cards
    ("build", TOO_MANY, put("scoring_card", "1B")),
    ("build", TOO_MANY, put("scoring_stack.0", "2A")),
    ("build", Flaw.SCORING, lose("scoring_stack.0")),
    ("build", Flaw.SCORING, put("round", 2)),
    ("build", Flaw.SCORING, reverse("scoring_stack")),
    # --- bidding
    ("bid", CARD_LOST, put("pairs", [])),
    ("build", CARD_LOST, put("pairs", [{"cards": ["coast", "coast"], "seat": None}])),
    ("bid", Flaw.PAIRS, put("pairs.0.cards", ["forest", "coast"])),
    ("bid", Flaw.PAIRS, reverse("pairs")),
    ("bids", Flaw.PAIRS, put("pairs.2.seat", 0)),
    ("bids", Flaw.PAIRS, put("decision.actor", 0)),
    ("build", Flaw.PAIRS, put("displacements", 1)),
    ("bid", Flaw.COINS, put("displacements", 8)),
    ("bids", Flaw.COINS, put("displacements", 5), put("first_player", 1), put("players.0.coins", 15), put("coins", 14)),
    # --- the building turn
    ("build", Flaw.TURN, put("turn.built", 2)),
    ("goods", Flaw.TURN, put("turn.built", 0)),
    ("build", Flaw.TURN, put("turn.place", "C1")),
    ("pay", Flaw.TURN, put("turn.place", None)),
    ("build", Flaw.TURN, put("turn.discarded", "coast")),
    ("pay", Flaw.DECISION, put("turn.place", "F1")),
    ("pay", Flaw.DECISION, house("C1", 1)),
    ("goods", Flaw.DECISION, put("turn.place", "C3")),
    ("goods", Flaw.DECISION, put("turn.place", "F5")),
    ("bonus", Flaw.DECISION, put("turn.place", "FI")),
    ("six", Flaw.DECISION, put("turn.discarded", "meadow")),
    ("six", Flaw.DECISION, put("turn.discarded", "meadow"), put("discard", ["meadow"]), lambda p: p["deck"].remove("meadow"),
     add("deck", "coast")),
    (lambda: turn("", "ffff", "", seat=1, first=0, houses=all_coasts(0) | {"F1": 0, "F2": 0}, ending="houses"), Flaw.DECISION),
    ("build", Flaw.DECISION, put("decision.kind", "discard")),
    ("build", Flaw.DECISION, put("players.0.hand", []), add("deck", "coast", "coast")),
    # --- houses
    ("build", Flaw.HOUSES, put("houses", {"C1": [0, 1]})),
    ("build", Flaw.HOUSES, put("houses", {"F1": [0]})),
    ("city", Flaw.HOUSES, put("houses.FO1", [1, 0])),
    ("city", Flaw.HOUSES, put("players.0.houses_left", 14)),
    ("houses", Flaw.HOUSES, put("houses", {place: [0] for place in [*COASTS, "F1", "F2", "F3"]})),
    # --- cards
    ("build", CARD_LOST, lose("deck.0")),
    ("build", Flaw.HAND, put("players.0.known", ["coast"] * 3)),
    ("build", Flaw.HAND, put("players.0.known", ["desert"])),
    ("discard", Flaw.HAND, move("deck", "players.0.hand", "desert")),
    ("bid", Flaw.HAND, move("deck", "players.1.hand", *["desert"] * 4)),
    ("second", Flaw.HAND, move("deck", "players.0.hand", *["desert"] * 4)),
    ("over", Flaw.HAND, move("deck", "players.0.hand", *["desert"] * 4)),
    # --- goods and bonus cards
    ("build", Flaw.GOODS, lambda p: p["goods"]["stack"].append(p["goods"]["display"].pop())),
    ("build", Flaw.GOODS, lambda p: p["goods"]["display"].append(p["goods"]["stack"].pop(0))),
    ("box", Flaw.OWN_GOODS, put("decision.kind", "goods")),
    ("goods", Flaw.OWN_GOODS, put("decision.kind", "box")),
    ("goods", Flaw.DECISION, put("goods", {"display": [], "stack": [], "box": []}),
     put("players.0.goods", ["pottery+wine", "pottery+wine", "pottery+cloth", "pottery+spices"]),
     put("players.1.goods", ["wine+cloth", "wine+spices", "cloth+spices", "cloth+spices"])),
    ("bonus", Flaw.DECISION, put("bonus_taken", [[0, name] for name in BONUS])),
    # --- keys and letters
    ("build", "there are too many keys", put("players.0.keys", 1)),
    ("city", Flaw.KEYS, put("keys", 5)),
    ("build", Flaw.LETTERS, put("players.0.letters.goods", 1)),
    ("over", Flaw.LETTERS, put("players.0.letters.rivers", 65)),
    ("city", Flaw.LETTERS, put("players.0.letters.outer", 6)),
    ("city", Flaw.LETTERS, put("players.0.letters.inner", 11)),
    # --- the end
    ("build", Flaw.ENDING, put("ending", "cards")),
    ("build", Flaw.ENDING, put("ending", "houses")),
    ("over", Flaw.ENDING, put("ending", None)),
    ("over", Flaw.ENDING, put("ending", "blocked")),
    ("over", Flaw.ENDING, put("round", 15), put("scoring_card", "3C"), put("scoring_stack", ["3D"])),
    ("houses", Flaw.ENDING, put("ending", None)),
    ("houses", Flaw.ENDING, put("ending", "blocked")),
    ("houses", Flaw.ENDING, put("first_player", 1)),
    ("blocked", Flaw.ENDING, put("ending", "houses")),
    ("blocked", Flaw.ENDING, put("blocked", [])),
    ("blocked", Flaw.ENDING, put("blocked", [0, 2])),
    ("houses first", Flaw.ENDING, put("ending", "blocked")),
    ("blocked first", Flaw.ENDING, put("ending", "houses")),
]  # fmt: skip


def last_but_one(g: Any) -> None:
    """Over in the round before the last one, without a trigger."""
    g.scoring_stack[0], g.n_scoring = g.scoring, 1
    g.scoring = next(card for card in range(12, 16) if card != g.scoring_stack[0])


STATES: list[tuple[str, Says, *tuple[Edit, ...]]] = [
    ("build", Flaw.STATUS, to("turns", 1)),
    ("bid", Flaw.STATUS, to("turns", 1)),
    ("over", Flaw.STATUS, to("turns", 0)),
    ("over", Flaw.STATUS, to("ending", 0), to("rounds", 15), last_but_one),
    ("city", Flaw.HOUSES, to("reach", 0, 0)),
    ("build", Flaw.PAIRS, to("pair_seat", 0, 0)),
]


ACCEPTED: list[tuple[str, *tuple[Edit, ...]]] = [
    ("bids", put("pairs.0.seat", None), put("pairs.1.seat", 0)),  # G4.4: of equal free pairs the first is taken
    ("bids", put("decision.actor", 2)),
    ("bids", put("first_player", 1)),
    ("bid", put("displacements", 1)),
    ("build", put("turn.built", 1)),  # without a house
    ("discard", put("turn.discarded", "coast")),  # with seven cards in hand
    ("city", house("F5")),  # G5.2: nothing joins the houses beyond to the coast
    ("city", house("FO1", 0, 1)),
    ("blocked", put("blocked", [0, 1])),  # G5.9: with a site
    ("houses", put("blocked", [0])),
]
