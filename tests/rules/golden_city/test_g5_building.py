"""G5.1 to G5.7: sites, costs, jokers, payments (T2, T3, E8 to E10, E13 to E18, E29, E33)."""

from __future__ import annotations

import pytest

from .components import COASTS, cards
from .positions import BLUE, SEVENTEEN, play, start, turn

FOREST = {"C2": 0, "F2": 0, "FO1": 0, "F5": 0, "C1": 0, "F1": 0}  # a way into the city
ALL_ROUND_FO1 = {
    "C1": 0,
    "F1": 0,
    "F5": 0,
    "C2": 1,
    "F2": 1,
    "F6": 1,
    "C16": 2,
    "D4": 2,
    "D8": 2,
    "DO2": 2,
    "C4": 3,
    "F4": 3,
    "F7": 3,
    "FO2": 3,
}


def sources(hand: str, place: str) -> list[str]:
    """The payments for a place from a hand, as offered where they are asked."""
    others = [""] * 2
    assert f"build:{place}" in start(turn(hand, *others, houses=BLUE | {"C2": 0})).legal
    return start(turn(hand, *others, houses=BLUE | {"C2": 0}, kind="pay", place=place)).offered


# --- G5.1 ----------------------------------------------------------------------------------------------------------------------


def test_g5_1_building_is_never_compulsory() -> None:
    table = start(turn("c", "c", ""))
    assert table.offered[-1] == "done"
    table.play("build:done")
    assert table.decision == ("build", 1) and table.position["houses"] == {}


def test_g5_1_two_houses_at_most() -> None:
    table = play(turn("ccccc", "c", ""), "build:C2")
    assert table.decision == ("build", 0) and table.position["turn"] == {
        "player": 0,
        "built": 1,
        "place": None,
        "discarded": None,
    }
    table.play("build:C5")
    assert table.decision == ("build", 1) and table.position["houses"] == {"C2": [0], "C5": [0]}


def test_e8_the_reward_of_the_first_house_pays_the_second() -> None:
    table = play(turn("c", "", "", deck="c"), "build:C1")
    assert table.decision == ("build", 0) and table.position["turn"]["built"] == 1
    assert (table.player(0)["hand"], table.player(0)["known"]) == (["coast"], [])
    table.play("build:C5")
    assert table.position["houses"] == {"C1": [0], "C5": [0]} and table.decision[0] == "bid"


def test_e9_the_key_of_the_first_house_opens_an_inner_district() -> None:
    table = start(turn("ffff", "", "", houses=FOREST))
    assert "build:FI" not in table.legal and "FI" in table.sites(0)
    table.play("build:F6")
    assert table.player(0)["keys"] == 1 and "build:FI" in table.legal
    table.play("build:FI")
    assert table.player(0)["keys"] == 0 and table.position["keys"] == 5 and table.letters("inner") == [10, 0, 0]


def test_e10_the_second_house_beside_the_first() -> None:
    table = start(turn("cff", "", ""))
    assert not {"build:F1", "build:F2"} & set(table.legal)
    table.play("build:C2")
    assert table.offered == ["coast", "forest"]
    table.play("pay:coast")
    assert {"build:F1", "build:F2"} <= set(table.legal) and "build:F3" not in table.legal
    table.play("build:F1")  # its payment has one way
    assert table.decision == ("bonus", 0) and table.position["turn"] == {
        "player": 0,
        "built": 2,
        "place": "F1",
        "discarded": None,
    }
    assert table.player(0)["hand"] == []


# --- G5.2 ----------------------------------------------------------------------------------------------------------------------


def test_t2_roads() -> None:
    """Over the river to T7; DI only with a key, which D6 gives."""
    table = start(turn("dddd", "", "", "", houses=BLUE))
    coast = [name for name in COASTS if name != "C13"]
    assert table.sites(0) == [*coast, "T4", "T7", "D2", "D6", "TO2", "DO2", "DI"]
    assert table.offered == [*coast, "T4", "T7", "D2", "D6", "TO2", "DO2", "done"]
    table.play("build:D6")
    assert "build:DI" in table.legal
    table.play("build:DI")
    assert table.letters("inner")[0] == 10


