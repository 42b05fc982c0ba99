"""Junk at the boundaries: a call returns or raises a Python exception, and a refused one changes nothing.

Boundaries are configurations, files, and the public methods that hand indices, seats, actions, random keys or states to compiled
code. Compiled code checks no bounds: a missing check may end the process that runs a test. Each parameter gets every value of a
table, and every variant of a right value; the other parameters are right. The command line and HTTP have tests of their own, in
``tests/cli`` and ``tests/table``, as have damaged files.
"""

from __future__ import annotations

import random
import warnings
from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

import ginkgo_env
from ginkgo_agents.base import DecisionBatch, FunctionAgent, act, nth_keys, sample_legal
from ginkgo_agents.playouts import Playouts
from ginkgo_agents.process import ProcessAgent
from ginkgo_agents.registry import make_agent
from ginkgo_env import Batch, BatchError, ConfigError, Game, GinkgoError, PositionError, Record, make_game, replay
from ginkgo_env.core.afterstates import look_ahead
from ginkgo_env.core.game import MAX_WIDTH, MIN_WIDTH
from ginkgo_env.core.playback import Playback
from ginkgo_env.envs.one_game import OneGame
from ginkgo_env.registry import OWN_GAMES, game_class
from ginkgo_env.testing import fresh, visited
from ginkgo_env.testing.play import each

from ..junk import NESTED, at, is_refused, paths, replaced
from ..tiers import by_tier

Json = dict[str, Any]
ROWS = 3
SOME: dict[str, Json] = {name: game_class(name).configurations()[-1] for name in ginkgo_env.GAMES}
"""A configuration of each game: the last one is the largest."""


# --- junk ------------------------------------------------------------------------------------------------------------------

PLAIN: list[Any] = [
    *(None, True, False, -1, 0, 1, 2, 7, 99, 2**31, 2**62, 2**63, 2**64 - 1, 10**30, 10**5000, -(2**63), -(10**30)),
    *(0.5, 1.0, 1e300, 1j, float("nan"), float("inf"), "", " ", "x", "0", "x" * 5000, "\ud800", "\x1b]0;owned\x07", "a\0b"),
    *(b"x", object(), int, len, (), (0,), [], [0], [[0]], [None], [1, [2, 3]], NESTED, {}, {"x": 1}, {0}, range(3)),
    *(np.int8(1), np.uint64(2**64 - 1), np.float64("nan"), np.True_, np.str_("x"), np.datetime64("NaT"), np.timedelta64(1, "D")),
    *(np.array(0), np.array(99), np.zeros(0), np.zeros((2, 2)), np.full(ROWS, np.nan), np.array(["x"] * ROWS)),
    *(np.full(ROWS, True), np.array([None, 1, 2]), np.zeros((ROWS, 0, 2), np.float32), np.zeros(ROWS, "m8[s]")),
    *(np.zeros(ROWS, [("rng", np.uint64)]), np.ma.masked_array([0, 1, 2], [True, False, False])),
    *(np.full(ROWS, value) for value in (-1, -2, 2**31, 2**62, -(2**63))),
    *(np.full(ROWS, 2**64 - 1, np.uint64), np.full(ROWS, 2**63, np.uint64), [0, 10**30, 0], [0, -1, 2**62], [0, "x", 1]),
]
"""Values of many types, few of them right."""


def variants(right: Any) -> list[Any]:
    """Values that resemble a right one: other shapes, orders, dtypes, numbers and entries."""
    if isinstance(right, np.ndarray):
        changed: list[Any] = [right[:0], right[1:], np.concatenate([right, right]), right[None], right[..., None], right.tolist()]
        changed += [right[::-1], np.repeat(right, 2, axis=0)[::2], np.asfortranarray(right), right.copy().astype(object)]
        if right.dtype.names:
            return [*changed, right.view(np.uint8), right.astype(right.dtype.newbyteorder())]
        changed += [right.astype(kind) for kind in ("f8", ">i8", "u1", "i2", "U8", "c16")]
        return [*changed, *(np.full(right.shape, number) for number in (-1, 2**31, 2**62, -(2**63)))]
    if isinstance(right, tuple):
        make = getattr(right, "_make", tuple)
        return [right[:-1], (*right, *right), *(make((*right[:-1], odd)) for odd in PLAIN), list(right)]
    if isinstance(right, dict):
        return [{}, {**right, 7: 1}, *({**right, key: odd} for key in right for odd in PLAIN)]
    if isinstance(right, str):
        return [right + "x", right.upper(), f" {right}", right.encode(), [right]]
    return []


