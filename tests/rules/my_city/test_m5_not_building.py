"""M5: passing, ending, churches, the blocking card."""

from __future__ import annotations

from pathlib import Path

import pytest

from ginkgo_env.games.my_city.game import MyCity

from .positions import made_up, played, singles, table

TENS = tuple(f"{color}{i} pass" for color in "YR" for i in range(1, 6))


# --- M5.1, M5.2: pass ----------------------------------------------------------------------------------------------------------


def test_m5_1_a_pass_costs_one_point() -> None:
    """Also where the building could be placed; it is out of the game for this player alone."""
    found = table("Y1", "R1", players=2).play("pass", "e1E")
    assert found.counters == [9, 10] and found.sources[0]["passes"] == -1 and found.scores == [-69, -65]
    assert found.by_seat("passed") == [["Y1"], []] and found.player(1)["placed"] == [{"building": "Y1", "at": "e1E"}]
    assert [own[0] for own in found.seen(0)["buildings"]] == [[0, 1], [1, 0]]  # placed, lost


def test_m5_2_no_pass_without_points() -> None:
    found = played(*TENS, "B1")
    assert found.counters == [0] and found.scores == [-78] and found.legal[-1:] == ["end"] and "pass" not in found.legal
    before = played(*TENS[:-1], "B1")
    assert before.counters == [1] and "pass" in before.legal


def two_banks(folder: Path, players: int) -> MyCity:
    """Four cells in a row, two on each bank; a church covers one bank."""
    return made_up(folder, "....", "aabb", *singles(12), "C1 church ##", "C2 church ##", players=players)


def test_m14_04_the_last_point_gold_and_passing_again(tmp_path: Path) -> None:
    """Passing with 1 point on the counter, none at 0; gold gives 3, which can be passed for (M5.1, M5.2)."""
    game = made_up(tmp_path, "v...", "abbb", *singles(15))
    found = table(*(f"Y{i}" for i in range(1, 16)), game=game)
    for points in range(10, 0, -1):
        assert found.counters == [points] and "pass" in found.legal
        found.play("pass")
    assert found.counters == [0] and found.legal == ["a1N", "b1N", "end"]
    found.play("a1N")
    assert found.counters == [3] and found.legal == ["b1N", "pass", "end"]
    assert found.play("pass", "pass", "pass").counters == [0] and found.legal == ["b1N", "end"]
    assert found.sources == [{"start": 10, "passes": -13, "gold": 3, "yellow": 1, "empty": -3}]


def test_m5_2_without_points_and_placement_the_player_has_to_end(tmp_path: Path) -> None:
    """That is not asked (M13.12)."""
    found = table(*(f"Y{i}" for i in range(1, 13)), "C1", game=two_banks(tmp_path, 1)).play(*["pass"] * 10)
    assert found.current == "Y11" and found.counters == [0] and found.legal == ["b1N", "c1N", "end"]
    found.play("b1N").play("c1N")
    assert found.actor is None and found.ending == "ended" and found.ended == [13]  # the church has no place
    assert found.scores == [10 - 10 + 2 - 2]


def test_m5_2_a_building_without_a_place_at_no_points(tmp_path: Path) -> None:
    game = made_up(tmp_path, "..", "ab", *singles(13))
    found = table(*(f"Y{i}" for i in range(1, 14)), game=game).play(*["pass"] * 10, "a1N", "b1N")
    assert found.actor is None and found.ending == "ended" and found.ended == [13] and found.counters == [0]


# --- M5.3: end -----------------------------------------------------------------------------------------------------------------


def test_m5_3_ending_costs_nothing_and_the_board_is_scored() -> None:
    found = table("Y1", "R1", "B1", players=2).play("e1E", "e1E", "end", "f1E")
    assert found.counters == [10, 10] and found.scores == [-65, -62] and found.ended == [2, None]
    while found.actor is not None:
        assert found.actor == 1  # there is no return
        found.play(found.legal[0])
    assert found.scores[0] == -65 and found.ended[0] == 2


@pytest.mark.parametrize("card", ["Y1", "R4", "B8", "C1", "C3"])
def test_m5_3_ending_is_offered_after_any_card(card: str) -> None:
    """Also where the building could be placed, and instead of a church."""
    found = table(card, players=2)
    assert len(found.legal) > 20 and found.legal[-1] == "end"
    assert found.play("end", "end").ending == "ended" and found.scores == [-68, -68]


# --- M5.4: churches ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("church", ["C1", "C2", "C3"])
def test_m14_06_a_church_that_can_be_placed(church: str) -> None:
    """No pass; the end is offered (M5.4)."""
    for before in ((), ("Y1 e1E",), ("Y1 pass", "Y4 g6N")):
        found = played(*before, church)
        assert len(found.legal) > 5 and "pass" not in found.legal and found.legal[-1] == "end"


