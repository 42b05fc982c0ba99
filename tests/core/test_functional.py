"""Games as functions of states: the same games as in batches, and nothing changes in place."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

from ginkgo_env import Batch, BatchError, FinishedGameError, Game, IllegalActionError, make_game


@pytest.fixture(params=["ginkgopolis", "golden_city", "my_city"])
def game(request: pytest.FixtureRequest) -> Game:
    return make_game(request.param)


def test_the_same_games_as_in_a_batch(game: Game) -> None:
    batch, random = Batch(game, 1), np.random.default_rng(7)
    batch.reset(seed=[7])
    state = game.initial_state(7)
    while game.actor(state)[0] >= 0:
        assert state.tobytes() == batch.states.tobytes()
        legal = game.legal_actions(state)
        assert (legal == np.flatnonzero(batch.mask[0])).all()
        for seat in range(game.seats):
            assert (game.observe(state, seat) == batch.observe(seat)[0]).all()
        before, action = state.tobytes(), int(random.choice(legal))
        after = game.step(state, action)
        assert state.tobytes() == before and game.step(state, action).tobytes() == after.tobytes()
        state = after
        batch.step([action])
    assert state.tobytes() == batch.states.tobytes() and not game.legal_actions(state).size
    assert game.outcome(state) == batch.outcome(0)


def test_illegal_actions_change_nothing(game: Game) -> None:
    state = game.initial_state(7)
    legal, before = game.legal_actions(state), state.tobytes()
    illegal = np.setdiff1d(np.arange(game.actions.size), legal)
    for action in (-1, -2, game.actions.size, 2**70, 0.5, "pass", None, True, *illegal.tolist()):
        with pytest.raises(IllegalActionError):
            game.step(state, action)
    assert state.tobytes() == before
    while game.actor(state)[0] >= 0:
        state = game.step(state, game.legal_actions(state)[0])
    with pytest.raises(FinishedGameError):
        game.step(state, 0)


def test_resampling_is_that_of_a_batch(game: Game) -> None:
    state = game.initial_state(7)
    before = state.tobytes()
    for seat in range(game.seats):
        batch = Batch(game, 1)
        batch.set_states([0], state)
        batch.resample(seat, seed=3)
        resampled = game.resample(state, seat, seed=3)
        assert resampled.tobytes() == batch.states.tobytes() != before
        assert (game.observe(resampled, seat) == game.observe(state, seat)).all()
    assert state.tobytes() == before


def test_states_of_any_origin(game: Game) -> None:
    batch = Batch(game, 3)
    batch.reset(seed=[5, 7, 9])
    state = game.initial_state(7)
    action = game.legal_actions(state)[-1]
    after = game.step(state, action).tobytes()
    read_only = np.frombuffer(state.tobytes(), state.dtype).view(np.recarray)
    for same in (batch.states[1:2], batch.state(1), read_only, copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
        assert game.step(same, action).tobytes() == after
    with pytest.raises(BatchError, match="invalid state of shape"):
        game.step(batch.states, action)
    with pytest.raises(BatchError, match="expected states of"):
        game.step(np.zeros(1), action)
    with pytest.raises(BatchError, match="invalid seat"):
        game.observe(state, game.seats)
    with pytest.raises(BatchError, match="invalid seed"):
        game.initial_state(2**64)
