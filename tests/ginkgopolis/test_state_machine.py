"""Anything that users do with a batch, in any order, with everything that must be true looked at after each step."""

from __future__ import annotations

import copy
import json
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule, run_state_machine_as_test

from ginkgo_env import Batch, Game, IllegalActionError, make_game

from .invariants import check_invariants

SIZE = 3
CONFIGS: list[dict[str, Any]] = [
    {"players": 1},
    {"players": 1, "level": "advanced", "strict": True},
    {"players": 2},
    {"players": 2, "setup": "introductory", "max_rounds": 2},
    {"players": 3, "strict": True},
    {"players": 4, "setup": "introductory"},
    {"players": 5},
]
_GAMES: dict[int, Game] = {}

ROWS = st.integers(0, SIZE - 1)
SEEDS = st.integers(0, 2**64 - 1)
SHARES = st.floats(0, 1, exclude_max=True)


class Table(RuleBasedStateMachine):
    """A batch, and beside it a second one that is told the same things."""

    @initialize(config=st.integers(0, len(CONFIGS) - 1), seeds=st.lists(SEEDS, min_size=SIZE, max_size=SIZE))
    def open(self, config: int, seeds: list[int]) -> None:
        if config not in _GAMES:
            _GAMES[config] = make_game("ginkgopolis", **CONFIGS[config])
        self.game = _GAMES[config]
        self.batch, self.twin = Batch(self.game, SIZE), Batch(self.game, SIZE)
        for batch in (self.batch, self.twin):
            batch.reset(seed=seeds)
        self.saved: list[tuple[dict[str, Any], bytes]] = []

    def both(self, name: str, *arguments: Any, **options: Any) -> None:
        for batch in (self.batch, self.twin):
            getattr(batch, name)(*arguments, **options)

    @rule(shares=st.lists(SHARES, min_size=SIZE, max_size=SIZE), check=st.booleans())
    def step(self, shares: list[float], check: bool) -> None:
        actions = np.full(SIZE, -1)
        for row, share in enumerate(shares):
            legal = np.flatnonzero(self.batch.mask[row])
            if len(legal):
                actions[row] = legal[int(share * len(legal))]
        before = self.batch.states["rounds"].copy()
        self.both("step", actions, check=check)
        assert (self.batch.states["rounds"] >= before).all()

    @rule(n=st.integers(1, 40))
    def play_on(self, n: int) -> None:
        for _ in range(n):
            self.both("step", self.batch.sample())
            self.twin._keys[:] = self.batch._keys

    @rule(row=ROWS, share=SHARES)
    def try_what_is_illegal(self, row: int, share: float) -> None:
        illegal = np.flatnonzero(self.batch.mask[row] == 0)
        actions = np.full(SIZE, -1)
        actions[row] = illegal[int(share * len(illegal))]
        before = self.batch.states.tobytes()
        try:
            self.batch.step(actions)
        except IllegalActionError:
            assert self.batch.states.tobytes() == before
        else:
            raise AssertionError("an illegal action was accepted")

    @rule(row=ROWS, seed=SEEDS)
    def reset(self, row: int, seed: int) -> None:
        self.both("reset", seed=[seed], rows=[row])
        assert int(self.batch.states["seed"][row]) == seed

    @rule(data=st.data(), seed=st.integers(0, 2**32))
    def resample(self, data: st.DataObject, seed: int) -> None:
        seat = data.draw(st.one_of(st.none(), st.integers(0, self.game.seats - 1)))
        seats = np.maximum(self.batch.actor, 0).astype(np.int64) if seat is None else np.full(SIZE, seat)
        before, masks, actors = self.batch.observe(seats), self.batch.mask.copy(), self.batch.actor.copy()
        scores = self.batch.scores()
        self.both("resample", seat, seed=seed)
        assert (self.batch.observe(seats) == before).all()
        assert (self.batch.actor == actors).all() and (self.batch.scores() == scores).all()
        own = actors == seats
        assert (self.batch.mask[own] == masks[own]).all()

    @rule(source=ROWS, row=ROWS)
    def copy_row(self, source: int, row: int) -> None:
        self.both("copy_rows", self.batch, [source], [row])
        assert self.batch.states[source].tobytes() == self.batch.states[row].tobytes()

    @rule(row=ROWS)
    def save(self, row: int) -> None:
        self.saved.append((self.batch.position(row), self.batch.states[row].tobytes()))

    @precondition(lambda self: self.saved)
    @rule(row=ROWS, share=SHARES)
    def load(self, row: int, share: float) -> None:
        position, wanted = self.saved[int(share * len(self.saved))]
        self.both("set_position", row, json.loads(json.dumps(position)))
        assert self.batch.states[row].tobytes() == wanted

    @rule(row=ROWS)
    def look_at_texts(self, row: int) -> None:
        state = self.batch.state(row)
        for action in np.flatnonzero(self.batch.mask[row])[:40]:
            assert self.game.parse_action(state, self.game.action_text(state, int(action))) == action
        outcome = self.batch.outcome(row)
        assert outcome.scores == tuple(self.batch.scores()[row].sum(axis=1).tolist())

    @invariant()
    def everything_holds(self) -> None:
        if not hasattr(self, "batch"):
            return
        for row in range(SIZE):
            check_invariants(self.game, self.batch.state(row))
            live = self.batch.actor[row] >= 0
            assert (self.batch.mask[row].sum(dtype=int) >= 2) == live
        assert self.batch.states.tobytes() == self.twin.states.tobytes()
        assert (self.batch.mask == self.twin.mask).all()

    @invariant()
    def the_mask_follows_from_the_state(self) -> None:
        if not hasattr(self, "batch"):
            return
        kept = copy.copy(self.batch.mask)
        self.batch.set_states([0], self.batch.states[:1].copy())
        assert (self.batch.mask == kept).all()


@pytest.mark.full
@pytest.mark.parametrize("runs", [3, 40])
def test_state_machine(runs: int) -> None:
    few = settings(derandomize=True, deadline=None, max_examples=runs, stateful_step_count=30)
    run_state_machine_as_test(Table, settings=few)
