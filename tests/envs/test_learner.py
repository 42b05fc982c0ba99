"""One learner's seat in each row: what is paid to it, who plays the others, where chance comes from."""

from __future__ import annotations

import copy
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from ginkgo_agents.base import Agent, DecisionBatch, sample_legal
from ginkgo_agents.registry import make_agent
from ginkgo_env import Batch, BatchError, ConfigError, FinishedGameError, Game, IllegalActionError, make_game
from ginkgo_env.core.loops import PlayArrays
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.envs.learner import Learner
from ginkgo_env.envs.observation_writer import ObservationWriter, RowSubset

from .playing import choose, first_legal, played, rng_of

TWO, THREE = make_game(players=2), make_game(players=3)


# --- what is paid ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("reward", ["win", "margin", "score"])
@pytest.mark.parametrize(("game", "seat"), [(TWO, 0), (TWO, 1), (THREE, 1)], ids=["2 players", "second of 2", "second of 3"])
def test_everything_that_happens_is_paid(game: Game, seat: int, reward: Any) -> None:
    """The same game played on a batch, decision by decision: what that pays to the seat between two of its decisions is paid."""
    learner, batch, rng = (
        Learner(game, 1, opponents=first_legal, seat=seat, reward=reward),
        Batch(game, 1, reward=reward),
        rng_of(1),
    )
    for seed in (5, 6):
        learner.reset([seed])
        batch.reset([seed])
        due, paid = 0.0, []
        while True:
            while batch.actor[0] >= 0 and batch.actor[0] != seat:
                batch.step(first_legal(None, batch.mask))
                due += batch.rewards[0, seat]
            assert learner.batch.states.tobytes() == batch.states.tobytes()
            if paid:
                assert learner.rewards[0] == due
            if batch.actor[0] < 0:
                break
            due = due if not paid else 0.0  # what came before the first decision is paid with it
            action = choose(batch.mask, rng)
            learner.step(action)
            batch.step(action)
            due += batch.rewards[0, seat]
            paid.append(learner.rewards[0])
        assert learner.over[0] and learner.terminated[0] and not learner.truncated[0]
        assert any(paid)
        assert learner.endings(np.arange(1))["is_success"][0] == (seat in batch.outcome(0).winners)


def test_truncation() -> None:
    learner, rng = Learner(make_game(players=2, max_rounds=1), 3), rng_of(0)
    learner.reset([1, 2, 3])
    while not learner.over.all():
        before = learner.over.copy()
        learner.step(choose(learner.masks(), rng), np.flatnonzero(~before))
        assert np.array_equal(learner.truncated, learner.over & ~before)
        assert not learner.terminated.any()
    learner.reset()
    learner.step(choose(learner.masks(), rng))
    assert not learner.truncated.any()


@pytest.mark.usefixtures("trial_game")
def test_games_of_one_side() -> None:
    learner = Learner(make_game("three_cards", players=1), 20)
    assert learner.reward == "score"
    learner.reset(range(20))
    learner.step(np.ones(20, np.int64))
    assert learner.over.all() and set(learner.rewards) == {-2.0 + 1.0, 2.0 + 1.0}  # ante 1 was paid before the start


@pytest.mark.parametrize("n", [0, 1, 64, 65, 140, 200, 300])
def test_looking_at_some_rows(n: int) -> None:
    """A few rows are looked at apart from the others, in parts; most of them together."""
    batch, rng = Batch(TWO, 300), rng_of(n)
    for _ in range(10):
        batch.step(batch.sample())
    rows, seats = rng.permutation(300)[:n], rng.integers(0, 2, n)
    every = np.zeros(300, np.int64)
    every[rows] = seats
    seen = ObservationWriter(TWO, "dict").rows(RowSubset(batch), rows, seats)
    assert isinstance(seen, dict)
    assert np.array_equal(seen["observation"], batch.observe(every)[rows])
    assert np.array_equal(seen["action_mask"], batch.mask[rows])


# --- chance ----------------------------------------------------------------------------------------------------------------


