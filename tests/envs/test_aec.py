"""What ``env`` and ``raw_env`` promise beyond PettingZoo's own tests."""

from __future__ import annotations

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import api_test, seed_test

import ginkgo_env
from ginkgo_env import Batch, ConfigError, IllegalActionError, make_game
from ginkgo_env.cli.bench import playing_aec, timed
from ginkgo_env.envs import ginkgopolis_v0
from ginkgo_env.envs.one_game import next_seed
from ginkgo_env.envs.registration import pettingzoo_id, register_pettingzoo
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.registry import game_class

from ..tiers import by_tier
from .playing import plain

CONFIGURATIONS = game_class("ginkgopolis").configurations()
REWARDS = ("win", "margin", "score")


def named(config: dict[str, Any]) -> str:
    return "-".join(map(str, config.values()))


def choose(mask: np.ndarray, rng: random.Random) -> int:
    return int(rng.choice(np.flatnonzero(mask)))


def act(env: Any, rng: random.Random) -> None:
    """One random step, dead or alive."""
    observation, _, termination, truncation, _ = env.last()
    env.step(None if termination or truncation else choose(observation["action_mask"], rng))


def play_out(env: Any, rng: random.Random) -> None:
    """Play until the game is over, without the dead steps."""
    while not any(env.terminations.values()) and not any(env.truncations.values()):
        act(env, rng)


def full_state(env: Any) -> bytes:
    return bytes(env.unwrapped._one.states.tobytes())


# --- the same game as in a batch -------------------------------------------------------------------------------------------


def check_agents(env: Any, batch: Batch) -> None:
    """Every agent sees what its seat sees in the batch, and only the actor has a mask."""
    for seat, agent in enumerate(env.possible_agents):
        seen = env.observe(agent)
        mask = batch.mask[0] if seat == batch.actor[0] else np.zeros_like(batch.mask[0])
        assert list(seen) == ["observation", "action_mask"]
        assert np.array_equal(seen["observation"], batch.observe(seat)[0])
        assert np.array_equal(seen["action_mask"], mask) and seen["action_mask"].dtype == np.int8
        assert list(env.infos[agent]) == ["action_mask"]
        assert np.array_equal(env.infos[agent]["action_mask"], mask)


@pytest.mark.parametrize("reward", REWARDS)
@pytest.mark.parametrize("config", CONFIGURATIONS, ids=named)
def test_agrees_with_batch(config: dict[str, Any], reward: Any) -> None:
    rng = random.Random(3)
    env, batch = ginkgo_env.raw_env(reward=reward, **config), Batch(make_game(**config), 1, reward=reward)
    for seed in (11, 12):
        env.reset(seed=seed)
        batch.reset(seed=[seed])
        due = dict.fromkeys(env.agents, 0.0)
        while batch.actor[0] >= 0:
            agent = env.agent_selection
            assert env.possible_agents.index(agent) == batch.actor[0]
            assert not any(env.terminations.values()) and not any(env.truncations.values())
            assert env.last()[1] == due[agent]
            action = choose(batch.mask[0], rng)
            env.step(action)
            batch.step([action])
            assert list(env.rewards.values()) == batch.rewards[0].tolist()
            due[agent] = 0.0
            due = {name: due[name] + env.rewards[name] for name in due}
            assert env._cumulative_rewards == due
            check_agents(env, batch)
            assert full_state(env) == batch.states.tobytes()
        assert all(value is True for value in env.terminations.values())
        assert all(value is False for value in env.truncations.values())
        assert list(env.outcome().scores) == batch.totals[0].tolist()


@pytest.mark.parametrize("reward", ["win", "margin"])
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_zero_sum(players: int, reward: Any) -> None:
    env, rng = ginkgo_env.env(players=players, reward=reward), random.Random(players)
    for seed in range(5):
        env.reset(seed=seed)
        play_out(env, rng)
        paid = {}
        for agent in env.agent_iter():
            paid[agent] = env.last()[1]
            env.step(None)
        assert len(paid) == players and abs(sum(paid.values())) < 1e-6
        assert any(paid.values()) or len(set(env.outcome().scores)) == 1


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_score_rewards_sum_to_the_change_of_score(players: int) -> None:
    env, rng = ginkgo_env.env(players=players, reward="score"), random.Random(players)
    env.reset(seed=players)
    before = env.outcome().scores
    received = dict.fromkeys(env.agents, 0.0)
    while env.agents:
        agent = env.agent_selection
        received[agent] += env.last()[1]
        act(env, rng)
    change = [after - was for after, was in zip(env.outcome().scores, before, strict=True)]
    assert list(received.values()) == change[:players]


