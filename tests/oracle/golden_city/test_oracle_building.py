"""Edge cases of the building turn (G5)."""

import pytest

from .golden_city import Oracle
from .helpers import Scripted, cards, offered, play, stand, turn_of


def test_e8_the_reward_of_the_first_house_pays_the_second() -> None:
    oracle = play(turn_of(0, 3, "c", deck="c"), "build:C1")
    assert oracle.decision() == ("build", 0) and oracle.position()["turn"]["built"] == 1
    player = oracle.position()["players"][0]
    assert player["hand"] == ["coast"] and player["known"] == []
    oracle.apply("build:C5")
    assert oracle.position()["houses"] == {"C1": [0], "C5": [0]}
    assert oracle.decision()[0] == "bid"  # two houses; the others have no cards


def test_e9_a_key_of_the_first_house() -> None:
    """Without F6's key the inner district is not offered (E16)."""
    oracle = play(turn_of(0, 3, "ffff", houses={"C2": 0, "F2": 0, "FO1": 0}))
    assert "build:FI" not in oracle.legal() and "build:F6" in oracle.legal()
    oracle.apply("build:F6")
    assert "build:FI" in oracle.legal()
    oracle.apply("build:FI")
    player = oracle.position()["players"][0]
    assert player["letters"]["inner"] == 10 and player["keys"] == 0 and oracle.position()["keys"] == 5


def test_e10_the_second_house_beside_the_first() -> None:
    oracle = play(turn_of(0, 3, "cff"))
    assert "build:F1" not in oracle.legal()
    oracle.apply("build:C2")
    assert offered(oracle) == ["coast", "forest"]
    oracle.apply("pay:coast")
    assert {"build:F1", "build:F2"} <= set(oracle.legal())
    oracle.apply("build:F1")  # its payment has one way: not asked (E33)
    assert oracle.decision() == ("bonus", 0) and oracle.position()["turn"]["place"] == "F1"
    assert oracle.position()["turn"]["built"] == 2 and oracle.position()["players"][0]["hand"] == []


@pytest.mark.parametrize(("place", "due"), [("T3", 0), ("C2", 1), ("C1", 2)])
def test_e11_discards_after_a_build(place: str, due: int) -> None:
    """Seven cards: two paid and goods taken; one paid and a coin; one paid and a card drawn."""
    position = turn_of(0, 3, "ccmmmmd", deck="d" * 3 + "cfem", houses={"C11": 0})
    oracle = play(position, f"build:{place}")
    while oracle.decision()[0] in ("pay", "goods", "build"):
        wanted = {"pay": oracle.legal()[0], "goods": "goods:stack", "build": "build:done"}
        oracle.apply(wanted[oracle.decision()[0]])
    assert oracle.view(1)["status"][10] == due
    assert (oracle.decision() == ("discard", 0)) == (due > 0)


def test_e11_in_ascending_order_without_dead_ends() -> None:
    """E11, E12: a full hand and no house built."""
    start = turn_of(0, 3, "cffmmdd")
    oracle = play(start, "build:done")
    assert oracle.legal() == ["discard:coast", "discard:forest", "discard:mountain", "discard:desert"]
    oracle.apply("discard:mountain")
    assert oracle.legal() == ["discard:mountain", "discard:desert"]
    assert oracle.position()["turn"] == {"player": 0, "built": 0, "place": None, "discarded": "mountain"}
    oracle.apply("discard:desert")
    assert oracle.decision()[0] == "bid" and oracle.position()["players"][0]["hand"] == cards("cffmd")
    last = play(start, "build:done", "discard:desert")  # the second card can only be the other desert
    assert last.decision()[0] == "bid" and last.position()["players"][0]["hand"] == cards("cffmm")
    assert play(turn_of(0, 3, "cffmmmd"), "build:done").legal() == ["discard:coast", "discard:forest", "discard:mountain"]


def test_a_discard_with_one_way_counts_as_the_last_one() -> None:
    """G5.8: of six forests and a desert the first discard must be a forest: not asked, but remembered."""
    oracle = play(turn_of(0, 3, "ffffffd"), "build:done")
    assert oracle.position()["players"][0]["hand"] == cards("fffffd")
    assert oracle.legal() == ["discard:forest", "discard:desert"] and oracle.position()["turn"]["discarded"] == "forest"


def test_e12_discards_without_any_offer() -> None:
    """Nothing can be paid: `build` is skipped, the discard is asked."""
    coast = {f"C{number}": 1 for number in range(1, 17)} | {"D1": 0}
    position = turn_of(0, 3, "ffeemm", houses=coast) | {"decision": {"kind": "bid", "actor": 1}, "turn": None}
    position["pairs"] = [{"cards": cards(pair), "seat": seat} for pair, seat in (("cc", 2), ("cd", None), ("cd", 0))]
    position["players"][1]["coins"] = 0
    position = stand(position, {"T4": 1, "D2": 1, "D5": 1})  # all around D1 is taken: seat 0 has no site
    position["houses"]["D5"] = [2]
    oracle = play(position, "bid:b")
    assert oracle.decision() == ("discard", 0) and oracle.position()["blocked"] == [0]
    assert oracle.view(2)["status"][10] == 3
    oracle.apply("discard:coast")
    oracle.apply("discard:forest")
    assert oracle.legal() == ["discard:forest", "discard:meadow", "discard:mountain", "discard:desert"]


