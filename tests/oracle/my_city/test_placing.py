"""Where a building may be placed: M14.19 to M14.22, M14.27."""

from pathlib import Path

import pytest

from .board import HEADINGS, around
from .helpers import BOARD, BUILDINGS, THREE_BANKS, by_hand, game, no_chance, play, write_board, write_buildings
from .my_city import Oracle
from .placing import on_empty_board

BAY = """
. . . M . M   l l r r r r
. . M M . .   l l r r r r
. . . . . .   l l r r r r
M M M M M M   l l r r r r
. . . . . .   l l r r r r
"""


def legal_after(cards: str, actions: str = "", board: str = "own") -> set[str]:
    return {*play(game(cards, board=board), actions).legal()}


def test_around_a_bend() -> None:
    """M14.19: f2, e3 and f3 lie on one bank; e2, d3 and e3 do not."""
    assert "f2W" in legal_after("Y2") and "e2W" not in legal_after("Y2")
    assert "e2W" not in legal_after("Y1 Y2", "e1E")


def test_a_bay(tmp_path: Path) -> None:
    """M14.19: closed off by mountain but for its mouth; then also by a building."""
    bay = write_board(tmp_path, BAY)
    assert not {"e1E", "e2E", "e2N"} & legal_after("Y1", board=bay)
    assert {"e2E", "e1E"} & legal_after("Y1 R1", "c3N", bay) == {"e2E"}
    assert {"e1E", "e2E", "e2N"} & legal_after("Y1 R1 B1", "c3N e3N", bay) == {"e1E", "e2N"}
    assert not {"c5N", "d5N", "e5N"} & legal_after("Y1 R1 B1", "c3N e3N", bay)  # beyond the mountain


def test_touching() -> None:
    """M4.4: a side, not a corner; across the river; not over a building."""
    legal = legal_after("Y1 R1", "e1E")
    assert {"f1E", "d1E", "f2N", "e3E"} <= legal
    assert not {"e1E", "e1N", "d3N", "f3N", "e2E"} & legal


@pytest.mark.parametrize("name", BUILDINGS)
def test_anchors(name: str) -> None:
    """M14.20, M11.5: the first cell covered, in reading order."""
    for place in on_empty_board(BOARD, BUILDINGS[name]):
        assert place.anchor == min(place.cells) and min(row for row, _ in place.cells) == place.anchor[0]


def test_the_anchor_of_an_empty_corner() -> None:
    """M14.20: J4 heading N."""
    places = [place for place in on_empty_board(BOARD, BUILDINGS["C2"]) if place.heading == "N"]
    for place in places:
        row, column = place.anchor
        assert place.cells == {(row, column), (row + 1, column), (row + 2, column), (row + 2, column - 1)}
    assert len(places) > 20


@pytest.mark.parametrize("name", BUILDINGS)
def test_placements_differ(name: str) -> None:
    """M14.21, M11.4, M11.7: no two cover the same cells; in the order of headings and cells."""
    places = on_empty_board(BOARD, BUILDINGS[name])
    assert len({place.cells for place in places}) == len(places)
    order = [(HEADINGS.index(place.heading), place.anchor) for place in places]
    assert order == sorted(order)


def test_headings_turn_clockwise() -> None:
    """M11.3."""
    assert [sorted(cells or ()) for cells in BUILDINGS["Y2"].turned] == [
        [(0, 0), (1, 0), (1, 1)],
        [(0, 0), (0, 1), (1, 0)],
        [(0, 0), (0, 1), (1, 1)],
        [(0, 1), (1, 0), (1, 1)],
    ]
    assert [cells is not None for cells in BUILDINGS["Y7"].turned] == [True, True, False, False]


def test_rows_do_not_wrap() -> None:
    """M14.22: k10 and a11 are not neighbors."""
    assert around([(9, 10)]) == {(8, 10), (9, 9), (10, 10), (9, 11)}
    by_the_edge = by_hand("Y1 j10N").legal()
    assert "g11N" not in by_the_edge and not [text for text in by_the_edge if text[0] in "abc"]
    assert "k9E" not in by_the_edge and "j9N" not in by_the_edge  # forest


def test_another_board(tmp_path: Path) -> None:
    """M14.27: three banks, no veins, another size; M1.6: the names in positions."""
    board, few = write_board(tmp_path, THREE_BANKS, "small"), write_buildings(tmp_path, ["Y1 yellow ##", "C1 church ###"])
    oracle = game("Y1 X", 2, board, few)
    assert oracle.position()["config"] == {"players": 2, "board": "small", "buildings": "few"}
    assert oracle.legal() == ["a1N", "c1N", "a2N", "d2N", "d3N", "b1E", "c1E", "e1E", "b2E", "c2E", "d2E", "pass", "end"]
    oracle = play(oracle, "c1N", "end")
    assert list(oracle.scores()[0].values()) == [10, 0, 0, 0, -2, 1, 0, 0, 0, 0, -11, -2]
    again = Oracle.from_position(oracle.position(), no_chance, {"players": 2, "board": board, "buildings": few})
    assert again.position() == oracle.position() and again.view(0) == oracle.view(0)


def test_illegal_actions_are_refused() -> None:
    with pytest.raises(ValueError, match="not legal"):
        game("Y1").apply("a1N")
    with pytest.raises(ValueError, match="invalid configuration"):
        Oracle({"players": 5, "board": "own", "buildings": "own"}, no_chance)