def test_score_of_others_waits_in_the_cumulative_reward() -> None:
    env, rng = ginkgo_env.raw_env(players=2, reward="score"), random.Random(0)
    env.reset(seed=0)
    seen = 0
    while not any(env.terminations.values()):
        mover = env.agent_selection
        other = next(agent for agent in env.agents if agent != mover)
        waiting = env._cumulative_rewards[other]
        act(env, rng)
        assert env._cumulative_rewards[other] == waiting + env.rewards[other]
        seen += env.rewards[other] != 0
    assert seen > 0


# --- the end ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 2, 5])
def test_dead_steps(players: int) -> None:
    env, rng = ginkgo_env.raw_env(players=players), random.Random(1)
    env.reset(seed=4)
    play_out(env, rng)
    order = []
    while env.agents:
        agent = env.agent_selection
        observation, _, termination, truncation, info = env.last()
        assert termination and not truncation
        assert not observation["action_mask"].any() and not info["action_mask"].any()
        with pytest.raises(ValueError, match="None"):
            env.step(0)
        env.step(None)
        order.append(agent)
        assert set(env.agents) == set(env.rewards) == set(env.infos) == set(env.terminations) == set(env._cumulative_rewards)
    assert order == env.possible_agents
    env.reset()
    assert env.agents == env.possible_agents


def test_reset_in_the_middle_of_the_dead_steps() -> None:
    env, rng = ginkgo_env.env(players=4), random.Random(1)
    env.reset(seed=4)
    play_out(env, rng)
    env.step(None)
    env.reset(seed=5)
    play_out(env, rng)
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []


@pytest.mark.parametrize("players", [1, 3])
def test_truncation(players: int) -> None:
    env = ginkgo_env.raw_env(players=players, max_rounds=1)
    env.reset(seed=0)
    play_out(env, random.Random(0))
    assert all(value is True for value in env.truncations.values())
    assert all(value is False for value in env.terminations.values())
    assert env.outcome().truncated
    env.reset()
    assert not any(env.truncations.values())


# --- illegal actions -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("bad", ["masked", -1, -2, 10**6, None, 1.0, "1", [1]])
def test_raw_env_refuses_illegal_actions(bad: Any) -> None:
    env, rng = ginkgo_env.raw_env(players=3, reward="score"), random.Random(2)
    env.reset(seed=2)
    for _ in range(20):
        act(env, rng)
    mask, agent = env.last()[0]["action_mask"], env.agent_selection
    before = full_state(env), dict(env._cumulative_rewards), dict(env.rewards), env.agent_selection
    with pytest.raises(IllegalActionError):
        env.step(int(mask.argmin()) if bad == "masked" else bad)
    assert (full_state(env), env._cumulative_rewards, env.rewards, env.agent_selection) == before
    assert np.array_equal(env.observe(agent)["action_mask"], mask)
    act(env, rng)


def test_env_ends_the_game_for_an_illegal_action() -> None:
    env, rng = ginkgo_env.env(players=3), random.Random(2)
    env.reset(seed=2)
    for _ in range(20):
        act(env, rng)
    offender = env.agent_selection
    env.step(int(env.last()[0]["action_mask"].argmin()))
    paid = {}
    for agent in env.agent_iter():
        observation, paid[agent], termination, truncation, info = env.last()
        assert termination is True and truncation is True
        assert not observation["action_mask"].any() and not info["action_mask"].any()
        env.step(None)
    assert paid == {agent: -1.0 if agent == offender else 0.0 for agent in env.possible_agents}
    env.reset()
    assert env.last()[0]["action_mask"].any()


