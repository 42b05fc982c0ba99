"""The recorders of Gymnasium, PettingZoo and Stable-Baselines3 make videos."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Any

import gymnasium
import pytest
from gymnasium.wrappers import RecordVideo

import ginkgo_env

moviepy = pytest.importorskip("moviepy")

LONGEST = 20  # steps: pictures and their encoding take long
GAMES = [("ginkgopolis", {"players": 2, "max_rounds": 3}), ("golden_city", {"players": 2}), ("my_city", {"players": 1})]

pytestmark = pytest.mark.full  # drawing and encoding take seconds


def length_and_size(path: Path) -> tuple[int, tuple[int, int]]:
    """Number of frames at one each second, and the size of a video."""
    with moviepy.VideoFileClip(str(path)) as video:
        return round(video.duration), tuple(video.size)


def size_of(env: Any) -> tuple[int, int]:
    rows, columns, _ = env.render().shape
    return columns, rows


@pytest.mark.parametrize(("game", "config"), GAMES, ids=[game for game, _ in GAMES])
def test_gymnasium(tmp_path: Path, game: str, config: dict[str, Any]) -> None:
    identifier = next(iter(ginkgo_env.envs.registration.gymnasium_ids(game)))
    env = RecordVideo(gymnasium.make(identifier, render_mode="rgb_array", **config), str(tmp_path / "new"))
    _, info = env.reset(seed=3)
    steps, over = 0, False
    while not over and steps < LONGEST:
        _, _, terminated, truncated, info = env.step(env.action_space.sample(info["action_mask"]))
        steps, over = steps + 1, terminated or truncated
    size = size_of(env)
    env.close()
    assert length_and_size(tmp_path / "new" / "rl-video-episode-0.mp4") == (steps + 1, size)


@pytest.mark.parametrize(("game", "config"), GAMES, ids=[game for game, _ in GAMES])
def test_pettingzoo(tmp_path: Path, game: str, config: dict[str, Any]) -> None:
    record_video = pytest.importorskip("pettingzoo.utils.wrappers.record_video")  # since 1.27
    env = record_video.RecordVideo(ginkgo_env.env(game, render_mode="rgb_array", **config), str(tmp_path / "new"))
    env.reset(seed=3)
    steps = 0
    for agent in env.agent_iter():
        observation, _, termination, truncation, _ = env.last()
        env.step(None if termination or truncation else env.action_space(agent).sample(observation["action_mask"]))
        steps += 1
        if steps == LONGEST:
            break
    size = size_of(env)
    env.close()
    assert length_and_size(tmp_path / "new" / "rl-video-episode-0.mp4") == (steps + 1, size)


def test_stable_baselines3(tmp_path: Path) -> None:
    sb3 = pytest.importorskip("stable_baselines3.common.vec_env")
    from ginkgo_env.envs.sb3 import GinkgoVecEnv

    envs = GinkgoVecEnv("my_city", num_envs=2, render_mode="rgb_array", players=1)
    recorder = sb3.VecVideoRecorder(envs, str(tmp_path / "new"), lambda step: step == 0, video_length=5)
    recorder.reset()
    for _ in range(6):
        recorder.step(envs.action_masks().argmax(axis=1))
    size = size_of(envs)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        recorder.close()
    assert length_and_size(tmp_path / "new" / "rl-video-step-0-to-step-5.mp4") == (6, size)
