"""The Stable-Baselines3 environment: equal to the vector environment with same-step autoreset, and learned on."""

from __future__ import annotations

import copy
import pickle
from inspect import signature
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.env_util import make_vec_env
from stable_baselines3.common.evaluation import evaluate_policy as evaluate_policy_without_masks
from stable_baselines3.common.vec_env import DummyVecEnv, SubprocVecEnv, VecMonitor

from ginkgo_env import BatchError, ConfigError, GinkgoEnv, IllegalActionError
from ginkgo_env.envs.sb3 import GinkgoVecEnv
from ginkgo_env.envs.vector import GinkgoVectorEnv

from .playing import choose

SHORT: dict[str, Any] = {"max_rounds": 1, "setup": "introductory"}
BY_ID = "ginkgo_env:ginkgo_env/Ginkgopolis-v0"
TINY: dict[str, Any] = {"n_steps": 16, "batch_size": 16, "n_epochs": 1, "policy_kwargs": {"net_arch": [16]}, "device": "cpu"}


@pytest.mark.parametrize("options", [{"seat": "rotating"}, {"players": 3, "reward": "score", "observation": "dict"}], ids=str)
def test_equal_to_the_vector_environment(options: dict[str, Any]) -> None:
    ours, theirs = (
        GinkgoVecEnv(num_envs=5, **SHORT | options),
        GinkgoVectorEnv(num_envs=5, autoreset_mode="SameStep", **SHORT | options),
    )
    ours.seed(7)
    seen, (wanted, found) = ours.reset(), theirs.reset(seed=7)
    rng, ends = np.random.default_rng(0), 0
    for _ in range(60):
        np.testing.assert_equal(seen, wanted)
        masks = np.stack(ours.env_method("action_masks"))
        assert np.array_equal(masks, found["action_mask"])
        actions = choose(masks, rng, 0.02)
        seen, rewards, dones, infos = ours.step(actions)
        wanted, expected, terminated, truncated, found = theirs.step(actions)
        assert rewards.dtype == np.float32 and np.array_equal(rewards, expected.astype(np.float32))
        assert dones.dtype == np.bool_ and np.array_equal(dones, terminated | truncated)
        for row, info in enumerate(infos):
            assert bool(info) == dones[row]
            if info:
                final = {
                    name: values[row]
                    for name, values in found["final_info"].items()
                    if found["final_info"].get(f"_{name}", [0] * 5)[row]
                }
                np.testing.assert_equal(info["terminal_observation"], found["final_obs"][row])
                assert info["TimeLimit.truncated"] == truncated[row]
                assert info["illegal_action"] == final.get("illegal_action", False) and info["is_success"] == final["is_success"]
                assert np.array_equal(info.get("scores", []), final.get("scores", [])) and info["seat"] == final["seat"]
        ends += int(dones.sum())
    assert ends > 10


def test_the_signature_has_all_options() -> None:
    """IPython and editors complete from it."""
    assert {*signature(GinkgoEnv).parameters} <= {*signature(GinkgoVecEnv).parameters}


def test_infos_of_rows_that_go_on_are_one_new_dict() -> None:
    envs = GinkgoVecEnv(num_envs=3)
    envs.reset()
    first = envs.step(envs.action_masks().argmax(axis=1))[3]
    first[0]["note"] = 1
    assert envs.step(envs.action_masks().argmax(axis=1))[3] == [{}, {}, {}]


def test_seeds() -> None:
    envs = GinkgoVecEnv(num_envs=3)
    envs.seed(4)
    first, second = envs.reset(), envs.reset()
    assert not np.array_equal(first, second)
    envs.seed(4)
    assert np.array_equal(envs.reset(), first) and np.array_equal(envs.reset(), second)
    envs.seed(5)
    assert np.array_equal(envs.reset()[:2], first[1:])
    with pytest.raises(BatchError):
        envs.seed(-3)
        envs.reset()


def test_masks_as_sb3_contrib_asks_for_them() -> None:
    envs = GinkgoVecEnv(num_envs=4)
    envs.reset()
    assert is_masking_supported(envs) and is_masking_supported(VecMonitor(envs))
    masks = get_action_masks(VecMonitor(envs))
    assert masks.shape == (4, envs.action_space.n) and np.array_equal(masks, envs.learner.batch.mask)  # type: ignore[attr-defined]
    assert np.array_equal(envs.env_method("action_masks", indices=[2, 0]), masks[[2, 0]])
    assert np.array_equal(envs.env_method("action_masks", indices=1), masks[[1]])


