"""The examples of networks, rewards, opponents and games of one's own: they run, and are short."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch")

from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.transitions import FinalResults, Transition
from ginkgo_env.registry import make_game

from .loading import EXAMPLES, example

SMALL = ["--rollouts", "3", "--games", "8"]


@pytest.mark.parametrize("name", ["own_network", "own_reward", "own_opponents", "mixed_games"])
def test_they_are_short(name: str) -> None:
    assert len((EXAMPLES / f"{name}.py").read_text(encoding="utf-8").splitlines()) <= 80


def test_network(tmp_path: Path) -> None:
    path = example("own_network").main([*SMALL, "--out", str(tmp_path / "run")])
    game = make_game("ginkgopolis", players=2)
    agent = f"{path}:network=own_network:Deep"
    make_agent(agent, game.name).check(game)
    assert evaluate(agent, game, ["random"], 4, 1)["random"]["games"] == 4


def test_reward() -> None:
    module = example("own_reward")
    paid = module.main(games=6)
    assert paid.shape == (6, 3) and (paid.sum(axis=1) == 0).all() and paid.max() == 1 == -paid.min()
    standings = np.array([[5, 5, 1], [2, 2, 2]])
    end = Transition(np.ones(2, np.bool_), FinalResults(standings, standings))
    np.testing.assert_array_equal(module.places(end), [[0.5, 0.5, -1], [0, 0, 0]])


def test_opponents(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    rates = example("own_opponents").main([*SMALL, "--out", str(tmp_path / "run")])
    assert {"greedy", "random", "own_opponents:LastAction", "snapshot_0"} <= rates.keys()
    assert (tmp_path / "own_opponents.json").exists()


def test_mixed_games(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    rates = example("mixed_games").main([*SMALL, "--evaluate-games", "4", "--out", str(tmp_path / "run")])
    assert rates.keys() == {"training", "held_out"} and all(0 <= rate <= 1 for rate in rates.values())
    assert "training on 32 sets of modules" in capsys.readouterr().out
