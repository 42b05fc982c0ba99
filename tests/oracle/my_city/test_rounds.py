"""Rounds, not building, gold and the end of the game: M14.1 to M14.11."""

from pathlib import Path

import pytest

from .helpers import CREEK, DITCH, game, play, totals, write_board, write_buildings
from .my_city import Oracle

TEN = "Y3 Y4 Y8 R3 R4 R8 B3 B4 B8 Y5"


@pytest.fixture
def creek(tmp_path: Path) -> str:
    """Two veins, one on each side of the river."""
    return write_board(tmp_path, CREEK)


@pytest.fixture
def ditch(tmp_path: Path) -> str:
    """One row, three cells on each bank."""
    return write_board(tmp_path, DITCH)


@pytest.fixture
def two(tmp_path: Path) -> str:
    """Two dominoes, so that three cards are the deck."""
    return write_buildings(tmp_path, ["Y1 yellow ##", "R1 red ##"])


def each(oracle: Oracle, key: str) -> list[object]:
    """An entry of each player in the position."""
    return [player[key] for player in oracle.position()["players"]]


def test_blocking_card_first() -> None:
    """M14.1: a church is blocked, which would have been the first building."""
    oracle = game("X C1 Y1", 2)
    position = oracle.position()
    assert (position["revealed"], position["blocked"], position["round"]) == (["X", "C1", "Y1"], "C1", 1)
    assert len(oracle.legal()) == 44 and each(oracle, "passed") == [[], []] and each(oracle, "points") == [10, 10]


def test_blocking_card_between() -> None:
    """M5.5: nobody ends, no round; the first building still has to lie at the river."""
    oracle = play(game("Y1 X C1 R1", 3), "pass end pass")
    assert oracle.position()["revealed"] == ["Y1", "X", "C1", "R1"] and oracle.position()["round"] == 2
    assert each(oracle, "ended") == [None, 1, None] and len(oracle.legal()) == 44
    assert play(oracle, "pass").decision() == ("build", 2)


@pytest.mark.parametrize(("cards", "blocked", "rounds"), [("Y1 X R1", "R1", 1), ("Y1 R1 X", None, 2)])
def test_blocking_card_at_the_end(two: str, cards: str, blocked: str | None, rounds: int) -> None:
    """M14.1, M7.2."""
    position = play(game(cards, buildings=two), "pass " * rounds).position()
    assert (position["ending"], position["round"], position["blocked"]) == ("cards", rounds, blocked)
    assert position["revealed"] == cards.split() and position["deck"] == []


def test_no_building_comes_up(tmp_path: Path) -> None:
    """M11.9: round 0."""
    oracle = game("X Y1", 2, buildings=write_buildings(tmp_path, ["Y1 yellow ##"]))
    assert oracle.decision() == ("over", None) and oracle.position()["round"] == 0
    assert oracle.position()["ending"] == "cards" and oracle.winners() == [0, 1]


def test_only_the_first_lies_at_the_river() -> None:
    """M14.2, M4.3, M4.4."""
    oracle = play(game("R3 R4 Y1 B1 R1"), "pass pass")
    assert len(oracle.legal()) == 44 and "e6N" in oracle.legal() and "d1E" not in oracle.legal()
    oracle = play(oracle, "e1E")
    assert "d1E" in oracle.legal() and "e6N" not in oracle.legal()


def test_first_card_a_church() -> None:
    """M14.3, M14.6, M5.4."""
    legal = game("C1", 2).legal()
    assert len(legal) == 34 + 1 and legal[-1] == "end" and "pass" not in legal


def test_passing_to_zero_and_gold(creek: str) -> None:
    """M14.4, M14.10: gold to a player who passed to 0 before."""
    oracle = play(game(f"Y1 {TEN} R1 R2", board=creek), "b2N", "pass " * 9)
    assert each(oracle, "points") == [1] and oracle.legal()[-2:] == ["pass", "end"]
    oracle = play(oracle, "pass")
    assert each(oracle, "points") == [0] and "pass" not in oracle.legal() and "d2N" in oracle.legal()
    oracle = play(oracle, "d2N")
    assert each(oracle, "points") == [3] and oracle.position()["gold_round"] == 12
    assert oracle.legal()[-2:] == ["pass", "end"] and oracle.scores()[0]["passes"] == -10


def test_passing_without_points(ditch: str) -> None:
    """M14.4, M5.2: no points, and the building cannot be placed."""
    oracle = play(game(f"Y1 {TEN} C1 B4", board=ditch), "b1N", "pass " * 10, "d1N")
    assert oracle.decision() == ("over", None) and each(oracle, "ended") == [13] and each(oracle, "points") == [0]