def test_attributes() -> None:
    envs = GinkgoVecEnv(num_envs=2)
    assert envs.has_attr("action_masks") and not envs.has_attr("colour")
    assert envs.get_attr("game") == [envs.game] * 2 and envs.get_attr("render_mode", 0) == [None]
    with pytest.raises(AttributeError):
        envs.get_attr("colour")
    envs.set_attr("colour", 3)
    assert envs.get_attr("colour", [1]) == [3]
    with pytest.raises(ConfigError):
        envs.set_attr("colour", 4, indices=[1])
    assert envs.env_is_wrapped(VecMonitor) == [False, False]
    envs.reset()
    assert envs.env_method("set_opponents", "william") == [None, None]
    envs.step(envs.action_masks().argmax(axis=1))
    envs.close()


@pytest.mark.parametrize("copier", [copy.copy, copy.deepcopy, lambda envs: pickle.loads(pickle.dumps(envs))], ids=[*"cdp"])
def test_a_copy_plays_on_as_the_original(copier: Any) -> None:
    envs, rng = GinkgoVecEnv(num_envs=3, **SHORT), np.random.default_rng(0)
    envs.reset()
    twin = copier(envs)
    for _ in range(20):
        actions = choose(envs.action_masks(), rng)
        np.testing.assert_equal(twin.step(actions), envs.step(actions))


@pytest.mark.parametrize("observation", ["blocks", pytest.param("dict", marks=pytest.mark.full)])
def test_maskable_ppo_learns_on_it(observation: str) -> None:
    """It finishes and takes legal actions only; nothing is said about strength."""
    envs = VecMonitor(GinkgoVecEnv(num_envs=8, illegal_action="raise", observation=observation, **SHORT))
    policy = "MlpPolicy" if observation == "blocks" else "MultiInputPolicy"
    model = MaskablePPO(
        policy, envs, n_steps=16, batch_size=64, n_epochs=1, policy_kwargs={"net_arch": [16]}, seed=1, device="cpu"
    )
    model.learn(256)
    assert len(model.ep_info_buffer or ()) > 0 and len(model.ep_success_buffer or ()) > 0
    mean, _ = evaluate_policy(model, envs, n_eval_episodes=8)
    assert -1 <= mean <= 1


@pytest.mark.parametrize("kind", [DummyVecEnv, pytest.param(SubprocVecEnv, marks=pytest.mark.full)])
def test_single_environments_by_their_id(kind: type[Any]) -> None:
    """Workers find the environment by its id, and masks come through their wrappers without an ``ActionMasker``."""
    envs = make_vec_env(BY_ID, 2, env_kwargs={"illegal_action": "raise", **SHORT}, vec_env_cls=kind)
    MaskablePPO("MlpPolicy", envs, seed=1, **TINY).learn(64)
    assert get_action_masks(envs).shape == (2, envs.action_space.n)  # type: ignore[attr-defined]
    envs.close()


def test_an_evaluation_that_forgets_the_masks_is_noticed() -> None:
    """Stable-Baselines3's own asks for no masks: the first illegal action is an error, or it ends the episode and says so."""
    strict = VecMonitor(GinkgoVecEnv(num_envs=2, illegal_action="raise", **SHORT))
    model = MaskablePPO("MlpPolicy", strict, seed=1, **TINY)
    evaluate_policy(model, strict, n_eval_episodes=4)
    with pytest.raises(IllegalActionError):
        evaluate_policy_without_masks(model, strict, n_eval_episodes=4)
    said: list[bool] = []
    evaluate_policy_without_masks(
        model,
        VecMonitor(GinkgoVecEnv(num_envs=2, **SHORT)),
        n_eval_episodes=4,
        callback=lambda here, _: said.append(here["info"].get("illegal_action", False)),
    )
    assert any(said)


def test_images_of_all_games() -> None:
    envs = GinkgoVecEnv(num_envs=3, render_mode="rgb_array", **SHORT)
    envs.seed(3)
    envs.reset()
    images = envs.get_images()
    assert [image.shape for image in images] == [images[0].shape] * 3 and images[0].dtype == np.uint8
    single = GinkgoEnv(render_mode="rgb_array", **SHORT)
    single.reset(seed=4)
    assert np.array_equal(images[1], single.render())
    tiled = envs.render()
    assert tiled is not None and tiled.shape == (2 * images[0].shape[0], 2 * images[0].shape[1], 3)
    with pytest.raises(ConfigError, match="render_mode must be 'rgb_array' or None, got 'human'"):
        GinkgoVecEnv(render_mode="human")  # type: ignore[arg-type]