def test_the_seed_is_that_of_the_game() -> None:
    learner, batch = Learner(TWO, 2), Batch(TWO, 2)
    learner.reset([7, 2**64 - 1])
    batch.reset([7, 2**64 - 1])
    assert learner.batch.states.tobytes() == batch.states.tobytes()


def test_games_go_on_as_those_of_a_batch_with_autoreset() -> None:
    learner, batch = Learner(TWO, 1), Batch(TWO, 1, autoreset=True)
    learner.reset([3])
    batch.reset([3])
    while not batch.done[0]:
        batch.step(batch.sample())
    learner.reset()
    assert learner.batch.states.tobytes() == batch.states.tobytes()


def test_first_games_without_seeds_are_random() -> None:
    learners = [Learner(TWO, 2) for _ in range(2)]
    for learner in learners:
        learner.reset()
    assert len({state.tobytes() for learner in learners for state in learner.batch.states}) == 4


def test_random_seats_follow_from_the_seed() -> None:
    learner = Learner(THREE, 300, seat="random")
    learner.reset(range(300))
    seats = learner.seats.copy()
    assert (np.bincount(seats, minlength=3) > 70).all()
    assert (learner.batch.actor == seats).all()
    learner.reset(range(300))
    assert np.array_equal(learner.seats, seats)
    learner.reset()
    assert not np.array_equal(learner.seats, seats)


def test_rotating_seats() -> None:
    learner = Learner(THREE, 4, seat="rotating")
    learner.reset([10, 11, 12, 13])
    assert learner.seats.tolist() == [1, 2, 0, 1]
    learner.reset(rows=np.array([0, 2]))
    assert learner.seats.tolist() == [2, 2, 1, 1]
    learner.reset([None, 12, None, None])
    assert learner.seats.tolist() == [0, 0, 2, 2]


@pytest.mark.parametrize("copier", [copy.deepcopy, lambda one: pickle.loads(pickle.dumps(one))], ids=["deepcopy", "pickle"])
def test_a_copy_plays_on_as_the_original(copier: Any) -> None:
    learner = Learner(TWO, 70, seat="rotating", reward="score", opponents="random")
    learner.reset(range(70))
    played(learner, 5)
    twin = copier(learner)
    before = learner.batch.states.tobytes()
    theirs = played(twin, 45, seed=1)
    assert learner.batch.states.tobytes() == before
    assert played(learner, 45, seed=1) == theirs


# --- games that end without the learner ------------------------------------------------------------------------------------


@pytest.fixture
def hasty() -> Game:
    """Three-card poker in which a pass of the first player ends the game: the second one is not asked."""
    game = make_game("three_cards")
    play = game.kernels.play

    def hasty_play(start: int, stop: int, states: Any, components: Any, arrays: Any, mode: Any) -> int:
        named = PlayArrays(*arrays)
        row: int = play(start, stop, states, components, arrays, mode)
        again = np.where((named.actions == 0) & (states["n_acts"] == 1), 0, NO_ACTION)
        done = named.done.copy()
        play(start, stop, states, components, tuple(named._replace(actions=again)), mode)
        named.done[again == NO_ACTION] = done[again == NO_ACTION]
        return row

    game.kernels = replace(game.kernels, play=hasty_play)
    return game


@pytest.mark.usefixtures("trial_game")
def test_games_that_end_before_the_learner_decides_are_followed_by_the_next(hasty: Game) -> None:
    learner = Learner(hasty, 50, seat=1)
    learner.reset(range(50))
    assert (learner.batch.actor == 1).all() and not learner.over.any()
    ours = learner.batch.states["seed"] == np.arange(50)
    assert 10 < ours.sum() < 40  # the others are later games
    assert not learner.rewards.any() and not learner.terminated.any()


@pytest.mark.full
@pytest.mark.usefixtures("trial_game")
def test_a_learner_that_never_decides_is_an_error(hasty: Game) -> None:
    learner = Learner(hasty, 1, seat=1, opponents=lambda observations, masks: np.zeros(len(masks), int))
    with pytest.raises(BatchError, match="never"):
        learner.reset([0])


