"""The Gymnasium environment of one game, and its ids."""

from __future__ import annotations

import copy
import importlib
import pickle
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from ginkgo_env import ConfigError, FinishedGameError, IllegalActionError, make_game
from ginkgo_env.envs.gym import GinkgoEnv
from ginkgo_env.envs.learner import Learner
from ginkgo_env.envs.registration import gymnasium_ids, register_gymnasium, when_imported

from .playing import plain

TWO, SOLO = "ginkgo_env/Ginkgopolis-v0", "ginkgo_env/GinkgopolisSolo-v0"


def played(env: Any, seed: int = 0) -> Iterator[tuple[int, tuple[Any, ...]]]:
    """Play at random to the end of the episode that was begun: actions, and what they returned."""
    rng, over = np.random.default_rng(seed), False
    while not over:
        action = int(rng.choice(np.flatnonzero(env.unwrapped.action_masks())))
        result = env.step(action)
        over = result[2] or result[3]
        yield action, result


def flat(result: Any) -> list[Any]:
    """Everything in a result as comparable values."""
    if isinstance(result, dict):
        return [(name, flat(value)) for name, value in result.items()]
    if isinstance(result, list | tuple):
        return [flat(value) for value in result]
    return [result.tobytes() if isinstance(result, np.ndarray) else result]


# --- Gymnasium's own checks ------------------------------------------------------------------------------------------------


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("observation", ["blocks", "dict"])
@pytest.mark.parametrize("options", [{}, {"players": 3, "seat": "random", "reward": "score"}, {"id": SOLO}], ids=str)
def test_checker(options: dict[str, Any], observation: str) -> None:
    env = gymnasium.make(**{"id": TWO, "observation": observation, **options})
    check_env(env.unwrapped)
    for _ in range(2):  # with the passive checker
        env.reset()
        env.step(env.action_space.sample())


@pytest.mark.filterwarnings("error")
def test_checker_in_another_game(trial_game: str) -> None:
    register_gymnasium()
    assert gymnasium_ids(trial_game) == {"ginkgo_env/ThreeCards-v0": {"game": "three_cards"}}
    check_env(gymnasium.make("ginkgo_env/ThreeCards-v0", seat="rotating").unwrapped)
    del gymnasium.registry["ginkgo_env/ThreeCards-v0"]


# --- what it returns -------------------------------------------------------------------------------------------------------


INFO = ["action_mask", "seat", "illegal_action", "scores", "is_success"]
"""The keys of all infos."""


@pytest.mark.parametrize("seat", [0, 1])
def test_what_the_learner_gets(seat: int) -> None:
    env, learner = GinkgoEnv(seat=seat), Learner(make_game(), 1, seat=seat)
    observation, info = env.reset(seed=3)
    learner.reset([3])
    assert np.array_equal(observation, learner.batch.observe(seat)[0]) and observation.dtype == np.uint8
    assert list(info) == INFO
    for action, result in played(env):
        observation, reward, terminated, truncated, info = result
        learner.step([action])
        assert np.array_equal(observation, learner.batch.observe(seat)[0]) and env.observation_space.contains(observation)
        assert type(reward) is float and type(terminated) is bool and truncated is False
        assert info["seat"] == seat and info["action_mask"].dtype == np.int8
        assert list(info) == INFO and all(isinstance(value, np.generic | np.ndarray) for value in info.values())
        assert np.array_equal(info["action_mask"], learner.batch.mask[0]) or terminated
    assert terminated and reward in (-1.0, 0.0, 1.0)
    assert info["action_mask"].all() and env.action_masks().all()
    assert info["scores"].tolist() == list(env.outcome().scores) == learner.batch.totals[0].tolist()
    assert bool(info["is_success"]) is (reward >= 0) is (seat in env.outcome().winners)