def test_env_refuses_actions_outside_the_space_and_calls_before_reset() -> None:
    env = ginkgo_env.env()
    with pytest.raises(AssertionError):
        env.step(0)
    with pytest.raises(AttributeError):
        _ = env.agents
    env.reset(seed=0)
    with pytest.raises(AssertionError):
        env.step(10**6)


@pytest.mark.parametrize("kind", [int, np.int8, np.int32, np.int64, np.uint16, np.array])
def test_actions_of_any_integer_type(kind: Any) -> None:
    env, other = (ginkgo_env.raw_env(setup="introductory") for _ in range(2))
    for one in (env, other):
        one.reset(seed=6)
    action = int(env.last()[0]["action_mask"].argmax())
    assert action < 128
    env.step(kind(action))
    other.step(action)
    assert full_state(env) == full_state(other)


# --- seeds and options -----------------------------------------------------------------------------------------------------


def test_seed_is_the_seed_of_the_game() -> None:
    env, batch = ginkgo_env.raw_env(players=4), Batch(make_game(players=4), 3)
    for seed in (0, 7, 2**64 - 1, np.int64(9)):
        env.reset(seed=seed)
        batch.reset(seed=[1, int(seed), 2])
        assert full_state(env) == batch.states[1:2].tobytes()


def test_a_seed_leaves_the_options_alone() -> None:
    env = ginkgo_env.env(players=3, max_rounds=2, reward="margin")
    for seed in (4, None, 5):
        env.reset(seed=seed)
        rng = random.Random(0)
        play_out(env, rng)
        assert len(env.possible_agents) == 3 and all(env.truncations.values())  # after two rounds
        margins = [total - (sum(env.unwrapped.outcome().scores) - total) / 2 for total in env.unwrapped.outcome().scores]
        assert list(env.rewards.values()) == pytest.approx([margin / 100 for margin in margins], abs=1e-6)


def test_reset_goes_on_as_a_batch_with_autoreset_does() -> None:
    rng = random.Random(0)
    env, batch = ginkgo_env.env(players=2), Batch(make_game(players=2), 1, autoreset=True)
    env.reset(seed=5)
    batch.reset(seed=[5])
    for _ in range(4):
        batch.done[0] = False
        while not batch.done[0]:
            batch.step([choose(batch.mask[0], rng)])
        env.reset()
        assert full_state(env) == batch.states.tobytes()


def test_first_reset_without_seed_is_random() -> None:
    envs = [ginkgo_env.raw_env() for _ in range(3)]
    for env in envs:
        env.reset()
    assert len({full_state(env) for env in envs}) == 3
    assert next_seed(None) != next_seed(None)


def test_unknown_reset_options_are_warned_about() -> None:
    env = ginkgo_env.env()
    with pytest.warns(UserWarning, match="ignored: colour, size"):
        env.reset(seed=0, options={"colour": 1, "size": 2})
    env.reset(seed=0, options={})


@pytest.mark.parametrize(
    "options",
    [
        *({"players": 6}, {"players": 0}, {"setup": "none"}, {"wind": 1}, {"reward": "fun"}, {"render_mode": "film"}),
        *({"game": "chess"}, {"players": 1, "setup": "introductory"}, {"max_rounds": 0}, {"autoreset": True}),
        *({"modules": "events"}, {"modules": ["parks"]}, {"players": 1, "modules": ["events"]}, {"hand_size": 5}),
    ],
    ids=str,
)
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        ginkgo_env.env(**options)
    with pytest.raises(ConfigError):
        ginkgo_env.raw_env(**options)


@pytest.mark.parametrize("make", [ginkgo_env.env, ginkgo_env.raw_env])
def test_modules_are_an_option_like_others(make: Any) -> None:
    env, other = make(modules={"events", "keep_card"}, hand_size=5), make(modules=iter(["keep_card", "events"]), hand_size=5)
    assert (
        env.unwrapped.game.config == other.unwrapped.game.config == make_game(modules=["keep_card", "events"], hand_size=5).config
    )
    rng, again = random.Random(1), random.Random(1)
    env.reset(seed=4)
    other.reset(seed=4)
    assert env.action_space("player_0").n > make().action_space("player_0").n
    twin = pickle.loads(pickle.dumps(other))
    play_out(env, rng)
    play_out(twin, again)
    assert full_state(env) == full_state(twin)
    assert env.unwrapped.outcome() == twin.unwrapped.outcome()