def junk(right: Any) -> list[Any]:
    return [*PLAIN, *variants(right)]


# --- calls that reach compiled code ----------------------------------------------------------------------------------------


class Call(NamedTuple):
    """A call of a boundary: a function of the fixtures and of arguments, and right arguments."""

    function: Callable[..., Any]
    right: dict[str, Any]


class Fixtures:
    """A batch, a turn and the like of a game, a few decisions after the start."""

    def __init__(self, game: Game, steps: int = 6) -> None:
        self.game, self.batch, self.other = game, fresh(game, ROWS, 1), fresh(game, ROWS, 2, autoreset=True, keep_last=True)
        for _ in range(steps):
            self.batch.step(self.batch.sample())
            self.other.step(self.other.sample())
        self.keys = np.arange(ROWS, dtype=np.uint64)
        self.turn = DecisionBatch(self.batch, np.flatnonzero(~self.batch.over), self.keys[~self.batch.over])
        self.state = self.batch.state(0).copy()
        self.playback = Playback(game)
        self.playback.start(1)
        self.one = OneGame(game, "score")
        self.playouts = Playouts(game, None, None, 1, 0.5)
        self.random_agent, self.search_agent = make_agent("random"), make_agent("search:simulations=2")

    def contents(self) -> list[bytes]:
        """Everything that a refused call must not change."""
        names = ("states", "mask", "done", "truncated", "rewards", "totals", "_keys", "_seeds", "_sets")
        arrays = [getattr(batch, name) for batch in (self.batch, self.other) for name in names]
        arrays += [
            self.turn.masks,
            self.turn.keys,
            self.turn.seats,
            self.state,
            self.playback.states,
            self.one.states,
            self.keys,
        ]
        return [array.tobytes() for array in arrays]


