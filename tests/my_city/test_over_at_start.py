"""Games that may be over at their start: small boards and few buildings leave nothing to decide (M3.1, M5.4, M7.2)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError
from ginkgo_env.core.playback import Playback
from ginkgo_env.envs.learner import Learner

from ..rules.my_city.positions import board_file, buildings_file

_ONE_CELL = ("MM.FF", "aabbb")
_SMALL = ("MM..FF MM..FF", "aaabbb aaabbb")
PAIRS: dict[str, tuple[tuple[str, str] | None, tuple[str, ...]]] = {
    "one building": (None, ("Y1 yellow ##",)),
    "one church": (None, ("C1 church ##",)),
    "one cell": (_ONE_CELL, ("C1 church ##",)),
    "churches only": (_SMALL, ("C1 church ###", "C2 church ####")),
}
"""A board (None: the shipped one) and buildings. On the last two boards nothing fits, so that every game is over at its start."""

STARTS = ("one building", "one church")
ROWS = 16


def options(folder: Path, pair: str, players: int = 2) -> dict[str, Any]:
    board, buildings = PAIRS[pair]
    return {
        "players": players,
        "board": "own" if board is None else board_file(folder, *board),
        "buildings": buildings_file(folder, *buildings),
    }


@pytest.mark.parametrize("reward", ["win", "score"])
@pytest.mark.parametrize("pair", PAIRS)
def test_a_batch_reports_them_as_done_and_goes_on(tmp_path: Path, pair: str, reward: Any) -> None:
    game = ginkgo_env.make_game("my_city", **options(tmp_path, pair))
    batch = Batch(game, ROWS, autoreset=True, keep_last=True, reward=reward)
    batch.reset(seed=3)
    assert batch.over.any() and batch.over.all() == (pair not in STARTS) and not batch.done.any()
    ended = np.zeros(ROWS, int)
    for _ in range(60):
        over, seeds = batch.over.copy(), batch.states["seed"].copy()
        assert (batch.mask.any(axis=1) == ~over).all()
        batch.step(batch.sample())
        ended += batch.done
        assert batch.done[over].all() and (batch.states["seed"][batch.done] != seeds[batch.done]).all()
        assert not batch.truncated.any() and not batch.rewards[over].any()
        assert batch.observe_last().shape == (batch.done.sum(), game.observation.size)
    assert (ended >= 10).all()


@pytest.mark.parametrize("pair", PAIRS)
def test_without_autoreset_they_stay(tmp_path: Path, pair: str) -> None:
    batch = Batch(ginkgo_env.make_game("my_city", **options(tmp_path, pair)), ROWS)
    batch.reset(seed=3)
    over, before = batch.over.copy(), batch.states.copy()
    batch.step(batch.sample())
    assert over.any() and not batch.done[over].any() and (batch.states[over] == before[over]).all()
    assert batch.outcome(int(over.argmax())).ending is not None


@pytest.mark.parametrize("pair", PAIRS)
def test_playbacks_and_pettingzoo_are_over_at_once(tmp_path: Path, pair: str) -> None:
    config = options(tmp_path, pair)
    playback = Playback(ginkgo_env.make_game("my_city", **config))
    env, together = ginkgo_env.env("my_city", **config), ginkgo_env.parallel_env("my_city", **config)
    over = 0
    for seed in range(12):
        playback.start(seed)
        env.reset(seed=seed)
        observations, infos = together.reset(seed=seed)
        assert set(observations) == set(infos) == set(together.possible_agents)
        at_once = playback.actor is None
        over += at_once
        assert at_once == all(env.terminations.values()) == (not together.agents) and not any(env.truncations.values())
        for agent in env.agent_iter(max_iter=200):
            observation, reward, termination, _, _ = env.last()
            assert reward == 0 or not at_once
            env.step(None if termination else env.action_space(agent).sample(observation["action_mask"]))
        assert not env.agents
    assert over > 0 and (over == 12) == (pair not in STARTS)


@pytest.mark.parametrize("pair", PAIRS)
def test_learners_skip_them_or_are_refused(tmp_path: Path, pair: str) -> None:
    """Games without a decision are followed by the next one; if there is none at all, that is an error."""
    config = options(tmp_path, pair)
    game = ginkgo_env.make_game("my_city", **config)
    if pair not in STARTS:
        with pytest.raises(BatchError, match="never"):
            Learner(game, 4).reset()
        return
    learner = Learner(game, 4)
    env = gymnasium.make("ginkgo_env/MyCity-v0", **config)
    vector = gymnasium.make_vec("ginkgo_env/MyCity-v0", num_envs=3, **config)
    for seed in range(4):
        learner.reset([seed] * 4)
        assert not learner.over.any() and (learner.batch.actor == learner.seats).all()
        _, info = env.reset(seed=seed)
        ended = False
        while not ended:
            _, _, terminated, truncated, info = env.step(int(np.argmax(info["action_mask"])))
            ended = terminated or truncated
        _, infos = vector.reset(seed=seed)
        for _ in range(10):
            _, _, _, _, infos = vector.step(infos["action_mask"].argmax(axis=1))
    env.close()
    vector.close()
