"""G1.6: the files of a board decide (E35)."""

from __future__ import annotations

from pathlib import Path

import pytest

from ginkgo_env.games.golden_city.board import load_board

from .boards import copied, few_goods, with_cells
from .positions import play, start, turn


@pytest.fixture
def isle(tmp_path: Path) -> str:
    """C1 brings two coins here, DO2 20 letters, 2 coins and 2 cards."""
    folder = with_cells(copied(tmp_path / "isle"), "places", (1, "reward", "two_coins"))
    cells = (57, "letters_first", "20"), (57, "coins_first", "2"), (57, "cards_first", "2")
    return str(with_cells(folder, "places", *cells))


def test_e35_another_board(isle: str) -> None:
    assert play(turn("c", "", "", board=isle), "build:C1", board=isle).player(0)["coins"] == 5
    table = play(turn("dd", "", "", houses={"C15": 0, "D3": 0, "D7": 0}, board=isle), "build:DO2", board=isle)
    player = table.player(0)
    assert (player["letters"]["outer"], player["coins"], len(player["hand"])) == (20, 5, 2)


def test_g1_6_3_e35_positions_of_another_board_are_refused(isle: str) -> None:
    """By the digest."""
    digest = load_board(isle).digest
    for data, board in ((turn("c", "", "", board=isle, digest="0" * 16), isle), (turn("c", "", "", digest=digest), "own")):
        with pytest.raises(ValueError, match="board"):
            start(data, board)
    assert start(turn("c", "", "", board=isle), isle).position["board_digest"] == digest


def test_g11_7_fewer_kinds_of_goods_cards(tmp_path: Path) -> None:
    """The stack stays the last action, columns of missing kinds stay 0."""
    isle = str(few_goods(tmp_path / "isle"))
    stack = ["pottery+cloth", "cloth+spices", "pottery+cloth", "pottery+cloth", "pottery+wine"]
    goods = {"display": ["pottery+wine"] * 3, "stack": stack, "box": []}
    table = play(turn("ff", "", "", houses={"C3": 0}, board=isle) | {"goods": goods}, "build:F3", board=isle)
    assert table.offered == ["pottery+wine", "stack"]
    table.play("goods:stack")
    assert table.player(0)["goods"] == ["pottery+cloth"]
    assert table.seen(1)["goods"][0] == [3, 0, 0, 0, 0, 0]
