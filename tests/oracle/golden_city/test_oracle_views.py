"""What a seat is shown (G10, G11.6), by hand."""

from .helpers import BOARD, bidding, give_coins, give_goods, play, show_card, stand, turn_of
from .view import clipped

BONUS = list(BOARD.bonus)
TAKEN = [[1, "goods"], [0, "coins"], [2, "city"], [1, "rivers"]]


def bonus_rows(view: dict[str, list[list[int]]]) -> tuple[list[str], list[str]]:
    own, left = ([name for name, here in zip(BONUS, row, strict=True) if here] for row in view["bonus"])
    return own, left


def test_bonus_cards_since_the_last_own_take() -> None:
    """G10.3b; columns 7 and 8 of `players`."""
    oracle = play(turn_of(0, 4, "c", bonus_taken=TAKEN))
    assert bonus_rows(oracle.view(0)) == (["coins"], [name for name in BONUS if name not in ("goods", "coins")])
    assert [row[7:9] for row in oracle.view(0)["players"]] == [[1, 0], [2, 1], [1, 1], [0, 0]]
    assert bonus_rows(oracle.view(1)) == (["goods", "rivers"], ["forest", "meadow", "mountain", "desert"])
    assert [row[7:9] for row in oracle.view(1)["players"]] == [[2, 0], [1, 0], [0, 0], [1, 0]]
    assert bonus_rows(oracle.view(3)) == ([], BONUS)
    assert [row[7:9] for row in oracle.view(3)["players"]] == [[0, 0], [1, 1], [2, 2], [1, 1]]


def test_bonus_cards_while_choosing() -> None:
    """Who chooses sees what is there now."""
    oracle = play(turn_of(0, 4, "ff", houses={"C2": 0}, bonus_taken=TAKEN), "build:F1")
    assert oracle.decision() == ("bonus", 0)
    assert bonus_rows(oracle.view(0)) == (["coins"], ["forest", "meadow", "mountain", "desert"])
    assert [row[8] for row in oracle.view(0)["players"]] == [0, 0, 0, 0]
    assert bonus_rows(oracle.view(3)) == ([], BONUS)
    assert [row[8] for row in oracle.view(2)["players"]] == [0, 0, 0, 1]  # seats 2, 3, 0, 1: only seat 1 took one since
    place = [name for name, here in zip(BOARD.places, oracle.view(2)["place"], strict=True) if here]
    assert place == ["F1"] and oracle.view(2)["status"][9] == 1


def test_players_and_areas() -> None:
    houses = {"C8": 1, "M4": 1, "M8": 1, "MO2": [1, 2], "TO1": [1], "C1": 0}
    position = show_card(turn_of(1, 3, "ccddf", houses=houses, keys=5), "2E")
    position = give_goods(position, ["pottery+wine", "pottery+wine"], [], [], ["cloth+spices", "cloth+spices"])
    position["players"][1] |= {"known": ["coast", "desert", "desert"], "keys": 1}
    position["players"][1]["letters"] |= {"outer": 10, "rivers": 4}
    view = play(give_coins(position, 3, 5, 0)).view(0)
    assert view["players"][1] == [14, 5, 1, 13, 5, 2, 2, 0, 0, 2]
    assert view["known"] == [[0] * 5, [1, 0, 0, 0, 2], [0] * 5] and view["hand"] == [0] * 5
    assert view["at_rivers"] == [[0] * 4, [0, 2, 0, 0], [0] * 4]
    assert view["in_quarters"] == [[0] * 4, [0, 1, 1, 0], [0, 1, 0, 0]]
    assert view["scoring"] == [1, 0, 0, 0] + [0] * 4 + [1, 0, 0, 0]
    assert view["goods"] == [[2, 0, 0, 0, 0, 0], [0, 1, 1, 1, 1, 0], [0] * 6, [0, 0, 0, 0, 0, 2], [0] * 6]
    assert [sum(row) for row in view["houses"]] == [1, 5, 1]
    assert view["turn"] == [[0, 0, 0, 0], [1, 1, 0, 0], [0, 0, 0, 0]]
    assert view["status"] == [1, 15, 0, 45, 0, 0, 8, 5, 27, 0, 0, 0]
    assert view["decision"] == [0, 1, 0, 0, 0, 0, 0] and sum(view["to_come"]) == 15


def test_pairs() -> None:
    oracle = play(bidding(1, ["cc", "cd", "em"], 3, 3, 3), "bid:a", "bid:a")
    view = oracle.view(2)
    assert view["pairs"] == [[2, 0, 0, 0, 0], [1, 0, 0, 0, 1], [0, 0, 1, 1, 0], [0] * 5]
    assert view["pair_seat"] == [[1, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]]
    assert [row[2] for row in view["turn"]] == [1, 0, 0]
    assert view["turn"] == [[0, 0, 1, 0], [1, 0, 0, 0], [0, 1, 0, 0]]
    assert view["status"][2] == 2 and view["decision"] == [1, 0, 0, 0, 0, 0, 0]
    assert oracle.view(0)["pair_seat"][0] == [0, 0, 1]


def test_sites_disregard_cards_and_keys() -> None:
    """G11.6: no card, no key, no house left: still sites by G5.2."""
    position = stand(turn_of(0, 3, "", "c"), {"FO1": 0, "C1": 1})
    position |= {"decision": {"kind": "build", "actor": 1}, "turn": position["turn"] | {"player": 1}}
    sites = [name for name, here in zip(BOARD.places, play(position).view(0)["sites"], strict=True) if here]
    assert sites == [f"C{number}" for number in range(2, 17)] + ["F5", "F6", "FO2", "FI", "DO2"]


def test_over() -> None:
    position = turn_of(0, 3, "c") | {"decision": {"kind": "over", "actor": None}, "turn": None, "ending": "cards"}
    view = play(position).view(1)
    assert view["decision"] == [0] * 7 and [row[0] for row in view["turn"]] == [0] * 3 and view["status"][11] == 1
    assert sum(view["scoring"]) == 2


def test_numbers_are_clipped() -> None:
    assert clipped(300) == 255 and clipped([[1, 256], [255]]) == [[1, 255], [255]]
    position = turn_of(0, 3, "c")
    position["players"][0]["letters"]["goods"] = 300
    assert play(position).view(1)["players"][2][0] == 255
