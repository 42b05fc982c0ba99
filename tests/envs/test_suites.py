"""The tests of PettingZoo and Gymnasium, for every game. Any warning but the known ones is an error."""

from __future__ import annotations

import functools
from typing import Any

import gymnasium
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test, state_test
from pettingzoo.utils import turn_based_aec_to_parallel

import ginkgo_env
from ginkgo_env.envs.registration import gymnasium_ids, pettingzoo_id, register_gymnasium, text_id
from ginkgo_env.registry import DEFAULT_GAME, OWN_GAMES, game_class

from ..ginkgopolis.cases import QUICK
from ..tiers import by_tier
from .test_vector import test_equal_to_sync as check_equal_to_sync

REWARDS = ("win", "margin", "score")
CASES = [(game, config) for game in OWN_GAMES for config in game_class(game).configurations()]
FIRST = [(game, game_class(game).configurations()[0]) for game in OWN_GAMES if game != DEFAULT_GAME]
FEW = [*((DEFAULT_GAME, config) for config in QUICK[::3]), *FIRST]
EACH = pytest.mark.parametrize("case", by_tier(CASES, FEW), ids=str)

pytestmark = pytest.mark.filterwarnings(
    "error",
    "ignore:Observation space for each agent probably should be:UserWarning",  # Dict spaces, as in PettingZoo's own games
    "ignore:Observation is not a NumPy array:UserWarning",  # the same
    "ignore:.* has no reset options.*ignored. options:UserWarning",  # the suite passes an unknown option
)


@EACH
@pytest.mark.parametrize("reward", REWARDS)
def test_api(case: tuple[str, dict[str, Any]], reward: Any) -> None:
    game, config = case
    if reward != "score" and ginkgo_env.make_game(game, **config).sides == 1:
        with pytest.raises(ginkgo_env.ConfigError, match=f"reward '{reward}' compares sides"):
            ginkgo_env.env(game, reward=reward, **config)
        return
    api_test(ginkgo_env.env(game, reward=reward, **config))
    parallel_api_test(turn_based_aec_to_parallel(ginkgo_env.env(game, reward=reward, **config)), num_cycles=60)


@EACH
def test_api_without_wrappers(case: tuple[str, dict[str, Any]]) -> None:
    api_test(ginkgo_env.raw_env(case[0], **case[1]))


def test_api_when_cut_off() -> None:
    api_test(ginkgo_env.env(players=3, max_rounds=2))


@EACH
def test_seeds(case: tuple[str, dict[str, Any]]) -> None:
    game, config = case
    seed_test(functools.partial(ginkgo_env.env, game, **config), num_cycles=60)
    seed_test(functools.partial(ginkgo_env.raw_env, game, reward="score", **config), num_cycles=60)


@pytest.mark.parametrize("game", OWN_GAMES)
def test_seeds_of_the_parallel_form(game: str) -> None:
    parallel_seed_test(lambda: turn_based_aec_to_parallel(ginkgo_env.env(game)), num_cycles=60)
    assert pettingzoo_id(game) == f"ginkgo_env/{game}-v{game_class(game).version}"


@pytest.mark.full
@pytest.mark.parametrize("players", range(1, 6))
def test_render(players: int, capsys: pytest.CaptureFixture[str]) -> None:
    own = {
        "ansi": lambda text: isinstance(text, str) and text,
        "svg": lambda svg: isinstance(svg, str) and svg.startswith("<svg"),
    }
    render_test(functools.partial(ginkgo_env.env, players=players), own)
    assert "player_0" in capsys.readouterr().out


def test_state() -> None:
    state_test(ginkgo_env.env(players=3), turn_based_aec_to_parallel(ginkgo_env.env(players=3)))


@pytest.mark.parametrize("observation", ["blocks", "features", "dict"])
@pytest.mark.parametrize("game", OWN_GAMES)
def test_gymnasium(game: str, observation: str) -> None:
    register_gymnasium()
    for identifier in gymnasium_ids(game):
        env = gymnasium.make(identifier, observation=observation)
        check_env(env.unwrapped)
        env.reset(seed=3)
        env.step(env.action_space.sample())


@pytest.mark.parametrize("game", OWN_GAMES)
def test_gymnasium_with_text(game: str) -> None:
    """Nearly all texts of the action space are refused, so that the test plays few actions."""
    register_gymnasium()
    for identifier in map(text_id, gymnasium_ids(game)):
        env = gymnasium.make(identifier, rules=True)
        assert isinstance(env.observation_space, gymnasium.spaces.Text) and isinstance(env.action_space, gymnasium.spaces.Text)
        check_env(env.unwrapped)
        observation, info = env.reset(seed=3)
        assert observation in env.observation_space
        observation, *_ = env.step(info["legal_actions"][0])
        assert observation in env.observation_space


@pytest.mark.parametrize("case", by_tier([case for case in CASES if case[0] != DEFAULT_GAME], FIRST), ids=str)
def test_vector_equals_single(case: tuple[str, dict[str, Any]]) -> None:
    check_equal_to_sync({"game": case[0], **case[1]}, gymnasium.vector.AutoresetMode.NEXT_STEP)


@pytest.mark.parametrize("game", [game for game, _ in FIRST])
def test_stable_baselines(game: str) -> None:
    pytest.importorskip("stable_baselines3")
    from ginkgo_env.envs.sb3 import GinkgoVecEnv

    env = GinkgoVecEnv(game, num_envs=4)
    env.seed(1)
    env.reset()
    ended = 0
    for _ in range(120):
        _, _, done, infos = env.step(env.action_masks().argmax(axis=1))
        ended += int(done.sum())
        assert all("terminal_observation" in info for info, over in zip(infos, done, strict=True) if over)
    assert ended
