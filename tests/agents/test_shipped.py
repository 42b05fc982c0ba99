"""The trained agents that come with the package."""

from __future__ import annotations

import subprocess
import sys

import numpy as np
import pytest

from ginkgo_agents import Table, make_agent, play_table
from ginkgo_agents.checkpoints import require_fit
from ginkgo_agents.shipped import ShippedLookahead, best_for, shipped
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game


def test_each_fits_the_game_that_it_was_trained_for() -> None:
    assert shipped("lookahead") and shipped("ppo")
    for checkpoint in (*shipped("lookahead"), *shipped("ppo")):
        game = make_game(checkpoint.game, **checkpoint.config)
        require_fit(checkpoint, game)
        assert best_for(checkpoint.kind, game) is checkpoint
        assert checkpoint.about
        assert all(np.isfinite(array).all() for array in checkpoint.arrays.values())


def test_where_none_fits() -> None:
    with pytest.raises(ConfigError, match="train one"):
        best_for("lookahead", make_game("ginkgopolis", players=5, modules=["events"]))
    with pytest.raises(ConfigError, match="worlds"):
        make_agent("lookahead:worlds=0")


@pytest.mark.full
def test_it_plays_without_torch() -> None:
    code = (
        "import sys; sys.modules['torch'] = None\n"
        "import numpy as np, ginkgo_env\n"
        "from ginkgo_agents import act, make_agent\n"
        "batch = ginkgo_env.Batch(ginkgo_env.make_game('ginkgopolis', players=2), 2)\n"
        "batch.step(act(make_agent('lookahead:worlds=1'), batch, np.arange(2, dtype=np.uint64)))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.full
def test_it_is_strong() -> None:
    """Far from chance, so that a network that is fed wrongly is noticed."""
    assert isinstance(make_agent("lookahead"), ShippedLookahead)
    played = play_table(Table("ginkgopolis", ("lookahead", "greedy"), {"players": 2}), 60, 4)
    assert played.wins[:, :, 0].mean() > 0.65
    alone = play_table(Table("ginkgopolis", ("lookahead",), {"players": 1, "level": "advanced"}), 100, 4)
    assert alone.wins[:, :, 0].mean() > 0.45
    reactive = play_table(Table("ginkgopolis", ("ppo", "william"), {"players": 2}), 60, 4)
    assert reactive.wins[:, :, 0].mean() > 0.8
