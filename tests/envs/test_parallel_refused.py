"""What the parallel form of games refuses, and what an illegal action does there."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.registry import OWN_GAMES, game_class

from .at_once import GAME, GAMES, chosen, made


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
    assert [info["illegal_action"] for info in infos.values()] == [False, True, False]
    assert not any(info["action_mask"].any() for info in infos.values())
    assert not any(seen["action_mask"].any() for seen in observations.values())
    assert env.agents == [] and env.outcome() == standing
    with pytest.raises(ginkgo_env.FinishedGameError, match="call reset"):
        env.step({})
    _, infos = env.reset()
    assert env.agents == env.possible_agents and not any(info["illegal_action"] for info in infos.values())
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
