"""Observations (M12.3) against a slow reading of the record, block by block."""

from __future__ import annotations

from pathlib import Path

import pytest

from ..rules.my_city.positions import PLAYERS, game_of, made_up, singles, table, three_banks
from .observing import check_observations
from .playing import batch_of, in_play


@pytest.mark.parametrize("players", PLAYERS)
def test_m12_3_every_block(players: int) -> None:
    for batch in in_play(players, rows=2, seed=70 + players, every=11):
        check_observations(batch)


def test_m12_3_another_board(tmp_path: Path) -> None:
    game = three_banks(tmp_path, 2)
    assert game.observation["boards"].shape == (2, 7, 5, 9) and game.observation["current"].shape == (6,)
    for seed in range(3):
        for batch in in_play(2, rows=3, seed=seed, every=3, game=game):
            check_observations(batch)


def test_m12_3_sizes() -> None:
    """The blocks of board "own" in their order."""
    assert {name: block.shape for name, block in game_of(3).observation.items()} == {
        "current": (27,),
        "shape": (4, 6, 6),
        "left": (28,),
        "blocked": (27,),
        "turn": (3,),
        "terrain": (10, 11, 11),
        "boards": (3, 7, 11, 11),
        "players": (3, 15),
        "buildings": (3, 27, 2),
        "chosen": (487,),
    }


@pytest.mark.parametrize(("letter", "shown"), [("t", [127, 0]), ("r", [0, -128])])
def test_m12_3_points_beyond_the_bounds_are_shown_as_these(letter: str, shown: list[int], tmp_path: Path) -> None:
    """127 and -128, on a board of trees or rocks alone; the score itself is not cut off."""
    found = table("Y1", game=made_up(tmp_path, " ".join([letter * 16] * 8), " ".join(["a" * 15 + "b"] * 8), *singles(2)))
    assert found.seen()["players"][0][7:9] == shown and abs(found.scores[0]) > 240
    check_observations(batch_of(found.game, found.state))
