"""Several networks in one checkpoint."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import ginkgo_env
from ginkgo_agents import make_agent
from ginkgo_agents.base import Turn
from ginkgo_agents.checkpoints import Checkpoint, write_checkpoint
from ginkgo_agents.lookahead import LookaheadAgent, joined
from ginkgo_agents.shipped import best_for
from ginkgo_env.core.errors import ConfigError

GAME = ginkgo_env.make_game("golden_city", players=2)


def turn() -> Turn:
    batch = ginkgo_env.Batch(GAME, 3)
    batch.reset(seed=3)
    for _ in range(30):
        batch.step(batch.sample())
    return Turn(batch, np.arange(3), np.arange(3, dtype=np.uint64))


def one() -> Checkpoint:
    return best_for("lookahead", GAME)


def other() -> Checkpoint:
    """The same with other weights."""
    rng = np.random.default_rng(0)
    names = ("scorer.w1", "scorer.w3", "critic.w3")
    changed = {name: rng.permuted(one().arrays[name]) for name in names}
    return replace(one(), arrays={**one().arrays, **changed})


def test_expectations_are_averaged() -> None:
    parts = [LookaheadAgent(checkpoint, worlds=2) for checkpoint in (one(), other())]
    both, now = LookaheadAgent(joined([one(), other()]), worlds=2), turn()
    values = [agent.values(now)[1] for agent in parts]
    assert np.abs(values[0] - values[1]).max() > 0.01
    np.testing.assert_allclose(both.values(now)[1], np.mean(values, axis=0), atol=1e-6)
    wins = [agent.expectation(now)[0] for agent in parts]
    np.testing.assert_allclose(both.expectation(now)[0], np.clip(np.mean(wins, axis=0), 0, 1), atol=1e-6)


def test_one_agent_joined_to_nothing_is_itself() -> None:
    alone, now = LookaheadAgent(joined([one()]), worlds=2), turn()
    np.testing.assert_array_equal(alone.values(now)[1], LookaheadAgent(one(), worlds=2).values(now)[1])


def test_what_does_not_belong_together_is_refused() -> None:
    three = ginkgo_env.make_game("ginkgopolis", players=2)
    with pytest.raises(ConfigError, match="one game and the same layouts"):
        joined([one(), best_for("lookahead", three)])
    with pytest.raises(ConfigError, match="joined already"):
        joined([joined([one(), other()]), one()])


def test_the_command(tmp_path: Path) -> None:
    from ginkgo_training.cli import train

    files = [str(write_checkpoint(tmp_path / f"{k}.npz", checkpoint)) for k, checkpoint in enumerate((one(), other()))]
    out = tmp_path / "both.npz"
    done = CliRunner().invoke(train, ["join", *files, "--out", str(out)])
    assert done.exit_code == 0 and "2 agents" in done.output
    agent = make_agent(f"{out}:worlds=2", "golden_city")
    assert isinstance(agent, LookaheadAgent) and len(agent.scorers) == len(agent.critics) == 2
    assert len(agent.checkpoint.about["members"]) == 2
    missing = CliRunner().invoke(train, ["join", str(tmp_path / "no.npz"), "--out", str(tmp_path / "x.npz")])
    assert missing.exit_code == 2 and "there is no checkpoint" in missing.output and not (tmp_path / "x.npz").exists()