# --- bad input -------------------------------------------------------------------------------------------------------------


def test_illegal_actions_end_the_episode() -> None:
    learner = Learner(TWO, 4)
    learner.reset([1, 2, 3, 4])
    before, actions = learner.batch.states.copy(), learner.masks().argmax(axis=1)
    actions[1], actions[2] = learner.masks()[1].argmin(), 10**9
    learner.step(actions)
    assert learner.rewards.tolist() == [0, -1, -1, 0]
    assert learner.illegal.tolist() == learner.terminated.tolist() == learner.over.tolist() == [False, True, True, False]
    assert learner.batch.states[1:3].tobytes() == before[1:3].tobytes()
    assert learner.masks().any(axis=1).all()
    with pytest.raises(FinishedGameError):
        learner.step(learner.masks().argmax(axis=1))
    learner.reset(rows=np.array([1, 2]))
    assert not learner.illegal.any() and not learner.over.any()
    assert (learner.batch.states["seed"][1:3] != before["seed"][1:3]).all()


@pytest.mark.parametrize("action", [-1, -2, 10**6, "masked"])
def test_illegal_actions_can_raise_and_then_change_nothing(action: Any) -> None:
    learner = Learner(TWO, 2, illegal_action="raise")
    learner.reset([1, 2])
    actions = learner.masks().argmax(axis=1)
    actions[1] = learner.masks()[1].argmin() if action == "masked" else action
    before = learner.batch.states.tobytes()
    with pytest.raises(IllegalActionError, match="row 1"):
        learner.step(actions)
    assert learner.batch.states.tobytes() == before and not learner.over.any()


def test_a_step_before_the_first_reset_is_refused() -> None:
    with pytest.raises(FinishedGameError):
        Learner(TWO, 1).step([0])


@pytest.mark.parametrize(
    "options",
    [
        *(
            {"seat": 2},
            {"seat": -1},
            {"seat": "first"},
            {"seat": None},
            {"seat": 0.5},
            {"reward": "fun"},
            {"illegal_action": "none"},
        ),
        *({"illegal_action": None}, {"observation": "pixels"}, {"observation": None}),
    ],
    ids=str,
)
def test_bad_options(options: dict[str, Any]) -> None:
    with pytest.raises(ConfigError):
        Learner(TWO, 1, **options)


# --- features ----------------------------------------------------------------------------------------------------------------


TWO = make_game(players=2)


@pytest.mark.parametrize("kind", ["features", "both"])
def test_features_as_the_batch_gives_them(kind: str) -> None:
    batch = Batch(TWO, 3)
    for _ in range(20):
        batch.step(batch.sample())
    view, seats = ObservationWriter(TWO, kind), np.array([1, 0, 1])
    out = view.empty(3)
    view.write(batch, seats, out)
    parts = [batch.features(seats)] if kind == "features" else [batch.observe(seats), batch.features(seats)]
    assert isinstance(out, np.ndarray) and out.dtype == np.float32
    assert np.array_equal(out, np.concatenate(parts, axis=1))
    assert all(view.space.contains(row) for row in out)
    assert np.array_equal(view.rows(RowSubset(batch), np.array([2, 0]), seats[[2, 0]]), out[[2, 0]])  # type: ignore[arg-type]


# --- who plays the seats that the learner does not hold ----------------------------------------------------------------------


TWO, THREE = make_game(players=2), make_game(players=3)


class Noting(Agent):
    """Plays at random and notes the seats that it played."""

    def __init__(self) -> None:
        self.seats = set[int]()

    def act(self, turn: DecisionBatch) -> np.ndarray:
        self.seats |= set(turn.seats.tolist())
        return sample_legal(turn.masks, turn.keys)


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
    for module in ("ginkgo_agents", "ginkgo_agents.registry", "ginkgo_agents.base"):
        monkeypatch.setitem(__import__("sys").modules, module, None)
    with pytest.raises(ConfigError, match="'greedy' requires the package ginkgo_agents"):
        Learner(TWO, 1, opponents="greedy")
    Learner(TWO, 1).reset([1])