def test_church_without_a_place(ditch: str) -> None:
    """M14.5, M14.7: with ten points; everybody has to, at no cost, without a decision."""
    oracle = game("C2", 3, board=ditch)
    assert oracle.decision() == ("over", None) and oracle.position()["ending"] == "ended" and oracle.position()["round"] == 1
    assert each(oracle, "points") == [10] * 3 and each(oracle, "ended") == [1] * 3
    assert totals(oracle) == [4] * 3 and oracle.winners() == [0, 1, 2]


def test_forced_ends_of_some(ditch: str) -> None:
    """M14.7; M10.2: they take effect with the others' choices, and are not seen before."""
    oracle = play(game("Y1 R1 C1 B1", 3, board=ditch), "b1N b1N pass", "d1N d1N pass")
    assert oracle.decision() == ("build", 2) and oracle.legal() == ["a1N", "d1N", "end"]
    assert each(oracle, "choice") == ["end", "end", None] and each(oracle, "ended") == [None] * 3
    assert [row[1] for row in oracle.view(2)["players"]] == [0, 0, 0]
    oracle = play(oracle, "a1N")
    assert each(oracle, "ended") == [3, 3, None] and each(oracle, "points") == [10, 10, 8]
    assert oracle.decision() == ("build", 2) and oracle.legal() == ["d1N", "pass", "end"]


def test_forced_end_of_the_last_player(ditch: str) -> None:
    """M14.7."""
    oracle = play(game("Y1 R1 C1", 2, board=ditch), "b1N end d1N")
    assert oracle.decision() == ("over", None) and oracle.position()["ending"] == "ended"
    assert each(oracle, "ended") == [3, 1] and totals(oracle) == [10 - 2 + 2, 4]


def test_the_others_have_ended() -> None:
    """M14.8."""
    oracle = play(game("Y1 R1 B1", 3), "end e1E end", "pass")
    assert oracle.decision() == ("build", 1) and oracle.position()["round"] == 3
    assert play(oracle, "end").position()["ending"] == "ended"


def test_all_end_together() -> None:
    """M14.8, M7.1: no card is turned up any more."""
    position = play(game("Y1 R1", 3), "e1E pass e1E", "end end end").position()
    assert position["ending"] == "ended" and position["revealed"] == ["Y1", "R1"] and position["round"] == 2


@pytest.mark.parametrize(("actions", "ending"), [("end end", "ended"), ("pass pass", "cards"), ("end pass", "cards")])
@pytest.mark.parametrize("cards", ["X Y1 R1", "R1 X Y1"])
def test_the_last_card(two: str, cards: str, actions: str, ending: str) -> None:
    """M14.9, M7.2; also when only the blocking card and what it blocks are to come."""
    position = play(game(cards, 2, buildings=two), actions).position()
    assert position["ending"] == ending and position["round"] == 1
    turned_up = 1 if (cards, ending) == ("R1 X Y1", "ended") else 3
    assert len(position["revealed"]) == turned_up and position["blocked"] == ("Y1" if turned_up == 3 else None)


@pytest.mark.parametrize(
    ("actions", "points", "gold_round"),
    [
        ("b2N b2N d2N d2N pass pass", [12, 12], 2),  # two in the same round
        ("b2N b2N d2N pass pass d2N", [12, 9], 2),  # in consecutive rounds
        ("b2N b2N d2N end pass", [12, 10], 2),  # in the round in which another ends (M14.11)
        ("b2N b2N pass pass d2N end", [12, 9], 3),
        ("b2N b2N pass pass pass pass", [8, 8], None),  # never
    ],
)
def test_gold(creek: str, actions: str, points: list[int], gold_round: int | None) -> None:
    """M14.10, M14.11."""
    oracle = play(game("Y1 R1 B1 Y2", 2, board=creek), actions)
    assert each(oracle, "points") == points and oracle.position()["gold_round"] == gold_round
    assert [score["gold"] for score in oracle.scores()] == [3 if gold else 0 for gold in each(oracle, "gold")]


def test_both_veins_by_one_building(tmp_path: Path) -> None:
    """M14.10."""
    board = write_board(tmp_path, ". v v . l l l r")
    assert play(game("Y1 R1", board=board), "b1N").position()["gold_round"] == 1


def test_no_veins(ditch: str) -> None:
    """M6.3: there is no gold, and none is open."""
    oracle = play(game("Y1 R1", board=ditch), "b1N")
    assert oracle.position()["gold_round"] is None and each(oracle, "points") == [10]
    assert oracle.view(0)["turn"][2] == 0