def test_m14_05_a_church_that_cannot_be_placed(tmp_path: Path) -> None:
    """A forced end, at no cost, with all points left."""
    found = table("Y1", "Y2", "C1", "Y3", game=two_banks(tmp_path, 1)).play("b1N", "c1N")
    assert found.actor is None and found.ending == "ended" and found.counters == [10] and found.ended == [3]
    assert len(found.revealed) == 3 and found.scores == [10 + 2 - 2]


def test_m14_07_forced_ends_of_several_players_in_one_round(tmp_path: Path) -> None:
    """Only the one who can place the church is asked."""
    found = table("Y1", "Y2", "C1", "Y3", "C2", players=3, game=two_banks(tmp_path, 3)).play(
        "b1N", "b1N", "b1N", "c1N", "a1N", "c1N"
    )
    assert (found.current, found.actor, found.legal) == ("C1", 1, ["c1N", "end"])
    found.play("c1N")
    assert found.ended == [3, None, 3]
    assert (found.current, found.actor, found.legal) == ("Y3", 1, ["pass", "end"])


def test_m14_07_forced_end_of_the_last_remaining_player(tmp_path: Path) -> None:
    found = table("Y1", "Y2", "C1", "Y3", "C2", players=3, game=two_banks(tmp_path, 3)).play(
        "b1N", "b1N", "b1N", "c1N", "a1N", "c1N"
    )
    found.play("c1N").play("pass")
    assert found.actor is None and found.ending == "ended" and found.ended == [3, 5, 3]  # C2 has no place: no decision


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_m14_07_forced_ends_of_everybody(players: int, tmp_path: Path) -> None:
    found = table("Y1", "Y2", "C1", players=players, game=two_banks(tmp_path, players))
    found.play(*["b1N"] * players, *["c1N"] * players)
    assert found.actor is None and found.ending == "ended" and found.ended == [3] * players
    assert len(found.winners) == players


def test_m14_07_the_first_card_ends_the_game(tmp_path: Path) -> None:
    """A church that nobody can ever place: the game is over before the first decision."""
    game = made_up(tmp_path, "..", "ab", "Y1 yellow #", "C1 church ##", players=3)
    found = table("C1", "Y1", players=3, game=game)
    assert found.actor is None and found.ending == "ended" and found.ended == [1, 1, 1] and found.scores == [8, 8, 8]


def test_m14_08_all_end_in_the_same_round() -> None:
    found = table("Y1", "R1", players=4).play(*["e1E"] * 4, *["end"] * 4)
    assert found.ending == "ended" and found.ended == [2] * 4 and len(found.revealed) == 2


def test_m14_08_all_but_one_have_ended_long_ago() -> None:
    """The last one plays on alone."""
    found = table("Y1", players=4).play("end", "end", "e1E", "end")
    decisions = 0
    while found.actor is not None and "pass" in found.legal:
        assert found.actor == 2
        found.play("pass")
        decisions += 1
    assert decisions == 10 and found.counters == [10, 10, 0, 10] and found.ended == [1, 1, None, 1]


# --- M5.5: the blocking card ---------------------------------------------------------------------------------------------------


def test_m14_01_the_blocking_card_first() -> None:
    found = table("X", "Y1", "R1", players=2)
    assert (found.round, found.revealed, found.position["blocked"]) == (1, ["X", "Y1", "R1"], "Y1")
    assert found.counters == [10, 10] and found.ended == [None, None] and found.by_seat("passed") == [[], []]


def test_m14_01_a_church_blocked_ends_nobody() -> None:
    found = table("Y1", "X", "C1", "R1", players=2).play("e1E", "pass")
    assert (
        found.current == "R1" and found.counters == [10, 9] and found.ended == [None, None] and found.position["blocked"] == "C1"
    )


def test_m14_01_what_would_have_been_the_first_building_blocked() -> None:
    """The next one is the first one, at the river (M4.3)."""
    found = played("Y1 pass", "X", "Y2", "R1")
    assert found.current == "R1" and len(found.legal) == 44


@pytest.mark.parametrize("blocked", ["Y9", "C1"])
def test_m14_01_the_blocking_card_last_but_one(blocked: str, tmp_path: Path) -> None:
    """The last building, church or not, is lost to all; the cards have run out (M7.2)."""
    game = made_up(tmp_path, "..", "ab", *singles(9), "C1 church #")
    found = table(*(["C1"] if blocked != "C1" else []), last=("X", blocked), game=game)
    while found.actor is not None:
        found.play("pass" if "pass" in found.legal else "a1N")
    assert found.ending == "cards" and len(found.revealed) == 11 and found.position["blocked"] == blocked
    assert found.round == 9 and found.ended == [None]


def test_m14_01_the_blocking_card_last(tmp_path: Path) -> None:
    found = table("Y1", game=made_up(tmp_path, "..", "ab", *singles(3))).play("pass", "pass", "pass")
    assert found.ending == "cards" and (len(found.revealed), found.position["blocked"], found.round) == (4, None, 3)
