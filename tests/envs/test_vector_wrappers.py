"""The wrappers of ``gymnasium.wrappers.vector`` see on the native vector environment what they see on ``SyncVectorEnv``."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import SyncVectorEnv
from gymnasium.wrappers import transform_observation, transform_reward
from gymnasium.wrappers import vector as wrappers

from ginkgo_env.envs.gym import GinkgoEnv
from ginkgo_env.envs.vector import GinkgoVectorEnv

from .playing import choose
from .test_vector import same

N = 3
WRAPPERS: dict[str, tuple[Callable[[Any], Any], dict[str, Any]]] = {
    "ClipReward": (lambda envs: wrappers.ClipReward(envs, -0.5, 0.5), {}),
    "DictInfoToList": (wrappers.DictInfoToList, {}),
    "DtypeObservation": (lambda envs: wrappers.DtypeObservation(envs, np.float32), {}),
    "FilterObservation": (lambda envs: wrappers.FilterObservation(envs, ["action_mask"]), {"observation": "dict"}),
    "FlattenObservation": (wrappers.FlattenObservation, {"observation": "dict"}),
    "NormalizeObservation": (wrappers.NormalizeObservation, {"observation": "features"}),
    "NormalizeReward": (wrappers.NormalizeReward, {}),
    "RecordEpisodeStatistics": (wrappers.RecordEpisodeStatistics, {}),
    "RescaleObservation": (lambda envs: wrappers.RescaleObservation(envs, 0.0, 1.0), {}),
    "ReshapeObservation": (lambda envs: wrappers.ReshapeObservation(envs, (1, *envs.single_observation_space.shape)), {}),
    "TransformAction": (lambda envs: wrappers.TransformAction(envs, lambda actions: actions.copy()), {}),
    "TransformObservation": (lambda envs: wrappers.TransformObservation(envs, lambda seen: seen[:, ::-1]), {}),
    "TransformReward": (lambda envs: wrappers.TransformReward(envs, lambda rewards: 2 * rewards), {}),
    "VectorizeTransformObservation": (
        lambda envs: wrappers.VectorizeTransformObservation(
            envs, transform_observation.TransformObservation, func=lambda seen: seen[::-1], observation_space=None
        ),
        {},
    ),
    "VectorizeTransformReward": (
        lambda envs: wrappers.VectorizeTransformReward(envs, transform_reward.TransformReward, func=lambda reward: reward - 1),
        {},
    ),
}
"""How each is applied, and the options of the environments."""
OTHER_SPACES = {
    *("ClipAction", "RescaleAction"),  # actions are no box
    *("GrayscaleObservation", "ResizeObservation"),  # observations are no images
    "VectorizeTransformAction",  # Gymnasium's own has no wrapper of one environment that fits discrete actions
}


def test_all_wrappers_are_named() -> None:
    names = {name for name, one in vars(wrappers).items() if isinstance(one, type)}
    assert names == WRAPPERS.keys() | OTHER_SPACES | {"RecordVideo", "HumanRendering"}


@pytest.mark.parametrize("name", WRAPPERS)
def test_a_wrapper_sees_the_same_as_on_sync(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.perf_counter", lambda: 0.0)  # infos have the seconds of an episode
    wrapped, options = WRAPPERS[name]
    options = {"game": "my_city", "players": 1, **options}
    ours = wrapped(GinkgoVectorEnv(num_envs=N, **options))
    theirs = wrapped(SyncVectorEnv([lambda: GinkgoEnv(**options) for _ in range(N)]))
    assert ours.observation_space == theirs.observation_space
    rng, ends = np.random.default_rng(0), 0
    results, expected = ours.reset(seed=5), theirs.reset(seed=5)
    for _ in range(50):
        for mine, wanted in zip(results, expected, strict=True):
            same(mine, wanted)
        actions = choose(ours.unwrapped.learner.masks(), rng, 0.02)
        results, expected = ours.step(actions), theirs.step(actions)
        ends += int((results[2] | results[3]).sum())
    assert ends > N


@pytest.mark.full
def test_video(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    pytest.importorskip("resvg_py")
    envs = wrappers.RecordVideo(
        GinkgoVectorEnv("my_city", num_envs=2, players=1, render_mode="rgb_array"), str(tmp_path / "videos"), video_length=3
    )
    _, infos = envs.reset(seed=1)
    for _ in range(4):
        *_, infos = envs.step(infos["action_mask"].argmax(axis=1))
    envs.close()
    (video,) = (tmp_path / "videos").glob("*.mp4")
    assert video.stat().st_size > 1000


def test_window(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pygame")
    pytest.importorskip("cv2")
    pytest.importorskip("resvg_py")
    monkeypatch.setenv("SDL_VIDEODRIVER", "dummy")
    envs = wrappers.HumanRendering(GinkgoVectorEnv("my_city", num_envs=2, players=1, render_mode="rgb_array"))
    assert envs.render_mode == "human" and envs.reset(seed=1)
    envs.close()
