"""M13: the worked examples, each with its numbers, and twelve complete games."""

from __future__ import annotations

from typing import Any

import pytest

from .games import GAMES, check_game
from .positions import played, table

START = {"start": 10, "trees": 12, "rocks": -12, "empty": -78}


def test_m13_1_the_end_at_the_first_card() -> None:
    over = table("Y1").play("end")
    assert over.sources == [START] and over.scores == [-68] and over.ending == "ended"
    assert over.empty_by_row == [[6, 7, 6, 7, 8, 5, 6, 8, 8, 9, 8]]
    assert table("Y1").scores == [-68]  # as it stands at the start


def test_m13_2_the_first_building() -> None:
    first = table("Y1")
    assert len(first.legal) == 44 and {"e1E", "d1N", "pass", "end"} <= set(first.legal)
    assert not {"e1N", "d3N", "e2E", "f3N"} & set(first.legal)
    assert len(table("Y2").legal) == 80
    church = table("C3")
    assert len(church.legal) == 64 and "pass" not in church.legal and "end" in church.legal


def test_m4_5_m13_3_touching_across_the_river() -> None:
    assert played("Y1 e1E", "R1 f1E").scores == [-62]
    assert "f3N" not in played("Y1 e1E", "R1").legal


def test_m13_4_a_group_across_the_river() -> None:
    found = played("Y1 e1E", "Y4 f1N")
    assert found.sources == [{"start": 10, "trees": 12, "rocks": -10, "yellow": 2, "empty": -73}] and found.scores == [-59]


def test_m13_5_a_church_joins_no_group() -> None:
    found = played("C1 f1E", "Y1 e1E", "Y4 g1N")
    assert found.sources[0] | {"yellow": 1, "trees": 10, "rocks": -10} == found.sources[0] and found.scores == [-60]


def test_m13_6_a_church_with_three_colors() -> None:
    first = played("C1 f1E", "Y1 g1E", "R1 e1E", "B1 f4E")
    assert first.sources[0]["churches"] == 3 and first.scores == [-52]
    other = played("C1 f1E", "Y1 g1E", "R1 e1E", "Y4 f4N")
    assert "churches" not in other.sources[0] and other.scores == [-54]


def test_m13_7_a_well_among_four_buildings() -> None:
    found = played("Y1 d5N", "R1 c4E", "B1 d6N", "C1 b5E", "B4")
    assert found.scores == [-56]
    found.play("c7N")
    assert found.sources[0] | {"blue": 2, "wells": 4} == found.sources[0] and found.scores == [-47]


def test_m13_8_a_well_with_three_sides_of_one_building() -> None:
    found = played("Y1 d5N", "R1 c4E", "Y8 b6N")
    assert "wells" not in found.sources[0] and found.sources[0]["yellow"] == 2 and found.scores == [-56]


def test_m13_9_the_first_building_after_passes() -> None:
    found = played("Y1 pass", "R1 pass", "B1")
    assert "e1E" in found.legal and not {"a9E", "i5E"} & set(found.legal)
    assert found.play("e1E").scores == [-67] and found.counters == [8]


def test_m13_10_five_red_buildings() -> None:
    found = played("R1 e1E", "R4 f1N", "R2 h1N", "R3 f3N", "R7 f4N")
    assert found.sources == [{"start": 10, "red": 5, "trees": 10, "rocks": -10, "empty": -64}] and found.scores == [-49]


def test_m13_11_a_mark_covered() -> None:
    found = played("Y1 d3E")
    assert found.sources == [{"start": 10, "yellow": 1, "trees": 10, "rocks": -12, "empty": -77}] and found.scores == [-68]


def test_m13_12_nothing_on_the_counter() -> None:
    """Placements and the end only; where nothing can be placed, nothing is asked and the player ends."""
    passed = [f"{color}{i} pass" for color in "YR" for i in range(1, 6)]
    found = played(*passed, "B1")
    assert found.counters == [0] and len(found.legal) == 43 and "pass" not in found.legal and "end" in found.legal


def test_m13_there_are_twelve_games() -> None:
    assert len(GAMES) == len({game["name"] for game in GAMES}) == 12


@pytest.mark.parametrize("known", GAMES, ids=lambda known: known["name"])
def test_m13_games(known: dict[str, Any]) -> None:
    check_game(known)
