"""A turn shows what the seat may know and nothing else (R10)."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest

from ginkgo_agents.base import DecisionBatch, KernelThreads, best_actions, nth_keys, sample_legal
from ginkgo_agents.ginkgopolis import GreedyAgent
from ginkgo_agents.registry import make_agent
from ginkgo_env.core.afterstates import Afterstates, LegalActions
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import IllegalActionError
from ginkgo_env.games.ginkgopolis.game import Ginkgopolis
from ginkgo_env.registry import make_game

from ..tiers import by_tier

STEPS = (1, 8, 30, 45, 60)
ALL = tuple(Ginkgopolis.modules)
CONFIGS = [
    {"players": 1},
    {"players": 1, "level": "advanced"},
    {"players": 2},
    {"players": 3},
    {"players": 5},
    {"players": 3, "modules": ALL},
    {"players": 2, "modules": [module for module in ALL if module != "experts"]},
]


def twin(batch: Batch) -> Batch:
    """The same games, with everything that the actor cannot know dealt anew."""
    other = Batch(batch.game, batch.size)
    other.set_states(np.arange(batch.size), batch.states)
    other.resample(seed=99)
    return other


@pytest.mark.parametrize("steps", STEPS)
@pytest.mark.parametrize("config", CONFIGS, ids=str)
def test_a_turn_is_the_same_whatever_is_hidden(config, steps, played, turn_of):
    batch = played(steps, 40, **config)
    other = twin(batch)
    a, b = turn_of(batch), turn_of(other)
    assert len(a) == 0 or (batch.states != other.states).any()
    for name in ("masks", "kinds", "seats", "keys"):
        assert np.array_equal(getattr(a, name), getattr(b, name)), name
    assert np.array_equal(a.observe(), b.observe())


AGENTS = [(name, config) for name in ("random", "william", "greedy") for config in CONFIGS]
QUICK = [(name, config) for name, config in AGENTS if name != "greedy" or "modules" not in config]  # nobody else compiles that


@pytest.mark.parametrize("case", by_tier(AGENTS, QUICK), ids=str)
def test_agents_do_the_same_whatever_is_hidden(case, played, turn_of):
    name, config = case
    agent = make_agent(name)
    for steps in STEPS:
        batch = played(steps, 20, **config)
        if batch.over.all():
            break
        assert np.array_equal(agent.act(turn_of(batch)), agent.act(turn_of(twin(batch))))


def test_worlds_look_like_the_truth_but_are_not(played, turn_of):
    batch = played(30, 100, players=3)
    turn = turn_of(batch)
    worlds = turn.resampled_batch(4)
    assert np.array_equal(worlds.observe(), np.repeat(turn.observe(), 4, axis=0))
    assert np.array_equal(worlds.mask, np.repeat(turn.masks, 4, axis=0))
    truth = np.repeat(batch.states[~batch.over], 4)
    left = (np.repeat(turn.seats, 4) + 2) % 3  # the right-hand neighbor: none of their cards is known
    rows = np.arange(len(truth))
    same_hand = (worlds.states["hand"][rows, left] == truth["hand"][rows, left]).all(axis=1)
    assert same_hand.mean() < 0.1
    assert not (worlds.states["supply"] == truth["supply"]).all(axis=1).any()
    assert not (worlds.states["rng"] == truth["rng"]).any()
    assert len({state.tobytes() for state in worlds.states}) == len(worlds.states)


def test_worlds_are_reproducible_and_playable(played, turn_of):
    turn = turn_of(played(10, 10, players=2))
    first, again, other = turn.resampled_batch(3), turn.resampled_batch(3), turn.resampled_batch(3, salt=1)
    assert first.states.tobytes() == again.states.tobytes() != other.states.tobytes()
    while not first.over.all():
        actions = first.sample()
        assert np.array_equal(actions, again.sample())
        first.step(actions)
        again.step(actions)


def test_worlds_of_a_row_do_not_depend_on_the_other_rows(played):
    batch = played(20, 8, players=2)
    keys = np.arange(8, dtype=np.uint64)
    rows = np.array([5, 2])
    all_rows, two = DecisionBatch(batch, np.arange(8), keys), DecisionBatch(batch, rows, keys[rows])
    deals = all_rows.resampled_states(3).reshape(8, 3)[rows]
    assert deals.tobytes() == two.resampled_states(3).tobytes()


def test_a_turn_holds_no_states_and_stays_as_it_was(played, turn_of):
    batch = played(20, 10, players=2)
    turn = turn_of(batch)
    held = [getattr(turn, name) for name in DecisionBatch.__slots__]
    assert not any(isinstance(value, np.ndarray) and value.dtype.names for value in held)
    assert not any(isinstance(value, np.ndarray) and np.shares_memory(value, array) for value in held for array in _memory(batch))
    seen, masks, worlds = turn.observe(), turn.masks.copy(), turn.resampled_states(2).tobytes()
    batch.step(batch.sample())
    assert np.array_equal(turn.observe(), seen)
    assert np.array_equal(turn.masks, masks)
    assert turn.resampled_states(2).tobytes() == worlds


def _memory(batch: Batch) -> list[np.ndarray]:
    return [batch.states.view(np.uint8), batch.mask]


def test_threads_do_not_matter(played):
    batch, keys = played(20, 64, players=2), np.arange(64, dtype=np.uint64)
    threads = KernelThreads(3)
    alone, shared = DecisionBatch(batch, np.arange(64), keys), DecisionBatch(batch, np.arange(64), keys, threads)
    assert np.array_equal(alone.observe(), shared.observe())
    assert alone.resampled_states(2).tobytes() == shared.resampled_states(2).tobytes()
    greedy = GreedyAgent(worlds=2)
    assert np.array_equal(greedy.values(alone), greedy.values(shared))
    threads.close()


def test_keys_and_picks():
    keys = nth_keys(np.zeros(4000, np.uint64), np.arange(4000))
    assert nth_keys(np.array([0], np.uint64), 1)[0] == 0xE220A8397B1DCDAF  # splitmix64's first key from 0
    picks = sample_legal(np.tile(np.array([0, 1, 1, 0, 1], np.int8), (4000, 1)), keys)
    assert set(picks) == {1, 2, 4}
    assert np.bincount(picks).max() < 1500
    assert sample_legal(np.zeros((1, 3), np.int8), keys[:1])[0] == -1


def test_the_best_action_of_each_row_ties_to_the_lower_id():
    rng = np.random.default_rng(1)
    counts = rng.integers(1, 6, 200)
    offsets = np.concatenate([[0], counts.cumsum()])
    actions, values = rng.permutation(offsets[-1]), rng.integers(-2, 3, offsets[-1]).astype(np.float32)
    empty = (np.zeros(0),) * 6
    after = Afterstates(offsets, actions, *empty)
    expected = [actions[i + values[i:j].argmax()] for i, j in pairwise(offsets)]
    assert best_actions(after, values).tolist() == expected
    none = Afterstates(offsets[:1], actions[:0], *empty)
    assert best_actions(none, values[:0]).shape == (0,)


def test_afterstates_are_those_of_legal_actions_whatever_the_masks_hold(turn_of):
    batch = Batch(make_game("my_city", players=2), 4)  # a game whose afterstates other tests need as well
    batch.reset(seed=0)
    turn = turn_of(batch)
    expected, shape = turn.afterstates(1), turn.masks.shape
    turn.masks[:] = 1
    again = turn.afterstates(1)
    assert np.array_equal(again.actions, expected.actions) and again.views.tobytes() == expected.views.tobytes()
    every = LegalActions(np.arange(shape[0] + 1) * shape[1], np.tile(np.arange(shape[1]), shape[0]))
    with pytest.raises(IllegalActionError):
        turn.afterstates(1, legal=every)
