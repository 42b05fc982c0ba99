"""M4: where a building may be placed. M11.3 to M11.7: headings, anchors, actions."""

from __future__ import annotations

from pathlib import Path

import pytest

from .positions import game_of, made_up, played, singles, table, three_banks


def test_m4_1_light_green_and_free() -> None:
    """Marks may be covered, mountain, forest and buildings not; nothing lies beyond the edge."""
    found = played("Y1 d1N", "R1", "B1")
    assert not {"c1N", "d1N", "d1E", "e1N"} & set(found.legal)
    found.play("d2E")  # d2, d3
    assert "d4E" in found.legal  # two trees
    assert "c3E" in found.legal and not {"c1E", "c2E", "c2N"} & set(found.legal)
    edge = played("B4 f1N", "B1 h1N", "Y1 j1N", "R1")
    assert {"i2N", "j2N"} <= set(edge.legal) and not {"k2N", "k2E"} & set(edge.legal)


def test_m4_1_forest_and_mountain(tmp_path: Path) -> None:
    found = table("Y1", game=made_up(tmp_path, ".M.tF", "aabbb", "Y1 yellow ##"))
    assert found.legal == ["c1N", "pass", "end"]


def test_m4_2_all_cells_on_one_bank() -> None:
    """Also for later buildings, which may touch across the river but not lie on it."""
    assert not {"e1N", "d3N", "e2E"} & set(table("Y1").legal)
    later = played("Y1 d1N", "R1")
    assert {"f1E", "d2N"} <= set(later.legal) and "e2E" not in later.legal  # e2 and e3 lie on different banks


def test_m14_19_around_a_bend_of_the_river() -> None:
    """f2, e3, f3 lie on the right bank around e2; the same shape over e2 does not."""
    found = table("Y2")
    assert "f2W" in found.legal and not {"e2N", "e2E", "e2S", "e2W", "d3N", "d3E"} & set(found.legal)
    assert found.play("f2W").cells() == {"f2", "e3", "f3"}
    assert "e3N" in table("Y4").legal and not {"e2N", "d3N", "e1N"} & set(table("Y4").legal)


def test_m14_19_a_bay_closed_off_by_mountain(tmp_path: Path) -> None:
    """Nothing but the river leads to b1: a first building may lie there, and one that touches across the river."""
    game = made_up(tmp_path, "..MM .MMM", "abbb aabb", *singles(4))
    found = table("Y1", "Y2", "Y3", game=game)
    assert found.legal == ["a1N", "b1N", "pass", "end"]
    assert found.play("b1N").legal == ["a1N", "pass", "end"]
    assert found.play("a1N").legal == ["a2N", "pass", "end"]


def test_m14_19_a_bay_closed_off_by_buildings(tmp_path: Path) -> None:
    """The cell in the middle is reached by nobody, and may be built on."""
    game = made_up(tmp_path, "... ... ...", "aab aab aab", *singles(9))
    found = table("Y1", game=game)
    for cell in ("b1", "c1", "c2", "c3", "b3", "a3", "a2", "a1"):
        found.play(f"{cell}N")
    assert found.legal == ["b2N", "pass", "end"]
    assert found.play("b2N").sources == [{"start": 10, "yellow": 9}]


def test_m4_3_the_first_building_has_a_river_side(tmp_path: Path) -> None:
    """Whatever lies beyond the river; a corner is not enough."""
    assert "f3N" not in table("Y1").legal
    found = table("Y1", game=made_up(tmp_path, ".M. ... ...", "abb aab aab", *singles(2)))
    assert found.legal == ["a1N", "b2N", "c2N", "b3N", "c3N", "pass", "end"]  # beyond a1 is a mountain


@pytest.mark.parametrize("before", [("R8 pass", "Y3 pass", "R4 pass"), ("X", "R8", "Y3 pass"), ("X", "R8"), ()])
def test_m14_02_the_first_building_lies_at_the_river_whatever_came_before(before: tuple[str, ...]) -> None:
    """A later one need not (M4.3, M14.1, M14.2)."""
    found = played(*before, "Y4", "B1")
    assert len(found.legal) == 19 + 2
    assert "h1N" in found.play("f1N").legal  # h1 and i1


def test_m14_03_a_church_first() -> None:
    found = table("C2", "Y1")
    assert len(found.legal) == 65 + 1 and "pass" not in found.legal
    found.play("f1N")
    assert found.current == "Y1" and found.scores == [-68 + 4] and found.cells() == {"f1", "f2", "e3", "f3"}


def test_m4_4_every_later_one_touches() -> None:
    found = played("Y1 d1N", "R1")  # d1, e1
    assert {"d2N", "d2E", "f1N", "f1E"} <= set(found.legal)  # f1 lies across the river
    assert not {"f2N", "f2E", "c2E", "e3N", "d3E", "d5E"} & set(found.legal)  # corners, and at the river elsewhere


# --- M11: headings, anchors, actions --------------------------------------------------------------------------------------------


def test_m11_3_an_l_turned() -> None:
    """L4 stands, then lies with its foot below the left end, then hangs, then lies with its foot above the right end."""
    found = {action: table("Y6").play(action).cells() for action in ("f1N", "f1E", "f1S")}
    assert found == {"f1N": {"f1", "f2", "f3", "g3"}, "f1E": {"f1", "g1", "h1", "f2"}, "f1S": {"f1", "g1", "g2", "g3"}}
    assert table("Y6").play("h1W").cells() == {"h1", "f2", "g2", "h2"}


def test_m14_20_the_anchor_is_the_first_cell_covered() -> None:
    """J4 heading N has an empty top left corner: its anchor is the top right cell (M11.5)."""
    assert table("C2").play("f1N").cells() == {"f1", "f2", "e3", "f3"}
    assert table("C2").play("f1E").cells() == {"f1", "f2", "g2", "h2"}


def test_m14_21_headings_that_do_not_exist() -> None:
    """They are never legal, and no two actions cover the same cells (M11.4)."""
    kept = {"1": "NE", "3": "NE", "7": "NE", "4": "N"}
    for building in game_of().buildings.ids:
        placements = [text for text in table(building).legal if text not in ("pass", "end")]
        headings = "NE" if building == "C1" else kept.get(building[1], "NESW") if building[0] != "C" else "NESW"
        assert {text[-1] for text in placements} == {*headings}
        covered = [frozenset(table(building).play(text).cells()) for text in placements[::5]]
        assert len(set(covered)) == len(covered)


def test_m14_22_nothing_wraps_around(tmp_path: Path) -> None:
    """The last cell of a row and the first of the next one do not touch (more: ``tests/my_city/test_masks.py``)."""
    found = table("Y1", game=made_up(tmp_path, "... ... ...", "aab aab aab", *singles(3))).play("c1N")
    assert found.legal == ["b1N", "c2N", "pass", "end"]


def test_m14_27_three_banks(tmp_path: Path) -> None:
    """M1.5: a cell lies at the river if any neighbor is on another bank."""
    found = table("C1", game=three_banks(tmp_path, 1))
    assert found.sources == [{"start": 10, "trees": 4, "rocks": -4, "empty": -34}]
    at_river = [*"cdfg"], [*"cdfg"], [*"bcfg"], [*"bcef"], [*"bcef"]  # row by row
    assert found.legal == [*(f"{column}{row}N" for row, columns in enumerate(at_river, 1) for column in columns), "end"]
    assert found.play("g3N").play("end").scores == [10 + 4 - 4 - 33]


def test_illegal_actions_are_refused() -> None:
    for text in ("a1N", "c1N", "no action"):
        with pytest.raises(ValueError):
            table("Y1").play(text)
