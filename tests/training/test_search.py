"""The trainer of ``search``: distillation, expert iteration, and runs that go on."""

from __future__ import annotations

from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from ginkgo_agents import act, make_agent
from ginkgo_agents.base import DecisionBatch
from ginkgo_agents.checkpoints import write_checkpoint
from ginkgo_agents.playouts import Playouts
from ginkgo_agents.policy import Policy, PolicySettings
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError
from ginkgo_env.core.rewards import OUTCOME_UNIT
from ginkgo_env.registry import make_game
from ginkgo_training import runs
from ginkgo_training.search import SearchTrainer, _final_points
from ginkgo_training.settings import OpponentSettings, SearchSettings
from ginkgo_training.trainer import CHECKPOINT

from .checkpoints import same

SMALL = SearchSettings(
    games=6,
    n_steps=5,
    batch_size=16,
    simulations=4,
    horizon=1,
    warm_up=8,
    window=2,
    network=PolicySettings(hidden=8, critic_hidden=8, observed=("boards/0",)),
)


def trainer(game: str = "my_city", seed: int = 1, **settings: Any) -> SearchTrainer:
    changed = SearchSettings(**{name: getattr(SMALL, name) for name in SMALL.__struct_fields__} | settings)
    return SearchTrainer(make_game(game, players=2), changed, seed, "cpu")


def test_the_same_seed_trains_the_same_and_a_resumed_run_equals_an_unbroken_one(tmp_path: Path) -> None:
    one, other, third = trainer(), trainer(), trainer(seed=2)
    for each in (one, other, third):
        for _ in range(2):
            numbers = each.training_step(0.5)
    assert numbers.keys() == {"policy_loss", "value_loss", "same_actions", "explained"}
    same(one.checkpoint(training=True), other.checkpoint(training=True))
    assert not np.array_equal(one.checkpoint().arrays["policy.w1"], third.checkpoint().arrays["policy.w1"])
    resumed = trainer(seed=9)
    resumed.restore(one.checkpoint(training=True))
    for each in (one, resumed):
        for _ in range(2):
            each.training_step(0.25)
    same(one.checkpoint(training=True), resumed.checkpoint(training=True))
    assert len(one.window) == 2 and one.decisions == 4 * 6 * 5


def test_threads_share_searches_and_opponents_and_change_no_result(monkeypatch: pytest.MonkeyPatch) -> None:
    opponents = OpponentSettings(baselines=("search:simulations=16",), baseline_share=1.0, past_share=0.0)
    alone, shared = (trainer(games=16, simulations=16, opponents=opponents) for _ in range(2))
    values, used = Playouts.values, []

    def watched(playouts: Playouts, turn: DecisionBatch, *arguments: Any) -> Any:
        used.append(turn.threads)
        return values(playouts, turn, *arguments)

    monkeypatch.setattr(Playouts, "values", watched)
    shared.threads.count = 3
    for each in (alone, shared):
        used.clear()
        each.training_step(0.5)
        assert used and {*used} == {each.threads}
    same(alone.checkpoint(training=True), shared.checkpoint(training=True))


def test_a_critic_that_learns_points_by_source_goes_on_and_leaves_the_agent_as_it_is() -> None:
    one, plain = trainer(auxiliary=0.5, n_steps=40), trainer(n_steps=40)
    for each in (one, plain):
        for _ in range(2):
            each.training_step(0.5)
    sources = len(one.game.sources)
    assert one.window[0].returns.shape == (6 * 40, 2 + sources) and plain.window[0].returns.shape == (6 * 40, 2)
    np.testing.assert_array_equal(one.window[0].returns[:, :2], plain.window[0].returns)
    assert np.ptp(one.window[1].returns[:, 2:], axis=0).max() > 0.3
    arrays, others = one.checkpoint().arrays, plain.checkpoint().arrays
    assert arrays.keys() == others.keys() and not np.array_equal(arrays["critic.w1"], others["critic.w1"])
    resumed = trainer(auxiliary=0.5, n_steps=40, seed=9)
    resumed.restore(one.checkpoint(training=True))
    for each in (one, resumed):
        each.training_step(0.25)
    same(one.checkpoint(training=True), resumed.checkpoint(training=True))
    checkpoint = one.checkpoint(training=True)
    with pytest.raises(ConfigError, match="others/weight"):
        resumed.restore(replace(checkpoint, arrays={**checkpoint.arrays, "others/weight": np.zeros((1, 8), np.float32)}))


@pytest.mark.parametrize("game", ["ginkgopolis", "golden_city", "my_city"])
def test_points_of_games_that_have_ended(game: str) -> None:
    """The same games without autoreset still show them."""
    running, stopped = (Batch(make_game(game, players=2), 4, autoreset=again) for again in (True, False))
    for batch in (running, stopped):
        batch.reset(seed=5)
    seen = 0
    while (actions := np.array(stopped.sample())).max() >= 0:
        before = running.states.copy()
        stopped.step(actions)
        played = np.where(actions < 0, running.sample(), actions)
        running.step(played)
        points, ended = _final_points(running, before, played), stopped.done & running.done
        for row in np.flatnonzero(ended & (actions >= 0)):
            np.testing.assert_allclose(points[row], np.tanh(stopped.scores()[row] / OUTCOME_UNIT), rtol=1e-6)
            seen += 1
        assert not points[~running.done].any()
    assert seen == 4


