"""Edge cases of pairs and bidding (G4), and of drawing cards."""

from .golden_city import Oracle
from .helpers import Scripted, bidding, cards, offered, play, turn_of


def test_e1_the_displaced_player_takes_the_same_pair_back() -> None:
    oracle = play(bidding(0, ["cc", "cd", "ff"], 3, 4, 3), "bid:a", "bid:a", "bid:b")
    assert oracle.decision() == ("bid", 0) and offered(oracle) == ["a", "b", "c"]
    oracle.apply("bid:a")
    position = oracle.position()
    assert position["decision"]["actor"] == 1 and position["displacements"] == 2
    assert [player["coins"] for player in position["players"]] == [1, 3, 3] and position["coins"] == 28
    assert [pair["seat"] for pair in position["pairs"]] == [0, 2, None]
    oracle.apply("bid:a")  # and back again, for 3
    assert oracle.decision() == ("build", 0)  # who has 1 coin and takes the free pair unasked
    assert [player["hand"] for player in oracle.position()["players"]] == [cards("ff"), cards("cc"), cards("cd")]
    assert [player["coins"] for player in oracle.position()["players"]] == [1, 0, 3]


def test_e2_equal_pairs() -> None:
    oracle = play(bidding(0, ["cd", "cd", "ff"], 3, 3, 3))
    assert offered(oracle) == ["a", "c"]
    oracle.apply("bid:a")
    assert offered(oracle) == ["a", "b", "c"]
    oracle.apply("bid:b")
    assert offered(oracle) == ["a", "b", "c"]  # equal and both occupied: different actions
    free = play(bidding(0, ["ff", "ff", "ff"], 3, 3, 3))
    assert free.decision() == ("bid", 0) and offered(free) == ["a"]  # asked: a position says so


def test_e3_the_price_falls_back() -> None:
    oracle = play(bidding(1, ["cc", "cd", "ff"], 3, 3, 3), "bid:a", "bid:a", "bid:a")
    assert oracle.view(0)["status"][2] == 3 and oracle.position()["displacements"] == 2
    while oracle.position()["round"] == 1:
        text = "build:done" if "build:done" in oracle.legal() else oracle.legal()[-1]
        if oracle.decision()[0] == "build":
            assert oracle.view(0)["status"][2] == 0
        oracle.apply(text)
    assert oracle.decision() == ("bid", 2) and oracle.view(0)["status"][2] == 1  # E34: the key went on
    assert oracle.position()["displacements"] == 0


def test_e4_without_coins() -> None:
    oracle = play(bidding(0, ["cc", "cd", "ff", "em"], 3, 0, 1, 3), "bid:b")
    assert oracle.decision() == ("bid", 1) and offered(oracle) == ["a", "c", "d"]
    oracle.apply("bid:a")
    oracle.apply("bid:a")  # the only coin of seat 2
    assert oracle.decision() == ("bid", 3) and offered(oracle) == ["a", "b", "c", "d"]
    oracle.apply("bid:a")  # 2 coins
    assert oracle.decision() == ("bid", 1) and offered(oracle) == ["c", "d"]


def test_e5_the_pointer_goes_on_from_the_last_actor() -> None:
    oracle = play(bidding(0, ["cc", "cd", "ff", "em"], 3, 3, 3, 3), "bid:a", "bid:b", "bid:a")
    assert oracle.decision() == ("bid", 3)  # not seat 0, the first player, who was displaced
    oracle.apply("bid:b")
    assert oracle.decision() == ("bid", 0)
    oracle.apply("bid:c")
    assert oracle.decision() == ("bid", 1)  # skips nobody
    other = play(bidding(2, ["cc", "cd", "ff", "em"], 3, 3, 3, 3), "bid:a", "bid:b", "bid:c", "bid:b")
    assert other.decision() == ("bid", 3)  # seats 2 and 0 have hands on pairs, seat 1 as well
    assert [pair["seat"] for pair in other.position()["pairs"]] == [2, 1, 0, None]


def test_e6_the_deck_runs_out_while_pairs_are_laid_out() -> None:
    position = turn_of(2, 3, "c", deck="dmf", first_player=0)
    pile = position["discard"]
    new_deck = cards("edcf") + ["coast"] * 4
    chance = Scripted(landscapes=[new_deck])
    after = play(position, "build:done", chance=chance).position()
    assert chance.asked == [("landscapes", pile)]  # all that lies there, in order; the actor keeps the coast card
    # desert with meadow, mountain with desert, forest with coast: first with fourth, second with fifth, third with sixth
    assert [pair["cards"] for pair in after["pairs"]] == [cards("cf"), cards("ed"), cards("md")]
    assert after["deck"] == new_deck[3:] and after["discard"] == []


def test_no_new_deck_before_a_card_is_needed() -> None:
    """G4.6: laying out takes the last card; the next deck is shuffled later."""
    chance = Scripted()
    after = play(turn_of(2, 3, "c", deck="dmfcce", first_player=0), "build:done", chance=chance).position()
    assert chance.asked == [] and after["deck"] == [] and len(after["discard"]) == 43


def test_pairs_are_laid_out_in_order() -> None:
    """G4.1: by the lower, then by the higher landscape."""
    after = play(turn_of(2, 3, "c", deck="ddfcfc", first_player=0), "build:done").position()
    assert [pair["cards"] for pair in after["pairs"]] == [cards("cf"), cards("cd"), cards("fd")]


def test_e34_the_first_player_moves() -> None:
    """G3, phase 6: clockwise after each round; seat 0 follows the last seat."""
    for first in range(3):
        oracle = play(turn_of((first + 2) % 3, 3, "c", first_player=first), "build:done")
        assert oracle.position()["first_player"] == (first + 1) % 3
        assert oracle.decision() == ("bid", (first + 1) % 3) and oracle.position()["round"] == 2


def test_a_whole_round_has_the_turns_in_order() -> None:
    position = turn_of(1, 3, "c", "c", "c")
    oracle = Oracle.from_position(position, Scripted())
    for seat in (1, 2, 0):
        assert oracle.decision() == ("build", seat)
        oracle.apply("build:done")
    assert oracle.decision() == ("bid", 2)
