"""The very same rules without Numba, compared with the oracle: what coverage of the rules is measured on.

Run with ``NUMBA_DISABLE_JIT=1``; with compiled kernels the same is done by
``tests/oracle/ginkgopolis/test_compare.py``, at length.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.compile.jit import JIT_DISABLED
from ginkgo_env.registry import game_class

from ..oracle.ginkgopolis.compare import play_match
from ..oracle.golden_city.compare import play_match as play_golden_city

pytestmark = pytest.mark.skipif(not JIT_DISABLED, reason="for NUMBA_DISABLE_JIT=1")
CONFIGS = game_class("ginkgopolis").configurations()


@pytest.mark.parametrize("config", [*CONFIGS, {"players": 2, "strict": True}], ids=lambda c: "-".join(map(str, c.values())))
def test_plain_python_agrees_with_the_oracle(config: dict[str, Any]) -> None:
    play_match(config, 5003, views=12)


@pytest.mark.parametrize("players", (2, 3, 4))
def test_so_does_the_golden_city(players: int) -> None:
    play_golden_city({"players": players}, 5003, views=12)


ALL = tuple(game_class("ginkgopolis").modules)
RESAMPLED: dict[str, dict[str, Any]] = {
    "golden city": {"game": "golden_city", "players": 3},
    "alone": {"players": 1},
    "three": {"players": 3, "strict": True},
    "all modules": {"players": 3, "modules": ALL},
    "secret events": {"players": 4, "modules": ALL[:5]},
}


@pytest.mark.parametrize("config", RESAMPLED.values(), ids=RESAMPLED)
def test_resampling_changes_nothing_that_a_seat_sees(config: dict[str, Any]) -> None:
    options = dict(config)
    game = ginkgo_env.make_game(options.pop("game", "ginkgopolis"), **options)
    batch, other = ginkgo_env.Batch(game, 1), ginkgo_env.Batch(game, 1)
    batch.reset(seed=[11])
    steps = 0
    while not batch.over[0]:
        if steps % 6 == 0 or game.decisions[batch.kind[0]] == "return":
            seat = steps % game.seats
            other.copy_rows(batch, [0], [0])
            other.resample(seat, seed=steps)
            assert np.array_equal(other.observe(seat), batch.observe(seat))
            assert game.from_position(other.position(0)).tobytes() == other.state(0).tobytes()
        batch.step(batch.sample())
        steps += 1


def test_lookahead_in_the_golden_city() -> None:
    """Features and playouts run, and show nothing that the seat cannot know."""
    game = ginkgo_env.make_game("golden_city", players=3)
    batch, other = ginkgo_env.Batch(game, 1), ginkgo_env.Batch(game, 1)
    batch.reset(seed=[12])
    steps = 0
    while not batch.over[0]:
        if steps % 25 == 0:
            seat = steps % game.seats
            other.copy_rows(batch, [0], [0])
            other.resample(seat, seed=steps)
            assert np.array_equal(other.features(seat), batch.features(seat))
            assert np.isfinite(batch.afterstates(1, seed=steps).views).all()
        batch.step(batch.sample())
        steps += 1
    assert steps > 75