def test_a_policy_learns_from_its_teacher() -> None:
    """The builder has one opinion."""
    student = trainer(
        teacher="builder", games=16, n_steps=16, n_epochs=8, batch_size=64, window=8, network=PolicySettings(hidden=32)
    )
    numbers = [student.training_step(1.0) for _ in range(6)]
    assert numbers[-1]["policy_loss"] < 0.8 * numbers[0]["policy_loss"]
    assert numbers[-1]["same_actions"] > numbers[0]["same_actions"]


def test_the_critic_learns_what_searches_expect() -> None:
    """With lambda 0 the return of a decision is the estimate of the seat's next one."""
    student, expected = trainer(gae_lambda=0.0, teacher="search:simulations=4:horizon=1"), list[Any]()
    teacher = student._teacher
    search = teacher.search

    def recorded(turn: DecisionBatch) -> Any:
        found = search(turn)
        expected.append((turn.seats, found.estimates(), student.batch.done.copy()))
        return found

    teacher.search = recorded
    student._remember(student.rollout())
    returns, compared = student.window[0].returns.reshape(5, 6, 2), 0
    for row in range(6):
        for seat in range(2):
            own = [t for t in range(5) if expected[t][0][row] == seat]
            for t, following in pairwise(own):
                over = any(expected[k][2][row] for k in range(t + 1, following + 1))
                if not over and not np.isnan(expected[following][1][row]).any():
                    np.testing.assert_allclose(returns[t, row], expected[following][1][row], atol=1e-5)
                    compared += 1
    assert compared > 3


def test_a_policy_with_slots_is_that_of_the_agent() -> None:
    network = PolicySettings(hidden=8, critic_hidden=4, slots=("commit",), slot_features=("hand",), observed=("tiles/0",))
    student = trainer("ginkgopolis", network=network)
    with torch.no_grad():
        for parameter in (student.policy.gain, student.policy.shift, student.policy.head.weight):
            parameter.normal_()
    batch = student.batch
    legal, logits = Policy(student.checkpoint(), student.game).logits(
        DecisionBatch(batch, np.arange(6), np.arange(6).astype(np.uint64))
    )
    views = np.concatenate([batch.features(), batch.observe()], axis=1, dtype=np.float32)
    expected = student.policy(student.policy.prepared(views)).detach().numpy()
    for row in range(6):
        own = slice(*legal.offsets[[row, row + 1]])
        np.testing.assert_allclose(logits[own], expected[row, legal.actions[own]], atol=1e-4)
    hand = student.game.features["hand"]
    scales = student.policy.scale.numpy()[hand.start : hand.stop].reshape(hand.shape)
    assert (scales == scales[0]).all()


def test_the_agent_plays(tmp_path: Path) -> None:
    path = runs.train(trainer(), runs.Budget(rollouts=1), tmp_path / "run", against=["random"], games=2)
    batch, keys = Batch(make_game("my_city", players=2), 3), np.arange(3).astype(np.uint64)
    batch.reset(seed=1)
    for options in ("", ":simulations=0", ":root=lookahead:simulations=8"):
        batch.step(act(make_agent(f"{path}{options}"), batch, keys))
    assert (tmp_path / "run" / CHECKPOINT).exists()


def test_networks_to_start_from(tmp_path: Path) -> None:
    first = trainer()
    first.training_step(1.0)
    path = str(write_checkpoint(tmp_path / "agent.npz", first.checkpoint()))
    second = trainer(start=path, seed=5)
    second.start()
    np.testing.assert_array_equal(second.checkpoint().arrays["policy.w3"], first.checkpoint().arrays["policy.w3"])
    with pytest.raises(ConfigError, match="setting start: expected a checkpoint with networks"):
        trainer(start=path, network=PolicySettings(hidden=9)).start()
    with pytest.raises(ConfigError):
        trainer(teacher="nobody")


def test_windows_that_do_not_fit_are_refused() -> None:
    one = trainer()
    one.training_step(1.0)
    checkpoint = one.checkpoint(training=True)
    for name in [name for name in checkpoint.arrays if name.startswith("window/")]:
        for wrong in (None, checkpoint.arrays[name][1:], checkpoint.arrays[name] * np.float16(np.nan)):
            arrays = {**checkpoint.arrays, name: wrong} if wrong is not None else {**checkpoint.arrays}
            if wrong is None:
                del arrays[name]
            with pytest.raises(ConfigError, match="invalid checkpoint"):
                trainer().restore(checkpoint.__class__(**{**vars(checkpoint), "arrays": arrays}))