def calls(f: Fixtures) -> dict[str, Call]:
    """The calls by name, with right arguments for these fixtures."""
    game, batch, turn = f.game, f.batch, f.turn
    rows, seats = np.arange(ROWS), np.zeros(ROWS, np.int64)
    action, legal = int(game.legal_actions(f.state)[0]), batch.legal_actions()
    first = legal.actions[legal.offsets[:-1]] if not batch.over.any() else batch.sample()
    out = np.empty((ROWS, game.observation.size), game.observation_dtype)
    worlds = np.repeat(batch.states, 2).reshape(ROWS, 2).view(np.ndarray)
    after = batch.afterstates(1, seed=1)
    points, masks = game.points(f.state)[0], np.array(batch.mask)
    live, n = np.zeros(len(turn), np.int64), len(turn)
    own = turn.legal_actions()
    chosen = np.full(n, own.actions[0] if n else 0)
    view = {"until": "round", "view": "features"}
    return {
        "Batch": Call(
            lambda **a: Batch(**a).close(), {"game": game, "size": 2, "threads": 1, "autoreset": True, "reward": "score"}
        ),
        "Batch.reset": Call(batch.reset, {"seed": 3, "rows": rows[:2]}),
        "Batch.reset of seeds": Call(batch.reset, {"seed": np.arange(ROWS, dtype=np.uint64)}),
        "Batch.step": Call(batch.step, {"actions": first}),
        "Batch.observe": Call(batch.observe, {"seat": seats, "out": out}),
        "Batch.features": Call(batch.features, {"seat": seats, "out": None}),
        "Batch.observe_last": Call(f.other.observe_last, {"seat": 0, "view": "blocks"}),
        "Batch.afterstates": Call(batch.afterstates, {"worlds": 1, "seed": 1, "legal": legal, "average": False, **view}),
        "Batch.outcome": Call(batch.outcome, {"row": 0}),
        "Batch.state": Call(batch.state, {"row": 0}),
        "Batch.position": Call(batch.position, {"row": 0}),
        "Batch.set_position": Call(batch.set_position, {"row": 0, "position": batch.position(1)}),
        "Batch.set_states": Call(batch.set_states, {"rows": rows, "states": batch.states.copy()}),
        "Batch.copy_rows": Call(batch.copy_rows, {"source": f.other, "source_rows": rows[:2], "rows": rows[1:]}),
        "Batch.resample": Call(batch.resample, {"seat": seats, "seed": 1}),
        "initial_state": Call(game.initial_state, {"seed": 1}),
        "legal_actions": Call(game.legal_actions, {"state": f.state}),
        "step": Call(game.step, {"state": f.state, "action": action}),
        "observe": Call(game.observe, {"state": f.state, "seat": 0}),
        "resample": Call(game.resample, {"state": f.state, "seat": 0, "seed": 1}),
        "outcome": Call(game.outcome, {"state": f.state}),
        "points": Call(game.points, {"state": f.state}),
        "breakdown": Call(game.breakdown, {"state": f.state, "points": points}),
        "find_flaw": Call(game.find_flaw, {"states": batch.states.copy()}),
        "validated": Call(game.validated, {"state": f.state, "position": game.position(f.state)}),
        "position": Call(game.position, {"state": f.state}),
        "visible": Call(game.visible, {"seat": 0, "before": None, "action": -1, "after": f.state, "rows": []}),
        "configuration_of": Call(game.configuration_of, {"states": batch.states.copy()}),
        "illegal_action": Call(game.illegal_action, {"state": f.state, "action": 0}),
        "action_text": Call(game.action_text, {"state": f.state, "action": action}),
        "describe": Call(game.describe, {"state": f.state, "seat": 0, "names": game.side_names, "width": 100}),
        "Playback.start": Call(f.playback.start, {"seed": 1}),
        "Playback.continue_from": Call(f.playback.continue_from, {"state": f.state}),
        "Playback.play": Call(f.playback.play, {"action": int(np.flatnonzero(f.playback.mask[0])[0])}),
        "OneGame.step": Call(f.one.step, {"action": int(f.one.legal.argmax())}),
        "look_ahead": Call(
            lambda **a: look_ahead(game, run=turn.threads.run, **a),
            {"worlds": worlds, "seats": seats, "legal": legal, "keys": f.keys, "average": True, **view},
        ),
        "Afterstates.rewards": Call(after.rewards, {"reward": "margin", "seats": seats}),
        "act": Call(act, {"agent": f.random_agent, "batch": batch, "keys": f.keys}),
        "DecisionBatch": Call(DecisionBatch, {"batch": batch, "rows": rows, "keys": f.keys}),
        "DecisionBatch.afterstates": Call(turn.afterstates, {"worlds": 1, "salt": 1, "legal": own, "average": False, **view}),
        "DecisionBatch.resampled_states": Call(turn.resampled_states, {"n": 2, "salt": 1}),
        "DecisionBatch.resampled_batch": Call(turn.resampled_batch, {"n": 1, "salt": 1}),
        "DecisionBatch.search": Call(turn.search, {"agent": f.search_agent}),
        "DecisionBatch.with_layouts_of": Call(turn.with_layouts_of, {"options": {"padded": True}}),
        "Playouts.values": Call(f.playouts.values, {"turn": turn, "rows": live, "actions": chosen, "keys": f.keys[:n]}),
        "Agent.act": Call(f.random_agent.act, {"turn": turn}),
        "sample_legal": Call(sample_legal, {"masks": masks, "keys": f.keys}),
        "nth_keys": Call(nth_keys, {"keys": f.keys, "n": 1}),
    }


FUNCTIONS = {"reward"}
"""Parameters that take a function: what it does is its author's matter."""


@pytest.mark.parametrize("steps", [6, pytest.param(14, marks=pytest.mark.full)])
@pytest.mark.parametrize("name", SOME)
def test_calls_that_reach_compiled_code(name: str, steps: int) -> None:
    f = Fixtures(make_game(name, **SOME[name]), steps)
    for what, call in calls(f).items():
        for parameter, value in call.right.items():
            for odd in junk(value):
                if callable(odd) and parameter in FUNCTIONS:
                    continue
                before = f.contents()
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore")
                    try:
                        call.function(**{**call.right, parameter: odd})
                    except Exception as error:
                        assert f.contents() == before, f"{what}({parameter}={type(odd).__name__}): {error!r}, but changed"


