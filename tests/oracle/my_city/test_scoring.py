"""Scoring and the winners: M14.12 to M14.18."""

from pathlib import Path

import pytest

from .helpers import CREEK, by_hand, standing, totals, write_board
from .scoring import empty_by_row

OVER = {"decision": {"kind": "over", "actor": None}, "ending": "ended"}

FIELD = """
. . . . . . . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
"""
WELLS = """
. . . . . . . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
. . w . . . . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
w . . . . M . .   l l r r r r r r
. . . . . w . .   l l r r r r r r
. . . . . . . .   l l r r r r r r
"""
TWO_WELLS = """
. . . . . . . . .   l r r r r r r r r
. . . . . . . . .   l r r r r r r r r
. . w . w . . . .   l r r r r r r r r
. . . . . . . . .   l r r r r r r r r
. . . . . . . . .   l r r r r r r r r
"""


@pytest.fixture
def field(tmp_path: Path) -> str:
    """Empty land, the river between b and c."""
    return write_board(tmp_path, FIELD)


@pytest.fixture
def wells(tmp_path: Path) -> str:
    """Wells at the river, at the edge and beside mountain."""
    return write_board(tmp_path, WELLS)


@pytest.mark.parametrize(
    ("buildings", "yellow"),
    [
        ("", 0),
        ("Y1 c1N", 1),
        ("Y1 a1N, Y2 c1N", 2),  # across the river
        ("Y1 c1N, C1 e1N, Y2 g2N", 1),  # a church between them
        ("Y1 c1N, R1 e1N, Y2 g1E", 1),
        ("Y1 c1N, Y2 e2N", 1),  # a corner
        ("Y1 c1N, Y4 e1N, Y2 c5N, Y3 c7N", 2),  # two equal groups
        ("Y1 c1N, Y4 e1N, Y8 c5N, Y3 c7N, Y2 g1E", 3),
        ("Y1 c1N, Y4 c2N, Y3 e2N, Y5 c4N", 4),
    ],
)
def test_groups(field: str, buildings: str, yellow: int) -> None:
    """M14.12, M8.4."""
    points = standing(buildings, field)
    assert points["yellow"] == yellow and points["blue"] == 0


@pytest.mark.parametrize(
    ("buildings", "churches"),
    [
        ("C1 c3N, Y1 c1E, R1 d1E, B1 e1E", 3),  # all on one side
        ("C1 c3N, Y1 c1E, R1 d1E, B1 b3E", 3),  # blue across the river
        ("C1 c3N, Y1 c1E, R1 d1E, B1 f1E", 0),  # blue at a corner
        ("C1 c3N, Y1 c1E, R1 d1E", 0),
        ("C1 c3N, Y1 c1E, Y2 f3N, R1 d1E, R2 c4N", 0),
        ("C1 c3N, C2 c4E, Y1 c2N, R1 f3N, B1 f5N", 0),  # blue beside the other church
        ("C1 c2N, C3 c3N, Y1 b2E, R1 e3E, B1 b4E, B3 c1N", 6),  # yellow and red serve both
    ],
)
def test_churches(field: str, buildings: str, churches: int) -> None:
    """M14.13, M8.5."""
    assert standing(buildings, field)["churches"] == churches


@pytest.mark.parametrize(
    ("buildings", "points"),
    [
        ("Y1 c1E, R1 d3N, B1 c4N, Y4 a3N", 4),  # one of them across the river
        ("Y1 c1E, C1 d3N, B1 c4N, Y4 a3N", 4),  # a church
        ("Y1 c1E, Y3 d3N, Y2 c4E, Y4 a3N", 4),  # all of one color
        ("Y1 c1E, R2 d3W, Y4 a3N", 0),  # one building twice
        ("Y1 c1E, R1 d3N, B1 c4N", 0),  # three
        ("Y1 c1E, R1 c3N, B1 c4N, Y4 a3N", 0),  # covered
        ("Y4 a3N, R1 b5E, B1 a6E", 0),  # at the edge
        ("Y1 e6E, R1 f7N, B1 g5E, R2 g3N", 0),  # beside mountain
    ],
)
def test_wells(wells: str, buildings: str, points: int) -> None:
    """M14.14, M8.5."""
    assert standing(buildings, wells)["wells"] == points


def test_two_wells_share_a_neighbor(tmp_path: Path) -> None:
    """M14.15."""
    board = write_board(tmp_path, TWO_WELLS)
    beside = "B1 d2E, Y1 c1E, R1 e1E, Y4 c4N, R4 e4N, C1 b2E"
    assert standing(beside, board)["wells"] == 4
    assert standing(f"{beside}, Y3 f3N", board)["wells"] == 8


def test_marks_are_not_empty_land(tmp_path: Path) -> None:
    """M14.16, M8.6; trees and rocks: M13."""
    oracle = by_hand("", "Y1 b1N", board=write_board(tmp_path, CREEK))
    assert [points["empty"] for points in oracle.scores()] == [-16, -14] and totals(oracle) == [-6, -3]
    assert empty_by_row(oracle.table, 1) == [4, 4, 6]
    oracle = by_hand("", board=write_board(tmp_path, WELLS, "wells"))
    assert oracle.scores()[0]["empty"] == -(7 * 8 - 4) and empty_by_row(oracle.table, 0) == [8, 8, 7, 8, 6, 7, 8]


@pytest.mark.parametrize(
    ("boards", "winners"),
    [
        (["Y1 c2N", "Y1 c1N"], [1]),  # in row 1
        (["Y1 c1N, R1 c3N", "Y1 c1N, R1 c2N"], [1]),  # in a later row
        (["Y1 c6N", "Y1 d6N", "Y1 a7N"], [0, 1]),
        (["Y1 c1N", "Y1 e1N"], [0, 1]),  # not at all
        (["", "Y1 d1N", "Y1 c1N", "Y1 c2N"], [1, 2]),  # three of four, two of them equal in all rows
        (["Y3 c1N", "Y1 d7N, R1 d6N"], [1]),  # points before rows
    ],
)
def test_winners(field: str, boards: list[str], winners: list[int]) -> None:
    """M14.17, M14.18, M8.8; all of these have negative scores."""
    oracle = by_hand(*boards, board=field, **OVER)
    assert oracle.winners() == winners and max(totals(oracle)) < 0
    standings = oracle.standings()
    assert [seat for seat, rank in enumerate(standings) if rank == max(standings)] == winners


def test_no_winners_before_the_end() -> None:
    with pytest.raises(ValueError, match="not over"):
        by_hand("", "").winners()
