"""Edge cases of the scoring card, the end of the game and blocked players (G7 to G9)."""

from typing import Any

import pytest

from .building import is_blocked
from .helpers import cards, give_goods, last_round, play, show_card, stand, turn_of
from .scoring import majority

Json = dict[str, Any]
COAST = {f"C{number}": 2 for number in range(1, 17)}


@pytest.mark.parametrize(
    ("counts", "letters"),
    [
        ([0, 0, 0, 0], [0, 0, 0, 0]),
        ([0, 3, 0, 0], [0, 4, 0, 0]),
        ([2, 2, 0, 0], [2, 2, 0, 0]),
        ([1, 1, 1, 0], [2, 2, 2, 0]),
        ([2, 1, 1, 0], [4, 2, 2, 0]),
        ([3, 3, 1, 1], [2, 2, 2, 2]),
    ],
)
def test_e27_majorities(counts: list[int], letters: list[int]) -> None:
    assert majority(counts, by_number=True) == letters


@pytest.mark.parametrize(("counts", "letters"), [([0, 0], [0, 0]), ([5, 0], [4, 0]), ([5, 1], [2, 2])])
def test_e27_goods(counts: list[int], letters: list[int]) -> None:
    assert majority(counts, by_number=False) == letters


def with_houses_left(left: int, *hands: str, seat: int = 0, first: int = 0) -> Json:
    position = turn_of(seat, 3, *hands, first_player=first)
    position["players"][seat]["houses_left"] = left
    return position


def test_e23_the_last_house() -> None:
    """With the first of two builds: no second. Later players still build, the card is scored, the key stays."""
    position = show_card(with_houses_left(1, "ccc", "c"), "1A")
    oracle = play(give_goods(position, [], [], [], ["wine+cloth"]), "build:C2")
    assert oracle.decision() == ("build", 1) and oracle.position()["ending"] == "houses"
    assert oracle.position()["players"][0]["hand"] == cards("cc") and oracle.view(2)["status"][11] == 1
    oracle.apply("build:C5")
    after = oracle.position()
    assert after["decision"] == {"kind": "over", "actor": None} and after["ending"] == "houses" and after["round"] == 1
    assert after["players"][1]["letters"]["goods"] == 4 and after["first_player"] == 0 and after["turn"] is None
    assert after["scoring_card"] == "1A" and after["pairs"] == []


def test_the_last_house_ends_the_game_before_its_reward() -> None:
    """G8.1."""
    position = stand(turn_of(0, 3, "ff"), {"C2": 0})
    position["players"][0]["houses_left"] = 1
    oracle = play(position, "build:F1")
    assert oracle.decision() == ("bonus", 0) and oracle.position()["ending"] == "houses"


def test_e24_the_last_house_in_the_last_round() -> None:
    oracle = play(last_round(with_houses_left(1, "cc")), "build:C2")
    assert oracle.decision() == ("over", None) and oracle.position()["ending"] == "houses"
    cards_only = play(last_round(with_houses_left(2, "cc")), "build:done")
    assert cards_only.position()["ending"] == "cards" and cards_only.position()["first_player"] == 0
    assert cards_only.position()["scoring_card"] == "3D" and cards_only.position()["scoring_stack"] == []


def test_e25_a_blocked_player() -> None:
    """The coast is full and seat 0 has no house: the round is finished, seat 0 loses with the highest score."""
    position = turn_of(2, 3, "ff", "ccffee", "c", houses=COAST | {"D1": 1})
    position["players"][0]["letters"]["goods"], position["players"][2]["letters"]["goods"] = 100, 1
    oracle = play(position, "build:done")
    after = oracle.position()
    assert after["blocked"] == [0] and after["ending"] == "blocked" and after["decision"] == {"kind": "discard", "actor": 0}
    assert oracle.view(1)["turn"][2] == [1, 0, 0, 1] and oracle.legal() == ["discard:coast", "discard:forest", "discard:meadow"]
    oracle.apply("discard:meadow")
    assert oracle.decision() == ("over", None)  # seat 1 has one coast card and can build nothing
    assert oracle.position()["ending"] == "blocked" and oracle.position()["round"] == 1
    assert oracle.winners() == [2] and oracle.scores()[0]["total"] == 100