# --- objects ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("make", [ginkgo_env.env, ginkgo_env.raw_env])
def test_spaces(make: Any) -> None:
    env = make(players=3)
    game = env.unwrapped.game
    low, high = game.observation.bounds(np.uint8)
    for agent in env.possible_agents:
        space, actions = env.observation_space(agent), env.action_space(agent)
        assert env.observation_space(agent) is space and env.action_space(agent) is actions
        assert list(space) == ["observation", "action_mask"]
        assert np.array_equal(space["observation"].low, low) and np.array_equal(space["observation"].high, high)
        assert space["observation"].dtype == np.uint8 and space["action_mask"].dtype == np.int8
        assert actions.n == game.actions.size
        env.reset(seed=1)
        assert space.contains(env.observe(agent))
    assert env.action_space("player_0") is not env.action_space("player_1")
    assert env.state_space.contains(env.state())


def test_names() -> None:
    assert ginkgo_env.raw_env(players=1).possible_agents == ["player_0"]
    env = ginkgo_env.env(players=5)
    assert env.possible_agents == [f"player_{seat}" for seat in range(5)]
    assert env.metadata["name"] == str(env) == "ginkgopolis_v0"
    assert env.metadata["render_modes"] == ["human", "ansi", "svg", "rgb_array"]
    assert env.metadata["is_parallelizable"] is False
    assert ginkgopolis_v0.env is ginkgo_env.env and ginkgopolis_v0.raw_env is ginkgo_env.raw_env


def test_nothing_returned_shares_memory() -> None:
    env, rng = ginkgo_env.raw_env(players=2), random.Random(0)
    env.reset(seed=0)
    kept: list[np.ndarray] = []
    for _ in range(8):
        observation, _, _, _, info = env.last()
        for array in (*observation.values(), info["action_mask"], *env.observe("player_0").values(), env.state()):
            assert not any(np.shares_memory(array, other) for other in kept)
            kept.append(array)
        action = choose(observation["action_mask"], rng)
        copies = [array.copy() for array in kept]
        env.step(action)
        assert all(np.array_equal(a, b) for a, b in zip(kept, copies, strict=True))


def test_writing_into_what_was_returned_changes_nothing() -> None:
    env = ginkgo_env.raw_env(players=2)
    env.reset(seed=0)
    before = env.last()[0]
    observation, _, _, _, info = env.last()
    for array in (*observation.values(), info["action_mask"]):
        array[:] = 1
    assert all(np.array_equal(a, b) for a, b in zip(env.last()[0].values(), before.values(), strict=True))
    with pytest.raises(IllegalActionError):
        env.step(int(before["action_mask"].argmin()))


def test_state_is_what_all_see() -> None:
    env = ginkgo_env.env(players=3)
    env.reset(seed=8)
    seen = [env.observe(agent)["observation"] for agent in env.agents]
    assert np.array_equal(env.state(), np.concatenate(seen))


# --- rendering -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", [1, 3])
def test_render_shows_what_the_agent_to_decide_may_know(players: int) -> None:
    env, rng = ginkgo_env.env(players=players, render_mode="ansi"), random.Random(0)
    game = env.unwrapped.game
    env.reset(seed=0)
    while not any(env.terminations.values()):
        seat = env.possible_agents.index(env.agent_selection)
        assert plain(env.render()) == game.describe(env.unwrapped._one.states, seat)
        act(env, rng)
    assert plain(env.render()) == game.describe(env.unwrapped._one.states)


def test_human_mode_prints_at_each_step(capsys: pytest.CaptureFixture[str]) -> None:
    env, silent = ginkgo_env.env(render_mode="human"), ginkgo_env.env(render_mode="ansi")
    for one in (env, silent):
        one.reset(seed=3)
    assert capsys.readouterr().out == plain(silent.render()) + "\n"
    for one in (env, silent):
        act(one, random.Random(0))
    assert capsys.readouterr().out == plain(silent.render()) + "\n"