def test_e18_a_district_is_open_to_all_suburb_and_coast_to_one() -> None:
    houses = ALL_ROUND_FO1 | {"FO1": [1, 2]}
    table = start(turn("ffffff", "", "", "", houses=houses))
    assert not {"build:C2", "build:F2", "build:F6", "build:C16"} & set(table.legal) and "build:FO1" in table.legal
    table.play("build:FO1")
    assert table.position["houses"]["FO1"] == [0, 1, 2] and "build:FO1" not in table.legal


@pytest.mark.parametrize("there", [[1], [3], [1, 3], [2, 3], [1, 2, 3]])
def test_g5_2_any_number_of_players_in_any_order_in_a_district(there: list[int]) -> None:
    table = play(turn("ff", "", "", "", houses=ALL_ROUND_FO1 | {"FO1": there}), "build:FO1")
    assert table.position["houses"]["FO1"] == [0, *there]


def test_g5_2_only_a_neighboring_own_house_opens_a_place() -> None:
    table = start(turn("ffffff", "", "", houses={"C2": 1, "F2": 1, "C3": 0}))
    assert {"F3", "F4"} <= set(table.sites(0)) and not {"F1", "F6", "F5", "FO1"} & set(table.sites(0))


# --- G5.3 to G5.5 --------------------------------------------------------------------------------------------------------------

_PAIRS = ["forest+meadow", "forest+mountain", "forest+desert", "meadow+mountain", "meadow+desert", "mountain+desert"]


@pytest.mark.parametrize(
    ("hand", "place", "found"),
    [
        ("ccdd", "F1", ["coast+desert"]),
        ("ccdd", "D2", ["coast+desert", "desert+desert"]),
        ("ccdd", "C1", ["coast", "desert"]),
        ("ccdd", "T7", ["coast+desert"]),
        ("fdddd", "F1", ["forest+desert", "desert+desert"]),
        ("fdddd", "D2", ["desert+desert"]),
        ("ffff", "D2", ["forest+forest"]),  # E14: four equal cards as two foreign ones
        ("cff", "C1", ["coast", "forest"]),  # E13: though the right card is in hand
        ("ffmmd", "D2", ["forest+mountain", "forest+desert", "mountain+desert"]),  # E13
        ("ddddd", "D2", ["desert+desert"]),  # E29: two deserts are not one desert
        ("fffd", "D2", ["forest+desert"]),  # three forests are one foreign card, not two
        ("ffeemmd", "D2", _PAIRS),  # six, the most there are (G11.4)
    ],
)
def test_g5_4_t3_joker(hand: str, place: str, found: list[str]) -> None:
    assert sources(hand, place) == found


@pytest.mark.parametrize(
    ("hand", "place", "offered"),
    [
        ("c", "C1", True),
        ("f", "C1", False),
        ("ff", "C1", True),  # E15: a coast place by a joker alone
        ("dd", "D2", True),
        ("d", "D2", False),
        ("dff", "D2", True),
        ("dfm", "D2", False),
        ("fffe", "D2", False),
        ("dddd", "F1", True),
        ("ddd", "F1", False),
        ("ddcc", "F1", True),
        ("fcc", "F1", True),
        ("fc", "F1", False),
        ("dd", "DO2", True),
        ("mm", "TO2", True),
        ("dd", "TO2", False),
    ],
)
def test_g5_5_what_is_offered(hand: str, place: str, offered: bool) -> None:
    """Seat 0 is asked after seat 2."""
    table = play(turn(hand, "", "c", seat=2, houses=BLUE | {"C2": 0}), "build:done")
    found = table.legal if table.decision == ("build", 0) else []
    assert (f"build:{place}" in found) == offered


