"""M9.2: rewards."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, ConfigError

from ..rules.my_city.positions import PLAYERS, Table, game_of, table


@pytest.mark.parametrize("players", PLAYERS)
def test_m9_2_score_sums_to_the_gain_over_the_start(players: int) -> None:
    """It is paid when choices take effect: nothing in the middle of a round."""
    batch = Batch(game_of(players), 6, reward="score")
    batch.reset(seed=players)
    total = np.zeros((6, players))
    while not batch.over.all():
        rounds, over = batch.states["rounds"].copy(), batch.over.copy()
        batch.step(batch.sample())
        total += batch.rewards
        waiting = (batch.states["rounds"] == rounds) & ~batch.over | over
        assert not batch.rewards[waiting].any()
    assert total.tolist() == (batch.totals + 68).tolist()


def paid(reward: Any, found: Table, *texts: str) -> list[float]:
    """What the last of some actions pays."""
    batch = Batch(found.game, 1, reward=reward)
    batch.set_states(np.arange(1), found.state)
    for text in texts:
        batch.step(np.array([found.game.parse_action(found.state, text)]))
    return batch.rewards[0].tolist()


def test_m9_2_win_comes_from_winners_not_from_scores() -> None:
    """Equal points, and rows decide (M8.8)."""
    found = table("Y1", "Y2", players=3).play("d8N", "e1E", "d8N")
    assert found.scores == [-65] * 3 and paid("win", found, "end", "end") == [0, 0, 0]
    assert paid("win", found, "end", "end", "end") == [-0.5, 1, -0.5]
    shared = table("Y1", players=4)
    assert paid("win", shared, "end", "e1E", "e1E", "end") == [0] * 4  # not over
    both = shared.copy().play("end", "e1E", "e1E", "end")
    assert paid("win", both, "end", "end") == [-0.5, 0.5, 0.5, -0.5]


def test_m9_2_margin() -> None:
    """The own score minus the mean of the others', in hundredths, from two players on."""
    found = table("Y1", "Y2", players=3).play("e1E", "d8N", "pass")
    assert found.scores == [-65, -65, -69]
    assert paid("margin", found, "end", "end", "end") == pytest.approx([0.02, 0.02, -0.04])
    with pytest.raises((BatchError, ConfigError)):
        Batch(game_of(1), 1, reward="margin")