def test_e25_two_blocked() -> None:
    position = turn_of(2, 3, "ff", houses=COAST)
    oracle = play(show_card(position, "1A"), "build:done")
    assert oracle.position()["blocked"] == [0, 1] and oracle.decision() == ("over", None) and oracle.winners() == [2]


def test_e25_all_blocked() -> None:
    """Made up: seat 1 has all suburbs and outer districts, seat 2 the coast; nobody has a key."""
    position = turn_of(2, 3, "ffffff", houses=COAST)
    board = play(position).table.board
    position = stand(position, {p.name: 1 for p in board.places.values() if p.kind in ("suburb", "outer")})
    position |= {"decision": {"kind": "bid", "actor": 1}, "turn": None, "first_player": 2}
    position["pairs"] = [{"cards": cards(pair), "seat": seat} for pair, seat in (("cc", 0), ("cd", 2), ("ce", None))]
    oracle = play(position, "bid:c")
    assert oracle.position()["blocked"] == [2] and oracle.decision() == ("discard", 2)
    while oracle.decision()[0] == "discard":
        oracle.apply(oracle.legal()[0])
    assert oracle.position()["blocked"] == [0, 1, 2] and oracle.decision() == ("over", None)
    best = max(score["total"] for score in oracle.scores())
    assert oracle.winners() == [1] and oracle.scores()[1]["total"] == best


def only_inner(keys: int, hand: str) -> Json:
    """Seat 0's only site is FI; seat 2's turn comes before."""
    taken = {"F5": 0, "FO1": 0, "F1": 2, "F2": 2, "D8": 1, "F6": 1, "FO2": 0, "DO2": 0, "D7": 1, "F7": 2, "MO1": 0}
    taken |= {
        "M5": 2,
        "M6": 2,
        "MO2": 0,
        "M7": 2,
        "M8": 2,
        "TO1": 0,
        "T5": 2,
        "T6": 2,
        "TO2": 0,
        "T7": 2,
        "DO1": 0,
        "D5": 2,
        "D6": 2,
    }
    position = turn_of(2, 3, "ff", hand, houses=COAST | taken | {"MI": 0, "TI": 0, "DI": 0}, keys=6 - keys)
    position["players"][0]["keys"] = keys
    return position


def test_e26_an_inner_district_as_the_only_site() -> None:
    without = play(only_inner(0, "ff"), "build:done")
    assert without.position()["blocked"] == [0] and without.position()["ending"] == "blocked"
    with_key = play(only_inner(1, "ff"), "build:done")
    assert with_key.decision() == ("build", 0) and with_key.legal() == ["build:FI", "build:done"]
    assert with_key.position()["blocked"] == []
    cannot_pay = play(only_inner(1, "fe"), "build:done")
    assert cannot_pay.position()["blocked"] == [] and cannot_pay.position()["ending"] is None
    assert cannot_pay.decision()[0] == "bid" and cannot_pay.position()["round"] == 2  # the turn was skipped


def test_e26_blocked_after_another_has_triggered_the_end() -> None:
    position = only_inner(0, "ff")
    position["players"][2]["houses_left"] = 1
    oracle = play(position, next(text for text in play(position).legal() if text != "build:done"))
    while oracle.decision()[1] == 2:
        oracle.apply(oracle.legal()[0])
    assert oracle.position()["ending"] == "houses" and oracle.position()["blocked"] == [0]


def test_blocked_by_the_own_turn_is_blocked_at_the_next_one() -> None:
    """G5.9: tested at the start of the turn only."""
    position = only_inner(1, "ff")
    position["turn"]["player"] = position["decision"]["actor"] = 0
    position["first_player"] = 1
    oracle = play(position, "build:FI")
    assert oracle.position()["blocked"] == [] and oracle.position()["round"] == 2
    assert is_blocked(oracle.table, 0) and oracle.position()["ending"] is None


def test_two_players_are_read_literally() -> None:
    """G2.5: two pairs, eighteen houses."""
    position = turn_of(0, 2, "c", "c")
    oracle = play(position, "build:done", "build:done")
    assert len(oracle.position()["pairs"]) == 2 and oracle.position()["players"][0]["houses_left"] == 18