@pytest.mark.parametrize("name", SOME)
def test_right_arguments_are_accepted(name: str) -> None:
    """Otherwise the calls above would be refused for another reason than their junk."""
    game = make_game(name, **SOME[name])
    for what in calls(Fixtures(game)):
        call = calls(Fixtures(game))[what]
        call.function(**call.right)


@pytest.mark.parametrize("name", SOME)
def test_only_a_state_is_taken_for_a_state(name: str) -> None:
    """A kernel that reads outside of an array need not crash, so each of these has to be refused."""
    f = Fixtures(make_game(name, **SOME[name]))
    in_python = {"action_text"} | ({"breakdown"} if type(f.game).breakdown is Game.breakdown else set())  # checks bounds itself
    for what, call in calls(f).items():
        if "state" not in call.right or what in in_python:
            continue
        state = call.right["state"]
        for odd in [*PLAIN, state[:0], np.concatenate([state, state]), state[None], state[0], state.view(np.uint8)]:
            with pytest.raises(GinkgoError):
                call.function(**{**call.right, "state": odd})


@pytest.mark.parametrize("name", OWN_GAMES)
def test_widths_of_texts(name: str) -> None:
    game = make_game(name)
    for width in (MIN_WIDTH - 1, MAX_WIDTH + 1):
        with pytest.raises(BatchError, match=f"invalid width {width}; expected {MIN_WIDTH}..{MAX_WIDTH}"):
            game.describe(game.initial_state(1), width=width)


def test_arguments_of_a_batch_are_refused_by_typed_errors() -> None:
    f = Fixtures(make_game("my_city", players=2))
    for name, call in calls(f).items():
        for parameter, value in call.right.items() if name.startswith("Batch.") else ():
            for odd in junk(value):
                try:
                    call.function(**{**call.right, parameter: odd})
                except GinkgoError as error:
                    assert 10 < len(str(error)) < 300 and str(error).isprintable()


def test_masks_and_tensors_without_numbers_are_refused() -> None:
    torch = pytest.importorskip("torch")
    batch = fresh(make_game("my_city", players=2), 2, 1)
    no_numbers = [np.ma.array(batch.sample(), mask=True), torch.ones(2, requires_grad=True), torch.ones(2, device="meta").long()]
    for odd in no_numbers:
        for call in (batch.step, batch.observe, batch.resample, lambda odd: batch.copy_rows(batch, odd, [0, 1])):
            with pytest.raises(BatchError):
                call(odd)
    env = ginkgo_env.GinkgoEnv("my_city")
    env.reset(seed=1)
    for single in (np.ma.masked, np.ma.array(3, mask=True), torch.ones((), device="meta").long()):
        with pytest.raises(GinkgoError):
            env.step(single)


def test_states_of_other_dtypes_are_refused() -> None:
    batch = fresh(make_game("my_city", players=2), 2, 1)
    overlapping = np.zeros(1, np.dtype({"names": ["a", "b"], "formats": ["<i8", "<i8"], "offsets": [0, 4]}))
    for odd in (overlapping, np.ma.array(batch.states[:1])):
        for call in (lambda odd: batch.set_states([0], odd), batch.game.find_flaw, batch.game.checked_states):
            with pytest.raises(BatchError, match="expected states of my_city"):
                call(odd)


def test_a_finished_game_takes_no_action() -> None:
    batch = fresh(make_game("my_city", players=2), 2, 1)
    while not batch.over.all():
        batch.step(batch.sample())
    before = batch.states.tobytes()
    for action in (0, batch.game.actions.size - 1, 10**6, -2):
        with pytest.raises(ginkgo_env.FinishedGameError):
            batch.step([-1, action])
    assert batch.states.tobytes() == before


@pytest.mark.parametrize("size", [10**30, 2**40, 2**63, 2**64])
def test_batches_larger_than_the_memory(size: int) -> None:
    with pytest.raises(ginkgo_env.BatchError, match="GiB of memory"):
        Batch(make_game("my_city"), size)


