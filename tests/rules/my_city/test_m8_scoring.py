"""M8: scoring."""

from __future__ import annotations

from pathlib import Path

import pytest

from .positions import Table, built, made_up, played, table

OPEN = "..... ..... ....."
BANKS = "aaabb aaabb aaabb"


def source(name: str, folder: Path, *plays: str, terrain: str = OPEN) -> int:
    """The points from a source in a game of :func:`built`, on a board of rows of five cells with the river after the third."""
    return built(folder, terrain, " ".join(["aaabb"] * len(terrain.split())), *plays).sources[0].get(name, 0)


# --- M8.1 to M8.3 --------------------------------------------------------------------------------------------------------------


def test_m8_1_start_passes_and_gold(tmp_path: Path) -> None:
    game = made_up(tmp_path, "v..", "abb", *(f"Y{i} yellow #" for i in range(4)))
    found = table("Y0", game=game).play("pass", "a1N", "pass")
    assert found.sources == [{"start": 10, "passes": -2, "gold": 3, "yellow": 1, "empty": -2}] and found.counters == [11]


def test_m8_2_m8_3_trees_and_rocks(tmp_path: Path) -> None:
    """Visible cells alone: two points for each cell, not for each tree."""
    plays = ("Y1 yellow # c1N", "Y2 yellow # b1N")
    assert source("trees", tmp_path, plays[0], terrain="ttt..") == 4 and source("trees", tmp_path, *plays, terrain="ttt..") == 2
    assert source("rocks", tmp_path, plays[0], terrain="rrr.r") == -6 and source("rocks", tmp_path, *plays, terrain="rrr.r") == -4


# --- M8.4: groups (M14.12) -----------------------------------------------------------------------------------------------------


def test_m8_4_counts_buildings_not_cells(tmp_path: Path) -> None:
    assert source("yellow", tmp_path, "Y1 yellow ###/##. a1N") == 1
    assert source("yellow", tmp_path, "Y1 yellow ## b1N", "Y2 yellow # a1N") == 2


def test_m14_12_across_the_river(tmp_path: Path) -> None:
    assert source("red", tmp_path, "R1 red # c1N", "R2 red # d1N", "R3 red # e1N") == 3


@pytest.mark.parametrize("between", ["C1 church", "B1 blue", "Y9 yellow"])
def test_m14_12_joined_by_another_building_only(between: str, tmp_path: Path) -> None:
    """A church joins no group, nor does another color."""
    found = source("yellow", tmp_path, "Y1 yellow # c1N", f"{between} # b1N", "Y2 yellow # a1N")
    assert found == (3 if "yellow" in between else 1)


def test_m14_12_joined_by_a_corner_only(tmp_path: Path) -> None:
    assert source("blue", tmp_path, "B1 blue # c1N", "R1 red # d1N", "B2 blue # d2N") == 1


def test_m14_12_two_groups(tmp_path: Path) -> None:
    """The larger one counts, whichever comes first on the board; of two equal ones either."""
    plays = ["Y1 yellow # c1N", "Y2 yellow # d1N", "R1 red # c2N", "Y3 yellow # c3N", "Y4 yellow # d3N"]
    assert source("yellow", tmp_path, *plays) == 2 and source("red", tmp_path, *plays) == 1
    assert (
        source("yellow", tmp_path, *plays, "Y5 yellow # e3N") == 3 and source("yellow", tmp_path, *plays, "Y5 yellow # e1N") == 3
    )
    assert source("yellow", tmp_path, *plays, "Y5 yellow # d2N") == 5


def test_m14_12_no_building_of_a_color(tmp_path: Path) -> None:
    assert [source(color, tmp_path, "C1 church # c1N") for color in ("yellow", "red", "blue")] == [0, 0, 0]


# --- M8.5: churches (M14.13) ---------------------------------------------------------------------------------------------------


def test_m14_13_three_colors_on_one_side(tmp_path: Path) -> None:
    plays = ["Y1 yellow # c1N", "R1 red # b1N", "B1 blue # a1N", "C1 church ### a2N"]
    assert source("churches", tmp_path, *plays) == 3
    assert source("churches", tmp_path, *plays[:2], "C1 church ### a2N") == 0  # two colors


def test_m14_13_a_church_beside_a_church(tmp_path: Path) -> None:
    """It is no color, and lends none of its own neighbors."""
    plays = ["Y1 yellow # c1N", "C1 church # c2N", "C2 church # d2N", "R1 red # b2N", "B1 blue # c3N"]
    assert source("churches", tmp_path, *plays) == 3


def test_m14_13_one_building_serves_two_churches(tmp_path: Path) -> None:
    """All three colors do."""
    plays = ["C1 church # c1N", "Y1 yellow # c2N", "C2 church # c3N", "R1 red ### d1E", "B1 blue ### b1E"]
    assert source("churches", tmp_path, *plays) == 6


