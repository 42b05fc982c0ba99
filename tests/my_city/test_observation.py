"""Observations (M12.3) against a slow reading of the record, block by block."""

from __future__ import annotations

from pathlib import Path

import pytest

from .observing import check_observations, one_hot
from .playing import PLAYERS, batch_of, game_of, in_play, made_up, singles, table, three_banks


@pytest.mark.parametrize("players", PLAYERS)
def test_m12_3_every_block(players: int) -> None:
    for batch in in_play(players, rows=2, seed=70 + players, every=11):
        check_observations(game_of(players), batch)


def test_m12_3_another_board(tmp_path: Path) -> None:
    game = three_banks(tmp_path, 2)
    assert game.observation["boards"].shape == (2, 7, 5, 9) and game.observation["current"].shape == (6,)
    for seed in range(3):
        for batch in in_play(2, rows=3, seed=seed, every=3, game=game):
            check_observations(game, batch)


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
    assert found.seen()["players"][0, 7:9].tolist() == shown and abs(found.scores[0]) > 240
    check_observations(found.game, batch_of(found.game, found.state))


def test_m12_3_while_choosing() -> None:
    found = table("C2", "X", "B1", "Y1", players=2)
    seen = found.seen(1)
    assert seen["current"].tolist() == one_hot(27, 25) and seen["turn"].tolist() == [1, 27, 1] and not seen["blocked"].any()
    assert seen["shape"][0, :3, :2].tolist() == [[0, 1], [0, 1], [1, 1]] and seen["shape"].sum() == 16
    seen = found.play("f1N", "end").seen(1)
    assert seen["blocked"].tolist() == one_hot(27, 16) and seen["turn"].tolist() == [2, 24, 1]
    assert seen["players"][:, :4].tolist() == [[10, 1, 0, 0], [10, 0, 0, 0]] and seen["left"].sum() == 24
    assert seen["buildings"][0].tolist() == [[0, 1]] * 27 and seen["buildings"][1, [16, 25]].tolist() == [[0, 1], [1, 0]]
    assert seen["boards"][1, 0].sum() == 91 and seen["boards"][0, 0].sum() == 95


def test_m12_3_when_nothing_is_current() -> None:
    seen = table("Y1").play("end").seen()
    assert not seen["current"].any() and not seen["shape"].any() and seen["left"].sum() == 27


def test_m12_4_planes_tell_buildings_of_one_color_apart(tmp_path: Path) -> None:
    """Four cells in a row: two dominoes or one long piece differ in the planes of the same building alone."""
    pieces = ("Y1 yellow ##", "Y2 yellow ##", "Y3 yellow ####")
    start = table("Y1", game=made_up(tmp_path, ".....", "aaaab", *pieces))
    two, one = (
        start.copy().play("c1N", "a1N", "pass").seen()["boards"][0],
        start.copy().play("pass", "pass", "a1N").seen()["boards"][0],
    )
    assert (two[:5] == one[:5]).all() and two[5].tolist() == [[1, 0, 1, 0, 0]] and one[5].tolist() == [[1, 1, 1, 0, 0]]
    assert not two[6].any() and not one[6].any()
