"""M4: where a building may be placed. M11.3 to M11.7: headings, anchors, actions."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ginkgo_env.core.errors import NotationError
from ginkgo_env.games.my_city.board import load_board
from ginkgo_env.games.my_city.buildings import load_buildings

from .playing import PLAYERS, Table, game_of, in_play, made_up, played, singles, table
from .slow import legal, placements, turned


def cells(found: Table, p: int = 0) -> set[str]:
    """The cells that a player has built on."""
    board, on = found.game.board, np.bitwise_or.reduce(found.g["covered"][p])
    words = int(on[0]) | int(on[1]) << 64
    return {board.cell_name(i) for i in range(board.rows * board.columns) if words >> i & 1}


@pytest.mark.parametrize("players", PLAYERS)
def test_m4_m12_2_legal_actions_by_trying_every_cell(players: int) -> None:
    """In random games the mask is what a slow reading of M4 and M5 gives."""
    met = 0
    for batch in in_play(players, rows=3, seed=40 + players, every=4):
        for row in np.flatnonzero(~batch.over):
            g = batch.states[row]
            assert set(np.flatnonzero(batch.mask[row])) == legal(game_of(players), g, g["actor"])
            met += 1
    assert met > 8


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
    assert cells(found.play("f2W")) == {"f2", "e3", "f3"}
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
    assert found.current == "Y1" and found.scores == [-68 + 4] and cells(found) == {"f1", "f2", "e3", "f3"}


def test_m4_4_every_later_one_touches() -> None:
    found = played("Y1 d1N", "R1")  # d1, e1
    assert {"d2N", "d2E", "f1N", "f1E"} <= set(found.legal)  # f1 lies across the river
    assert not {"f2N", "f2E", "c2E", "e3N", "d3E", "d5E"} & set(found.legal)  # corners, and at the river elsewhere


def test_m4_6_what_is_built_stays() -> None:
    """What has been placed stays as it is until the end of the game."""
    before: np.ndarray | None = None
    for batch in in_play(3, rows=8, seed=7, every=1):
        at = batch.states["at"].copy()
        if before is not None:
            assert ((before == -1) | (before == at)).all() and (before != at).sum() <= 3 * 8
        before = at


# --- M11: headings, anchors, actions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("building", load_buildings().list, ids=lambda building: building.id)
def test_m11_3_quarter_turns_clockwise(building) -> None:  # type: ignore[no-untyped-def]
    for heading in range(4):
        assert list(building.turned(heading)) == turned(list(building.cells), heading)


def test_m11_3_an_l_turned() -> None:
    """L4 stands, then lies with its foot below the left end, then hangs, then lies with its foot above the right end."""
    found = {action: cells(table("Y6").play(action)) for action in ("f1N", "f1E", "f1S")}
    assert found == {"f1N": {"f1", "f2", "f3", "g3"}, "f1E": {"f1", "g1", "h1", "f2"}, "f1S": {"f1", "g1", "g2", "g3"}}
    assert cells(table("Y6").play("h1W")) == {"h1", "f2", "g2", "h2"}


def test_m14_20_the_anchor_is_the_first_cell_covered() -> None:
    """J4 heading N has an empty top left corner: its anchor is the top right cell (M11.5)."""
    assert cells(table("C2").play("f1N")) == {"f1", "f2", "e3", "f3"}
    assert cells(table("C2").play("f1E")) == {"f1", "f2", "g2", "h2"}


def test_m14_21_headings_that_do_not_exist() -> None:
    """They are never legal, and no two actions cover the same cells (M11.4)."""
    board = load_board()
    kept = {"I2": "NE", "I3": "NE", "I4": "NE", "Z4": "NE", "O4": "N"}
    for building in load_buildings().list:
        found = table(building.id)
        actions = np.flatnonzero(found.mask[0, :484])
        assert {"NESW"[action // 121] for action in actions} == set(kept.get(building.shape, "NESW"))
        everywhere = placements(board, building)
        assert len(set(everywhere.values())) == len(everywhere)


@pytest.mark.parametrize("size", [(11, 11), (8, 16), (16, 8), (9, 13)])
def test_m14_22_nothing_wraps_around(size: tuple[int, int], tmp_path: Path) -> None:
    """On boards without mountain or forest, cells of the last column do not touch the first column of the next row.

    The cells 63 and 64 do touch where they lie in one row, and the cells a row apart that lie in different words; and a
    placement may reach more than 64 cells beyond its anchor.
    """
    rows, columns = size
    cells = rows * columns
    banks = ["a" * columns] * (rows - 1) + ["a" * (columns - 1) + "b"]
    shapes = ("R1 red ####", "R2 red ###/..#", "R3 red ..#/..#/..#/..#/..#/###")
    game = made_up(tmp_path, " ".join(["." * columns] * rows), " ".join(banks), *singles(25), *shapes)
    state = game.template.copy()
    for last in {columns - 1, 62, 63, 64, 65, 63 - columns, 64 + columns, cells - 2} & set(range(cells - 1)):
        g = state[0]
        g["at"][0], g["covered"][0], g["placed"][0], g["points"][0] = -1, 0, 1, 10
        g["at"][0, 0], g["covered"][0, 0, last // 64] = last, 1 << last % 64
        for current in (1, 25, 26, 27):
            g["current"], g["actor"] = current, 0
            mask = np.zeros((1, game.actions.size), np.int8)
            game.kernels.legal(0, 1, state, game.tables, mask)
            assert set(np.flatnonzero(mask[0])) == legal(game, g, 0)


def test_m11_6_action_texts() -> None:
    found = table("Y1")
    for action in range(found.game.actions.size):
        assert found.game.parse_action(found.state, found.game.action_text(found.state, action)) == action
    assert [found.game.action_text(found.state, a) for a in (0, 10, 11, 120, 121, 362, 484, 485)] == [
        *("a1N", "k1N", "a2N", "k11N", "a1E", "k11S"),
        *("pass", "end"),
    ]


@pytest.mark.parametrize(
    "text", ["", "e1", "e1e", "E1E", "l1N", "a12N", "a0N", "a01N", "e1E ", "e1NE", "Pass", "1eN", "place e1E", "a\u0661N"]
)
def test_m11_6_texts_that_are_no_action(text: str) -> None:
    found = table("Y1")
    with pytest.raises(NotationError):
        found.game.parse_action(found.state, text)


def test_m11_7_the_layout_of_actions() -> None:
    actions = game_of().actions
    assert [(name, block.start, block.shape) for name, block in actions.items()] == [
        *(("place", 0, (4, 11, 11)), ("pass", 484, ()), ("end", 485, ())),
    ]
    assert actions.size == 486
