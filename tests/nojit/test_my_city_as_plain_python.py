"""The rules of My City without Numba, against a slow reading of the rules by sets of cells; coverage is measured on this."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.compile.jit import JIT_DISABLED

from ..my_city.invariants import check_invariants
from ..my_city.observing import check_observations
from ..my_city.playing import as_builder, batch_of, in_play
from ..my_city.slow import legal
from ..rules.my_city.games import GAMES, check_game
from ..rules.my_city.positions import game_of, table

pytestmark = pytest.mark.skipif(not JIT_DISABLED, reason="for NUMBA_DISABLE_JIT=1")


@pytest.mark.parametrize("players", (1, 3, 4))
def test_plain_python_agrees_with_the_slow_reading(players: int) -> None:
    game, random = game_of(players), np.random.default_rng(players)
    for batch in in_play(players, rows=2, seed=5003, every=7):
        check_observations(batch)
        for row in range(batch.size):
            check_invariants(game, batch.state(row))
            if batch.actor[row] >= 0:
                assert set(np.flatnonzero(batch.mask[row])) == legal(game, batch.states[row], batch.actor[row])
        chosen = as_builder(batch, random)
        assert batch.mask[~batch.over, chosen[~batch.over]].all()
        for seat in range(players):
            other = batch_of(game, batch.states)
            other.resample(seat, seed=seat)
            assert np.array_equal(other.observe(seat), batch.observe(seat))


def test_a_blocked_church_and_forced_ends() -> None:
    found = table("X", "C1", "C2", players=3)
    assert found.current == "C2" and found.g["blocked"] == 24 and "pass" not in found.legal
    found.play("end", "f1N", "end")
    check_invariants(found.game, found.state)
    assert found.ended == [1, None, 1] and found.current == "Y1"


@pytest.mark.parametrize("known", GAMES, ids=lambda known: known["name"])
def test_the_games_of_the_rules_text(known: dict[str, Any]) -> None:
    """Gold, wells and ties among them."""
    check_game(known)
