"""An analysis knows no more than the seat did: what differs only in things that the seat cannot know is analysed alike.

Pairs of records differ in a choice that the seat has not learned (``analysed.paired_records``), in The three cards in the other's
card. Positions are compared in pairs (``ginkgo_env.testing.hidden``).
"""

from __future__ import annotations

from itertools import islice
from typing import Any

import numpy as np
import pytest

from ginkgo_agents import analyze
from ginkgo_agents.base import DecisionBatch
from ginkgo_env.core.game import Game
from ginkgo_env.records import Record, replay
from ginkgo_env.registry import make_game
from ginkgo_env.testing.hidden import indistinguishable_pairs
from ginkgo_env.testing.play import without_streams

from ..tiers import by_tier
from .analysed import actions_of, after, paired_records

CASES = [
    ("ginkgopolis", {"players": 2}),
    ("ginkgopolis", {"players": 3, "modules": ("events", "experts", "keep_card", "prestige")}),
    ("golden_city", {"players": 4}),
    ("my_city", {"players": 2}),
]
FEW = 2


def decisions(source: Any, agent: str, **options: Any) -> list[dict[str, Any]]:
    """The decisions of an analysis as plain data, without the action taken, which may follow from other things."""
    found: list[dict[str, Any]] = analyze(source, agent, worlds=4, **options).to_dict()["decisions"]
    return found


BY_AGENT = [(name, config, agent) for name, config in CASES for agent in ("lookahead", "random")]


@pytest.mark.full
@pytest.mark.parametrize("case", BY_AGENT, ids=str)
def test_records_that_differ_in_a_choice_that_the_seat_has_not_learned(case: tuple[str, dict[str, Any], str]):
    name, config, agent = case
    if "modules" in config and agent == "lookahead":
        config = {**config, "players": 2}
    game = make_game(name, **config)
    pairs = paired_records(game, 3, actions_of(game, 3))
    assert len(pairs) >= FEW
    for step, one, other in pairs[:: len(pairs) // FEW]:
        assert one.lines != other.lines
        assert decisions(one, agent, step=step) == decisions(other, agent, step=step), f"step {step}"


def test_records_that_differ_in_the_card_of_the_other(trial_game: str):
    """The same choices, the same own card: the seat's decision is analysed alike, whatever the other holds."""
    game = make_game(trial_game, players=2)
    records = dict[Any, list[Record]]()
    for seed in range(40):
        record = Record.from_actions(game, seed, [1, *after_the_first(game, seed)])
        records.setdefault(after(game, seed, []).observe(0).tobytes(), []).append(record)
    compared = 0
    for group in records.values():
        own = [decisions(record, "random", seat=0) for record in group]
        assert all(found == own[0] for found in own)
        compared += len({hidden(record) for record in group}) > 1
    assert compared > 1, "the other's card is the same in all"


def after_the_first(game: Game, seed: int) -> list[int]:
    return np.flatnonzero(after(game, seed, [1]).mask[0])[:1].tolist()


def hidden(record: Record) -> bytes:
    """The state after the deal, but for random numbers."""
    return bytes(without_streams(next(iter(replay(record))).state[0]))


@pytest.mark.parametrize("case", by_tier(CASES, CASES[3:]), ids=str)
def test_positions_that_the_seat_cannot_tell_apart(case: tuple[str, dict[str, Any]]):
    name, config = case
    game, compared = make_game(name, **config), 0
    for one, other in islice(indistinguishable_pairs(game, 0, seed=1, rows=1), 5, 60):
        if one.over[0] or one.actor[0] != 0 or compared == 2 * FEW:
            continue
        pair = one.position(0), other.position(0)
        if pair[0] != pair[1] and (one.observe(0) == other.observe(0)).all():
            assert decisions(pair[0], "random") == decisions(pair[1], "random")
            compared += 1
    assert compared >= FEW


@pytest.mark.full
def test_one_that_looked_would_be_found_out(monkeypatch: pytest.MonkeyPatch):
    """The same comparison with worlds that are no deals but the true state: it must fail."""
    game = make_game("ginkgopolis", players=2)
    pairs = paired_records(game, 3, actions_of(game, 3))
    made = DecisionBatch.__init__

    def looking(self: DecisionBatch, batch: Any, rows: Any, keys: Any, threads: Any = None) -> None:
        made(self, batch, rows, keys, threads)
        true = batch.states[rows].copy()
        self._resample = lambda n, salt: np.repeat(true, n).view(np.recarray)

    monkeypatch.setattr(DecisionBatch, "__init__", looking)
    found = ([decisions(record, "random", step=step) for record in pair] for step, *pair in pairs)
    assert any(one != other for one, other in found)
