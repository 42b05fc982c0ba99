"""Rewards from totals."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ginkgo_env import Transition
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, ConfigError
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.core.rewards import UNKNOWN, Reward, RewardName, chosen_reward, final_rewards, margin, win
from ginkgo_env.registry import game_class, make_game

TOTALS = st.integers(2, 5).flatmap(
    lambda n: st.lists(st.lists(st.integers(0, 200), min_size=n, max_size=n), min_size=1, max_size=6)
)


def test_win() -> None:
    totals = np.array([[5, 3, 1], [5, 5, 1], [4, 4, 4]])
    assert win(totals).tolist() == [[1, -0.5, -0.5], [0.5, 0.5, -1], [0, 0, 0]]


def test_margin() -> None:
    assert margin(np.array([[50, 30], [10, 10]])).tolist() == [[pytest.approx(0.2), pytest.approx(-0.2)], [0, 0]]
    assert margin(np.array([[60, 30, 0]])).tolist() == [[pytest.approx(0.45), 0, pytest.approx(-0.45)]]


@settings(derandomize=True, deadline=None, max_examples=60)
@given(TOTALS)
def test_zero_sum_and_order(rows: list[list[int]]) -> None:
    totals = np.array(rows)
    for paid in (win(totals), margin(totals)):
        assert paid.dtype == np.float32 and paid.shape == totals.shape
        assert np.allclose(paid.sum(axis=1), 0, atol=1e-5)
        for row in range(len(rows)):
            order = np.argsort(totals[row])
            assert (np.diff(paid[row][order]) >= -1e-6).all()
    assert not final_rewards("score", totals, totals).any()


def test_standings_tell_who_wins_and_scores_by_how_much() -> None:
    totals, standings = np.array([[50, 50, 60]]), np.array([[2, 1, -7]])
    assert final_rewards("win", totals, standings).tolist() == [[1, -0.5, -0.5]]
    assert final_rewards("margin", totals, standings).tolist() == margin(totals).tolist()


def test_names() -> None:
    names: tuple[RewardName, ...] = ("win", "margin", "outcome", "score")
    assert [chosen_reward(name, sides) for name in names for sides in (2, 5)] == [name for name in names for _ in range(2)]
    assert chosen_reward(None, 2) == "win"
    with pytest.raises(ConfigError, match="win, margin, outcome, score"):
        chosen_reward("wins", 2)  # type: ignore[arg-type]


def test_a_side_alone_has_its_score_only() -> None:
    assert chosen_reward(None, 1) == chosen_reward("score", 1) == "score"
    for name in ("win", "margin", "outcome"):
        with pytest.raises(ConfigError, match=f"{name}.*requires at least two.*use 'score'"):
            chosen_reward(name, 1)  # type: ignore[arg-type]


def test_outcome_is_bounded_and_likes_high_wins() -> None:
    totals = np.array([[50, 40], [90, 40], [40, 40], [60, 0]])
    paid = final_rewards("outcome", totals, totals)
    assert (np.abs(paid) <= 1).all() and np.allclose(paid.sum(axis=1), 0, atol=1e-6)
    assert paid[0, 0] == pytest.approx(0.7 + 0.3 * np.tanh(10 / 30)) and paid[0, 0] < paid[1, 0] and paid[2].tolist() == [0, 0]


def by_rank(end: Transition) -> np.ndarray:
    """Rewards of a function: how many sides stand lower, less half."""
    standings = end.after.standings
    return (standings[:, :, None] > standings[:, None, :]).sum(axis=2) - 0.5


@pytest.mark.parametrize("reward", ["outcome", by_rank])
def test_batches_pay_at_the_end(reward: Reward) -> None:
    """What a batch pays is what the reward says of the games that ended in the step, and nothing else."""
    batch = Batch(make_game("ginkgopolis", players=3), 6, reward=reward, autoreset=True)
    batch.reset(seed=2)
    ended = 0
    for _ in range(150):
        batch.step(batch.sample())
        assert not batch.rewards[~batch.done].any()
        expected = final_rewards(reward, batch.totals[batch.done], batch.standings[batch.done])
        np.testing.assert_allclose(batch.rewards[batch.done], expected, rtol=1e-6)
        ended += int(batch.done.sum())
    assert ended > 0


MODULES = tuple(game_class("ginkgopolis").option_values["modules"])
SCORED = [
    pytest.param({"players": 2}, id="2"),
    *(
        pytest.param(config, id=" ".join(map(str, config.values())), marks=pytest.mark.full)
        for config in (
            *({"players": 1}, {"players": 3, "strict": True}, {"players": 4}, {"players": 5, "setup": "introductory"}),
            *({"players": 2, "max_rounds": 2, "setup": "introductory"}, {"players": 2, "modules": MODULES}),
            *({"players": players, "modules": (name,)} for players, name in zip((2, 3, 4, 5, 3, 5), MODULES, strict=True)),
            {"players": 4, "modules": MODULES, "hand_size": 5},
        )
    ),
]


@pytest.mark.parametrize("config", SCORED)
def test_score_is_paid_for_every_change(config: dict[str, Any]) -> None:
    """Scoring only where the score may have changed pays what scoring after each step pays, and is seldom enough to be cheap."""
    rows = 48
    batch = Batch(make_game("ginkgopolis", **config), rows, reward="score", autoreset=True, threads=2)
    random, spared, steps = np.random.default_rng(1), 0, 160
    batch.reset(seed=1)
    for step in range(steps):
        before, versions = batch.scores().sum(axis=2), batch._versions.copy()
        actions = batch.sample()
        actions[random.random(rows) < 0.1] = NO_ACTION
        batch.step(actions)
        now = np.where(batch.done[:, None], batch.totals, batch.scores().sum(axis=2))
        np.testing.assert_array_equal(batch.rewards, (now - before)[:, : batch.game.seats])
        spared += int(((versions == batch._versions) & (versions != UNKNOWN) & (actions != NO_ACTION)).sum())
        if step == steps // 2:  # rows that get other games are paid from those games' scores on
            batch.set_states([0, 1], batch.states[[3, 4]])
            batch.copy_rows(batch, [5], [6])
    assert config["players"] == 1 or spared > 0.15 * steps * rows


def test_a_function_must_return_a_reward_for_each_side() -> None:
    with pytest.raises(BatchError, match=r"shape \(1, 2\)"):
        final_rewards(lambda end: end.after.totals[:, 0], np.array([[1, 2]]), np.array([[1, 2]]))