@pytest.mark.filterwarnings("ignore:.*render.. shows nothing")
def test_render_without_mode(capsys: pytest.CaptureFixture[str]) -> None:
    env = ginkgo_env.env()
    env.reset(seed=3)
    assert env.render() is None
    assert capsys.readouterr().out == ""
    env.close()


# --- registry, imports, measures -------------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="PettingZoo has a registry since 1.27")
@pytest.mark.filterwarnings("error")
def test_registry() -> None:
    register_pettingzoo()  # again: nothing happens
    assert pettingzoo_id("ginkgopolis") == "ginkgo_env/ginkgopolis-v0"
    env = pettingzoo.make("aec", "ginkgo_env/ginkgopolis-v0", players=3, reward="margin")
    assert env.possible_agents[-1] == "player_2"
    assert env.unwrapped.reward == "margin"
    assert str(pettingzoo.make("aec", "ginkgo_env/ginkgopolis")) == "ginkgopolis_v0"
    env = pettingzoo.make("aec", "ginkgo_env/ginkgopolis-v0", modules={"keep_card", "events"}, hand_size=5)
    assert env.unwrapped.game.config == make_game(modules=["events", "keep_card"], hand_size=5).config


def run_python(code: str) -> None:
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], check=True, timeout=120)


def test_import_leaves_pettingzoo_alone() -> None:
    run_python("import ginkgo_env, sys; assert not {'pettingzoo', 'gymnasium'} & set(sys.modules)")


FIRST = ["import pettingzoo, ginkgo_env", "import ginkgo_env.envs, pettingzoo"]


@pytest.mark.skipif(not hasattr(pettingzoo, "register"), reason="PettingZoo has a registry since 1.27")
@pytest.mark.parametrize("first", by_tier(FIRST, FIRST[:1]))
def test_import_registers(first: str) -> None:
    run_python(f"{first}; assert 'ginkgo_env/ginkgopolis-v0' in pettingzoo.aec_registry")


def test_measures() -> None:
    speeds = timed(0.05, raw=playing_aec(ginkgo_env.raw_env(players=3)), wrapped=playing_aec(ginkgo_env.env(players=3)))
    assert list(speeds) == ["raw", "wrapped"]
    assert np.median(speeds["raw"].cpu) > np.median(speeds["wrapped"].cpu) > 0


def test_a_step_without_a_game_is_refused() -> None:
    env = ginkgo_env.raw_env(players=2, max_rounds=1)
    with pytest.raises(ginkgo_env.FinishedGameError, match="reset"):
        env.step(0)
    env.reset(seed=1)
    while env.agents:
        dead = env.terminations[env.agent_selection] or env.truncations[env.agent_selection]
        env.step(None if dead else int(env.last()[0]["action_mask"].argmax()))
    with pytest.raises(ginkgo_env.FinishedGameError, match="reset"):
        env.step(None)


@pytest.mark.parametrize("game", ["ginkgopolis", "golden_city", "my_city"])
@pytest.mark.parametrize("make", [ginkgo_env.env, ginkgo_env.raw_env])
def test_legal_actions_as_text_on_request(game: Any, make: Any) -> None:
    """The current agent has the notation of all legal actions in the order of their ids, the others have none."""
    env = make(game, legal_actions=True)
    for copied in (env, pickle.loads(pickle.dumps(env)) if make is ginkgo_env.raw_env else env):
        copied.reset(seed=7)
        for agent in copied.agent_iter(60):
            *_, termination, truncation, info = copied.last()
            ids = np.flatnonzero(info["action_mask"])
            texts = info["legal_actions"]
            assert len(texts) == len(ids) == len({*texts})
            if termination or truncation:
                copied.step(None)
                continue
            game_, state = copied.unwrapped._snapshot()
            assert [game_.parse_action(state, text) for text in texts] == ids.tolist()
            assert not any(copied.infos[other]["legal_actions"] for other in copied.agents if other != agent)
            copied.step(int(ids[-1]))
    assert "legal_actions" not in make(game).unwrapped._waiting()


