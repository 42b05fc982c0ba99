"""Games whose players choose at once, as a ``ParallelEnv``: the same games as in the AEC form, a round at a time."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pettingzoo
import pytest
from pettingzoo.test import parallel_api_test, parallel_seed_test

import ginkgo_env
from ginkgo_env.envs.registration import pettingzoo_id, register_pettingzoo
from ginkgo_env.registry import OWN_GAMES, game_class

from .playing import GAME, GAMES, chosen, made, parts, plain, same, stay

PLAYERS = (1, 2, 3, 4)
KINDS = ("dict", "blocks", "features", "both")
COPIERS: dict[str, Callable[[Any], Any]] = {
    "deepcopy": copy.deepcopy,
    "pickle": lambda env: pickle.loads(pickle.dumps(env)),
}

known = pytest.mark.filterwarnings("error", "ignore:.* has no reset options.*ignored. options:UserWarning")


def played_on(env: Any, infos: Any, seed: int) -> list[Any]:
    """Play to the end and through the next game; what was seen."""
    rng, seen = np.random.default_rng(seed), list[Any]()
    for _ in range(2):
        while env.agents:
            observations, *rest, infos = env.step(chosen(infos, rng))
            seen += [[part.tobytes() for agent in observations for part in parts(observations[agent])], *rest, repr(infos)]
        observations, infos = env.reset()
    return seen


# --- the same as the AEC form ----------------------------------------------------------------------------------------------


def compare(env: ginkgo_env.parallel_env, aec: Any, seed: int) -> int:
    """Play a random game in both forms; returns how often an agent had to end. With odd seeds nobody ends without need."""
    rng = np.random.default_rng(seed)
    observations, infos = env.reset(seed=seed)
    aec.reset(seed=seed)
    paid, aec_paid, forced = dict.fromkeys(env.agents, 0.0), dict.fromkeys(env.agents, 0.0), 0
    has_ended = env.game.observation["players"].start + 1  # of the viewer
    while env.agents:
        assert env.agents == env.possible_agents == list(observations) == list(infos)
        masks = {agent: info["action_mask"] for agent, info in infos.items()}
        waiting = [agent for agent, mask in masks.items() if mask.sum() == 1]
        choices = chosen(infos if seed % 2 == 0 else {agent: {"action_mask": stay(masks[agent])} for agent in env.agents}, rng)
        for agent in waiting:
            assert choices[agent] == env.game.idle_action
            forced += int(aec.unwrapped._one.observe(int(agent[-1]))[has_ended] == 0)
            theirs = aec.observe(agent)
            if isinstance(theirs, dict):
                theirs["action_mask"] += masks[agent]  # there all zero
            assert same(observations[agent], theirs)
        for agent in [agent for agent in env.agents if agent not in waiting]:
            assert aec.agent_selection == agent
            seen, reward, *_, info = aec.last()
            assert same(observations[agent], seen)
            np.testing.assert_array_equal(masks[agent], info["action_mask"])
            aec_paid[agent] += reward
            aec.step(choices[agent])
        observations, rewards, terminations, truncations, infos = env.step(choices)
        for agent, reward in rewards.items():
            paid[agent] += reward
        assert list(terminations.values()) == [not env.agents] * len(paid)
        assert list(truncations.values()) == [False] * len(paid)
    for agent in aec.agents:
        seen = aec.observe(agent)
        assert same(observations[agent], seen) and not infos[agent]["action_mask"].any()
        aec_paid[agent] += aec.unwrapped._cumulative_rewards[agent]
        assert aec.terminations[agent]
    assert paid == pytest.approx(aec_paid)
    assert env.outcome() == aec.unwrapped.outcome() and env.outcome().ending is not None
    np.testing.assert_array_equal(env.state(), aec.state())
    return forced


@pytest.mark.parametrize("reward", ["score", "win", "margin"])
@pytest.mark.parametrize("players", PLAYERS)
def test_same_games_as_aec(players: int, reward: Any) -> None:
    if players == 1 and reward != "score":
        with pytest.raises(ginkgo_env.ConfigError, match="compares sides"):
            made(1, reward=reward)
        return
    env, aec = made(players, reward=reward), ginkgo_env.env(GAME, players=players, reward=reward)
    forced = sum(compare(env, aec, seed) for seed in range(4))
    assert (forced > 0) == (players > 1)  # alone the game is over then


@pytest.mark.parametrize("kind", KINDS)
def test_same_observations_as_aec(kind: str) -> None:
    env, aec = made(3, observation=kind), ginkgo_env.env(GAME, players=3, observation=kind)
    for seed in range(3):
        compare(env, aec, seed)
    assert env.observation_space("player_1") == aec.observation_space("player_1")
    assert env.state_space == aec.unwrapped.state_space


def test_scores_are_paid_in_the_round_that_changes_them() -> None:
    env, rng = made(3, reward="score"), np.random.default_rng(1)
    _, infos = env.reset(seed=1)
    while env.agents:
        before = env.outcome().scores
        _, rewards, *_, infos = env.step(chosen(infos, rng))
        assert list(rewards.values()) == [now - was for now, was in zip(env.outcome().scores, before, strict=True)]


def test_a_reward_function_is_asked_once_a_game() -> None:
    asked = []

    def half(end: Any) -> Any:
        asked.append(end.after.totals.tolist())
        return end.after.totals / 2

    env, rng = made(2, reward=half), np.random.default_rng(0)
    _, infos = env.reset(seed=4)
    while env.agents:
        masks = {agent: {"action_mask": stay(info["action_mask"])} for agent, info in infos.items()}  # to the last card
        _, rewards, *_, infos = env.step(chosen(masks, rng))
    assert asked == [[list(env.outcome().scores)]]
    assert list(rewards.values()) == [score / 2 for score in env.outcome().scores]


def test_alone() -> None:
    env, rng = made(1), np.random.default_rng(0)
    _, infos = env.reset(seed=2)
    start, total = env.outcome().scores[0], 0.0
    while env.agents:
        _, rewards, *_, infos = env.step(chosen(infos, rng))
        total += rewards["player_0"]
    assert total == env.outcome().scores[0] - start != 0


def test_who_is_out_stays_with_one_action_that_is_ignored() -> None:
    env, rng = made(3, reward="score"), np.random.default_rng(0)
    _, infos = env.reset(seed=5)
    idle = env.game.idle_action
    assert idle == env.game.actions["end"].start
    _, _, terminations, _, infos = env.step({**chosen(infos, rng), "player_1": idle})
    assert not any(terminations.values()) and env.agents == env.possible_agents
    while env.agents:
        assert np.flatnonzero(infos["player_1"]["action_mask"]).tolist() == [idle]
        before = env.outcome().scores[1]
        _, rewards, terminations, _, infos = env.step(chosen(infos, rng))
        assert rewards["player_1"] == 0 and env.outcome().scores[1] == before
    assert all(terminations.values())


# --- PettingZoo ------------------------------------------------------------------------------------------------------------


@known
@pytest.mark.parametrize(("players", "kind"), list(zip(PLAYERS, KINDS, strict=True)))
@pytest.mark.parametrize("game", GAMES)
def test_api(game: str, players: int, kind: str) -> None:
    parallel_api_test(made(players, game, observation=kind), num_cycles=60)


@known
@pytest.mark.parametrize("game", GAMES)
def test_api_with_masks(game: str) -> None:
    parallel_api_test(made(3, game, reward="score"), num_cycles=60)


@known
@pytest.mark.parametrize("game", GAMES)
def test_seeds(game: str) -> None:
    parallel_seed_test(lambda: made(4, game))


def test_seed_is_that_of_the_game() -> None:
    seed = 3
    env, other, aec = made(), made(), ginkgo_env.raw_env(GAME, players=3)
    games = [played_on(each, each.reset(seed=start)[1], 6) for each, start in ((env, seed), (other, seed), (other, seed + 1))]
    assert games[0] == games[1] != games[2]
    aec.reset(seed=seed)
    env.reset(seed=seed)
    for _ in range(3):  # the games that follow
        observations, _ = env.reset()
        aec.reset()
        np.testing.assert_array_equal(observations["player_0"]["observation"], aec.observe("player_0")["observation"])
    with pytest.raises(ginkgo_env.BatchError, match="seed"):
        env.reset(seed="x")  # type: ignore[arg-type]


@pytest.mark.parametrize("copier", COPIERS)
@pytest.mark.parametrize("rounds", [0, 4, 40])
def test_copies_go_on_identically(copier: str, rounds: int) -> None:
    env, rng = made(2, reward="score", render_mode="ansi"), np.random.default_rng(0)
    _, infos = env.reset(seed=3)
    for _ in range(rounds):
        if env.agents:
            *_, infos = env.step(chosen(infos, rng))
    twin = COPIERS[copier](env)
    assert twin.agents == env.agents and twin.agents is not env.agents
    assert twin.observation_space("player_0") is twin.observation_spaces["player_0"]
    assert twin.action_space("player_0") is not env.action_space("player_0")
    before = env.render()
    theirs = played_on(twin, infos, 5)
    assert env.render() == before
    assert theirs == played_on(env, infos, 5)


@pytest.mark.parametrize("copier", COPIERS)
def test_copy_before_reset(copier: str) -> None:
    twin = COPIERS[copier](made(2, reward="margin"))
    observations, _ = twin.reset(seed=3)
    assert twin.agents == ["player_0", "player_1"]
    assert same(observations["player_1"], made(2).reset(seed=3)[0]["player_1"])


def test_arrays_are_new() -> None:
    env = made()
    observations, infos = env.reset(seed=1)
    for agent in env.agents:
        observations[agent]["action_mask"][:] = 1
        infos[agent]["action_mask"][:] = 1
    with pytest.raises(AssertionError):
        np.testing.assert_array_equal(made().reset(seed=1)[1]["player_0"]["action_mask"], infos["player_0"]["action_mask"])
    actions = dict.fromkeys(env.agents, 1)  # legal now, if the masks were those of the environment
    assert env.step(actions)[1] == dict.fromkeys(actions, -1.0)


@pytest.mark.filterwarnings("error")
def test_registered() -> None:
    if not hasattr(pettingzoo, "register"):
        pytest.skip("PettingZoo has a registry since 1.27")
    register_pettingzoo()
    ours = [name for name in OWN_GAMES if pettingzoo_id(name) in pettingzoo.parallel_registry]
    assert ours == GAMES
    env = pettingzoo.make("parallel", pettingzoo_id(GAME), players=4, reward="margin")
    assert env.possible_agents[-1] == "player_3" and env.unwrapped._aec.reward == "margin"
    assert str(env) == f"{GAME}_v{game_class(GAME).version}" and env.metadata["is_parallelizable"]


def test_render(capsys: pytest.CaptureFixture[str]) -> None:
    env, rng = made(2, render_mode="ansi"), np.random.default_rng(0)
    human = made(2, render_mode="human")
    _, infos = env.reset(seed=1)
    human.reset(seed=1)
    assert human.render() is None
    first = env.render()
    assert first and capsys.readouterr().out == f"{plain(first)}\n" * 2
    while env.agents:
        choices = chosen(infos, rng)
        *_, infos = env.step(choices)
        human.step(choices)
        assert capsys.readouterr().out == f"{plain(env.render())}\n"
    assert env.render() != first
    with pytest.raises(ginkgo_env.ConfigError, match="invalid render_mode 'film'"):
        made(2, render_mode="film")


def test_legal_actions_as_text_on_request() -> None:
    env = ginkgo_env.parallel_env("my_city", players=3, legal_actions=True)
    _, infos = env.reset(seed=3)
    while env.agents:
        for agent, info in infos.items():
            ids = np.flatnonzero(info["action_mask"])
            if agent in env._asked:
                assert info["legal_actions"] == env.game.action_texts(env._snapshot()[1], ids)
            else:
                assert info["legal_actions"] == []
        _, _, _, _, infos = env.step({agent: int(np.flatnonzero(infos[agent]["action_mask"])[-3:][0]) for agent in env.agents})
    assert all(info["legal_actions"] == [] for info in infos.values())


# --- refusals and illegal actions --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", [name for name in OWN_GAMES if name not in GAMES])
def test_other_games_are_refused(game: str) -> None:
    title = game_class(game).title
    with pytest.raises(
        ginkgo_env.ConfigError, match=f"the players of {title} do not choose simultaneously; play it with .*'{game}'"
    ):
        ginkgo_env.parallel_env(game)
    with pytest.raises(ginkgo_env.ConfigError, match="unknown game 'chess'"):
        ginkgo_env.parallel_env("chess")


@pytest.mark.parametrize("reward", ["score", "win"])
def test_an_illegal_action_ends_the_game(reward: Any) -> None:
    env = made(3, reward=reward)
    _, infos = env.reset(seed=1)
    choices = chosen(infos, np.random.default_rng(0))
    standing = env.outcome()
    illegal = int(infos["player_1"]["action_mask"].argmin())
    observations, rewards, terminations, truncations, infos = env.step({**choices, "player_1": illegal})
    assert rewards == {"player_0": 0.0, "player_1": -1.0, "player_2": 0.0}
    assert terminations == truncations == dict.fromkeys(env.possible_agents, True)
    assert not any(info["action_mask"].any() for info in infos.values())
    assert not any(seen["action_mask"].any() for seen in observations.values())
    assert env.agents == [] and env.outcome() == standing
    with pytest.raises(ginkgo_env.FinishedGameError, match="call reset"):
        env.step({})
    _, infos = env.reset()
    assert env.agents == env.possible_agents
    other = made(3)
    other.reset(seed=1)
    np.testing.assert_array_equal(other.reset()[1]["player_0"]["action_mask"], infos["player_0"]["action_mask"])


def test_as_the_aec_form_when_illegal() -> None:
    env, aec = made(3), ginkgo_env.env(GAME, players=3)
    _, infos = env.reset(seed=1)
    aec.reset(seed=1)
    illegal = int(infos["player_0"]["action_mask"].argmin())
    aec.step(illegal)
    _, rewards, terminations, truncations, _ = env.step({**chosen(infos, np.random.default_rng(0)), "player_0": illegal})
    assert (rewards, terminations, truncations) == (aec.rewards, aec.terminations, aec.truncations)


def test_another_action_of_who_is_out_is_illegal() -> None:
    env, rng = made(2), np.random.default_rng(0)
    _, infos = env.reset(seed=1)
    *_, infos = env.step({**chosen(infos, rng), "player_0": env.game.idle_action})
    _, rewards, *_ = env.step({**chosen(infos, rng), "player_0": 0})
    assert rewards == {"player_0": -1.0, "player_1": 0.0} and env.agents == []


def test_actions_that_are_none_are_refused_and_change_nothing() -> None:
    env = made(2)
    with pytest.raises(ginkgo_env.FinishedGameError, match="call reset"):
        env.step({})
    _, infos = env.reset(seed=1)
    choices = chosen(infos, np.random.default_rng(0))
    size = env.game.actions.size
    for bad in ({}, {"player_0": 0}, {**choices, "player_2": 0}, [0, 0]):
        with pytest.raises(ginkgo_env.BatchError, match="expected an action for each of player_0, player_1"):
            env.step(bad)  # type: ignore[arg-type]
    for number in (-1, size, 1.5, "end", None):
        with pytest.raises(ginkgo_env.IllegalActionError, match=rf"for player_1; expected 0..{size - 1}"):
            env.step({**choices, "player_1": number})
    with pytest.raises(ginkgo_env.BatchError, match="invalid agent"):
        env.action_space("player_2")
    twin = made(2)
    twin.reset(seed=1)
    numbers = {agent: np.int32(action) for agent, action in choices.items()}
    assert repr(env.step(numbers)) == repr(twin.step(choices))
