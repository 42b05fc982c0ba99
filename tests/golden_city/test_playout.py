"""The quick play of lookahead: legal, seeded, never displacing, and far better than random play."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.jit import entry
from ginkgo_env.core.rng import GOLDEN
from ginkgo_env.games.golden_city.constants import Stage
from ginkgo_env.games.golden_city.playout import playout
from ginkgo_env.testing import at

from ..rules.golden_city.positions import Json, bidding, game_of, turn
from .random_games import PLAYERS, in_play

pytestmark = pytest.mark.full  # it compiles a loop of its own


@entry
def choose_many(states: Any, components: Any, masks: Any, keys: Any, out: Any) -> None:
    """The playout's action for each row that is not over."""
    for i in range(states.shape[0]):
        if states[i].actor >= 0:
            out[i] = playout(states[i], components[0], states[i].actor, masks[i], keys[i])


def chosen(batch: Batch, keys: np.ndarray) -> np.ndarray:
    out = np.full(batch.size, -1, np.int64)
    choose_many(batch.states.view(np.ndarray), batch.game.components, batch.mask, keys, out)
    return out


def one(position: Json, key: int = 5) -> str:
    """The playout's action at a position of two players."""
    batch = at(game_of(2), game_of(2).from_position(position))
    action = int(chosen(batch, np.array([key], np.uint64))[0])
    block, place = batch.game.actions.locate(action)
    assert batch.mask[0, action] == 1
    return f"{block.name} {place[0]}"


@pytest.mark.parametrize("players", PLAYERS)
def test_actions_are_legal_and_seeded(players: int) -> None:
    random, kinds, differ = np.random.default_rng(0), set(), 0
    for batch in in_play(players, rows=16, seed=80, every=4):
        keys = random.integers(2**63, size=16).astype(np.uint64)
        before = batch.states.tobytes()
        actions, live = chosen(batch, keys), np.flatnonzero(~batch.over)
        assert batch.mask[live, actions[live]].all()
        assert (chosen(batch, keys) == actions).all() and batch.states.tobytes() == before
        differ += (chosen(batch, keys + GOLDEN) != actions).sum()
        kinds |= set(batch.kind[live].tolist())
        bids = batch.kind == Stage.BID
        assert (batch.states["pair_seat"][bids, actions[bids]] == -1).all()  # never displaces
    assert differ > 10 and kinds >= {Stage.BID, Stage.BUILD, Stage.PAY, Stage.BONUS, Stage.GOODS, Stage.DISCARD}


@pytest.mark.parametrize("players", PLAYERS)
def test_it_scores_far_more_than_random_play(players: int) -> None:
    batch = Batch(ginkgo_env.make_game("golden_city", players=players), 24)
    batch.reset(seed=90)
    keys, mean = np.arange(24).astype(np.uint64), {}
    for name in ("playout", "random"):
        batch.reset(seed=90)
        while not batch.over.all():
            keys += GOLDEN
            batch.step(chosen(batch, keys) if name == "playout" else batch.sample())
        mean[name] = batch.scores().sum(axis=2).mean()
    assert mean["playout"] > 1.5 * mean["random"]


def test_a_pair_for_which_there_are_sites() -> None:
    """A second forest card pays for a forest suburb."""
    assert one(bidding("ff em", houses={"C1": 0})) == "bid 0"
    assert one(bidding("fe md", "f", "", houses={"C1": 0})) == "bid 0"


def test_places_payments_and_discards() -> None:
    houses = {"F5": 0}
    assert one(turn("cffe", "", houses=houses)) == "build 46"  # FO1: five letters
    # forest and forest rather than forest and two coasts
    assert one(turn("ccff", "", kind="pay", place="FO1", houses=houses)) == "pay_two 5"
    # no desert sites, and two are left for a joker
    assert one(turn("ccffddd", "", kind="discard", houses=houses)) == "discard 4"
    assert one(turn("ccffdd", "", kind="discard", houses=houses)) == "discard 4"


def test_goods_box_and_bonus() -> None:
    at_goods: dict[str, Any] = {"houses": {"C3": 0, "F3": 0}, "built": 1, "place": "F3"}
    display = ["pottery+wine", "cloth+spices", "cloth+spices"]  # cloth and spices are both new
    goods = turn("", "", kind="goods", goods=[["pottery+wine"]], display=display, stack=["wine+cloth"], **at_goods)
    assert one(goods) == "goods 5"
    five = ["pottery+wine", "pottery+wine", "wine+spices", "cloth+spices", "cloth+spices"]
    box = turn("", "", kind="box", goods=[five], **at_goods)
    assert {one(box, key) for key in range(40)} == {"box 0", "box 4", "box 5"}  # all goods of each are on others
    five = ["pottery+cloth", "wine+cloth", "wine+spices", "cloth+spices", "cloth+spices"]
    box = turn("", "", kind="box", goods=[five], **at_goods)
    assert {one(box, key) for key in range(40)} == {"box 3", "box 4", "box 5"}  # pottery is on no other
    at_bonus: dict[str, Any] = {"houses": {"C2": 0, "F1": 0}, "built": 1, "place": "F1", "coins": [20, 3]}
    assert one(turn("", "", kind="bonus", **at_bonus)) == "bonus 1"
    assert one(turn("", "", kind="bonus", bonus_taken=[[1, "coins"]], **at_bonus)) != "bonus 1"