@pytest.mark.parametrize("option", ["frameskip", "max_steps"])
@pytest.mark.parametrize("make", [ginkgo_env.env, ginkgo_env.raw_env, ginkgo_env.GinkgoEnv, ginkgo_env.GinkgoVectorEnv])
def test_libraries_that_try_arguments_get_a_type_error(make: Any, option: str) -> None:
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{option}'") as error:
        make("my_city", **{option: 3})
    assert isinstance(error.value, ConfigError)
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{option}'"):
        ginkgo_env.parallel_env("my_city", **{option: 3})


# --- observations that are one vector: the mask is in the info alone ---------------------------------------------------------


KINDS = ["blocks", "features", "both"]


def seen_in_batch(batch: Batch, seat: int, kind: str) -> Any:
    observed, features = batch.observe(seat)[0], batch.features(seat)[0]
    return {"blocks": observed, "features": features, "both": np.concatenate([observed, features])}[kind]


@pytest.mark.filterwarnings("error", "ignore:ginkgopolis_v0 has no reset options.*ignored. options:UserWarning")
@pytest.mark.parametrize("kind", KINDS)
def test_api(kind: str) -> None:
    """Not one of the warnings that observations with a mask get."""
    api_test(ginkgo_env.env(players=3, observation=kind))
    seed_test(lambda: ginkgo_env.env(players=3, observation=kind))


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_batch_shows(kind: str) -> None:
    env, batch, rng = ginkgo_env.env(players=3, observation=kind), Batch(make_game(players=3), 1), random.Random(1)
    env.reset(seed=5)
    batch.reset(seed=[5])
    for _ in range(40):
        for seat, agent in enumerate(env.possible_agents):
            seen = env.observe(agent)
            assert np.array_equal(seen, seen_in_batch(batch, seat, kind))
            assert env.observation_space(agent).contains(seen)
        assert env.unwrapped.state_space.contains(env.state())
        mask = env.last()[4]["action_mask"]
        assert np.array_equal(mask, batch.mask[0])
        action = rng.choice(np.flatnonzero(mask))
        env.step(action)
        batch.step([action])


@pytest.mark.parametrize("kind", KINDS)
def test_an_illegal_action_ends_the_game(kind: str) -> None:
    """The wrapper finds the mask in the info."""
    env = ginkgo_env.env(players=2, observation=kind)
    env.reset(seed=5)
    agent = env.agent_selection
    env.step(int(env.last()[4]["action_mask"].argmax()))
    env.reset(seed=5)
    env.step(int(env.last()[4]["action_mask"].argmin()))
    assert all(env.terminations.values())
    assert env.rewards == {name: -1.0 if name == agent else 0 for name in env.possible_agents}
    assert not any(info["action_mask"].any() for info in env.infos.values())


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["deepcopy", "pickle"])
def test_a_copy_shows_the_same(copier: Any) -> None:
    env = ginkgo_env.env(players=2, observation="features")
    env.reset(seed=5)
    twin = copier(env)
    assert np.array_equal(twin.observe("player_1"), env.observe("player_1"))
    assert twin.observation_space("player_1") == env.observation_space("player_1")


@pytest.mark.parametrize("kind", ["flat", None, 3, []])
def test_kinds_that_are_none(kind: Any) -> None:
    with pytest.raises(ConfigError, match="observation"):
        ginkgo_env.env(observation=kind)


# --- copies go on as the original would, and apart from it -------------------------------------------------------------------


COPIERS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}


OPTIONS = [
    *({"players": 1}, {"players": 3, "reward": "score"}, {"players": 2, "max_rounds": 3}),
    {"players": 2, "modules": Ginkgopolis.modules.keys(), "hand_size": 5},
]


def play_on(env: Any, rng: random.Random) -> list[Any]:
    """Play to the end and into the next game; returns everything that was seen."""
    seen: list[Any] = []
    for _ in range(2):
        for agent in env.agent_iter():
            observation, *rest, info = env.last()
            seen += [agent, *(a.tobytes() for a in (*observation.values(), *info.values())), *rest]
            over = rest[1] or rest[2]
            env.step(None if over else rng.choice(np.flatnonzero(observation["action_mask"])))
        env.reset()
    return seen


