"""Who plays the seats that the learner does not hold."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from ginkgo_agents.agents.base import Agent, Turn, sample_legal
from ginkgo_agents.agents.registry import make_agent
from ginkgo_env import Batch, BatchError, ConfigError, FinishedGameError, IllegalActionError, make_game
from ginkgo_env.envs.learner import Learner

from .playing import first_legal, played

TWO, THREE = make_game(players=2), make_game(players=3)


class Noting(Agent):
    """Plays at random and notes the seats that it played."""

    def __init__(self) -> None:
        self.seats = set[int]()

    def act(self, turn: Turn) -> np.ndarray:
        self.seats |= set(turn.seats.tolist())
        return sample_legal(turn.masks, turn.words)


def test_each_opponent_sits_where_the_list_says() -> None:
    first, second = Noting(), Noting()
    learner = Learner(THREE, 8, opponents=[first, second], seat=1)
    learner.reset(range(8))
    played(learner, 10)
    assert (first.seats, second.seats) == ({2}, {0})
    assert (learner.seats == 1).all()


def test_functions_get_what_the_deciding_seats_see() -> None:
    calls = []

    def look(observations: Any, masks: np.ndarray) -> np.ndarray:
        calls.append((observations["observation"].copy(), observations["action_mask"].copy(), masks.copy()))
        return masks.argmax(axis=1)

    learner, batch = Learner(TWO, 3, opponents=look, seat=1, observation="dict"), Batch(TWO, 3)
    learner.reset([1, 2, 3])
    batch.reset([1, 2, 3])
    observations, in_observation, masks = calls[0]
    assert np.array_equal(observations, batch.observe(0))
    assert np.array_equal(masks, batch.mask) and np.array_equal(in_observation, masks)


@pytest.mark.parametrize("opponents", ["random", ["random", "random"], Noting()], ids=["one", "list", "agent"])
def test_opponents_play_at_random_in_each_row_by_itself(opponents: Any) -> None:
    """A row's game is that of its seed alone, whatever the other rows are."""
    together, alone = Learner(THREE, 3, opponents=opponents), Learner(THREE, 1, opponents=opponents)
    together.reset([4, 5, 6])
    alone.reset([5])
    while not alone.over[0]:
        together.step(first_legal(None, together.masks()), np.flatnonzero(~together.over))
        alone.step(first_legal(None, alone.masks()))
        assert together.batch.states[1:2].tobytes() == alone.batch.states.tobytes()


def test_agents_by_name() -> None:
    ways = ["william", make_agent("william"), "random"]
    learners = [Learner(TWO, 4, opponents=way, seat=1) for way in ways]
    seen = []
    for learner in learners:
        learner.reset(range(4))
        seen.append(played(learner, 5))
    assert seen[0] == seen[1] != seen[2]


def test_opponents_can_be_changed() -> None:
    learner, noting = Learner(TWO, 2), Noting()
    learner.reset([1, 2])
    learner.set_opponents(noting)
    played(learner, 2)
    assert noting.seats == {1}


@pytest.mark.parametrize(
    ("opponents", "message"),
    [
        *(
            ("nobody", "unknown agent"),
            (["random"], "invalid opponents of length 1; expected 2"),
            (3, "invalid opponent"),
            (None, "invalid opponent"),
        ),
        *((["random", "no:one"], "cannot be imported"), ([], "invalid opponents of length 0; expected 2")),
    ],
    ids=str,
)
def test_bad_opponents(opponents: Any, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        Learner(THREE, 1, opponents=opponents)


@pytest.mark.parametrize(
    ("wrong", "error"),
    [
        *((lambda seen, masks: masks.argmin(axis=1), IllegalActionError), (lambda seen, masks: masks[:0, 0], BatchError)),
        *(
            (lambda seen, masks: masks.argmax(axis=1) + 0.5, BatchError),
            (lambda seen, masks: -np.ones(len(masks), int), IllegalActionError),
        ),
    ],
    ids=["illegal", "too few", "no integers", "none"],
)
def test_wrong_actions_of_opponents(wrong: Any, error: type[Exception]) -> None:
    learner = Learner(TWO, 2, opponents=wrong, seat=1)
    with pytest.raises(error, match=r"opponent <lambda>"):
        learner.reset([1, 2])


def test_after_an_error_of_an_opponent_games_have_to_be_reset() -> None:
    def failing(observations: Any, masks: np.ndarray) -> np.ndarray:
        raise RuntimeError("no idea")

    learner = Learner(TWO, 2)
    learner.reset([1, 2])
    learner.set_opponents(failing)
    with pytest.raises(RuntimeError):
        played(learner, 9)
    with pytest.raises(FinishedGameError):
        learner.step(learner.masks().argmax(axis=1))
    learner.set_opponents("random")
    learner.reset([1, 2])
    learner.step(learner.masks().argmax(axis=1))


def test_without_the_package_of_agents_random_still_plays(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("ginkgo_agents", "ginkgo_agents.agents.registry", "ginkgo_agents.agents.base"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(ConfigError, match="'greedy' requires the package ginkgo_agents"):
        Learner(TWO, 1, opponents="greedy")
    Learner(TWO, 1).reset([1])
