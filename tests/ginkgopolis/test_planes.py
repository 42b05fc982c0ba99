"""Spatial planes against the list of buildings of positions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.games.ginkgopolis.components import MODULE_NAMES
from ginkgo_env.games.ginkgopolis.observe import city_planes, plane_names

from ..rules.ginkgopolis.extras import GREEN_SPACE
from ..rules.ginkgopolis.positions import LETTERS, game

CONFIGS: list[dict[str, Any]] = [
    {"players": 1},
    {"players": 3},
    {"players": 2, "modules": ("green_spaces",)},
    {"players": 5, "modules": MODULE_NAMES},
]
COLORS = {"R": "red", "B": "blue", "Y": "yellow"}


def drawn(position: dict[str, Any], seat: int, names: tuple[str, ...], window: int) -> tuple[np.ndarray, int]:
    """The same planes, drawn from a position."""
    planes, outside = np.zeros((len(names), window, window), int), 0
    west = min(building["cell"][0] for building in position["city"]) - 1
    north = min(building["cell"][1] for building in position["city"]) - 1

    def draw(cell: list[int], values: dict[str, int]) -> int:
        x, y = cell[0] - west, cell[1] - north
        if x >= window or y >= window:
            return 1
        for name, value in values.items():
            planes[names.index(name), y, x] = value
        return 0

    for building in position["city"]:
        tile, owner = building["tile"], building["owner"]
        values = {"floors": building["floors"], "pawn": int(building["pawn"])}
        values |= {"green": 1} if tile == GREEN_SPACE else {COLORS[tile[0]]: 1, "number": int(tile[1:])}
        if owner is not None:
            values[f"owner_{(owner - seat) % len(position['players'])}"] = 1
        outside += draw(building["cell"], values)
    for letter, cell in position["tokens"].items():
        outside += draw(cell, {"token": LETTERS.index(letter) + 1}) if cell else 0
    return planes, outside


@pytest.mark.parametrize("config", CONFIGS, ids=lambda config: f"{config['players']}-{len(config.get('modules', ()))}")
def test_planes_are_the_city(config: dict[str, Any]) -> None:
    batch = ginkgo_env.Batch(game(**config), 6)
    batch.reset(seed=3)
    layout = batch.game.observation
    names = plane_names(layout)
    assert ("green" in names) == ("modules" in config) and names[-1] == "token"
    left_out, greens = 0, 0
    for step in range(150):
        if step % 10 == 0:
            positions = batch.positions()
            for seat in range(batch.game.seats):
                for window in (1, 5, 16):
                    planes, outside = city_planes(layout, batch.observe(seat), window)
                    assert planes.shape == (6, len(names), window, window) and planes.dtype == np.uint8
                    for row, position in enumerate(positions):
                        wanted, missing = drawn(position, seat, names, window)
                        assert (planes[row] == wanted).all() and outside[row] == missing
                    left_out += int(outside.sum())
                    greens += int(planes[:, names.index("green")].sum()) if "green" in names else 0
        batch.step(batch.sample())
    assert left_out > 0 and (greens > 0) == ("modules" in config)


def test_what_is_refused() -> None:
    batch = ginkgo_env.Batch(game(players=2), 4)
    with pytest.raises(ValueError, match=r"invalid window 0; expected 1\.\."):
        city_planes(batch.game.observation, batch.observe(), 0)
    with pytest.raises(ValueError, match=r"invalid observations of shape .*; expected"):
        city_planes(batch.game.observation, batch.observe()[0])
