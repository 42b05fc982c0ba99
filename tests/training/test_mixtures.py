"""Training in games of several configurations: what is learned from, resuming, and playing in configurations not seen before."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from typer.testing import CliRunner

from ginkgo_agents import make_agent
from ginkgo_agents.base import DecisionBatch, act
from ginkgo_agents.evaluation.strength import evaluate
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.ppo import NetworkSettings
from ginkgo_env.cli.app import app
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.rewards import ABSENT
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, OpponentSettings, PpoSettings, SearchSettings
from ginkgo_training.trainer import AGENT, CHECKPOINT

from .checkpoints import same

OPTIONS: dict[str, Any] = {"max_rounds": 2, "padded": True}
PLAYERS: dict[str, Any] = OPTIONS | {"mixture": [{"players": 2, "setup": "introductory"}, {"players": 3}]}
OPPONENTS = OpponentSettings(baselines=("random",), baseline_share=0.3, past_share=0.3, snapshot_every=1, snapshots=2)
SIZES: dict[str, Any] = {"games": 8, "n_steps": 24, "batch_size": 64, "opponents": OPPONENTS}
KINDS = ["ppo", "lookahead", "search"]
GAMES: dict[str, Any] = {
    "players": lambda: make_game("ginkgopolis", **PLAYERS),
    "boards": lambda: make_game("my_city", players=2, mixture=[{"board": f"generated_{k}"} for k in range(4)]),
}


def trainer(kind: str, seed: int = 3, name: str = "players") -> Any:
    game = GAMES[name]()
    if kind == "ppo":
        return PpoTrainer(game, PpoSettings(**SIZES, network=NetworkSettings("both", hidden=8, width=4)), seed)
    if kind == "search":
        nets = PolicySettings(hidden=8, critic_hidden=8)
        return SearchTrainer(game, SearchSettings(**SIZES, simulations=2, horizon=1, warm_up=8, window=2, network=nets), seed)
    return LookaheadTrainer(game, LookaheadSettings(**SIZES, hidden=8, worlds=1), seed)


@pytest.mark.parametrize("kind", ["ppo", *(pytest.param(kind, marks=pytest.mark.full) for kind in KINDS[1:])])
def test_one_network_for_two_and_three_plays_four_and_five(kind: str, tmp_path: Path) -> None:
    one, played = trainer(kind), set[int]()
    for _ in range(3):
        one.training_step(1.0)
        seats = one.game.seats_of(one.batch.states)
        played |= set(seats.tolist())
        learns = (one.pool.players == 0) & (np.arange(3) < seats[:, None])
        assert learns.any(axis=1).all()  # the learner has a seat that is played
    assert played == {2, 3}
    path = tmp_path / "agent.npz"
    runs.write_checkpoint(path, one.checkpoint())
    agent = make_agent(str(path), "ginkgopolis")
    for players in (2, 4, 5):
        # The agent sees ordinary games, and padded ones, as it was trained to.
        batches = [Batch(make_game("ginkgopolis", players=players, max_rounds=2, padded=on), 6) for on in (False, True)]
        for step in range(4):
            chosen = [act(agent, batch, np.arange(6, dtype=np.uint64) + step) for batch in batches]
            assert (chosen[0] == chosen[1]).all()
            for batch in batches:
                batch.step(chosen[0])
        assert agent.probabilities(DecisionBatch(batches[0], np.arange(6), np.zeros(6, np.uint64))).shape == batches[0].mask.shape
    results = evaluate(str(path), make_game("ginkgopolis", players=4, max_rounds=2), ["random"], 8, seed=0)
    assert results["random"]["games"] == 8


@pytest.mark.parametrize(
    ("kind", "game"),
    [
        ("ppo", "players"),
        ("lookahead", "boards"),
        *(pytest.param(kind, "players", marks=pytest.mark.full) for kind in KINDS[1:]),
        *(pytest.param(kind, "boards", marks=pytest.mark.full) for kind in ("ppo", "search")),
    ],
)
def test_a_resumed_run_equals_an_unbroken_one(kind: str, game: str, tmp_path: Path) -> None:
    runs.train(trainer(kind, name=game), runs.Budget(rollouts=3), tmp_path / "whole", games=4, against=["random"])
    first = trainer(kind, name=game)
    assert game == "players" or len(set(first.batch.configurations)) > 1

    def stop(text: str, remaining: float) -> None:
        if first.rollouts == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.train(first, runs.Budget(rollouts=3), tmp_path / "cut", report=stop, against=["random"])
    again = trainer(kind, seed=4, name=game)
    runs.train(again, runs.Budget(rollouts=3), tmp_path / "cut", resume=True, games=4)
    one, other = (runs.read_training_checkpoint(tmp_path / name / CHECKPOINT) for name in ("whole", "cut"))
    assert one.config == again.game.config_dict
    same(one, other)


def test_opponents_that_are_absent_do_not_count() -> None:
    pool = trainer("ppo").pool
    pool.players[:] = [[0, 1, 1]]
    pool._batch.done[:], pool._batch.standings[:] = True, [[5, 3, ABSENT]]
    pool.update()
    assert pool.games_played.tolist() == [8, 8, 0, 0] and pool.rates[1] > 0.5


@pytest.mark.full
def test_commands(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    command = ["train", "ppo", "--set", "mixture=training_modules", "--set", "max_rounds=2", "--rollouts", "2"]
    sizes = [part for name in ("games=4", "n_steps=8") for part in ("--settings", name)]
    result = CliRunner().invoke(app, [*command, *sizes, "--against", "random", "--evaluate-games", "4", "--out", str(folder)])
    assert result.exit_code == 0, result.output
    for options in ([], ["--set", "mixture=held_out_modules"], ["--set", "modules=events,experts"]):
        command = ["evaluate", str(folder / AGENT), *options, "--games", "4", "--against", "random,greedy"]
        result = CliRunner().invoke(app, command)
        assert result.exit_code == 0, result.output
