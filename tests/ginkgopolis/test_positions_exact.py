"""A position that is accepted is written again exactly as it was read, and can be read again after more play."""

from __future__ import annotations

from typing import Any

import pytest

import ginkgo_env
from ginkgo_env.games.ginkgopolis.validity import Flaw

from ..rules.ginkgopolis.extras import MODULES
from ..rules.ginkgopolis.positions import Builder, game

Json = dict[str, Any]


def exact(board: ginkgo_env.Game, position: Json) -> bool:
    """Whether a position is accepted; then it is written as it was."""
    try:
        state = board.from_position(position)
    except ginkgo_env.PositionError as error:
        assert len(str(error)) < 250
        return False
    assert board.position(state) == position
    return True


def test_the_error_names_the_place() -> None:
    position = Builder(2).hand(0, "R1", "B2").position()
    position["players"][0]["hand"].reverse()
    with pytest.raises(ginkgo_env.PositionError, match=r"^position: players\[0\]\.hand\[0\]: expected 'R1', got 'B2'$"):
        game(**position["config"]).from_position(position)


@pytest.mark.parametrize(
    ("key", "value"),
    [("random", "0x00000000000000AB"), ("seed", "0xABCDEF0123456789"), ("config", {"modules": ["experts", "events"]})],
)
def test_words_and_modules_have_one_spelling(key: str, value: Any) -> None:
    board = game(players=2, modules=("events", "experts"))
    batch = ginkgo_env.Batch(board, 1)
    batch.reset(seed=[1])
    position = batch.position(0)
    position[key] = position[key] | value if key == "config" else value
    with pytest.raises(ginkgo_env.PositionError, match=key):
        board.from_position(position)


def test_nobody_has_more_points_than_rounds_can_bring() -> None:
    """Else play could go on to positions that are refused."""
    Builder(2).hand(0, "A").player(0, points=1500).start()
    with pytest.raises(ginkgo_env.PositionError, match=Flaw.POINTS.sentence):
        Builder(2).hand(0, "A").player(0, points=1501).start()


def test_with_as_many_points_as_there_can_be_play_goes_on_to_positions_that_are_read() -> None:
    builder = Builder(2, modules=MODULES).hand(0, "Y7", "A", "C", "D").hand(1, "E", "F", "G", "H")
    builder.building((0, 0), "Y7", floors=20, owner=1).player(0, points=1500).player(1, points=1500)
    table = builder.start().play("Y7")
    while table.position["round"] < 8 and not table.done:
        table.play(max(table.legal))
        assert exact(table.game, table.position)
    assert max(table.player(p)["points"] for p in (0, 1)) > 1500