def test_an_allocation_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(Batch, "_allocate", fail)
    with pytest.raises(ginkgo_env.BatchError, match=r"invalid size 1000: .* takes 1 GiB"):
        Batch(make_game(players=2), 1000)


def test_seeds_of_any_integer_type_are_equal() -> None:
    game = make_game("my_city", players=2)
    batch, wanted = Batch(game, ROWS), fresh(game, ROWS, 7).states.tobytes()
    for seed in (np.array(7), np.int8(7), np.uint64(7)):
        batch.reset(seed)
        assert batch.states.tobytes() == wanted
    other = Batch(game, ROWS)
    batch.reset(np.array([7, 8, 9], np.uint8))
    other.reset([7, 8, 9])
    assert batch.states.tobytes() == other.states.tobytes()


def test_read_only_output_is_refused() -> None:
    batch = fresh(make_game("my_city", players=2), ROWS, 1)
    out = batch.observe()
    out.flags.writeable = False
    with pytest.raises(ginkgo_env.BatchError, match="writable"):
        batch.observe(out=out)


def test_actions_of_agents() -> None:
    """What an agent or an opponent returns is checked before it is played."""
    batch = fresh(make_game("my_city", players=2), ROWS, 1)
    for odd in [*PLAIN, np.full(ROWS, 10**6), np.full(ROWS, -1), np.full(ROWS, -2)]:
        before = batch.states.tobytes()
        for agent in (FunctionAgent(lambda decision, odd=odd: odd), FunctionAgent(lambda decision, odd=odd: np.ravel(odd))):
            try:
                batch.step(act(agent, batch, np.arange(ROWS, dtype=np.uint64)))
            except Exception:
                assert batch.states.tobytes() == before
        env = ginkgo_env.GinkgoVectorEnv("my_city", num_envs=ROWS, players=2, opponents=lambda seen, masks, odd=odd: odd)
        try:
            env.reset(seed=1)
            env.step(env.learner.batch.sample())
        except Exception as error:
            assert str(error)


# --- environments ----------------------------------------------------------------------------------------------------------


def contents(env: Any) -> bytes:
    """The bytes of the games of an environment."""
    inner = getattr(env, "_env", env)  # text_env
    inner = getattr(inner, "_aec", inner)  # parallel_env
    games = inner.learner.batch if hasattr(inner, "learner") else inner._one
    return bytes(games.states.tobytes() + games.mask.tobytes())


ENVIRONMENTS: dict[str, tuple[Callable[[], Any], Callable[[Any], Any]]] = {
    "raw_env": (lambda: ginkgo_env.raw_env("my_city", players=2), lambda env: int(env._one.legal.argmax())),
    "parallel_env": (
        lambda: ginkgo_env.parallel_env("my_city", players=2),
        lambda env: {agent: int(env._masks[agent].argmax()) for agent in env.agents},
    ),
    "GinkgoEnv": (lambda: ginkgo_env.GinkgoEnv("my_city", players=2), lambda env: int(env.action_masks().argmax())),
    "GinkgoVectorEnv": (
        lambda: ginkgo_env.GinkgoVectorEnv("my_city", num_envs=ROWS, players=2),
        lambda env: env.action_masks().argmax(axis=1),
    ),
    "text_env": (lambda: ginkgo_env.text_env("my_city", players=2), lambda env: "pass"),
}
"""Environments with a right action for each."""


@pytest.mark.parametrize("name", ENVIRONMENTS)
def test_environments(name: str) -> None:
    make, right = ENVIRONMENTS[name]
    env = make()
    env.reset(seed=1)
    for odd in junk(right(env)):
        for call in (lambda odd=odd: env.step(odd), lambda odd=odd: env.reset(seed=odd)):
            before = contents(env)
            try:
                call()
            except Exception:
                assert contents(env) == before
                continue
            env.reset(seed=1)
    if name == "raw_env":
        for odd in junk("player_0"):
            with pytest.raises((GinkgoError, TypeError, KeyError)):
                env.observe(odd)


# --- configurations and settings -------------------------------------------------------------------------------------------


