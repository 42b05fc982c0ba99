"""Training in The Golden City by the command: a rollout, and the agent plays."""

from __future__ import annotations

from pathlib import Path

import pytest

pytest.importorskip("torch")

from typer.testing import CliRunner

from ginkgo_agents.evaluation.matches import MatchConfig, play_match
from ginkgo_env.cli.app import app


@pytest.mark.full
def test_the_command(tmp_path: Path) -> None:
    small = [f"--settings={setting}" for setting in ("games=8", "n_steps=6", "batch_size=16", "hidden=8")]
    words = ["lookahead", "--game", "golden_city", "--players", "2", "--rollouts", "2", "--against", "random"]
    done = CliRunner().invoke(app, ["train", *words, *small, "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    agent = str(tmp_path / "agent.npz")
    assert play_match(MatchConfig("golden_city", (agent, "random"), {"players": 2}), 1, seed=0).games == 2
