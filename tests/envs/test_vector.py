"""The native vector environment: equal to Gymnasium's ``SyncVectorEnv`` of single environments, step by step."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from gymnasium.wrappers import TimeLimit

from ginkgo_env import BatchError, ConfigError, FinishedGameError, IllegalActionError
from ginkgo_env.cli import bench
from ginkgo_env.envs.gym import GinkgoEnv
from ginkgo_env.envs.vector import GinkgoVectorEnv

from ..tiers import by_tier
from .playing import choose, plain

N = 6
MODES = list(AutoresetMode)
OPTIONS: list[dict[str, Any]] = [
    {"max_rounds": 3, "seat": "rotating", "observation": "dict"},
    {"players": 3, "reward": "score", "seat": "random", "opponents": ["random", "william"], "max_rounds": 4},
    {"players": 1},
    {"players": 2, "reward": "margin", "seat": 1, "modules": ("events", "keep_card"), "max_rounds": 4},
]


def same(ours: Any, theirs: Any, partly: bool = False) -> None:
    """Equal in values, types and shapes; of infos what Gymnasium says is there. Partly: more may be there."""
    if isinstance(theirs, dict):
        assert set(theirs) == set(ours)
        for name, value in theirs.items():
            there = theirs.get(f"_{name}")
            if name.startswith("_"):
                assert (ours[name] >= value).all() if partly else np.array_equal(ours[name], value)
            elif there is None or isinstance(value, dict):
                same(ours[name], value, partly)
            else:
                same(ours[name][there], value[there])
    elif isinstance(theirs, list) or (isinstance(theirs, np.ndarray) and theirs.dtype == object):
        for one, other in zip(ours, theirs, strict=True):
            same(one, other)
    else:
        assert ours.dtype == theirs.dtype and np.array_equal(ours, theirs)


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
@pytest.mark.parametrize("options", by_tier(OPTIONS, OPTIONS[:2]), ids=str)
def test_equal_to_sync(options: dict[str, Any], mode: AutoresetMode) -> None:
    ours = GinkgoVectorEnv(num_envs=N, autoreset_mode=mode, **options)
    theirs = SyncVectorEnv([lambda: GinkgoEnv(**options) for _ in range(N)], autoreset_mode=mode)
    assert ours.observation_space == theirs.observation_space and ours.action_space == theirs.action_space
    rng, ends = np.random.default_rng(0), 0
    for seed in (11, [5, 4, 3, 2, 1, None], None):
        seen, infos = ours.reset(seed=seed)
        check = theirs.reset(seed=seed)  # type: ignore[arg-type]
        same(seen, check[0])
        same(infos, check[1])
        for _ in range(35):
            actions = choose(infos["action_mask"], rng, 0.01)
            seen, rewards, terminations, truncations, infos = ours.step(actions)
            expected = theirs.step(actions)
            for mine, wanted in zip((seen, rewards, terminations, truncations, infos), expected, strict=True):
                same(mine, wanted)
            assert infos["action_mask"].any(axis=1).all()
            over = terminations | truncations
            ends += int(over.sum())
            if mode == AutoresetMode.DISABLED and over.any():
                seen, infos = ours.reset(options={"reset_mask": over})
                check = theirs.reset(options={"reset_mask": over})
                same(seen, check[0])
                same(infos, check[1], partly=True)
                assert infos["action_mask"].any(axis=1).all()
    assert ends > N


@pytest.mark.full
@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_equal_to_sync_in_another_game(trial_game: str, mode: AutoresetMode) -> None:
    test_equal_to_sync({"game": trial_game, "seat": "rotating", "reward": "score", "deck": "pairs"}, mode)


def test_a_game_that_was_reset_says_so_in_its_mask_only() -> None:
    """With ``reset_mask`` the others stay as they are, and the infos describe all of them."""
    envs = GinkgoVectorEnv(num_envs=3, autoreset_mode=AutoresetMode.DISABLED)
    before, infos = envs.reset(seed=1)
    after, again = envs.reset(seed=8, options={"reset_mask": np.array([False, True, False])})
    assert np.array_equal(after[[0, 2]], before[[0, 2]])
    assert np.array_equal(after[1], GinkgoEnv().reset(seed=9)[0])
    assert again["_action_mask"].all() and np.array_equal(again["action_mask"][0], infos["action_mask"][0])


def test_modes() -> None:
    for mode in MODES:
        envs = GinkgoVectorEnv(num_envs=2, autoreset_mode=mode.value)
        assert envs.metadata["autoreset_mode"] is mode and "autoreset_mode" not in GinkgoVectorEnv.metadata
    assert GinkgoVectorEnv().metadata["autoreset_mode"] is AutoresetMode.NEXT_STEP
    with pytest.raises(ConfigError, match="autoreset_mode"):
        GinkgoVectorEnv(autoreset_mode="Never")


def test_finished_games_refuse_steps_without_autoreset() -> None:
    envs = GinkgoVectorEnv(num_envs=2, autoreset_mode="Disabled")
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[0] = infos["action_mask"][0].argmin()
    _, rewards, terminations, _, infos = envs.step(actions)
    assert rewards[0] == -1 and terminations.tolist() == [True, False]
    assert infos["illegal_action"].tolist() == [True, False]
    with pytest.raises(FinishedGameError):
        envs.step(infos["action_mask"].argmax(axis=1))
    _, infos = envs.reset(options={"reset_mask": np.array([True, False])})
    assert not infos["illegal_action"].any() and not infos["is_success"].any()
    envs.step(infos["action_mask"].argmax(axis=1))


def test_one_illegal_action_that_raises_changes_no_row() -> None:
    envs = GinkgoVectorEnv(num_envs=3, illegal_action="raise")
    _, infos = envs.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    actions[2] = infos["action_mask"][2].argmin()
    before = envs.learner.batch.states.tobytes()
    with pytest.raises(IllegalActionError, match="row 2"):
        envs.step(actions)
    assert envs.learner.batch.states.tobytes() == before


@pytest.mark.parametrize("reused", [False, True])
def test_arrays_are_new_unless_reused(reused: bool) -> None:
    envs, other = (GinkgoVectorEnv(num_envs=4, copy=copied, observation="dict") for copied in (not reused, True))
    seen, infos = envs.reset(seed=1)
    other.reset(seed=1)
    actions = infos["action_mask"].argmax(axis=1)
    after, *_, later = envs.step(actions)
    same(after, other.step(actions)[0])
    assert np.shares_memory(seen["observation"], after["observation"]) is reused
    assert np.shares_memory(infos["action_mask"], later["action_mask"]) is reused


def test_rewards_and_flags_are_new_arrays() -> None:
    envs = GinkgoVectorEnv(num_envs=4)
    _, infos = envs.reset(seed=1)
    _, *results, infos = envs.step(infos["action_mask"].argmax(axis=1))
    kept = [array.copy() for array in results]
    envs.step(infos["action_mask"].argmin(axis=1))  # ends all
    assert all(np.array_equal(array, was) for array, was in zip(results, kept, strict=True))


def test_threads_change_nothing() -> None:
    rng, many = np.random.default_rng(1), [GinkgoVectorEnv(num_envs=9, threads=n, autoreset_mode="SameStep") for n in (1, 2)]
    infos = [envs.reset(seed=3)[1] for envs in many]
    for _ in range(60):
        actions = choose(infos[0]["action_mask"], rng, 0)
        results = [envs.step(actions) for envs in many]
        infos = [result[4] for result in results]
        for one, other in zip(*results, strict=True):
            same(one, other)
    for envs in many:
        envs.close()


@pytest.mark.parametrize("copier", [copy.copy, copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=[*"cdp"])
def test_a_copy_plays_on_as_the_original(copier: Any) -> None:
    envs = GinkgoVectorEnv(num_envs=3, seat="rotating", max_rounds=1)
    _, infos = envs.reset(seed=1)
    twin = copier(envs)
    rng = np.random.default_rng(0)
    for _ in range(40):
        actions = choose(infos["action_mask"], rng, 0)
        expected = envs.step(actions)
        for one, other in zip(twin.step(actions), expected, strict=True):
            same(one, other)
        infos = expected[4]


@pytest.mark.parametrize("seed", ["1", 0.5, -1, [1], [1, 2, "3"], 2**64 - 1], ids=str)
def test_seeds_that_are_none(seed: Any) -> None:
    with pytest.raises(BatchError, match="seed"):
        GinkgoVectorEnv(num_envs=3).reset(seed=seed)


@pytest.mark.parametrize("mask", [[True, False], np.ones(3, bool), np.ones(2), np.zeros(2, bool), None], ids=str)
def test_reset_masks_that_are_none(mask: Any) -> None:
    with pytest.raises(BatchError, match="reset_mask"):
        GinkgoVectorEnv(num_envs=2).reset(options={"reset_mask": mask})


@pytest.mark.filterwarnings("error")
def test_made_by_its_id() -> None:
    envs = gymnasium.make_vec("ginkgo_env:ginkgo_env/GinkgopolisSolo-v0", num_envs=3, autoreset_mode="SameStep")
    assert isinstance(envs.unwrapped, GinkgoVectorEnv) and envs.num_envs == 3
    envs = gymnasium.wrappers.vector.RecordEpisodeStatistics(envs)
    _, infos = envs.reset(seed=1)
    found = []
    for _ in range(60):
        _, _, _, _, infos = envs.step(infos["action_mask"].argmax(axis=1))
        found += infos["episode"]["l"][infos["_episode"]].tolist() if "episode" in infos else []
    assert found and min(found) > 10


def test_render() -> None:
    envs = GinkgoVectorEnv(num_envs=2, render_mode="ansi")
    envs.reset(seed=1)
    assert [plain(text)[:5] for text in envs.render() or ()] == ["Draft", "Draft"]


@pytest.mark.full
def test_measures() -> None:
    lines = {line.name: line.value for line in bench._environments("ginkgopolis", 0.1)}
    assert lines["VectorEnv against SyncVectorEnv"] > 3
    assert 0 < lines["VectorEnv, all decisions, against the batch"] < 1.5


@pytest.mark.parametrize("mode", MODES, ids=lambda mode: mode.value)
def test_time_limit_as_in_sync(mode: AutoresetMode) -> None:
    ours = GinkgoVectorEnv(num_envs=N, autoreset_mode=mode, max_episode_steps=7)
    theirs = SyncVectorEnv([lambda: TimeLimit(GinkgoEnv(), 7) for _ in range(N)], autoreset_mode=mode)
    rng, truncated = np.random.default_rng(0), 0
    _, infos = ours.reset(seed=5)
    theirs.reset(seed=5)
    for _ in range(30):
        actions = choose(infos["action_mask"], rng, 0.02)
        results = ours.step(actions)
        for mine, wanted in zip(results, theirs.step(actions), strict=True):
            same(mine, wanted)
        over, infos, truncated = results[2] | results[3], results[4], truncated + int(results[3].sum())
        if mode == AutoresetMode.DISABLED and over.any():
            _, infos = ours.reset(options={"reset_mask": over})
            theirs.reset(options={"reset_mask": over})
    assert truncated > N


def test_reset_comes_first() -> None:
    with pytest.raises(ResetNeeded):
        GinkgoVectorEnv(num_envs=2).step(np.zeros(2, np.int64))
    for limit in (0, -1, 1.5, "7", True):
        with pytest.raises(ConfigError, match="max_episode_steps"):
            GinkgoVectorEnv(max_episode_steps=limit)  # type: ignore[arg-type]
    envs = gymnasium.make_vec("ginkgo_env/MyCity-v0", 2, vectorization_mode="vector_entry_point", max_episode_steps=1)
    _, infos = envs.reset(seed=1)
    assert envs.step(infos["action_mask"].argmax(axis=1))[3].all()