def only_typed_errors(call: Callable[[], Any]) -> None:
    """Call; anything raised but a GinkgoError with a short sentence fails the test."""
    try:
        call()
    except GinkgoError as error:
        assert 10 < len(str(error)) < 300 and str(error).isprintable()


def test_names_and_options_of_games() -> None:
    for odd in PLAIN:
        for make in (make_game, ginkgo_env.raw_env, ginkgo_env.GinkgoEnv):
            only_typed_errors(lambda make=make, odd=odd: make(odd))
        for name, config in SOME.items():
            for option in game_class(name)().config_dict.keys() | {"x", "mixture"}:
                only_typed_errors(partial(make_game, name, **{**config, option: odd}))
    for name in ("x", "", "long " * 500, "\x1b]0;owned\x07", "self"):
        only_typed_errors(partial(make_game, **{name: 1}))
        with pytest.raises(ConfigError, match="option"):
            make_game(**{name: 1})
    with pytest.raises(ConfigError, match="option"):
        make_game(**{f"option_{i}": i for i in range(500)})
    with pytest.raises(ConfigError, match="duplicate"):
        make_game(modules=iter(lambda: "events", None))  # endless


def test_names_and_options_of_agents() -> None:
    names = ["random", "greedy", "lookahead", "search", "ppo", "process"]
    options = ["worlds", "sample", "temperature", "belief", "simulations", "prior", "root", "checkpoint", "seconds", "x"]
    for odd in ["", "-1", "1e999", "nan", "x", "5", "2000000000", "None", "\ud800", "a\0b", "no/such.npz"]:
        only_typed_errors(lambda odd=odd: make_agent(odd))
        for name in names:
            for option in options:
                only_typed_errors(lambda name=name, option=option, odd=odd: make_agent(f"{name}:{option}={odd}"))


def test_time_limits_of_processes() -> None:
    for odd in (-1e30, 0, float("nan"), float("inf")):
        with pytest.raises(ConfigError, match="invalid seconds"):
            ProcessAgent("cat", seconds=odd)


def test_infinite_settings_are_refused() -> None:
    settings = pytest.importorskip("ginkgo_training.settings")
    for field in ("vf_coef", "ent_coef", "max_grad_norm", "learning_rate"):
        for odd in (float("inf"), float("nan"), 1e300):
            with pytest.raises(ConfigError, match=field):
                settings.PpoSettings(**{field: odd})


def test_settings() -> None:
    settings = pytest.importorskip("ginkgo_training.settings")
    kinds = [settings.LookaheadSettings, settings.PpoSettings, settings.SearchSettings, settings.OpponentSettings]
    for kind in kinds:
        for field in kind.__struct_fields__:
            for odd in PLAIN:
                only_typed_errors(lambda kind=kind, field=field, odd=odd: kind(**{field: odd}))


# --- files and plain data --------------------------------------------------------------------------------------------------


CASES = [(name, k) for name in SOME for k in range(len(game_class(name).configurations()))]
LARGEST = [(name, len(game_class(name).configurations()) - 1) for name in SOME]
EVERY_CONFIGURATION = pytest.mark.parametrize("case", by_tier(CASES, LARGEST), ids=str)


@cache
def positions(case: tuple[str, int]) -> tuple[Game, list[Json]]:
    """A game and positions of every kind of decision, and of finished games."""
    name, k = case
    game = make_game(name, **game_class(name).configurations()[k])
    return game, [game.position(state) for state in each(visited(game, seed=1, n=12, rows=4, finished=True))]


def leaves(value: Any) -> Iterator[Any]:
    """The numbers and texts in plain data."""
    for path in paths(value):
        if not isinstance(inner := at(value, path), dict | list):
            yield inner


def test_positions_of_another_configuration_are_refused() -> None:
    position = make_game(players=2).position(make_game(players=2).initial_state(1))
    for config in ({"players": 3}, {"players": 5, "modules": ["events", "keep_card"], "max_rounds": 7, "strict": True}):
        assert is_refused(make_game(**config), position)
    with pytest.raises(PositionError, match=r"config\.players: expected 3, got 2"):
        make_game(players=3).from_position(position)