def test_observations_as_a_dict() -> None:
    env = GinkgoEnv(observation="dict")
    observation, info = env.reset(seed=1)
    assert list(observation) == list(env.observation_space.spaces) == ["observation", "action_mask"]  # type: ignore[attr-defined]
    for _, (observation, _, _, _, info) in played(env):
        assert np.array_equal(observation["action_mask"], info["action_mask"])
        assert observation["action_mask"].any() and env.observation_space.contains(observation)


def test_truncation() -> None:
    env = GinkgoEnv(max_rounds=1)
    env.reset(seed=0)
    *_, (_, (_, _, terminated, truncated, _)) = played(env)
    assert (terminated, truncated) == (False, True)


def test_alone_against_the_automaton() -> None:
    env = gymnasium.make(SOLO, level="advanced").unwrapped
    assert isinstance(env, GinkgoEnv) and env.game.config_dict["level"] == "advanced" and env.game.seats == 1
    _, info = env.reset(seed=2)
    *_, (_, (_, reward, _, _, info)) = played(env)
    assert info["scores"].shape == (2,) and bool(info["is_success"]) is (reward > 0)


# --- seeds -----------------------------------------------------------------------------------------------------------------


def test_seeds() -> None:
    env, other = GinkgoEnv(players=3), GinkgoEnv(players=3)
    games = []
    for one, seed in ((env, 5), (other, 5), (other, 6)):
        games.append([flat(one.reset(seed=seed))] + [flat(result) for _, result in played(one)])
        games.append([flat(one.reset())] + [flat(result) for _, result in played(one)])
    assert games[0] == games[2] and games[1] == games[3]
    assert len({str(game) for game in games}) == 4


def test_first_reset_without_seed_is_random() -> None:
    assert len({GinkgoEnv().reset()[0].tobytes() for _ in range(3)}) == 3


def test_unknown_reset_options_are_warned_about() -> None:
    env = GinkgoEnv()
    with pytest.warns(UserWarning, match="ignored: colour"):
        env.reset(seed=0, options={"colour": 1})
    with pytest.raises(ConfigError):
        env.reset(options=3)  # type: ignore[arg-type]


# --- illegal actions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["masked", -1, -2, 10**6, 10**30])
def test_penalty(bad: Any) -> None:
    env = GinkgoEnv()
    env.reset(seed=2)
    bad = int(env.action_masks().argmin()) if bad == "masked" else bad
    _, reward, terminated, truncated, info = env.step(bad)
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert info["illegal_action"] and not info["is_success"] and not info["scores"].any() and info["action_mask"].any()
    with pytest.raises(FinishedGameError):
        env.step(0)
    _, info = env.reset()
    assert not info["illegal_action"]
    assert not env.step(int(info["action_mask"].argmax()))[4]["illegal_action"]


@pytest.mark.parametrize("bad", ["masked", -1, 10**6, None, 1.0, "1", [1], True])
def test_raising(bad: Any) -> None:
    env = GinkgoEnv(illegal_action="raise")
    env.reset(seed=2)
    before = env.learner.batch.states.tobytes()
    with pytest.raises(IllegalActionError):
        env.step(int(env.action_masks().argmin()) if bad == "masked" else bad)
    assert env.learner.batch.states.tobytes() == before
    env.step(np.int64(env.action_masks().argmax()))


# --- copies, pictures ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("copier", [copy.copy, copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=[*"cdp"])
@pytest.mark.parametrize("options", [{"reward": "score"}, {"opponents": ["random", "william"], "players": 3}], ids=str)
def test_a_copy_plays_on_as_the_original(options: dict[str, Any], copier: Any) -> None:
    env = gymnasium.make(TWO, **options).unwrapped
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))  # type: ignore[attr-defined]
    twin = copier(env)
    theirs = [flat(result) for _, result in played(twin, 3)] + [flat(twin.reset())]
    assert [flat(result) for _, result in played(env, 3)] + [flat(env.reset())] == theirs


