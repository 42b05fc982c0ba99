"""TorchRL on the PettingZoo environment."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("torchrl")

from torchrl.envs import ActionMask, GymEnv, MarlGroupMapType, TransformedEnv, check_env_specs
from torchrl.envs.libs.pettingzoo import PettingZooWrapper

import ginkgo_env

from .loading import example

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