def begun(make: Any, steps: int, **options: Any) -> Any:
    env, rng = make(**options), random.Random(0)
    env.reset(seed=1)
    for _ in range(steps):
        env.step(rng.choice(np.flatnonzero(env.last()[0]["action_mask"])))
    return env


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("make", [ginkgo_env.env, ginkgo_env.raw_env])
@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_copy_goes_on_identically(options: dict[str, Any], make: Any, copier: str) -> None:
    env = begun(make, 15, **options)
    twin = COPIERS[copier](env)
    before = env.last()[0]["observation"].tobytes()
    theirs = play_on(twin, random.Random(5))
    assert env.last()[0]["observation"].tobytes() == before
    assert play_on(env, random.Random(5)) == theirs


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_of_a_finished_game(copier: str) -> None:
    env = begun(ginkgo_env.raw_env, 5, players=2, max_rounds=1, reward="margin")
    while not any(env.truncations.values()):
        env.step(int(env.last()[0]["action_mask"].argmax()))
    env.step(None)
    twin = COPIERS[copier](env)
    assert twin.agents == env.agents and twin.last()[1:4] == env.last()[1:4]
    assert play_on(twin, random.Random(1)) == play_on(env, random.Random(1))


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_before_reset(copier: str) -> None:
    twin = COPIERS[copier](ginkgo_env.env(players=4, render_mode="ansi", reward="margin"))
    assert twin.possible_agents[-1] == "player_3"
    assert twin.unwrapped.render_mode == "ansi" and twin.unwrapped.reward == "margin"
    twin.reset(seed=3)
    other = ginkgo_env.env(players=4)
    other.reset(seed=3)
    assert np.array_equal(twin.last()[0]["observation"], other.last()[0]["observation"])


@pytest.mark.parametrize("copier", COPIERS)
def test_sampling_of_actions_goes_on_identically(copier: str) -> None:
    env = begun(ginkgo_env.raw_env, 3)
    agent = env.agent_selection
    env.action_space(agent).seed(4)
    env.action_space(agent).sample()
    twin = COPIERS[copier](env)
    assert twin.action_space(agent) is twin.action_spaces[agent] is not env.action_space(agent)
    assert [twin.action_space(agent).sample() for _ in range(9)] == [env.action_space(agent).sample() for _ in range(9)]


def test_deepcopy_shares_what_never_changes() -> None:
    env = begun(ginkgo_env.raw_env, 3, players=3)
    twin = copy.deepcopy(env)
    assert twin.game is env.game
    assert twin.observation_space("player_1") is env.observation_space("player_1")


@pytest.mark.parametrize(
    ("kind", "name", "steps"), [("aec", "ginkgopolis", 20), ("aec", "my_city", 20), ("parallel", "my_city", 10)]
)
def test_max_cycles(kind: Any, name: str, steps: int) -> None:
    env = pettingzoo.make(kind, f"ginkgo_env/{name}-v0", max_cycles=10, players=2)
    for _ in range(2):
        played, result = 0, env.reset(seed=3)
        while env.agents and not any(getattr(env, "truncations", {}).values()):
            if kind == "parallel":  # the last legal action is not to end in My City
                result = env.step({a: int(np.flatnonzero(result[1][a]["action_mask"])[0]) for a in env.agents})
                result = (result[0], result[4]) if env.agents else result
            else:
                env.step(int(np.flatnonzero(env.last()[0]["action_mask"])[0]))
            played += 1
        assert played == steps
        if kind == "parallel":
            assert all(result[3].values()) and not any(result[2].values())
        else:
            assert all(env.truncations.values()) and not any(env.terminations.values())
            assert not any(env.observe(agent)["action_mask"].any() for agent in env.agents)
    for limit in (0, -2, 1.5, "7", True):
        with pytest.raises(ginkgo_env.ConfigError, match="max_cycles"):
            ginkgo_env.raw_env(max_cycles=limit)  # type: ignore[arg-type]