def test_render(capsys: pytest.CaptureFixture[str]) -> None:
    env = GinkgoEnv(render_mode="ansi", players=2, seat=1)
    env.reset(seed=1)
    assert "only b sees" in plain(env.render()) and "only a sees" not in plain(env.render())
    env = GinkgoEnv(render_mode="human")
    env.reset(seed=1)
    env.step(int(env.action_masks().argmax()))
    assert capsys.readouterr().out.count("player_0 keeps") == 2
    with pytest.raises(ConfigError):
        GinkgoEnv(render_mode="film")


# --- ids -------------------------------------------------------------------------------------------------------------------


def test_ids() -> None:
    assert list(gymnasium_ids("ginkgopolis")) == [TWO, SOLO]
    assert list(gymnasium_ids("golden_city")) == ["ginkgo_env/GoldenCity-v0"]
    assert list(gymnasium_ids("my_city")) == ["ginkgo_env/MyCity-v0", "ginkgo_env/MyCitySolo-v0"]
    spec = gymnasium.spec(TWO)
    assert isinstance(spec.entry_point, str) and isinstance(spec.vector_entry_point, str)
    again = gymnasium.envs.registration.EnvSpec.from_json(gymnasium.make(TWO, players=4).spec.to_json())  # type: ignore[union-attr]
    assert gymnasium.make(again).unwrapped.game.seats == 4  # type: ignore[attr-defined]


def test_masks_behind_wrappers() -> None:
    """Wrappers forward no attributes; the mask is in the info, and found by Gymnasium's own way to ask."""
    env = gymnasium.make(TWO)
    _, info = env.reset(seed=1)
    assert np.array_equal(env.get_wrapper_attr("action_masks")(), info["action_mask"])
    assert not hasattr(env, "action_masks")


@pytest.mark.filterwarnings("error")
def test_registering_again_does_nothing() -> None:
    before = dict(gymnasium.registry)
    register_gymnasium()
    assert gymnasium.registry == before


@pytest.mark.full
@pytest.mark.parametrize(
    "code",
    [
        f"import gymnasium; gymnasium.make('ginkgo_env:{TWO}')",
        f"import ginkgo_env, gymnasium; gymnasium.make('ginkgo_env:{TWO}'); gymnasium.spec('{SOLO}')",
        "import ginkgo_env, pettingzoo, gymnasium; gymnasium.spec('ginkgo_env/GinkgopolisSolo-v0');"
        "assert 'ginkgo_env/ginkgopolis-v0' in getattr(pettingzoo, 'aec_registry', ['ginkgo_env/ginkgopolis-v0'])",
    ],
    ids=["by module", "imported before", "with PettingZoo"],
)
def test_whatever_is_imported_first(code: str) -> None:
    agents = "import sys; assert not {'ginkgo_agents', 'stable_baselines3', 'torch'} & set(sys.modules)"
    subprocess.run([sys.executable, "-W", "error", "-c", f"{code}; {agents}"], check=True, timeout=120)


# --- functions that wait for an import ---------------------------------------------------------------------------------------


def test_a_function_waits_until_a_module_is_imported(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name, seen = "awaited_by_a_test", list[object]()
    monkeypatch.syspath_prepend(str(tmp_path))
    when_imported(name, lambda: seen.append(sys.modules[name].VALUE))
    when_imported(name, lambda: seen.append("twice"))
    with pytest.raises(ModuleNotFoundError):
        importlib.import_module(name)
    (tmp_path / f"{name}.py").write_text("VALUE = 3\n")
    importlib.invalidate_caches()
    assert find_spec(name) is not None and not seen  # code that only asks whether the module exists
    module = importlib.import_module(name)
    assert sorted(map(str, seen)) == ["3", "twice"]
    importlib.reload(module)
    assert len(seen) == 2
    when_imported(name, lambda: seen.append("now"))
    assert seen[-1] == "now"
    del sys.modules[name]
    assert not [finder for finder in sys.meta_path if getattr(finder, "_module", None) == name]
