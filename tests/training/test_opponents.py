"""Opponents for a share of the games of each trainer: what is learned from, and that runs are resumed exactly."""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch")

from ginkgo_agents.checkpoints import write_checkpoint
from ginkgo_agents.policy import PolicySettings
from ginkgo_agents.pretrained import manifest
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.opponents import agent_to_train_with
from ginkgo_training.ppo import PpoTrainer
from ginkgo_training.search import SearchTrainer
from ginkgo_training.settings import LookaheadSettings, OpponentSettings, PpoSettings, SearchSettings
from ginkgo_training.trainer import CHECKPOINT, Trainer

from .checkpoints import same

SIZES: dict[str, Any] = {"games": 8, "n_steps": 6, "batch_size": 16}
KINDS = ["lookahead", "ppo", "search"]
MIXED = OpponentSettings(
    baselines=("random", "ginkgo_agents.base:RandomAgent"),
    weights=(2.0, 1.0),
    baseline_share=0.3,
    past_share=0.3,
    priority=1.0,
    snapshot_every=2,
    snapshots=2,
)
pytestmark = pytest.mark.usefixtures("trial_game")


def trainer(kind: str, opponents: OpponentSettings, name: str = "three_cards", seed: int = 3, **settings: Any) -> Any:
    game, chosen = make_game(name, players=2), SIZES | settings | {"opponents": opponents}
    if kind == "search":
        nets = PolicySettings(hidden=8, critic_hidden=8)
        return SearchTrainer(game, SearchSettings(**chosen, simulations=2, horizon=1, warm_up=8, window=2, network=nets), seed)
    if kind == "ppo":
        return PpoTrainer(game, PpoSettings(**chosen), seed)
    return LookaheadTrainer(game, LookaheadSettings(**chosen, hidden=8, worlds=1), seed)


@pytest.mark.parametrize("kind", KINDS)
def test_a_resumed_run_equals_an_unbroken_one(kind: str, tmp_path: Path) -> None:
    whole = trainer(kind, MIXED)
    runs.train(whole, runs.Budget(rollouts=5), tmp_path / "whole", games=2)
    first = trainer(kind, MIXED)

    def stop(text: str, remaining: float) -> None:
        if first.rollouts == 3:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        runs.train(first, runs.Budget(rollouts=5), tmp_path / "cut", report=stop)
    again = trainer(kind, MIXED, seed=4)
    runs.train(again, runs.Budget(rollouts=5), tmp_path / "cut", resume=True, games=2)
    one, other = (runs.read_training_checkpoint(tmp_path / name / CHECKPOINT) for name in ("whole", "cut"))
    same(one, other)
    players = one.arrays["pool/players"]
    assert (players == 0).any(axis=1).all() and players.max() > 2  # snapshots play too
    assert 0.5 * 5 * 48 < whole.decisions < 5 * 48


@pytest.mark.parametrize("kind", KINDS)
def test_without_opponents_all_decisions_are_learned_from(kind: str) -> None:
    one: Trainer = trainer(kind, OpponentSettings())
    for _ in range(2):
        numbers = one.training_step(1.0)
    assert one.decisions == 2 * 48 and not [name for name in numbers if name.startswith("win_rate")]
    assert not one.checkpoint(training=True).arrays["pool/players"].any()


@pytest.mark.parametrize("kind", KINDS)
def test_only_the_learners_decisions_are_learned_from(kind: str) -> None:
    """The seats of a game are one the learner's and one the opponent's: half of the decisions are the opponent's."""
    one = trainer(kind, OpponentSettings(baselines=("random",), baseline_share=1.0), games=32)
    one.batch.reset(seed=1)
    one.training_step(1.0)
    assert (np.sort(one.pool.players, axis=1) == [0, 1]).all() and one.pool.names == {1: "random"}
    assert 0.3 < one.decisions / (32 * 6) < 0.7
    if kind == "search":
        learned = (one.window[-1].targets >= 0).any(axis=1)
        assert learned.sum() == one.decisions


def test_wrong_settings() -> None:
    for wrong, message in (
        ({"baseline_share": 0.6, "past_share": 0.6}, "must be at most 1"),
        ({"baseline_share": 0.6}, "at least one of baselines"),
        ({"baselines": ("random",), "weights": (1.0, 2.0)}, "one for each of 1 baselines, got 2"),
        ({"baselines": ("random",), "weights": (0.0,)}, "weights"),
        ({"priority": -1.0}, "priority"),
        ({"snapshots": 0}, "snapshots"),
    ):
        with pytest.raises(ConfigError, match=message):
            OpponentSettings(**wrong)  # type: ignore[arg-type]
    with pytest.raises(ConfigError, match="nobody"):
        trainer("lookahead", OpponentSettings(baselines=("nobody",), baseline_share=0.1))
    with pytest.raises(ConfigError, match="opponents play in this process alone"):
        LookaheadSettings(shards=2, opponents=MIXED)


@pytest.fixture
def held_out(tmp_path: Path) -> str:
    """The file of an agent that is held out for evaluation."""
    agent = trainer("lookahead", OpponentSettings()).checkpoint()
    write_checkpoint(tmp_path / "held_out.npz", replace(agent, about={**agent.about, "held_out": True}))
    return str(tmp_path / "held_out.npz")


@pytest.mark.parametrize("kind", KINDS)
def test_an_agent_that_is_held_out_is_no_opponent(kind: str, held_out: str) -> None:
    with pytest.raises(ConfigError, match="is held out for evaluation"):
        trainer(kind, OpponentSettings(baselines=("random", f"{held_out}:worlds=1"), baseline_share=0.1))


@pytest.mark.parametrize(("kind", "setting"), [("search", "teacher"), ("ppo", "imitate")])
def test_nobody_learns_from_an_agent_that_is_held_out(kind: str, setting: str, held_out: str) -> None:
    with pytest.raises(ConfigError, match="is held out for evaluation"):
        trainer(kind, OpponentSettings(), **{setting: held_out})


@pytest.mark.parametrize(
    ("name", "game", "players"),
    [
        *(product(("held_out_lookahead", "held_out_ppo"), ("ginkgopolis", "golden_city", "my_city"), (3,))),
        ("best_response", "ginkgopolis", 2),
    ],
)
def test_the_agents_that_are_held_out(name: str, game: str, players: int) -> None:
    """They play, but nothing is trained against them; nor are they models of the pretrained agents."""
    with pytest.raises(ConfigError, match="is held out for evaluation"):
        agent_to_train_with(name, make_game(game, players=players))
    agent = make_agent(name, game)
    agent.check(make_game(game, players=players))
    assert agent.held_out
    own, held_out = (
        {file for model in manifest().agents for file in model.roles.values() if make_agent(model.agent).held_out == reserved}
        for reserved in (False, True)
    )
    assert own and held_out and not own & held_out