def play_on(game: Game, position: Json, seed: int) -> None:
    """Play an accepted position to its end: it can be described and seen, and is read again as it was written."""
    batch, rng = Batch(game, 1), random.Random(seed)
    batch.set_position(0, position)
    for step in range(2_000):
        if step % 5 == 0 or batch.over[0]:
            assert game.from_position(batch.position(0)).tobytes() == batch.states.tobytes()
            assert game.describe(batch.state(0))
            for seat in range(game.seats):
                batch.observe(seat)
        if batch.over[0]:
            game.outcome(batch.state(0))
            return
        batch.step([rng.choice(np.flatnonzero(batch.mask[0]).tolist())])
    raise AssertionError("not over after 2000 decisions")


@pytest.mark.parametrize("share", [211, pytest.param(11, marks=pytest.mark.full)])
@EVERY_CONFIGURATION
def test_positions_with_junk_in_any_place_are_refused_or_playable(case: tuple[str, int], share: int) -> None:
    """In each place of a position a value that is not of it, or one from another place."""
    game, known = positions(case)
    rng, accepted = random.Random(share), 0
    for position in known:
        values = [*(value for value in PLAIN if not isinstance(value, np.ndarray)), *dict.fromkeys(leaves(position))]
        for path in paths(position):
            for value in rng.sample(values, max(1, len(values) // share)):
                changed = replaced(position, path, value)
                if not is_refused(game, changed) and accepted < 20:
                    play_on(game, changed, accepted)
                    accepted += 1


@EVERY_CONFIGURATION
def test_junk_instead_of_a_position(case: tuple[str, int]) -> None:
    game, known = positions(case)
    batch = fresh(game, 2, 1)
    before = batch.states.tobytes()
    for odd in PLAIN:
        assert is_refused(game, odd)
        with pytest.raises(PositionError):
            batch.set_position(1, odd)
        with pytest.raises(PositionError):
            batch.set_position(1, {**known[0], "config": odd})
    assert batch.states.tobytes() == before


def test_texts_of_actions() -> None:
    for name in SOME:
        game = make_game(name, **SOME[name])
        for state in each(visited(game, seed=1, n=8)):
            for text in [*game.actions, *(f"{block}:" for block in game.actions), "", "?", ":", "+", "R7+", "\ud800", "x" * 5000]:
                only_typed_errors(lambda game=game, state=state, text=text: game.parse_action(state, text))


def lines() -> list[Json]:
    record = Record.from_actions(make_game("my_city", players=2), 3, [])
    return [record.header, *record.lines]


def test_records() -> None:
    game = make_game("my_city")
    calls: list[Callable[[Any], Any]] = [
        Record,
        Record.read,
        lambda odd: Record([odd]),
        lambda odd: Record.from_actions(game, odd, []),
        lambda odd: Record.from_actions(game, 3, odd),
        lambda odd: Record.from_actions(game, 3, [odd]),
        lambda odd: Record.from_actions(game, 3, [], odd),
        lambda odd: Record(lines()).seen_by(odd),
        lambda odd: list(replay(Record(lines()), odd)),
    ]
    for call in calls:
        for odd in PLAIN:
            only_typed_errors(lambda call=call, odd=odd: call(odd))


def test_every_field_of_a_record() -> None:
    """Each field with each value, replaced and beside it as a key."""
    given = lines()
    for k, line in enumerate(given):
        for path in paths(line):
            for odd in PLAIN:
                changed = [*given[:k], replaced(line, path, odd), *given[k + 1 :]]
                only_typed_errors(lambda changed=changed: list(replay(Record(changed))))
                if isinstance(odd, str | int) and isinstance(home := at(line, path), dict):
                    changed[k] = replaced(line, path, {**home, odd: 1})
                    only_typed_errors(lambda changed=changed: list(replay(Record(changed))))
    assert list(replay(Record(given)))


def test_writing_to_odd_places(tmp_path: Path) -> None:
    record = Record(lines())
    for path in ("a\0b", tmp_path, tmp_path / "no" / "such" / "folder", "x" * 5000):
        with pytest.raises(ginkgo_env.RecordError):
            record.write(path)
