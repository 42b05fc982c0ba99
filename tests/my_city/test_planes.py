"""Spatial planes against the blocks of observations and the words of the board."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.games.my_city.observe import board_planes, plane_names

from ..rules.my_city.positions import PLAYERS, game_of, made_up, table
from .playing import batch_of

TERRAIN = (
    *("empty_land", "trees", "rocks", "well", "vein", "mountain", "forest"),
    *("first_bank", "river_to_the_east", "river_to_the_south"),
)
BOARD = ("uncovered", "yellow", "red", "blue", "church", "same_building_to_the_east", "same_building_to_the_south")


@pytest.mark.parametrize("players", PLAYERS)
def test_the_order_of_planes_is_frozen(players: int) -> None:
    seats = tuple(f"{name}_{seat}" for seat in range(players) for name in BOARD)
    assert plane_names(game_of(players).observation) == TERRAIN + seats


@pytest.mark.parametrize("players", PLAYERS)
def test_planes_are_the_blocks(players: int) -> None:
    """Plane by plane, for every seat, with no, one and two leading axes; none is a copy."""
    batch = ginkgo_env.Batch(game_of(players), 4)
    batch.reset(seed=5)
    layout, names, drawn = batch.game.observation, plane_names(batch.game.observation), 0
    for _ in range(20 * players):
        batch.step(batch.sample())
        for seat in range(players):
            seen = batch.observe(seat)
            planes = board_planes(layout, seen)
            assert planes.shape == (4, len(names), 11, 11) and planes.dtype == np.int8 and np.shares_memory(planes, seen)
            for k, name in enumerate(TERRAIN):
                assert (planes[:, names.index(name)] == layout.view(seen, "terrain")[:, k]).all()
            for other in range(players):
                for k, name in enumerate(BOARD):
                    plane = planes[:, names.index(f"{name}_{other}")]
                    assert (plane == layout.view(seen, "boards")[:, other, k]).all()
                    drawn += int(plane.sum())
            assert (board_planes(layout, seen[1]) == planes[1]).all()
            assert np.shares_memory(board_planes(layout, seen[1]), seen)
            assert (board_planes(layout, seen.reshape(2, 2, -1))[1, 0] == planes[2]).all()
    assert drawn > 0


def test_planes_of_a_position() -> None:
    """Seat 0 has placed Y1 on d1 and e1, two cells of one bank; for seat 1 it is the left neighbor."""
    found = table("Y1", players=2).play("d1N", "pass")
    layout, batch = found.game.observation, batch_of(found.game, found.state)
    names = plane_names(layout)
    for seat in range(2):
        planes = board_planes(layout, batch.observe(seat)[0])
        shown = {name: np.argwhere(planes[names.index(name)]).tolist() for name in names}
        assert shown[f"yellow_{seat}"] == [[0, 3], [0, 4]] and shown[f"same_building_to_the_east_{seat}"] == [[0, 3]]
        assert not shown[f"yellow_{1 - seat}"] and len(shown[f"uncovered_{1 - seat}"]) == 95
        assert shown["vein"] == [[0, 10], [7, 0]]


def test_another_board(tmp_path: Path) -> None:
    """2 x 3 cells."""
    game = made_up(tmp_path, "..t .wM", "aab aab", "Y1 yellow ##")
    batch = ginkgo_env.Batch(game, 2)
    batch.reset(seed=1)
    planes = board_planes(game.observation, batch.observe())
    assert planes.shape == (2, 17, 2, 3)
    assert planes[0, TERRAIN.index("trees")].tolist() == [[0, 0, 1], [0, 0, 0]]
    assert planes[1, TERRAIN.index("mountain")].tolist() == [[0, 0, 0], [0, 0, 1]]


def test_what_is_refused() -> None:
    layout = game_of(2).observation
    with pytest.raises(ValueError, match=r"expected numbers of shape \(\.\.\., 3758\)"):
        board_planes(layout, np.zeros((3, 7), np.int8))
    with pytest.raises(ValueError, match=r"expected numbers of shape \(\.\.\., 3758\)"):
        board_planes(layout, np.int8(1))
