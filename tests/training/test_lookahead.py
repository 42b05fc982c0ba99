"""The lookahead trainer: it learns, its runs resume exactly, its agent plays the same without torch."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from msgspec.structs import replace

import ginkgo_env
from ginkgo_agents import make_agent
from ginkgo_agents.base import DecisionBatch
from ginkgo_agents.checkpoints import read_checkpoint, require_fit, write_checkpoint
from ginkgo_env.core.afterstates import LegalActions
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.masks import NO_ACTION

torch = pytest.importorskip("torch")

from ginkgo_agents.lookahead import LookaheadAgent, outcome_of
from ginkgo_agents.nets import evaluate_many, net_of
from ginkgo_training import runs
from ginkgo_training.logs import LOG, read_log
from ginkgo_training.lookahead import LookaheadTrainer
from ginkgo_training.settings import LookaheadSettings
from ginkgo_training.trainer import AGENT, CHECKPOINT

from .checkpoints import same

SMALL = LookaheadSettings(games=8, n_steps=6, batch_size=16, hidden=8)
pytestmark = pytest.mark.usefixtures("trial_game")


def trainer(seed: int = 3, **settings: Any) -> LookaheadTrainer:
    return LookaheadTrainer(ginkgo_env.make_game("three_cards", deck="pairs"), replace(SMALL, **settings), seed)


def run(one: LookaheadTrainer, rollouts: int, folder: Path, **more: Any) -> Path:
    return runs.train(one, runs.Budget(rollouts=rollouts), folder, **more)


def test_a_resumed_run_equals_an_unbroken_one(tmp_path: Path) -> None:
    """A run that is killed after a checkpoint loses what happened since, and repeats it."""
    whole = trainer()
    run(whole, 6, tmp_path / "whole")
    first = trainer()
    for k in range(3):
        first.learn(first.rollout(), 1 - k / 6)
    write_checkpoint(tmp_path / "cut" / CHECKPOINT, first.checkpoint(training=True))
    first.learn(first.rollout(), 0.1)  # lost
    second = trainer(seed=3)
    run(second, 6, tmp_path / "cut", resume=True)
    same(read_checkpoint(tmp_path / "whole" / CHECKPOINT), read_checkpoint(tmp_path / "cut" / CHECKPOINT))


def test_each_evaluation_is_a_line_of_the_log(tmp_path: Path) -> None:
    tmp_path /= "run"
    run(trainer(), 3, tmp_path, every=0.0, games=5)
    lines = [json.loads(line) for line in (tmp_path / LOG).read_text().splitlines()]
    assert {line["evaluation"]["random"]["games"] for line in lines} == {6}  # whole deals
    assert read_log(tmp_path).curves["random"][-1].decisions == lines[-1]["decisions"] == 3 * 8 * 6


def test_ctrl_c_saves(tmp_path: Path) -> None:
    tmp_path /= "run"
    one = trainer()

    def stop(text: str, remaining: float) -> None:
        if one.rollouts == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(one, 5, tmp_path, report=stop)
    assert read_checkpoint(tmp_path / CHECKPOINT).about["rollouts"] == 2
    assert isinstance(make_agent(str(tmp_path / AGENT)), LookaheadAgent)
    with pytest.raises(ConfigError, match="resume"):
        run(trainer(), 5, tmp_path)


def test_what_goes_wrong_later_saves_as_well(tmp_path: Path) -> None:
    tmp_path /= "run"
    one = trainer()

    def fail(text: str, remaining: float) -> None:
        if one.rollouts == 2:
            raise ConfigError("a worker failed")

    with pytest.raises(ConfigError, match="a worker failed"):
        run(one, 5, tmp_path, report=fail)
    assert read_checkpoint(tmp_path / CHECKPOINT).about["rollouts"] == 2


def test_bad_settings_are_refused() -> None:
    for budget in ({"minutes": 0.0}, {"rollouts": -1}, {"minutes": -1.0}, {}, {"minutes": 1.0, "rollouts": 1}):
        with pytest.raises(ConfigError):
            runs.Budget(**budget)  # type: ignore[arg-type]
    for setting in ({"batch_size": 0}, {"n_epochs": 0}, {"n_steps": 0}, {"average": 1.0}, {"learning_rate": 0.0}, {"shards": 0}):
        with pytest.raises(ConfigError, match=next(iter(setting))):
            LookaheadSettings(**setting)


def test_numpy_plays_what_torch_has_learned() -> None:
    one = trainer()
    one.learn(one.rollout())
    features = one.batch.features()
    agent = LookaheadAgent(one.checkpoint())
    for name, torch_net in one.averages.items():
        net = net_of(agent.checkpoint.arrays, name)
        told = np.empty((len(features), 2), np.float32)
        evaluate_many(0, len(features), features, net, told)
        with torch.no_grad():
            np.testing.assert_allclose(told, torch_net(torch_net.prepared(features)).numpy(), atol=1e-5)
        assert isinstance(torch.exp(one.tau).item(), float)


def test_the_agent_plays_with_an_average_of_weights() -> None:
    one, weights = trainer(average=0.5), []
    mean = one.critic.arrays("")[".w1"].astype(np.float64)
    for k in range(4):
        one.learn(one.rollout())
        weights.append(one.critic.arrays("")[".w1"])
        kept = min(0.5, (k + 1) / (k + 11))
        mean = kept * mean + (1 - kept) * weights[-1]
    played = one.checkpoint().arrays["critic.w1"]
    np.testing.assert_allclose(played, mean, atol=1e-6)
    assert np.abs(played - weights[-1]).max() > 1e-4


def test_an_action_depends_on_its_row_alone() -> None:
    one = trainer()
    agent = LookaheadAgent(one.checkpoint(), worlds=3)
    batch = Batch(one.game, 6)
    batch.reset(seed=1)
    keys = np.arange(6, dtype=np.uint64)
    together, values = (
        agent.act(DecisionBatch(batch, np.arange(6), keys)),
        agent.values(DecisionBatch(batch, np.arange(6), keys))[1],
    )
    alone = [DecisionBatch(batch, np.array([k]), keys[k : k + 1]) for k in range(6)]
    assert together.tolist() == [int(agent.act(turn)[0]) for turn in alone]
    np.testing.assert_array_equal(values, np.concatenate([agent.values(turn)[1] for turn in alone]))


@pytest.mark.full
def test_the_critic_is_calibrated() -> None:
    """After training the predicted chance to win equals the rate of wins, with good and with bad cards."""
    one = trainer(games=128, n_steps=20, batch_size=512, hidden=16, learning_rate=1e-2)
    for k in range(30):
        one.learn(one.rollout(), 1 - k / 30)
    agent = LookaheadAgent(one.checkpoint(), worlds=2)
    batch = Batch(one.game, 4000)
    batch.reset(seed=9)
    chance, margin = agent.expectation(DecisionBatch(batch, np.arange(batch.size), np.zeros(batch.size, np.uint64)))
    cards, step = batch.states["hand"][:, 0].copy(), 0
    while not batch.over.all():
        step += 1
        after = batch.afterstates(2, seed=step)
        counts = np.diff(after.offsets)
        live = LegalActions(np.r_[0, np.cumsum(counts[counts > 0])], after.actions)
        with torch.no_grad():
            places = one._choose(after._replace(offsets=live.offsets), outcome_of(one.game, after.win, after.margin))[0]
        actions = np.full(batch.size, NO_ACTION)
        actions[counts > 0] = live.actions[live.offsets[:-1] + places]
        batch.step(actions)
    mine, theirs = batch.standings.T
    won = (mine > theirs) + 0.5 * (mine == theirs)
    assert abs(chance.mean() - won.mean()) < 0.04
    for card in range(3):
        assert abs(chance[cards == card].mean() - won[cards == card].mean()) < 0.08, card
    assert chance[cards == 2].mean() > chance[cards == 0].mean() + 0.3 and (chance >= 0).all() and (chance <= 1).all()
    assert margin[cards == 2].mean() > margin[cards == 0].mean()


def test_checkpoints_are_checked(tmp_path: Path) -> None:
    one = trainer()
    one.about["note"] = "x"
    path = write_checkpoint(tmp_path / "agent.npz", one.checkpoint())
    found = read_checkpoint(path)
    assert found.about["note"] == "x" and found.game == "three_cards"
    require_fit(found, ginkgo_env.make_game("three_cards", deck="kuhn"))
    with pytest.raises(ConfigError, match="does not play"):
        require_fit(found, ginkgo_env.make_game("ginkgopolis"))
    path.write_bytes(path.read_bytes()[:300])
    with pytest.raises(ConfigError, match="damaged"):
        read_checkpoint(path)
    with pytest.raises(ConfigError, match=r"cannot read .*No such file"):
        read_checkpoint(tmp_path / "none.npz")
    np.savez(tmp_path / "pickle.npz", checkpoint=np.array([{"a": 1}], object))
    with pytest.raises(ConfigError, match="not a checkpoint"):
        read_checkpoint(tmp_path / "pickle.npz")
    with pytest.raises(ConfigError, match="playing only"):
        trainer().restore(found)


def test_options_of_agents(tmp_path: Path) -> None:
    path = write_checkpoint(tmp_path / "agent.npz", trainer().checkpoint())
    agent = make_agent(f"{path}:worlds=3")
    assert isinstance(agent, LookaheadAgent) and agent.worlds == 3
    with pytest.raises(ConfigError, match="options"):
        make_agent(f"{path}:wolds=3")
    with pytest.raises(ConfigError, match="worlds"):
        make_agent(f"{path}:worlds=none")
    with pytest.raises(ConfigError, match="options"):
        make_agent("random:worlds=3")


def test_budget() -> None:
    with pytest.raises(ConfigError, match="one of them"):
        runs.Budget()
    with pytest.raises(ConfigError, match="minutes > 0"):
        runs.Budget(minutes=-1)
