"""G6: rewards (T7, E7, E17, E19 to E22)."""

from __future__ import annotations

from collections import Counter

import pytest

from .components import BONUS, GOODS, in_order
from .positions import BLUE, Json, play, turn

TO_DO2 = {"C15": 0, "D3": 0, "D7": 0}


# --- G6.1 ----------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("place", "coins"), [("C2", 1), ("C4", 2)])
def test_g6_1_coins_from_the_supply(place: str, coins: int) -> None:
    table = play(turn("c", "", ""), f"build:{place}")
    assert table.by_seat("coins") == [3 + coins, 3, 3] and table.position["coins"] == 26 - coins


def test_g6_1_a_card_from_the_deck_unseen_by_the_others() -> None:
    table = play(turn("ce", "", "", deck="mfffffff"), "build:C1")
    assert table.player(0)["hand"] == ["meadow", "mountain"] and table.player(0)["known"] == []
    assert table.seen(0)["hand"] == [0, 0, 1, 1, 0] and table.seen(1)["hand"] == [0] * 5


def test_g6_1_a_key_if_one_is_left() -> None:
    table = play(turn("ff", "", "", houses={"C2": 0, "F2": 0}), "build:F6")
    assert table.by_seat("keys") == [1, 0, 0] and table.position["keys"] == 5
    none = play(turn("ff", "", "", houses={"C2": 0, "F2": 0}, keys=[0, 6, 0]), "build:F6")
    assert none.by_seat("keys") == [0, 6, 0] and none.position["keys"] == 0 and none.position["houses"]["F6"] == [0]


def test_g6_rewards_are_compulsory_and_given_once() -> None:
    """No way not to take: the coin of C2 comes unasked; nothing more comes later."""
    table = play(turn("cc", "c", "c"), "build:C2")
    assert table.player(0)["coins"] == 4 and table.decision == ("build", 0)
    table.play("build:done", "build:done", "build:done")
    assert table.player(0)["coins"] == 4 and table.position["round"] == 2


def test_e7_the_deck_is_empty_at_a_reward() -> None:
    """G5.6: the cards just paid are part of the new deck."""
    data = turn("ff", "", "", deck="", houses={"C2": 0})
    table = play(data, "build:F2")
    (chance,) = table.chances
    new = chance.outcome
    assert isinstance(new, list) and chance.name == "landscapes" and Counter(new) == Counter(data["discard"] + ["forest"] * 2)
    assert Counter(new)["forest"] == 10
    assert table.player(0)["hand"] == new[:1] and table.player(0)["known"] == [] and table.position["discard"] == []


@pytest.mark.parametrize("supply", [0, 1])
def test_e22_coins_beyond_the_supply_are_lost(supply: int) -> None:
    table = play(turn("c", "", "", coins=[15 - supply, 10, 10]), "build:C4")
    assert table.by_seat("coins") == [15, 10, 10] and table.position["coins"] == 0
    outer = play(turn("dd", "", "", houses=TO_DO2, coins=[15, 10, 10]), "build:DO2")
    assert outer.by_seat("coins") == [15, 10, 10] and outer.letters("outer") == [5, 0, 0]


# --- G6.2, G6.3 ----------------------------------------------------------------------------------------------------------------


def before_goods(display: list[str], stack: list[str], own: list[str]) -> Json:
    """Seat 0 can build F3, which brings goods."""
    return turn("ff", "", "", houses={"C3": 0}, display=display, stack=stack, goods=[own])


def test_g6_2_goods_are_chosen_and_the_display_is_refilled_at_once() -> None:
    display, stack = ["pottery+wine", "pottery+wine", "wine+spices"], ["cloth+spices", "wine+cloth"]
    table = play(before_goods(display, stack, []), "build:F3")
    assert table.decision == ("goods", 0) and table.offered == ["pottery+wine", "wine+spices", "stack"]
    shown = table.copy().play("goods:wine+spices")
    assert shown.position["goods"]["display"] == ["pottery+wine", "pottery+wine", "cloth+spices"]
    assert shown.position["goods"]["stack"] == ["wine+cloth"] and shown.player(0)["goods"] == ["wine+spices"]
    table.play("goods:stack")
    assert table.position["goods"]["display"] == display and table.position["goods"]["stack"] == ["wine+cloth"]
    assert table.player(0)["goods"] == ["cloth+spices"]
    assert table.seen(2)["goods"][3] == [0, 0, 0, 0, 0, 1]  # everybody sees the card now: seat 0 is one further


OWN = ["pottery+wine", "pottery+wine", "pottery+cloth", "wine+cloth"]


@pytest.mark.parametrize("given", ["pottery+spices", "pottery+cloth", "pottery+wine"])
def test_e19_a_fifth_goods_card(given: str) -> None:
    """The new one, an old one, one of two equal ones; the refill is seen before."""
    table = play(
        before_goods(["pottery+spices", "wine+spices", "cloth+spices"], ["cloth+spices"], OWN), "build:F3", "goods:pottery+spices"
    )
    assert table.decision == ("box", 0) and len(table.player(0)["goods"]) == 5
    assert table.position["goods"] == {"display": ["wine+spices", "cloth+spices", "cloth+spices"], "stack": [], "box": []}
    assert table.offered == ["pottery+wine", "pottery+cloth", "pottery+spices", "wine+cloth"]  # equal ones are one action
    table.play(f"box:{given}")
    left = [*OWN, "pottery+spices"]
    left.remove(given)
    assert table.player(0)["goods"] == in_order(left, GOODS) and table.position["goods"]["box"] == [given]
    assert table.decision[0] == "bid"