def test_g5_3_costs_go_to_the_discard_pile() -> None:
    for hand, place, paid in (("ce", "C3", "c"), ("dde", "D2", "dd"), ("dde", "DO2", "dd"), ("ffe", "C3", "ff")):
        table = play(turn(hand, "", "", houses=BLUE, deck="f" * 6), f"build:{place}")
        gone = [card for card in cards(hand) if card not in cards(paid)]
        assert table.player(0)["hand"][: len(gone)] == gone and place in table.position["houses"]
    table = play(turn("ffe", "", "", houses=BLUE), "build:C3")
    assert table.player(0)["hand"] == ["meadow"] and table.position["discard"] == cards("ff")


def test_e15_a_coast_place_paid_by_a_joker() -> None:
    table = play(turn("dd", "", ""), "build:C2")
    assert table.position["houses"] == {"C2": [0]} and table.position["discard"] == cards("dd") and table.player(0)["coins"] == 4


def test_e13_e14_e29_what_is_paid() -> None:
    table = play(turn("cff", "", ""), "build:C2", "pay:forest")
    assert table.player(0)["hand"] == ["coast"] and table.position["discard"] == cards("ff")
    four = play(turn("ffff", "", "", houses={"C14": 0}), "build:D2")
    assert four.position["discard"] == cards("ffff") and four.position["houses"]["D2"] == [0]
    alike = play(turn("ddddd", "", "", houses={"C14": 0}), "build:D2")
    assert alike.position["discard"] == cards("dd")  # two cards, never four
    mixed = play(turn("ccdd", "", "", houses={"C14": 0}), "build:D2", "pay:coast+desert")
    assert mixed.position["discard"] == cards("ccd") and mixed.player(0)["hand"] == ["desert"]


@pytest.mark.parametrize("keys", [0, 1])
def test_e16_inner_districts_need_a_key(keys: int) -> None:
    table = start(turn("ff", "", "", houses=FOREST, keys=[keys, 0, 0]))
    assert ("build:FI" in table.legal) == (keys == 1) and "FI" in table.sites(0)
    if keys:
        table.play("build:FI")
        assert table.by_seat("keys") == [0, 0, 0] and table.position["keys"] == 5  # gone for good
        assert table.position["discard"] == cards("ff")


def test_g5_5_a_house_must_be_left() -> None:
    """The last house was the first of two builds: no second (E23)."""
    table = play(turn("ccccc", "c", "", houses=SEVENTEEN), "build:C11")
    assert table.decision == ("build", 1) and table.player(0)["houses_left"] == 0 and table.player(0)["hand"] == cards("cccc")


def test_e33_a_payment_with_one_way_is_not_asked() -> None:
    assert play(turn("ce", "", ""), "build:C2").decision[0] != "pay"
    assert play(turn("cee", "", ""), "build:C2").decision == ("pay", 0)


# --- G5.6, G5.7 ----------------------------------------------------------------------------------------------------------------


def test_g5_6_during_pay_there_is_no_house_yet_and_nothing_is_paid() -> None:
    table = play(turn("cee", "", ""), "build:C2")
    assert table.position["houses"] == {} and table.player(0)["hand"] == cards("cee") and table.position["discard"] == []
    assert table.position["turn"]["place"] == "C2" and table.player(0)["houses_left"] == 18


def test_g5_6_the_house_stands_and_all_is_paid_before_the_reward() -> None:
    table = play(turn("ff", "", "", houses={"C2": 0}), "build:F1")
    assert table.decision == ("bonus", 0) and table.position["houses"]["F1"] == [0]
    assert table.player(0)["hand"] == [] and table.position["discard"] == cards("ff") and table.player(0)["houses_left"] == 16


def test_g5_7_the_turn_ends_when_no_place_can_be_offered() -> None:
    table = play(turn("cf", "c", ""), "build:C2")
    assert table.decision == ("build", 1) and table.player(0)["hand"] == ["forest"]