def test_m14_13_a_color_across_the_river_or_at_a_corner_only(tmp_path: Path) -> None:
    plays = ["C1 church # c1N", "R1 red # b1N", "B1 blue # c2N"]
    assert source("churches", tmp_path, *plays, "Y1 yellow # d1N") == 3
    assert source("churches", tmp_path, *plays, "Y1 yellow # d2N") == source("churches", tmp_path, *plays, "Y1 yellow # b2N") == 0


def test_m8_5_one_color_three_times_is_not_three_colors(tmp_path: Path) -> None:
    plays = ["C1 church # c2N", "R1 red # b2N", "R2 red # c1N", "R3 red # c3N", "B1 blue # d2N"]
    assert source("churches", tmp_path, *plays) == 0


# --- M8.5: wells (M14.14, M14.15) ----------------------------------------------------------------------------------------------

WELL = "..... ..... ..w.. ..... ....."
AROUND = ["Y1 yellow # c2N", "Y2 yellow # d2N", "R1 red # d3N", "B1 blue # d4N", "Y3 yellow # c4N", "B2 blue # b4N"]


@pytest.mark.parametrize("last", ["C1 church #", "Y4 yellow #", "R2 red ##/#."])
def test_m14_14_a_well_among_four_buildings(last: str, tmp_path: Path) -> None:
    """A church counts, colors do not matter, a neighbor may lie across the river (d3) or be larger."""
    at = "a3N" if "##" in last else "b3N"
    assert source("wells", tmp_path, *AROUND, f"{last} {at}", terrain=WELL) == 4


def test_m14_14_a_well_covered(tmp_path: Path) -> None:
    assert source("wells", tmp_path, *AROUND, "C1 church # b3N", "R9 red # c3N", terrain=WELL) == 0


@pytest.mark.parametrize("missing", ["b3", "c4"])
def test_m14_14_three_neighbors(missing: str, tmp_path: Path) -> None:
    plays = AROUND if missing == "b3" else [*AROUND[:4], "B3 blue # b2N", "C1 church # b3N"]
    assert source("wells", tmp_path, *plays, terrain=WELL) == 0


def test_m14_14_four_neighbors_but_one_building_twice(tmp_path: Path) -> None:
    plays = [*AROUND[1:], "R2 red ##/#. b2N"]
    assert source("wells", tmp_path, *plays, terrain=WELL) == 0
    assert source("wells", tmp_path, *plays[:-1], "R2 red ## b2N", "R3 red # b3N", terrain=WELL) == 4


def test_m14_14_a_well_at_the_edge(tmp_path: Path) -> None:
    plays = ["Y1 yellow # d1N", "Y2 yellow # d2N", "Y3 yellow # c2N", "R1 red # b2N", "R2 red # b1N"]
    assert source("wells", tmp_path, *plays, terrain="..w.. ..... .....") == 0
    ring = ["Y1 yellow # c1N", "Y2 yellow # b1N", "R1 red # a1N", "B1 blue # b2N", "Y3 yellow # b3N", "C1 church # a3N"]
    assert source("wells", tmp_path, *ring, terrain="..... w.... .....") == 0  # at the left edge


@pytest.mark.parametrize("letter", "MF")
def test_m14_14_a_well_beside_mountain_or_forest(letter: str, tmp_path: Path) -> None:
    assert source("wells", tmp_path, *AROUND, terrain=WELL.replace("..w", f".{letter}w")) == 0


def test_m14_15_two_wells_share_a_building(tmp_path: Path) -> None:
    ring = [
        f"Y{i} yellow # {cell}N"
        for i, cell in enumerate(["c1", "b1", "a1", "a2", "a3", "b3", "c3", "c2", "d1", "e1", "e2", "e3", "d3"])
    ]
    assert source("wells", tmp_path, *ring, terrain="..... .w.w. .....") == 8
    wide = [*ring[:8], "R1 red ## d1N", "R2 red # e2N", "R3 red ## d3N"]
    assert source("wells", tmp_path, *wide, terrain="..... .w.w. .....") == 8


# --- M8.6: what is visible -----------------------------------------------------------------------------------------------------


def test_m14_16_marks_are_not_empty_land(tmp_path: Path) -> None:
    """A vein, and a well that does not score, cost nothing."""
    found = built(tmp_path, "wvtr. M.F..", BANKS[:11], "Y1 yellow # d2N")
    assert found.sources == [{"start": 10, "trees": 2, "rocks": -2, "yellow": 1, "empty": -3}]


def test_m8_6_cells_that_nobody_could_reach_count(tmp_path: Path) -> None:
    found = built(tmp_path, ".M... M....", "aaabb aaabb", "Y1 yellow # c1N")
    assert found.sources == [{"start": 10, "yellow": 1, "empty": -7}]  # a1 among them


