"""Edge cases of rewards (G6)."""

import csv
import shutil
from pathlib import Path
from typing import Any

import pytest

from .board import OWN_BOARD, load_board
from .golden_city import Oracle, RandomChance
from .helpers import BOARD, Scripted, cards, give_coins, give_goods, offered, play, turn_of

Json = dict[str, Any]


def before_goods(display: list[str], stack: list[str], own: list[str]) -> Json:
    """Seat 0 can build F3, which brings goods."""
    return give_goods(turn_of(0, 3, "ff", houses={"C3": 0}), display, stack, own)


def test_e7_the_deck_is_empty_at_a_reward() -> None:
    """The cards just paid are part of the new deck."""
    position = turn_of(0, 3, "ff", deck="", houses={"C2": 0})
    pile = position["discard"]
    chance = Scripted(landscapes=[cards("f") + pile + cards("f")])
    after = play(position, "build:F2", chance=chance).position()
    assert [(name, len(items)) for name, items in chance.asked] == [("landscapes", len(pile) + 2)]
    assert chance.asked[0][1].count("forest") == 10
    assert after["players"][0]["hand"] == ["forest"] and after["players"][0]["known"] == []
    assert after["discard"] == []  # pairs were laid out from the new deck


def test_nothing_left_to_draw() -> None:
    """G4.6: no card, and nothing shuffled."""
    position = turn_of(0, 3, "c", "c")
    position |= {"deck": [], "discard": []}
    chance = Scripted()
    after = play(position, "build:C1", chance=chance).position()
    assert chance.asked == [("landscapes", ["coast"])] and after["players"][0]["hand"] == ["coast"]
    position = turn_of(0, 3, "", "c", houses={"C1": 0}, deck="")
    position |= {"discard": [], "decision": {"kind": "goods", "actor": 0}}
    position["turn"] |= {"place": "F3", "built": 1}
    assert play(position, "goods:stack").decision() == ("build", 1)


@pytest.mark.parametrize(("place", "coins"), [("C2", 1), ("C4", 2)])
def test_coins(place: str, coins: int) -> None:
    after = play(turn_of(0, 3, "c"), f"build:{place}").position()
    assert after["players"][0]["coins"] == 3 + coins and after["coins"] == 26 - coins


def test_e22_coins_beyond_the_supply_are_lost() -> None:
    position = give_coins(turn_of(0, 3, "c"), 14, 10, 10)
    after = play(position, "build:C4").position()
    assert after["players"][0]["coins"] == 15 and after["coins"] == 0
    position = give_coins(turn_of(0, 4, "dd", houses={"D7": 0}), 15, 10, 10, 0)
    after = play(position, "build:DO2").position()
    assert after["players"][0]["coins"] == 15 and after["players"][0]["letters"]["outer"] == 5


def test_keys() -> None:
    """G6.1: if one is left."""
    after = play(turn_of(0, 3, "ff", houses={"F2": 0}), "build:F6").position()
    assert (after["players"][0]["keys"], after["keys"]) == (1, 5)
    after = play(turn_of(0, 3, "ff", houses={"F2": 0}, keys=0), "build:F6").position()
    assert (after["players"][0]["keys"], after["keys"]) == (0, 0)


def test_goods_are_chosen_and_the_display_is_refilled() -> None:
    display, stack = ["pottery+wine", "pottery+wine", "wine+spices"], ["cloth+spices", "wine+cloth"]
    oracle = play(before_goods(display, stack, []), "build:F3")
    assert oracle.decision() == ("goods", 0) and offered(oracle) == ["pottery+wine", "wine+spices", "stack"]
    after = play(oracle.position(), "goods:wine+spices").position()
    assert after["goods"]["display"] == ["pottery+wine", "pottery+wine", "cloth+spices"]
    assert after["goods"]["stack"] == ["wine+cloth"] and after["players"][0]["goods"] == ["wine+spices"]
    after = play(oracle.position(), "goods:stack").position()
    assert after["goods"]["display"] == display and after["goods"]["stack"] == ["wine+cloth"]
    assert after["players"][0]["goods"] == ["cloth+spices"]


OWN = ["pottery+wine", "pottery+wine", "pottery+cloth", "wine+cloth"]


