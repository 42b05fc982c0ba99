"""Observations and information states: equal strings mean equal views, memory is perfect, resampling keeps both."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

pyspiel = pytest.importorskip("pyspiel")

from ginkgo_env import ConfigError, text_env

from ..tiers import by_tier
from .small import OPTIONS, small

RESAMPLED = ["python_my_city(players=3)", "python_golden_city", "python_ginkgopolis", "python_ginkgopolis(players=3,modules=all)"]


def tree(state: pyspiel.State, own: dict[int, tuple[Any, ...]]) -> Iterator[tuple[pyspiel.State, dict[int, tuple[Any, ...]]]]:
    """All states of a game after the deal, with the information states and actions of each player so far."""
    if not state.is_chance_node():
        yield state, own
    for action in state.legal_actions():
        player = state.current_player()
        memory = own if player < 0 else own | {player: (*own[player], state.information_state_string(player), action)}
        yield from tree(state.child(action), memory)


def view(state: pyspiel.State, player: int) -> Any:
    """What a player sees."""
    return state.ginkgo.game.observe(state.ginkgo.state, player).tobytes()


class Views:
    """What has to be the same each time that a player has a string: the view, further values, and the mask if they decide.

    Whether others have chosen already may be hidden, so that they may have it before their decision too.
    """

    def __init__(self) -> None:
        self.seen: dict[str, Any] = {}
        self.masks: dict[str, list[int]] = {}
        self.repeated = 0

    def add(self, text: str, state: pyspiel.State, player: int, *values: Any) -> None:
        self.repeated += text in self.seen
        values = (player, view(state, player), *values)
        assert self.seen.setdefault(text, values) == values
        if state.current_player() == player:
            legal = state.legal_actions()
            assert self.masks.setdefault(text, legal) == legal


@pytest.mark.parametrize("name", by_tier(OPTIONS, ["my_city"]))
def test_equal_strings_mean_equal_views_and_memories(name: str) -> None:
    game, states, observations = small(name), Views(), Views()
    for state, own in tree(game.new_initial_state(), {0: (), 1: ()}):
        for player in range(2):
            tensor = np.array(state.information_state_tensor(player), np.float32).tobytes()
            states.add(state.information_state_string(player), state, player, tensor, own[player])
            observations.add(state.observation_string(player), state, player, state.observation_tensor(player))
    assert states.repeated > 100 and observations.repeated > states.repeated


@pytest.mark.parametrize("text", by_tier(RESAMPLED, RESAMPLED[:1]))
def test_resampling_keeps_what_the_player_knows(text: str) -> None:
    game, words = pyspiel.load_game(text), np.random.default_rng(1)
    views, hidden = Views(), 0
    for deal in range(2):
        state = game.new_initial_state().child(deal)
        while not state.is_terminal():
            player = state.current_player()
            other = state.resample_from_infostate(player, words.random)
            hidden += other.ginkgo.state.tobytes() != state.ginkgo.state.tobytes()
            assert other.history() == state.history() and view(other, player) == view(state, player)
            assert other.current_player() == player and other.legal_actions() == state.legal_actions()
            assert other.observation_string(player) == state.observation_string(player)
            assert other.information_state_string(player) == state.information_state_string(player)
            assert other.information_state_tensor(player) == state.information_state_tensor(player)
            for each in (state, other):
                for seat in range(game.num_players()):
                    views.add(each.information_state_string(seat), each, seat)
            while not other.is_terminal() and words.random() > 0.1:  # and it is a state like any other
                other.apply_action(int(words.choice(other.legal_actions())))
                seat = max(0, other.current_player())
                views.add(other.information_state_string(seat), other, seat)
            state.apply_action(int(words.choice(state.legal_actions())))
    assert hidden and views.repeated


def test_others_do_not_remember_what_was_resampled() -> None:
    """A resampled hand is not that of the past: the information state of its owner begins anew."""
    words, state = np.random.default_rng(1), pyspiel.load_game("python_ginkgopolis").new_initial_state().child(0)
    while state.move_number() < 30 or state.current_player() != 0:
        state.apply_action(int(words.choice(state.legal_actions())))
    one, two = (state.resample_from_infostate(0, words.random) for _ in range(2))
    assert len(one.information_state_string(1).splitlines()) == 2
    assert one.information_state_string(1) != two.information_state_string(1)
    assert view(one, 1) != view(two, 1)


def test_strings_are_json_lines_of_what_was_seen_and_done() -> None:
    words, state = np.random.default_rng(1), pyspiel.load_game("python_ginkgopolis").new_initial_state()
    assert state.information_state_string(1) == '{"player":1}'
    assert not any(state.information_state_tensor(1))
    chosen: list[str] = []
    while not state.is_terminal():
        action = int(words.choice(state.legal_actions()))
        if state.current_player() == 1:
            chosen.append(state.action_to_string(action))
        state.apply_action(action)
    first, *lines = map(json.loads, state.information_state_string(1).splitlines())
    assert first == {"player": 1} and [line["action"] for line in lines if "action" in line] == chosen
    game, numbers = state.ginkgo.game, np.zeros(state.ginkgo.game.observation.size, np.int64)
    for line in lines:
        assert line.keys() <= {"action", "events", "observation"} and line
        for name, changes in line.get("observation", {}).items():
            for place, value in changes.items():
                numbers[game.observation[name].start + int(place)] = value
    assert (numbers == game.observe(state.ginkgo.state, 1)).all()


def test_the_tensor_holds_the_last_changes() -> None:
    words, long = np.random.default_rng(1), pyspiel.load_game("python_my_city")
    short = pyspiel.load_game("python_my_city(recall=50)")
    one, two = long.new_initial_state(), short.new_initial_state()
    while not one.is_terminal():
        action = int(words.choice(one.legal_actions()))
        one.apply_action(action)
        two.apply_action(action)
    seen = long.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    last = short.make_py_observer(pyspiel.IIGObservationType(perfect_recall=True))
    seen.set_from(one, 1)
    last.set_from(two, 1)
    rows = seen.dict["history"][seen.dict["history"].any(axis=1)]
    assert (last.dict["history"] == rows[-50:]).all() and len(rows) > 50
    own = [pair.action for pair in one.full_history() if pair.player == 1]
    assert rows[rows[:, 0] < 0, 1].astype(int).tolist() == own
    game, numbers = one.ginkgo.game, np.zeros(one.ginkgo.game.observation.size)
    for place, value in rows[rows[:, 0] > 0].astype(int):
        numbers[place - 1] = value
    assert (numbers == game.observe(one.ginkgo.state, 1)).all()
    for name in game.observation:
        assert (seen.dict[name].ravel() == numbers[game.observation[name].slice]).all()


def test_observations_as_text() -> None:
    """They are those of the text environment, move by move; partial ones and memories stay JSON."""
    game = pyspiel.load_game("python_golden_city(strings=text,seed=5)")
    state, env = game.new_initial_state().child(2), text_env("golden_city", seat="all")
    observation, info = env.reset(seed=7)
    for _ in range(60):
        player = state.current_player()
        assert info["seat"] == player and state.observation_string(player) == observation
        assert observation.endswith(f"Legal actions: {', '.join(map(state.action_to_string, state.legal_actions()))}")
        for other in {0, 1, 2} - {player}:
            assert state.observation_string(other) == game.ginkgo.describe(state.ginkgo.state, other)
        action = state.legal_actions()[-1]
        observation, *_, info = env.step(state.action_to_string(action))
        state.apply_action(action)
    assert json.loads(state.information_state_string(0).splitlines()[0]) == {"player": 0}
    public = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, private_info=pyspiel.PrivateInfoType.NONE))
    assert json.loads(public.string_from(state, 0).splitlines()[0]) == {"player": 0}


def test_public_and_private_observations() -> None:
    game = pyspiel.load_game("python_ginkgopolis")
    state, layout, kinds = game.new_initial_state().child(1), game.ginkgo.observation, pyspiel.PrivateInfoType
    public = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, private_info=kinds.NONE))
    private = game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=False, public_info=False))
    assert {*public.dict} & {*private.dict} == {"player"} and {*public.dict} | {*private.dict} == {"player", *layout}
    seen = game.ginkgo.observe(state.ginkgo.state, 1)
    for observer in (public, private):
        observer.set_from(state, 1)
        text = json.loads(observer.string_from(state, 1).splitlines()[1])
        for name in {*observer.dict} - {"player"}:
            numbers = seen[layout[name].slice]
            assert (observer.dict[name].ravel() == numbers).all()
            assert text.get(name, {}) == {str(i): numbers[i] for i in np.flatnonzero(numbers)}
    two = state.resample_from_infostate(0, np.random.default_rng(1).random)
    assert public.string_from(two, 1) == public.string_from(state, 1)
    assert private.string_from(two, 1) != private.string_from(state, 1)


def test_other_observers_are_refused() -> None:
    game = pyspiel.load_game("python_my_city")
    kinds = pyspiel.PrivateInfoType
    for recall, wrong in (
        (False, {"private_info": kinds.ALL_PLAYERS}),
        (True, {"private_info": kinds.NONE}),
        (True, {"public_info": False}),
    ):
        with pytest.raises(ConfigError, match="observer"):
            game.make_py_observer(pyspiel.IIGObservationType(perfect_recall=recall, **wrong))
    with pytest.raises(ConfigError, match="observer"):
        game.make_py_observer(None, {"planes": True})