def test_e13_to_e15_sources() -> None:
    """More in T3."""
    oracle = play(turn_of(0, 3, "cff"), "build:C2", "pay:forest")
    assert oracle.position()["players"][0]["hand"] == ["coast"] and oracle.position()["discard"] == cards("ff")
    after = play(turn_of(0, 3, "dd"), "build:C2").position()  # E15
    assert after["houses"] == {"C2": [0]} and after["discard"] == cards("dd") and after["players"][0]["coins"] == 4
    four = play(turn_of(0, 3, "ffff", houses={"C14": 0}), "build:D2")  # E14
    assert four.position()["houses"]["D2"] == [0] and four.position()["discard"] == cards("ffff")
    assert "build:D2" not in play(turn_of(0, 3, "fffe", houses={"C14": 0})).legal()
    alike = play(turn_of(0, 3, "ddddd", houses={"C14": 0}), "build:D2")  # E29: two cards, never four
    assert alike.position()["discard"] == cards("dd")


def test_a_joker_card_is_in_one_joker_only() -> None:
    """G5.4: three forests are one foreign card, not two."""
    position = turn_of(0, 3, "fffd", houses={"C14": 0})
    position |= {"decision": {"kind": "pay", "actor": 0}, "turn": position["turn"] | {"place": "D2"}}
    assert offered(play(position)) == ["forest+desert"]


@pytest.mark.parametrize(("keys", "offer"), [(0, False), (1, True)])
def test_e16_inner_districts_need_a_key(keys: int, offer: bool) -> None:
    position = turn_of(0, 3, "ffc", houses={"C2": 0, "F2": 0, "F6": 1, "FO1": 0}, keys=6 - keys)
    position["players"][0]["keys"] = keys
    oracle = play(position)
    assert ("build:FI" in oracle.legal()) == offer
    site = list(oracle.table.board.places).index("FI")
    assert oracle.view(0)["sites"][site] == 1  # G11.6: cards disregarded, keys as well
    if offer:
        oracle.apply("build:FI")
        assert oracle.position()["keys"] == 5 and sum(p["keys"] for p in oracle.position()["players"]) == 0


def test_e18_who_may_stand_where() -> None:
    houses = {"C2": 0, "F2": 1, "F1": 0, "F5": 0, "FO1": [1, 2]}
    oracle = play(turn_of(0, 4, "ffffcc", houses=houses))
    assert "build:FO1" in oracle.legal() and not {"build:C2", "build:F2", "build:F1"} & set(oracle.legal())
    oracle.apply("build:FO1")
    oracle.apply("pay:forest+forest")
    assert oracle.position()["houses"]["FO1"] == [0, 1, 2]
    assert "build:FO1" not in oracle.legal()


def test_e30_the_known_part() -> None:
    """Paid cards come out of the known part first; unknown cards of other landscapes stay unknown."""
    position = turn_of(0, 3, "fffec", houses={"C2": 0})
    position["players"][0]["known"] = cards("cf")
    after = play(position, "build:F1", "bonus:city").position()["players"][0]
    assert after["hand"] == cards("cfe") and after["known"] == cards("c")
    position["players"][0]["known"] = cards("ffe")
    after = play(position, "build:F1", "bonus:city").position()["players"][0]
    assert after["hand"] == cards("cfe") and after["known"] == cards("e")


def test_e30_the_known_part_when_discarding() -> None:
    position = turn_of(0, 3, "cffmmd")
    position["players"][0]["known"] = cards("fm")
    after = play(position, "build:done", "discard:forest").position()["players"][0]
    assert after["hand"] == cards("cfmmd") and after["known"] == cards("m")


def test_e33_a_payment_with_one_way_is_not_asked() -> None:
    assert play(turn_of(0, 3, "ce"), "build:C1").decision()[0] != "pay"
    assert play(turn_of(0, 3, "cee"), "build:C1").decision() == ("pay", 0)


def test_done_ends_the_turn_after_one_house() -> None:
    """G5.1, G5.7: building is never compulsory."""
    oracle = play(turn_of(0, 3, "ccc", "c"), "build:C2")
    assert oracle.decision() == ("build", 0)
    oracle.apply("build:done")
    assert oracle.decision() == ("build", 1) and oracle.position()["turn"]["built"] == 0


def test_a_house_must_be_left() -> None:
    """G5.5; the position is made up."""
    position = turn_of(0, 3, "cc")
    position["players"][0]["houses_left"] = 0
    assert Oracle.from_position(position, Scripted()).legal() == []


def test_illegal_actions_are_refused() -> None:
    for text in ("build:F1", "bid:a", "done", ""):
        with pytest.raises(ValueError, match="not legal"):
            play(turn_of(0, 3, "cc"), text)