@pytest.mark.parametrize("given", ["pottery+spices", "pottery+cloth", "pottery+wine"])
def test_e19_a_fifth_goods_card(given: str) -> None:
    """The new one, an old one, one of two equal ones; the refill is seen before."""
    position = before_goods(["pottery+spices", "wine+spices", "cloth+spices"], ["cloth+spices"], OWN)
    oracle = play(position, "build:F3", "goods:pottery+spices")
    seen = oracle.position()
    assert seen["decision"] == {"kind": "box", "actor": 0} and len(seen["players"][0]["goods"]) == 5
    assert seen["goods"]["display"] == ["wine+spices", "cloth+spices", "cloth+spices"] and seen["goods"]["stack"] == []
    assert offered(oracle) == ["pottery+wine", "pottery+cloth", "pottery+spices", "wine+cloth"]
    oracle.apply(f"box:{given}")
    after = oracle.position()
    left = [*OWN, "pottery+spices"]
    left.remove(given)
    assert after["players"][0]["goods"] == BOARD.goods_in_order(left) and after["goods"]["box"] == [given]


def test_e20_goods_run_out() -> None:
    one = play(before_goods(["wine+spices"], [], []), "build:F3")  # one way: not asked
    assert one.decision()[0] == "bid" and one.position()["players"][0]["goods"] == ["wine+spices"]
    assert one.position()["goods"]["display"] == []
    none = play(before_goods([], [], []), "build:F3")
    assert none.decision()[0] == "bid" and none.position()["players"][0]["goods"] == []
    two = play(before_goods(["pottery+wine", "wine+spices"], [], []), "build:F3")
    assert offered(two) == ["pottery+wine", "wine+spices"]
    two.apply("goods:pottery+wine")
    assert two.position()["goods"]["display"] == ["wine+spices"]
    stack = play(before_goods([], ["wine+cloth"], []), "build:F3")  # no position of a game: the display is refilled
    assert stack.position()["players"][0]["goods"] == ["wine+cloth"]


def with_bonus(*taken: str) -> Json:
    return turn_of(0, 3, "ff", houses={"C2": 0}, bonus_taken=[[1, name] for name in taken])


def test_e21_bonus_cards_run_out() -> None:
    names = list(BOARD.bonus)
    oracle = play(with_bonus(*names[:6]), "build:F1")
    assert oracle.decision() == ("bonus", 0) and offered(oracle) == names[6:]
    oracle.apply("bonus:desert")
    assert oracle.position()["bonus_taken"][-1] == [0, "desert"]
    last = play(with_bonus(*names[1:]), "build:F1")
    assert last.decision()[0] == "bid" and last.position()["bonus_taken"][-1] == [0, "goods"]
    none = play(with_bonus(*names), "build:F1")
    assert none.decision()[0] == "bid" and len(none.position()["bonus_taken"]) == 8


def other_board(folder: Path, **rewards: str) -> Path:
    """A copy of the shipped board where places have other rewards."""
    shutil.copytree(OWN_BOARD, folder)
    rows = list(csv.reader((folder / "places.csv").read_text(encoding="utf-8").splitlines()))
    for row in rows:
        row[5] = rewards.get(row[0], row[5])
    (folder / "places.csv").write_text("\n".join(map(",".join, rows)) + "\n", encoding="utf-8")
    return folder


def test_e35_another_board(tmp_path: Path) -> None:
    """Same rules, other rewards, another digest, which is refused for positions of the shipped board."""
    folder = other_board(tmp_path / "isle", C1="two_coins")
    assert load_board(folder).digest != BOARD.digest
    oracle = Oracle({"players": 3, "board": str(folder)}, RandomChance(1))
    assert oracle.position()["board_digest"] == load_board(folder).digest
    again = Oracle.from_position(oracle.position(), RandomChance(2))
    assert again.position() == oracle.position()
    with pytest.raises(ValueError, match="another board"):
        play(turn_of(0, 3, "c"), folder=folder)
    position = turn_of(0, 3, "c") | {"board_digest": load_board(folder).digest}
    assert play(position, "build:C1", folder=folder).position()["players"][0]["coins"] == 5