def test_g6_3_four_goods_cards_are_kept() -> None:
    table = play(
        before_goods(["pottery+spices", "wine+spices", "cloth+spices"], ["cloth+spices"], OWN[:3]), "build:F3", "goods:stack"
    )
    assert len(table.player(0)["goods"]) == 4 and table.decision[0] == "bid"


def test_e20_the_stack_is_empty_the_display_shrinks_then_nothing() -> None:
    two = play(before_goods(["pottery+wine", "wine+spices"], [], []), "build:F3")
    assert two.offered == ["pottery+wine", "wine+spices"]
    two.play("goods:pottery+wine")
    assert two.position["goods"]["display"] == ["wine+spices"]
    one = play(before_goods(["wine+spices"], [], []), "build:F3")  # one way: not asked
    assert one.decision[0] == "bid" and one.player(0)["goods"] == ["wine+spices"] and one.position["goods"]["display"] == []
    none = play(before_goods([], [], []), "build:F3")
    assert none.decision[0] == "bid" and none.player(0)["goods"] == [] and none.position["houses"]["F3"] == [0]


# --- G6.4 ----------------------------------------------------------------------------------------------------------------------


def with_bonus(*taken: str) -> Json:
    """Seat 0 can build F1, which brings a bonus card."""
    return turn("ff", "", "", houses={"C2": 0}, bonus_taken=[[1, name] for name in taken])


def test_g6_4_one_of_the_bonus_cards_left() -> None:
    table = play(with_bonus("city", "forest"), "build:F1")
    assert table.decision == ("bonus", 0) and table.offered == [name for name in BONUS if name not in ("city", "forest")]
    table.play("bonus:rivers")
    assert table.position["bonus_taken"] == [[1, "city"], [1, "forest"], [0, "rivers"]]


def test_e21_bonus_cards_run_out() -> None:
    last = play(with_bonus(*BONUS[1:]), "build:F1")  # taken unasked
    assert last.decision[0] == "bid" and last.position["bonus_taken"][-1] == [0, "goods"]
    none = play(with_bonus(*BONUS), "build:F1")
    assert none.decision[0] == "bid" and len(none.position["bonus_taken"]) == 8 and none.position["houses"]["F1"] == [0]


# --- G6.5 ----------------------------------------------------------------------------------------------------------------------

TO_CITY = {"C13": 1, "D1": 1, "D5": 1, "DO1": [1, 2], "C12": 2, "T4": 2, "T7": 2, "TO2": 2, "C16": 3, "D4": 3, "D8": 3}


@pytest.mark.parametrize(("there", "letters", "coins"), [([], 5, 1), ([1], 3, 0), ([1, 2], 0, 0), ([1, 2, 3], 0, 0)])
def test_t7_e17_outer_district(there: list[int], letters: int, coins: int) -> None:
    houses = TO_DO2 | TO_CITY | ({"DO2": there} if there else {})
    table = play(turn("dd", "", "", "", houses=houses), "build:DO2")
    assert table.position["houses"]["DO2"] == [0, *there] and table.letters("outer") == [letters, 0, 0, 0]
    assert table.by_seat("coins") == [3 + coins, 3, 3, 3] and table.position["coins"] == 23 - coins
    assert table.player(0)["hand"] == []


def test_t7_an_outer_district_without_coin() -> None:
    table = play(turn("dd", "", "", houses={"C13": 0, "D1": 0, "D5": 0}), "build:DO1")
    assert table.letters("outer") == [5, 0, 0] and table.player(0)["coins"] == 3


@pytest.mark.parametrize(("there", "letters", "drawn"), [([], 10, 1), ([1], 6, 0), ([1, 2], 0, 0), ([1, 2, 3], 0, 0)])
def test_t7_e17_inner_district(there: list[int], letters: int, drawn: int) -> None:
    """Each costs a key, which never comes back (E16)."""
    houses = TO_DO2 | TO_CITY | {"DO2": [0, 3]} | ({"DI": there} if there else {})
    left = 6 - 2 - len(there)
    table = play(turn("ddc", "", "", "", houses=houses, keys=[2, left, 0, 0]), "build:DI", "build:done")
    assert (
        table.letters("inner") == [letters, 0, 0, 0] and table.by_seat("keys") == [1, left, 0, 0] and table.position["keys"] == 0
    )
    assert len(table.player(0)["hand"]) == 1 + drawn and table.player(0)["known"] == []


def test_t7_first_second_and_third_in_one_district() -> None:
    """Three players, one after the other, in DO2."""
    houses = TO_DO2 | {"C13": 1, "D1": 1, "D5": 1, "DO1": 1, "C16": 2, "D4": 2, "D8": 2}
    table = play(turn("dd", "dd", "dd", houses=houses, card="1A"), "build:DO2")
    assert table.letters("outer") == [5, 0, 0] and table.by_seat("coins") == [4, 3, 3]
    table.play("build:DO2")
    assert table.letters("outer") == [5, 3, 0] and table.by_seat("coins") == [4, 3, 3]
    table.play("build:DO2")
    assert table.letters("outer") == [5, 3, 0] and table.by_seat("coins") == [4, 3, 3]
    assert table.position["houses"]["DO2"] == [0, 1, 2]


def test_g6_5_the_card_of_an_inner_district_pays_the_second_house() -> None:
    table = play(turn("dd", "", "", houses=BLUE, keys=[1, 0, 0], deck="c" * 8), "build:DI")
    assert table.decision == ("build", 0) and table.player(0)["hand"] == ["coast"] and "build:C1" in table.legal
