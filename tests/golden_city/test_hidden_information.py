"""Nothing hidden shows (G10): pairs of states that differ only in what a seat cannot know, and the promises of the contract."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.game import States
from ginkgo_env.games.golden_city.constants import Stage
from ginkgo_env.testing.hidden import check_observations, check_resampling_is_blind, check_resampling_is_seeded

from .random_games import PLAYERS, in_play, repeated

Change = Callable[[States, int, np.random.Generator], bool]
"""Changes one thing hidden from a seat, in place; tells whether anything was changed."""


def swap_deck_and_hand(state: States, seat: int, random: np.random.Generator) -> bool:
    """An unknown card of another hand for one of the deck."""
    g = state[0]
    unknown = [(p, card) for p in range(g.players) if p != seat for card in range(5) if g.hand[p, card] > g.known[p, card]]
    if not unknown or g.deck_size == 0:
        return False
    p, landscape = unknown[random.integers(len(unknown))]
    i = random.integers(g.deck_size)
    g.hand[p, landscape] -= 1
    g.hand[p, g.deck[i]] += 1
    changed = bool(g.deck[i] != landscape)
    g.deck[i] = landscape
    return changed


def swap_hands(state: States, seat: int, random: np.random.Generator) -> bool:
    """Unknown cards of two other hands."""
    g = state[0]
    unknown = [(p, card) for p in range(g.players) if p != seat for card in range(5) if g.hand[p, card] > g.known[p, card]]
    pairs = [(a, b) for a in unknown for b in unknown if a[0] < b[0] and a[1] != b[1]]
    if not pairs:
        return False
    (p, a), (q, b) = pairs[random.integers(len(pairs))]
    for player, lost, gained in ((p, a, b), (q, b, a)):
        g.hand[player, lost] -= 1
        g.hand[player, gained] += 1
    return True


def order_of(name: str, size: str) -> Change:
    def change(state: States, seat: int, random: np.random.Generator) -> bool:
        g = state[0]
        before = g[name].copy()
        random.shuffle(g[name][: g[size]])
        return bool((before != g[name]).any())

    return change


def order_of_scoring_cards(state: States, seat: int, random: np.random.Generator) -> bool:
    g = state[0]
    before = g.scoring_stack.copy()
    for begin, end in ((0, 4), (4, 12), (12, 16)):
        random.shuffle(g.scoring_stack[begin : max(begin, min(end, int(g.n_scoring)))])
    return bool((before != g.scoring_stack).any())


def bonus_cards_of_others(state: States, seat: int, random: np.random.Generator) -> bool:
    """The takes after the last own one come out of what it left."""
    g = state[0]
    looks = g.stage == Stage.BONUS and g.actor == seat
    own = [i for i in range(g.n_bonus) if g.bonus_seat[i] == seat]
    start = own[-1] + 1 if own else 0
    pool = [card for card in range(8) if card not in g.bonus_card[:start]]
    if looks:
        pool = g.bonus_card[start : g.n_bonus].tolist()
    before = g.bonus_card.copy()
    g.bonus_card[start : g.n_bonus] = random.permutation(pool)[: g.n_bonus - start]
    return bool((before != g.bonus_card).any())


def random_words(state: States, seat: int, random: np.random.Generator) -> bool:
    state["rng"], state["seed"] = random.integers(2**62, size=2)
    return True


CHANGES: dict[str, Change] = {
    "deck and hand": swap_deck_and_hand,
    "hands": swap_hands,
    "deck": order_of("deck", "deck_size"),
    "goods stack": order_of("goods_stack", "goods_size"),
    "scoring stack": order_of_scoring_cards,
    "bonus cards": bonus_cards_of_others,
    "random words": random_words,
}


@pytest.mark.parametrize("players", PLAYERS)
@pytest.mark.parametrize("name", CHANGES)
def test_g10_5_pairs_look_alike(name: str, players: int) -> None:
    """The same observation, features and, for the actor, mask."""
    random, changed = np.random.default_rng(players), 0
    for batch in in_play(players, rows=3, seed=50 + players, every=8):
        for row in np.flatnonzero(~batch.over):
            for seat in range(players):
                state = batch.state(int(row)).copy().view(np.recarray)
                if not CHANGES[name](state, seat, random) or batch.game.flaw_of(state):  # such as an actor who cannot pay
                    continue
                old, new = repeated(players, batch.state(int(row)), 1), repeated(players, state, 1)
                changed += 1
                np.testing.assert_array_equal(new.observe(seat), old.observe(seat))
                np.testing.assert_array_equal(new.features(seat), old.features(seat))
                if old.actor[0] == seat:
                    np.testing.assert_array_equal(new.mask, old.mask)
    assert changed > 10 or (name == "hands" and players == 2)


@pytest.mark.parametrize("players", PLAYERS)
def test_what_a_seat_sees_differs(players: int) -> None:
    """Otherwise equal views would prove nothing: the own hand and bonus cards are there, for the seat alone."""
    for batch in in_play(players, seed=4, every=20):
        layout = batch.game.observation
        for seat in range(players):
            seen = ginkgo_env.Observation(layout, batch.observe(seat))
            np.testing.assert_array_equal(seen["hand"], batch.states["hand"][:, seat])
            seats, cards = batch.states["bonus_seat"], batch.states["bonus_card"]
            own = [[seat in seats[row, cards[row] == card] for card in range(8)] for row in range(batch.size)]
            np.testing.assert_array_equal(seen["bonus"][:, 0], own)


@pytest.mark.parametrize("players", PLAYERS)
def test_promises_of_the_contract(players: int) -> None:
    game = ginkgo_env.make_game("golden_city", players=players)
    check_observations(game, seed=2, n=8)
    check_resampling_is_seeded(game, seed=3)


@pytest.mark.parametrize("players", PLAYERS)
def test_resampling_is_blind(players: int) -> None:
    check_resampling_is_blind(ginkgo_env.make_game("golden_city", players=players), seed=6, rows=2, policy=Batch.sample)
