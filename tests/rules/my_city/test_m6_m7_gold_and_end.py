"""M6: gold. M7: the end of the game."""

from __future__ import annotations

from pathlib import Path

import pytest

from ginkgo_env.games.my_city.game import MyCity

from .positions import Table, made_up, singles, table

# --- M6 ------------------------------------------------------------------------------------------------------------------------


def veins(folder: Path, players: int = 1) -> MyCity:
    """Veins at a1 and c1; one building covers both."""
    return made_up(folder, "v.v. ....", "aaab aaab", *singles(14), "R1 red ###", players=players)


def gold(found: Table) -> tuple[list[bool], int | None]:
    """Who got gold, and in which round."""
    given: list[bool] = found.by_seat("gold")
    assert [own.get("gold", 0) for own in found.sources] == [3 * one for one in given]
    assert found.counters == [10 - len(passed) + 3 * one for passed, one in zip(found.by_seat("passed"), given, strict=True)]
    return given, found.position["gold_round"]


def test_m6_1_when_the_last_vein_is_covered(tmp_path: Path) -> None:
    """At once, on the counter; one vein is not enough."""
    found = table("Y1", game=veins(tmp_path)).play("c1N", "b1N")
    assert gold(found) == ([False], None) and found.seen()["turn"][2] == 1
    found.play("a1N")
    assert gold(found) == ([True], 3) and found.counters == [13] and found.seen()["turn"][2] == 0


def test_m14_10_gold_to_two_in_the_same_round(tmp_path: Path) -> None:
    """By different buildings and in another order, 3 points each."""
    found = table("Y1", players=3, game=veins(tmp_path, 3))
    found.play("c1N", "c2N", "c1N", "b1N", "c1N", "c2N", "c2N", "b1N", "b1N", "a1N", "a1N", "pass")
    assert gold(found) == ([True, True, False], 4)


def test_m14_10_gold_in_consecutive_rounds(tmp_path: Path) -> None:
    """After the round in which it was given nobody gets anything (M6.1)."""
    found = table("Y1", players=2, game=veins(tmp_path, 2)).play("c1N", "c1N", "b1N", "b1N", "pass", "a1N", "a1N", "pass")
    assert gold(found) == ([False, True], 3)
    assert [row[2:4] for row in found.seen(0)["players"]] == [[2, 0], [2, 1]]  # veins covered, gold


def test_m14_10_gold_for_a_player_who_passed_to_nothing_before(tmp_path: Path) -> None:
    found = table("Y1", "Y2", game=veins(tmp_path)).play(*["pass"] * 10, "c1N", "b1N")
    assert found.counters == [0] and found.play("a1N").counters == [3] and gold(found) == ([True], 13)


def test_m14_10_both_veins_by_one_building(tmp_path: Path) -> None:
    game = made_up(tmp_path, "v.v. ....", "aaab aaab", "R1 red ###", *singles(2))
    assert gold(table("R1", game=game).play("a1N")) == ([True], 1)


def test_m14_10_never(tmp_path: Path) -> None:
    """A vein uncovered costs nothing (M6.2)."""
    found = table("Y1", game=made_up(tmp_path, "v.v.", "aaab", *singles(2))).play("c1N", "pass")
    assert gold(found) == ([False], None) and found.sources == [{"start": 10, "passes": -1, "yellow": 1, "empty": -2}]


def test_m6_3_no_veins_no_gold(tmp_path: Path) -> None:
    found = table("Y1", players=2, game=made_up(tmp_path, "...", "aab", *singles(3), players=2))
    found.play("b1N", "b1N", "a1N", "pass")
    assert gold(found) == ([False, False], None) and found.counters == [10, 9] and found.seen()["turn"][2] == 0


def test_m14_11_a_last_vein_while_another_ends(tmp_path: Path) -> None:
    """Also if the game ends with that."""
    for first in (True, False):
        found = table("Y1", players=2, game=veins(tmp_path, 2)).play("c1N", "c1N", "b1N", "b1N")
        found.play(*(("end", "a1N") if first else ("a1N", "end")))
        assert gold(found) == ([not first, first], 3) and found.ended == ([3, None] if first else [None, 3])


def test_m6_1_gold_at_the_last_card(tmp_path: Path) -> None:
    found = table("Y1", game=made_up(tmp_path, "v.", "ab", *singles(1))).play("a1N")
    assert found.ending == "cards" and gold(found) == ([True], 1) and found.scores == [10 + 3 + 1 - 1]


# --- M7 ------------------------------------------------------------------------------------------------------------------------


def test_m7_1_when_all_have_ended_no_card_is_turned_up() -> None:
    found = table("Y1", players=3).play("end", "e1E", "end", "end")
    assert found.ending == "ended" and len(found.revealed) == 2 and found.actor is None and found.current is None
    assert found.legal == [] and found.seen()["turn"] == [2, 26, 1]


def test_m7_2_when_the_deck_has_run_out(tmp_path: Path) -> None:
    found = table("Y1", "X", "Y2", game=made_up(tmp_path, "..", "ab", *singles(4))).play("pass", "pass", "pass")
    assert found.ending == "cards" and found.actor is None


@pytest.mark.parametrize(("last", "drawn"), [((), 4), (("X",), 3), (("X", "Y2"), 2)])
def test_m14_09_the_end_at_the_last_card(last: tuple[str, ...], drawn: int, tmp_path: Path) -> None:
    """It is `ended` (M7.2); a pass is `cards`, and turns up what is left: the blocking card and what it blocks."""
    game = made_up(tmp_path, "..", "ab", *singles(3), players=2)
    first = () if last else ("X", "Y1")
    start = table(*first, players=2, last=last, game=game)
    while len(start.revealed) < drawn:
        start.play("a1N" if start.current == "Y1" else "pass")
    end = start.copy().play("end", "end")
    assert end.ending == "ended" and len(end.revealed) == drawn
    for plays in (("pass", "pass"), ("end", "pass"), ("pass", "end")):
        cards = start.copy().play(*plays)
        assert cards.ending == "cards" and len(cards.revealed) == 4
        assert cards.scores == [score - (play == "pass") for score, play in zip(start.scores, plays, strict=True)]


def test_m7_2_the_last_players_end_at_the_last_card_after_others_ended_before(tmp_path: Path) -> None:
    found = table("X", "Y1", players=2, last=(), game=made_up(tmp_path, "..", "ab", *singles(3), players=2)).play(
        "end", "pass", "end"
    )
    assert found.ending == "ended" and found.ended == [1, 2]
