"""TorchRL on the PettingZoo environment."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")

from torchrl.collectors import Collector
from torchrl.envs import ActionMask, GymEnv, GymWrapper, MarlGroupMapType, TransformedEnv, check_env_specs
from torchrl.envs.libs.pettingzoo import PettingZooWrapper

import ginkgo_env

from .loading import example

KINDS = ("dict", "blocks", "features", "both")
pytestmark = pytest.mark.filterwarnings("ignore:PettingZoo in TorchRL is tested")


@pytest.fixture(autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def test_example() -> None:
    arguments = ["--steps", "600", "--rollout", "300", "--batch", "100", "--evaluate", "8"]
    result = example("torchrl_pettingzoo").main(arguments)
    assert result["decisions"] == 600  # at each step one seat acted
    assert result["games"] > 0 and 0 <= result["win_rate"] <= 1


@pytest.mark.parametrize("observation", ["dict", "features"])
@pytest.mark.parametrize("players", [2, 3])
def test_everyone_is_paid(players: int, observation: str) -> None:
    """Also who did not make the last move; all agents end in the same step, and random actions follow the masks."""
    game = ginkgo_env.raw_env(players=players, observation=observation)
    env = PettingZooWrapper(game, use_mask=True, group_map=MarlGroupMapType.ALL_IN_ONE_GROUP, seed=3)
    played = env.rollout(1000)
    rewards = played["next", "agents", "reward"].squeeze(-1)
    assert played["next", "done"].sum() == 1 and played["next", "agents", "done"][-1].all()
    assert (rewards[:-1] == 0).all() and (rewards[-1] != 0).all()
    assert abs(float(rewards[-1].sum())) < 1e-6
    assert (played["agents", "mask"].sum(dim=1) == 1).all()
    chosen = played["agents", "action_mask"].gather(-1, played["agents", "action"].unsqueeze(-1)).squeeze(-1)
    assert chosen[played["agents", "mask"]].all()


@pytest.mark.parametrize("observation", KINDS)
@pytest.mark.parametrize("made", [ginkgo_env.env, ginkgo_env.parallel_env])
def test_specs_with_several_agents(made: Any, observation: str) -> None:
    env = PettingZooWrapper(made("my_city", players=2, observation=observation), use_mask=True)
    check_env_specs(env)
    collected = [*Collector(env, None, frames_per_batch=50, total_frames=100)]
    assert [batch.numel() for batch in collected] == [50, 50]


@pytest.mark.parametrize("observation", KINDS)
@pytest.mark.parametrize("name", ["Ginkgopolis", "GoldenCity"])
def test_infos_have_specs(name: str, observation: str) -> None:
    env = GymEnv(f"ginkgo_env/{name}-v0", observation=observation).auto_register_info_dict()
    check_env_specs(env)
    played = env.rollout(1000)
    assert played["next", "is_success"].dtype == torch.bool and not played["next", "scores"][:-1].any()


@pytest.mark.parametrize("observation", KINDS)
def test_gymnasium_vectors(observation: str) -> None:
    envs = ginkgo_env.GinkgoVectorEnv("my_city", num_envs=3, observation=observation, autoreset_mode="Disabled")
    env = GymWrapper(envs)
    check_env_specs(env)
    collected = [*Collector(env, None, frames_per_batch=30, total_frames=60)]
    assert [batch.numel() for batch in collected] == [30, 30]


@pytest.mark.parametrize("name", ["Ginkgopolis", "GinkgopolisSolo", "GoldenCity", "MyCity"])
def test_gym_env(name: str) -> None:
    """It is made with ``frameskip``, which TorchRL takes back after a TypeError."""
    check_env_specs(GymEnv(f"ginkgo_env/{name}-v0", players=3) if name == "GoldenCity" else GymEnv(f"ginkgo_env/{name}-v0"))


def test_gym_env_with_masks() -> None:
    """Random actions follow the mask of ``observation="dict"``: an illegal one would end the game with -1."""
    env = TransformedEnv(GymEnv("ginkgo_env/MyCity-v0", players=1, observation="dict"), ActionMask())
    check_env_specs(env)
    env.set_seed(3)
    played = env.rollout(1000)
    assert played["next", "terminated"].sum() == 1 and played["next", "terminated"][-1]
    assert (played["action_mask"] & played["action"].bool()).any(dim=-1).all()
    assert played["next", "reward"].sum() != -1
    collected = [*Collector(env, None, frames_per_batch=30, total_frames=60)]
    assert [batch.numel() for batch in collected] == [30, 30]
