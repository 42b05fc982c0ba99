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
from ginkgo_env.games.golden_city.knowledge.playout import playout

from .random_games import PLAYERS, crafted, in_play, pad, repeated


@entry
def choose_many(states: Any, tables: Any, masks: Any, words: Any, out: Any) -> None:
    """The playout's action for each row that is not over."""
    for i in range(states.shape[0]):
        if states[i].actor >= 0:
            out[i] = playout(states[i], tables[0], states[i].actor, masks[i], words[i])


def chosen(batch: Batch, words: np.ndarray) -> np.ndarray:
    out = np.full(batch.size, -1, np.int64)
    choose_many(batch.states.view(np.ndarray), batch.game.tables, batch.mask, words, out)
    return out


def one(players: int, state: Any, word: int = 5) -> str:
    batch = repeated(players, state, 1)
    action = int(chosen(batch, np.array([word], np.uint64))[0])
    block, place = batch.game.actions.locate(action)
    assert batch.mask[0, action] == 1
    return f"{block.name} {place[0]}"


@pytest.mark.parametrize("players", PLAYERS)
def test_actions_are_legal_and_seeded(players: int) -> None:
    random, kinds, differ = np.random.default_rng(0), set(), 0
    for batch in in_play(players, rows=16, seed=80, every=4):
        words = random.integers(2**63, size=16).astype(np.uint64)
        before = batch.states.tobytes()
        actions, live = chosen(batch, words), np.flatnonzero(~batch.over)
        assert batch.mask[live, actions[live]].all()
        assert (chosen(batch, words) == actions).all() and batch.states.tobytes() == before
        differ += (chosen(batch, words + GOLDEN) != actions).sum()
        kinds |= set(batch.kind[live].tolist())
        bids = batch.kind == Stage.BID
        assert (batch.states["pair_seat"][bids, actions[bids]] == -1).all()  # never displaces
    assert differ > 10 and kinds >= {Stage.BID, Stage.BUILD, Stage.PAY, Stage.BONUS, Stage.GOODS, Stage.DISCARD}


@pytest.mark.parametrize("players", PLAYERS)
def test_it_scores_far_more_than_random_play(players: int) -> None:
    batch = Batch(ginkgo_env.make_game("golden_city", players=players), 24)
    batch.reset(seed=90)
    words, mean = np.arange(24).astype(np.uint64), {}
    for name in ("playout", "random"):
        batch.reset(seed=90)
        while not batch.over.all():
            words += GOLDEN
            batch.step(chosen(batch, words) if name == "playout" else batch.sample())
        mean[name] = batch.scores().sum(axis=2).mean()
    assert mean["playout"] > 1.5 * mean["random"]


def test_a_pair_for_which_there_are_sites() -> None:
    """A second forest card pays for a forest suburb."""
    state = crafted(2, decisions=0)
    g = state[0]
    g.pairs[:2], g.pair_seat[:2] = [[1, 1], [2, 3]], -1
    g.houses[:] = 0
    g.reach[:] = 0
    g.hand[g.actor], g.houses[g.actor], g.reach[g.actor] = [0, 0, 0, 0, 0], 1, 1 << 16
    assert one(2, state) == "bid 0"
    g.pairs[:2] = [[1, 2], [3, 4]]
    g.hand[g.actor] = [0, 1, 0, 0, 0]
    assert one(2, state) == "bid 0"


def building(stage: int, **fields: Any) -> Any:
    return crafted(2, stage=stage, actor=0, pairs=-1, pair_seat=-1, displacements=0, **fields)


def test_places_payments_and_discards() -> None:
    state = building(Stage.BUILD)
    g = state[0]
    g.houses[:2], g.reach[:2], g.houses_left[:2] = [1 << 20, 0], [(1 << 46) | (1 << 23), 0], 10
    g.hand[0] = [1, 2, 1, 0, 0]
    assert one(2, state) == "build 46"  # FO1: five letters
    state["stage"], state["place"] = Stage.PAY, 46
    state["hand"][0, 0] = [2, 2, 0, 0, 0]
    assert one(2, state) == "pay_two 5"  # forest and forest rather than forest and two coasts
    state["stage"], state["place"] = Stage.DISCARD, -1
    state["hand"][0, 0] = [2, 2, 0, 0, 3]
    assert one(2, state) == "discard 4"  # no desert sites, and two are left for a joker
    state["hand"][0, 0] = [2, 2, 0, 0, 2]
    assert one(2, state) == "discard 4"


def test_goods_box_and_bonus() -> None:
    goods = building(Stage.GOODS, place=18, goods_size=1, goods_stack=pad([3], 8))
    goods["goods"][0] = 0
    goods["goods"][0, 0, 0] = 1  # pottery and wine
    goods["display"] = [1, 0, 0, 0, 0, 1]  # cloth and spices are both new
    assert one(2, goods) == "goods 5"
    box = building(Stage.BOX, place=18)
    box["goods"][0] = 0
    box["goods"][0, 0] = [2, 0, 0, 0, 1, 2]
    kinds = {one(2, box, word) for word in range(40)}
    assert kinds == {"box 0", "box 4", "box 5"}  # all goods of each are on others
    box["goods"][0, 0] = [1, 0, 0, 0, 0, 4]
    assert one(2, box) == "box 5"
    bonus = building(Stage.BONUS, place=16, n_bonus=0, bonus_card=-1, bonus_seat=-1)
    bonus["coins"][0, 0] = 20
    assert one(2, bonus) == "bonus 1"
    bonus["n_bonus"], bonus["bonus_card"], bonus["bonus_seat"] = 1, pad([1], 8), pad([1], 8)
    assert one(2, bonus) != "bonus 1"