@pytest.mark.parametrize(("letter", "points"), [("t", 266), ("r", -246), (".", -118)])
def test_m8_7_points_are_not_capped(letter: str, points: int, tmp_path: Path) -> None:
    banks = " ".join(["a" * 15 + "b"] * 8)
    found = table("Y1", game=made_up(tmp_path, " ".join([letter * 16] * 8), banks, "Y1 yellow #"))
    assert found.scores == [points] and found.play("end").scores == [points]


# --- M8.8: ties (M14.16 to M14.18) ---------------------------------------------------------------------------------------------

GRID = "......... " * 2 + "....w.v.."
THREE = " ".join(["aaaabbbbb"] * 3)


def winners(folder: Path, *cells: str, terrain: str = GRID) -> tuple[list[int], tuple[int, ...]]:
    """Scores and winners where each player covers one cell, or passes."""
    game = made_up(folder, terrain, THREE, "Y1 yellow #", players=len(cells))
    found = table("Y1", players=len(cells), game=game).play(*(cell if cell == "pass" else f"{cell}N" for cell in cells))
    return found.scores, found.winners


def test_m8_8_most_points_win(tmp_path: Path) -> None:
    scores, who = winners(tmp_path, "pass", "e3", "d1", "pass")  # e3 is a well
    assert scores[2] == scores[1] + 1 == scores[0] + 3 and who == (2,)


@pytest.mark.parametrize(
    ("cells", "who"),
    [
        (("d1", "d2"), (0,)),
        (("d2", "d1"), (1,)),
        (("d3", "d2"), (1,)),
        (("d3", "d3"), (0, 1)),
        (("d2", "e2"), (0, 1)),
        (("d3", "d2", "d3"), (1,)),
        (("pass", "d2", "d3", "e2"), (1, 3)),
        (("d3", "pass", "d3", "d3"), (0, 2, 3)),
        (("d3", "d2", "e2", "pass"), (1, 2)),
    ],
)
def test_m14_17_ties(cells: tuple[str, ...], who: tuple[int, ...], tmp_path: Path) -> None:
    """Fewest empty land in row 1, then 2, and so on: in an early row, a later one, none; three of four."""
    scores, found = winners(tmp_path, *cells)
    assert found == who and len({score for score, cell in zip(scores, cells, strict=True) if cell != "pass"}) == 1


def test_m14_17_a_tie_decided_in_the_last_row(tmp_path: Path) -> None:
    """Rocks and a well covered, or two cells of empty land."""
    game = made_up(tmp_path, "......... ......... ....rw...", THREE, "Y1 yellow #", "R1 red #", players=2)
    found = table("Y1", "R1", players=2, game=game).play("e3N", "d3N", "f3N", "c3N")
    assert found.scores[0] == found.scores[1] and found.winners == (1,)


def test_m14_16_marks_do_not_count_in_ties(tmp_path: Path) -> None:
    """Wells in rows 1 and 3, one of them covered; a vein in row 1 covered, with another one left."""
    terrain = "....wvv.. ......... ....w...."
    assert winners(tmp_path, "e3", "e1", terrain=terrain)[1] == (0, 1)
    scores, who = winners(tmp_path, "e3", "e1", "pass", terrain="...vv.... ......... ....w....")
    assert scores[0] == scores[1] and who == (0, 1)


def test_m8_8_trees_and_rocks_do_not_count_in_ties(tmp_path: Path) -> None:
    """Rocks covered in row 3 bring two points, empty land in row 1 only one."""
    scores, who = winners(tmp_path, "d1", "e3", terrain="......... ......... ....r....")
    assert scores[1] == scores[0] + 1 and who == (1,)


def test_m14_18_a_shared_win_at_a_negative_score() -> None:
    found = played("Y1 end", players=3)
    assert found.scores == [-68] * 3 and found.winners == (0, 1, 2)


def test_m14_18_negative_scores_and_a_win_by_rows() -> None:
    found = table("Y1", "Y2", players=2).play("e1E", "d8N", "end", "end")
    assert found.scores == [-65, -65] and found.winners == (0,)


def test_m8_8_more_points_beat_any_rows() -> None:
    found = table("Y1", "R1", players=2).play("d1N", "d8N", "end", "b8N", "end")
    assert found.scores == [-65, -62] and found.winners == (1,)


# --- M8.9 ----------------------------------------------------------------------------------------------------------------------


def test_m8_9_as_it_stands() -> None:
    found: Table = table("Y1", "R1", players=2)
    assert found.scores == [-68, -68] and found.winners == ()
    assert found.play("e1E").scores == [-68, -68] and found.play("pass").scores == [-65, -69]
