"""Positions that are malformed, or whose records would not be sound, are refused with a sentence."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest

from ginkgo_env import PositionError
from ginkgo_env.games.golden_city.validity import Flaw

from .components import BONUS, COASTS, LANDSCAPES
from .made_up import all_coasts, bidding, over, turn
from .table import game_of

Json = dict[str, Any]
Edit = Callable[[Json], object]

SEVEN = "ccfffff"
FIVE_GOODS = ["pottery+wine", "pottery+wine", "pottery+cloth", "wine+cloth", "wine+spices"]
TWO = ("cc", "cc", "cc")  # hands

BASES: dict[str, Json] = {
    "bid": bidding("cf cf ee", *TWO),
    "bids": bidding("cf cf ee", *TWO, bids=[0]),
    "build": turn(*TWO),
    "second": turn(*TWO, seat=1, first=0, houses={"C1": 0, "C2": 1}),
    "pay": turn(*TWO, kind="pay", place="C1"),
    "goods": turn(*TWO, kind="goods", houses={"C3": 0, "F3": 0}, built=1, place="F3"),
    "box": turn(*TWO, kind="box", houses={"C3": 0, "F3": 0}, goods=[FIVE_GOODS], built=1, place="F3"),
    "bonus": turn(*TWO, kind="bonus", houses={"C2": 0, "F1": 0}, built=1, place="F1"),
    "discard": turn(SEVEN, "", "", kind="discard", discard="c"),
    "six": turn(SEVEN[1:], "", "", kind="discard", discard="c", discarded="coast"),
    "city": turn(*TWO, houses={"C2": 0, "F1": 0, "F5": 0, "FO1": 0, "FI": 0}, keys=[0, 1, 0]),
    "over": over(3, hands=TWO),
    "blocked": turn("", "ffff", "", seat=1, first=0, houses=all_coasts(1, 2), blocked=[0], ending="blocked"),
    "houses": turn(
        *("", "dd", ""), seat=1, first=0, houses=all_coasts(0) | {"C16": 1, "F1": 0, "F2": 0, "F3": 0}, ending="houses"
    ),
}


@pytest.mark.parametrize("name", BASES)
def test_what_is_edited_here_is_accepted_before(name: str) -> None:
    table = game_of(3)
    assert table.position(table.from_position(BASES[name])) == BASES[name]


def put(*path: Any) -> Edit:
    """Set what a path leads to; the last argument is the value."""

    def edit(data: Any) -> None:
        *way, key, value = path
        for step in way:
            data = data[step]
        data[key] = value

    return edit


def drop(*path: Any) -> Edit:
    def edit(data: Any) -> None:
        *way, key = path
        for step in way:
            data = data[step]
        del data[key]

    return edit


def all_of(*edits: Edit) -> Edit:
    return lambda data: [edit(data) for edit in edits]


def move(card: str, *, to: tuple[Any, ...]) -> Edit:
    """A card from the deck into a list in order."""

    def edit(data: Any) -> None:
        data["deck"].remove(card)
        for step in to:
            data = data[step]
        data.append(card)
        data.sort(key=LANDSCAPES.index)

    return edit


def house(place: str, *seats: int) -> Edit:
    """Houses in a place; what each player has left follows."""

    def edit(data: Any) -> None:
        for seat in data["houses"].pop(place, []):
            data["players"][seat]["houses_left"] += 1
        if seats:
            data["houses"][place] = list(seats)
        for seat in seats:
            data["players"][seat]["houses_left"] -= 1

    return edit


P0, P1 = ("players", 0), ("players", 1)
REFUSED: list[tuple[str, Edit, str]] = [
    # --- form
    ("build", put("config", {"players": 3}), "config: missing board"),
    ("build", put("config", "players", 4), "config"),
    ("build", put("config", "players", 5), "config.players: expected 3, got 5"),
    ("build", put("config", "board", 3), "config.board: expected 'own', got 3"),
    ("build", put("config", "board", "other"), "config"),
    ("build", put("board_digest", "0" * 16), "board_digest: expected"),
    ("build", put("first_player", None), "first_player: expected a whole number from 0 to 2"),
    ("build", put("first_player", 3), "first_player: expected"),
    ("over", put("decision", "actor", 0), Flaw.STATUS.sentence),
    # --- scoring cards
    ("build", put("scoring_card", "1B"), "there are too many scoring cards"),
    ("build", put("scoring_card", "2A"), "there are too many scoring cards"),
    ("build", drop("scoring_stack", 0), Flaw.SCORING.sentence),
    ("build", put("round", 2), Flaw.SCORING.sentence),
    ("build", put("scoring_stack", 0, "2A"), "there are too many scoring cards"),
    (
        "build",
        lambda data: data["scoring_stack"].reverse(),
        Flaw.SCORING.sentence,
    ),
    # --- bidding
    ("bid", put("pairs", []), "each landscape card must be in one place"),
    ("build", put("pairs", [{"cards": ["coast", "coast"], "seat": None}]), "each landscape card must be in one place"),
    ("bid", put("pairs", 0, "cards", ["forest", "coast"]), Flaw.PAIRS.sentence),
    ("bid", put("pairs", 0, "cards", ["coast"]), "pairs[0].cards: expected two cards, got 1"),
    ("bid", put("pairs", 0, "seat", 3), "pairs[0].seat: expected a whole number"),
    ("bid", put("pairs", 0, 3), "pairs[0]: expected an object"),
    ("bid", lambda data: data["pairs"].reverse(), Flaw.PAIRS.sentence),
    ("bids", put("pairs", 2, "seat", 0), Flaw.PAIRS.sentence),
    ("bids", put("decision", "actor", 0), Flaw.PAIRS.sentence),
    ("bid", put("displacements", 8), Flaw.COINS.sentence),
    ("build", put("displacements", 1), Flaw.PAIRS.sentence),
    (
        "bids",
        all_of(put("displacements", 5), put("first_player", 1), put(*P0, "coins", 15), put("coins", 14)),
        Flaw.COINS.sentence,
    ),
    # --- the building turn
    ("build", put("turn", None), "turn: expected an object, got None"),
    ("bid", put("turn", {"player": 0, "built": 0, "place": None, "discarded": None}), "turn: expected None, got dict"),
    ("over", put("turn", {"player": 0, "built": 0, "place": None, "discarded": None}), Flaw.STATUS.sentence),
    ("build", drop("turn", "place"), "turn: missing place"),
    ("build", put("turn", "built", 2), Flaw.TURN.sentence),
    ("goods", put("turn", "built", 0), Flaw.TURN.sentence),
    ("build", put("turn", "place", "C1"), Flaw.TURN.sentence),
    ("pay", put("turn", "place", None), Flaw.TURN.sentence),
    ("pay", put("turn", "place", "Z1"), "turn.place: expected one of C1, C2, C3, C4, C5, C6 and 52 more, got 'Z1'"),
    ("pay", put("turn", "place", "F1"), Flaw.DECISION.sentence),
    ("pay", house("C1", 1), Flaw.DECISION.sentence),
    ("goods", put("turn", "place", "C3"), Flaw.DECISION.sentence),
    ("goods", put("turn", "place", "F5"), Flaw.DECISION.sentence),
    ("bonus", put("turn", "place", "FI"), Flaw.DECISION.sentence),
    ("build", put("turn", "discarded", "coast"), Flaw.TURN.sentence),
    ("six", put("turn", "discarded", "city"), "turn.discarded: expected one of coast, forest"),
    ("six", put("turn", "discarded", "meadow"), Flaw.DECISION.sentence),
    ("build", put("decision", "kind", "discard"), Flaw.DECISION.sentence),
    (
        "six",
        all_of(put("turn", "discarded", "meadow"), put("discard", ["meadow"]), lambda d: d["deck"].remove("meadow"),
               lambda d: d["deck"].append("coast")),
        Flaw.DECISION.sentence,
    ),
    ("build", put(*P0, "hand", []), "each landscape card must be in one place"),
    (
        "build",
        all_of(put(*P0, "hand", []), lambda data: data["deck"].extend(["coast"] * 2)),
        Flaw.DECISION.sentence,
    ),
    # --- houses
    ("build", put("houses", []), "houses: expected an object"),
    ("build", put("houses", {"Z1": [0]}), "houses: there is no place 'Z1'"),
    ("build", put("houses", {"C1": []}), "houses: unknown 'C1'"),
    ("build", put("houses", {"C1": [0, 1]}), Flaw.HOUSES.sentence),
    ("build", put("houses", {"C1": [3]}), "houses.C1: expected a whole number from 0 to 2"),
    ("city", put("houses", "FO1", [1, 0]), Flaw.HOUSES.sentence),
    ("city", put("houses", "FO1", [0, 0]), "houses.FO1: expected a list of 1, got 2"),
    ("build", put("houses", {"F1": [0]}), Flaw.HOUSES.sentence),
    ("city", put(*P0, "houses_left", 14), Flaw.HOUSES.sentence),
    (
        "houses",
        put("houses", {place: [0] for place in [*COASTS, "F1", "F2", "F3"]}),
        Flaw.HOUSES.sentence,
    ),
    # --- cards
    ("build", drop("deck", 0), "each landscape card must be in one place"),
    ("build", put("discard", ["coast"]), "each landscape card must be in one place"),
    ("discard", put("discard", ["forest", "coast"]), "each landscape card must be in one place"),
    ("build", put(*P0, "known", ["coast"] * 3), Flaw.HAND.sentence),
    ("build", put(*P0, "known", ["desert"]), Flaw.HAND.sentence),
    ("discard", move("desert", to=(*P0, "hand")), Flaw.HAND.sentence),
    ("bid", all_of(*[move("desert", to=(*P1, "hand"))] * 4), Flaw.HAND.sentence),
    ("second", all_of(*[move("desert", to=(*P0, "hand"))] * 4), Flaw.HAND.sentence),
    ("over", all_of(*[move("desert", to=(*P0, "hand"))] * 4), Flaw.HAND.sentence),
    # --- goods cards
    ("build", drop("goods", "box"), "goods: missing box"),
    ("build", put("goods", "display", []), "each goods card must be in one place"),
    ("build", put("goods", "stack", 0, "wine"), "goods.stack: unexpected 'wine'"),
    ("build", put("goods", "stack", ["wine+cloth"] * 9), "goods.stack: expected at most 8 names, got 9"),
    ("build", lambda d: d["goods"]["display"].reverse(), "goods.display[0]: expected 'pottery+wine', got 'pottery+cloth'"),
    (
        "build",
        lambda d: d["goods"]["stack"].append(d["goods"]["display"].pop()),
        Flaw.GOODS.sentence,
    ),
    (
        "build",
        lambda d: d["goods"]["display"].append(d["goods"]["stack"].pop(0)),
        Flaw.GOODS.sentence,
    ),
    ("box", put("decision", "kind", "goods"), Flaw.OWN_GOODS.sentence),
    ("goods", put("decision", "kind", "box"), Flaw.OWN_GOODS.sentence),
    (
        "goods",
        all_of(
            put("goods", {"display": [], "stack": [], "box": []}),
            put(*P0, "goods", ["pottery+wine", "pottery+wine", "pottery+cloth", "pottery+spices"]),
            put(*P1, "goods", ["wine+cloth", "wine+spices", "cloth+spices", "cloth+spices"]),
        ),
        Flaw.DECISION.sentence,
    ),
    # --- bonus cards
    ("build", put("bonus_taken", [[0, "house"]]), "bonus_taken: unexpected 'house'"),
    ("build", put("bonus_taken", [[0, "city"], [1, "city"]]), "there are too many bonus cards"),
    ("build", put("bonus_taken", [[3, "city"]]), "bonus_taken[0]: expected a whole number from 0 to 2"),
    ("build", put("bonus_taken", ["city"]), "bonus_taken[0]: expected [seat, card], got 'city'"),
    ("build", put("bonus_taken", [[0, ["city"]]]), "bonus_taken: unexpected list"),
    (
        "bonus",
        put("bonus_taken", [[0, name] for name in BONUS]),
        Flaw.DECISION.sentence,
    ),
    # --- coins, keys, letters
    ("build", put("coins", 25), "each coin must be in one place"),
    ("build", put(*P0, "coins", 4), "each coin must be in one place"),
    ("build", put(*P0, "keys", 1), "there are too many keys"),
    ("city", put("keys", 5), Flaw.KEYS.sentence),
    ("build", put(*P0, "letters", "goods", 1), Flaw.LETTERS.sentence),
    ("over", put(*P0, "letters", "rivers", 65), Flaw.LETTERS.sentence),
    ("city", put(*P0, "letters", "outer", 6), Flaw.LETTERS.sentence),
    ("city", put(*P0, "letters", "inner", 11), Flaw.LETTERS.sentence),
    ("build", put(*P0, "letters", "goods", 0.0), "players[0].letters.goods: expected a whole number"),
    ("build", drop(*P0, "letters", "goods"), "players[0].letters: missing goods"),
    # --- the end
    ("build", put("ending", "cards"), Flaw.ENDING.sentence),
    ("build", put("ending", "houses"), Flaw.ENDING.sentence),
    ("over", put("ending", None), Flaw.ENDING.sentence),
    ("over", put("ending", "blocked"), Flaw.ENDING.sentence),
    ("houses", put("ending", None), Flaw.ENDING.sentence),
    ("houses", put("ending", "blocked"), Flaw.ENDING.sentence),
    ("blocked", put("ending", "houses"), Flaw.ENDING.sentence),
    ("blocked", put("blocked", []), Flaw.ENDING.sentence),
    ("blocked", put("blocked", [0, 2]), Flaw.ENDING.sentence),
    ("houses", put("first_player", 1), Flaw.ENDING.sentence),
    ("over", all_of(put("round", 15), put("scoring_card", "3C"), put("scoring_stack", ["3D"])), Flaw.ENDING.sentence),
]  # fmt: skip


@pytest.mark.parametrize("i", range(len(REFUSED)))
def test_refused(i: int) -> None:
    base, edit, message = REFUSED[i]
    data = copy.deepcopy(BASES[base])
    edit(data)
    with pytest.raises(PositionError) as error:
        game_of(3).from_position(data)
    assert str(error.value).startswith(f"position: {message}"), (base, str(error.value))


@pytest.mark.parametrize("thing", [None, 3, "bid", [], {}])
def test_things_that_are_no_position(thing: Any) -> None:
    with pytest.raises(PositionError, match="position: "):
        game_of(3).from_position(thing)


UNREACHABLE: list[tuple[str, Edit]] = [
    ("bids", all_of(put("pairs", 0, "seat", None), put("pairs", 1, "seat", 0))),  # G4.4: of equal free pairs the first is taken
    ("bids", put("decision", "actor", 2)),
    ("bids", put("first_player", 1)),
    ("bid", put("displacements", 1)),
    ("build", put("turn", "built", 1)),  # without a house
    ("discard", put("turn", "discarded", "coast")),  # with seven cards in hand
    ("city", house("F5")),  # G5.2: nothing joins the houses beyond to the coast
    ("city", house("FO1", 0, 1)),
    ("blocked", put("blocked", [0, 1])),  # G5.9: with a site
    ("houses", put("blocked", [0])),
]


@pytest.mark.parametrize("i", range(len(UNREACHABLE)))
def test_what_play_cannot_reach_is_accepted_if_it_is_sound(i: int) -> None:
    base, edit = UNREACHABLE[i]
    data = copy.deepcopy(BASES[base])
    edit(data)
    table = game_of(3)
    assert table.position(table.from_position(data)) == data != BASES[base]


def test_the_first_trigger_in_time_is_the_ending() -> None:
    """G8.1: seat 1 was blocked before seat 2 has built the last house, or after."""
    houses = all_coasts(0) | {"F1": 0, "F2": 0}
    for first, ending in ((0, "houses"), (1, "blocked")):
        data = over(3, card="1A", rounds=1, first=first, houses=houses, blocked=[1], ending=ending)
        game_of(3).from_position(data)
        data["ending"] = "houses" if ending == "blocked" else "blocked"
        with pytest.raises(PositionError, match=Flaw.ENDING.sentence):
            game_of(3).from_position(data)
