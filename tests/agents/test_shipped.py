"""The trained agents that come with the package."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import ginkgo_agents
from ginkgo_agents import Table, make_agent, play_table
from ginkgo_agents.agents.base import Turn, draw, nth_words
from ginkgo_agents.agents.checkpoints import require_fit
from ginkgo_agents.agents.pretrained import ShippedLookahead, best_for, shipped
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game

MODELS = Path(ginkgo_agents.__file__).parent / "agents" / "models"


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
    for wrong in ("lookahead:worlds=0", "lookahead:prior=greedy", f"{MODELS}/ginkgopolis_2p.npz:prior=true"):
        with pytest.raises(ConfigError, match=r"worlds|prior"):
            make_agent(wrong)


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
@pytest.mark.parametrize("name", ["lookahead:worlds=2", "ppo", "greedy"])
def test_chances(name: str) -> None:
    """Probabilities of legal actions, of which the agent plays the likeliest, the same whatever stands in other rows."""
    batch, rows = Batch(make_game("ginkgopolis", players=2), 24, autoreset=True), np.arange(24)
    agent, words = make_agent(name), np.arange(24, dtype=np.uint64)
    batch.reset(seed=5)
    for _ in range(30):
        batch.step(batch.sample())
    chances = agent.chances(Turn(batch, rows, words))
    np.testing.assert_allclose(chances.sum(axis=1), 1)
    assert (chances >= 0).all() and not chances[batch.mask == 0].any()
    actions = agent.act(Turn(batch, rows, words))
    np.testing.assert_array_equal(chances[rows, actions], chances.max(axis=1))
    alone = [agent.chances(Turn(batch, rows[k : k + 1], words[k : k + 1]))[0] for k in rows]
    np.testing.assert_array_equal(chances, alone)
    if name != "greedy":  # which has no probabilities: it plays one action
        assert ((chances > 0.01).sum(axis=1) > 1).any()


def test_draws_follow_the_chances() -> None:
    chances = np.tile([0.0, 0.5, 0.3, 0.2, 0.0], (20_000, 1))
    drawn = draw(chances, nth_words(np.arange(20_000, dtype=np.uint64), 3))
    np.testing.assert_allclose(np.bincount(drawn, minlength=5) / 20_000, chances[0], atol=0.02)


@pytest.mark.full
def test_it_is_strong() -> None:
    """Far from chance, so that a network that is fed wrongly is noticed."""
    assert isinstance(make_agent("lookahead"), ShippedLookahead)
    played = play_table(Table("ginkgopolis", ("lookahead", "greedy"), {"players": 2}), 60, 4)
    assert played.wins[:, :, 0].mean() > 0.65
    alone = play_table(Table("ginkgopolis", ("lookahead",), {"players": 1, "level": "advanced"}), 100, 4)
    assert alone.wins[:, :, 0].mean() > 0.45
    reactive = play_table(Table("ginkgopolis", ("ppo", "greedy"), {"players": 2}), 60, 4)
    assert reactive.wins[:, :, 0].mean() > 0.6
