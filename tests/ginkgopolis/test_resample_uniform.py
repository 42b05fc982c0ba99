"""R10 for resampling: what is unknown is dealt uniformly, in as many pieces as everybody can count."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
from scipy import stats

import ginkgo_env
from ginkgo_env.core.game import Game, States
from ginkgo_env.games.ginkgopolis.components import CHARACTER_COPIES
from ginkgo_env.games.ginkgopolis.notation import members
from ginkgo_env.testing import at, visited

DEALS = 4000
UNLIKELY = 1e-4


def dealt(game: Game, state: States, seat: int, n: int = DEALS) -> States:
    batch = at(game, np.repeat(state, n).view(np.recarray))
    batch.resample(seat, seed=7)
    return batch.states


def assert_uniform(counts: list[int], each: int, what: str) -> None:
    """Counts of equally likely places that are drawn `each` at a time without repetition, ``DEALS`` times."""
    n = len(counts)
    p = each / n
    statistic = sum((c - DEALS * p) ** 2 / (DEALS * p * (1 - p)) for c in counts) * (n - 1) / n
    value = float(stats.chi2.sf(statistic, n - 1))
    assert value > UNLIKELY, f"{what}: {counts} are not uniform (p = {value:.1e})"


def first_state(game: Game, kind: str, wanted: Callable[[Any], bool] = lambda g: True, seeds: int = 40) -> States:
    for seed in range(seeds):
        states = visited(game, seed=seed, n=300)
        for k in range(len(states)):
            if game.decisions[int(states[k].stage)] == kind and wanted(states[k]):
                return states[k : k + 1]
    raise AssertionError(f"no {kind} decision of this sort in {seeds} games")


def test_unknown_tiles_are_dealt_uniformly() -> None:
    game = ginkgo_env.make_game(players=2, setup="introductory")
    state = first_state(game, "commit", lambda g: g.rounds == 1 and g.cursor == 0)
    mine = set(members(state["tiles"][0, 0]))
    pool = sorted(set(range(60)) - mine - {int(t) for t in state["top"][0, :9]})
    states = dealt(game, state, 0)
    screens = [set(members(words)) for words in states["tiles"][:, 1]]
    each = len(members(state["tiles"][0, 1]))
    assert each > 0 and set().union(*screens) == set(pool)
    assert_uniform([sum(tile in screen for screen in screens) for tile in pool], each, "tiles behind the other screen")
    following = states["supply"][:, int(state["supply_size"][0]) - 1].tolist()
    assert_uniform([following.count(tile) for tile in pool], 1, "the next tile of the supply")
    removed = [set(members(words)) for words in states["removed"]]
    assert_uniform([sum(tile in some for some in removed) for tile in pool], 6, "tiles out of the game")


def test_unknown_cards_are_dealt_uniformly_and_passed_ones_stay() -> None:
    game = ginkgo_env.make_game(players=2, setup="introductory")
    state = first_state(game, "commit", lambda g: g.rounds == 2 and g.cursor == 0 and len(members(g.passed[0])) == 3)
    known = set(members(state["passed"][0, 0]))
    pool = sorted((set(members(state["hand"][0, 1])) - known) | {int(c) for c in state["deck"][0] if c >= 0})
    states = dealt(game, state, 0)
    hands = [set(members(words)) for words in states["hand"][:, 1]]
    assert all(known < hand for hand in hands)
    assert_uniform([sum(card in hand for hand in hands) for card in pool], 1, "the card that was not passed")
    following = states["deck"][:, int(state["deck_size"][0]) - 1].tolist()
    assert_uniform([following.count(card) for card in pool], 1, "the next card of the deck")


def test_hidden_commitments_are_dealt_uniformly() -> None:
    """While players choose: every card of the dealt hand, with no tile or any tile, is as likely."""
    game = ginkgo_env.make_game(players=2, setup="introductory")
    state = first_state(game, "commit", lambda g: g.cursor == 1 and len(members(g.tiles[1 - g.actor])) >= 2)
    seat = int(state["actor"][0])
    q = 1 - seat
    n_tiles = len(members(state["tiles"][0, q])) + int(state["tile"][0, q] >= 0)
    states = dealt(game, state, seat)
    with_none = int((states["tile"][:, q] < 0).sum())
    assert_uniform([with_none, *[(DEALS - with_none) // n_tiles] * n_tiles], 1, "no tile among the choices of tiles")
    ranks = [sum(card < int(s) for card in members(h)) for s, h in zip(states["card"][:, q], states["hand"][:, q], strict=True)]
    assert_uniform([ranks.count(k) for k in range(4)], 1, "the place of the committed card in the hand")


def test_williams_card_is_dealt_uniformly() -> None:
    game = ginkgo_env.make_game(players=1)
    state = first_state(game, "commit", lambda g: g.rounds == 3)
    pool = sorted({int(state["card"][0, 1])} | {int(c) for c in state["deck"][0] if c >= 0})
    cards = dealt(game, state, 0)["card"][:, 1].tolist()
    assert_uniform([cards.count(card) for card in pool], 1, "William's card")


def test_draft_packets_are_dealt_by_copies() -> None:
    game = ginkgo_env.make_game(players=3)
    state = first_state(game, "draft", lambda g: g.pick == 1 and g.actor == 1)
    states = dealt(game, state, 0)
    own = state["characters"][0, 0] + state["packet"][0, 0]
    left = np.array(CHARACTER_COPIES) - own
    got = states["packet"][:, 1].sum(axis=0) + states["characters"][:, 1].sum(axis=0)
    share = got / left.clip(1)
    assert (share[left > 0] > 0).all() and (got[left == 0] == 0).all()
    assert share[left > 0].max() < 1.1 * share[left > 0].min()
    for q in (1, 2):
        assert (states["packet"][:, q].sum(axis=1) == state["packet"][0, q].sum()).all()
        assert (states["characters"][:, q].sum(axis=1) == state["characters"][0, q].sum()).all()


def behind(states: States, q: int) -> list[set[int]]:
    """All tiles that a player has behind the screen, aside, or on the card."""
    found = []
    for row in range(len(states)):
        tiles = {*members(states["tiles"][row, q]), *members(states["aside"][row, q])}
        found.append(tiles | ({int(states["tile"][row, q])} - {-1}))
    return found


def test_each_screen_keeps_its_number_of_returned_tiles() -> None:
    """R7.1, R10.3: the returned set is known, and so is how many of it each player has drawn since."""
    game = ginkgo_env.make_game(players=4, setup="introductory")

    def drawn(g: Any) -> bool:
        returned = set(members(g.returned))
        return sum(bool(set(members(g.tiles[q])) & returned) for q in range(4)) >= 3 and g.supply_size > 1

    state = first_state(game, "commit", drawn)
    returned = set(members(state["returned"][0]))
    supply = {int(t) for t in state["supply"][0] if t >= 0}
    for seat in range(4):
        states = dealt(game, state, seat, n=300)
        moved = set()
        for q in range(4):
            before, after = behind(state, q)[0], behind(states, q)
            assert all(len(tiles & returned) == len(before & returned) for tiles in after)
            assert all(len(tiles) == len(before) for tiles in after)
            if q == seat:
                assert all(tiles == before for tiles in after)
            else:
                moved |= set().union(*after) - before
        assert moved & returned & supply, "returned tiles of the supply are never dealt to others"
        assert all({int(t) for t in row if t >= 0} <= returned for row in states["supply"])


def test_known_tiles_stay_behind_their_screen() -> None:
    game = ginkgo_env.make_game(players=3, setup="introductory")
    state = first_state(game, "commit", lambda g: any(len(members(g.known_tiles[q])) for q in range(3)))
    for seat in range(3):
        states = dealt(game, state, seat, n=200)
        for q in range(3):
            known = set(members(state["known_tiles"][0, q]))
            assert all(known <= tiles for tiles in behind(states, q))


def test_while_tiles_are_returned_committed_ones_stay_committed() -> None:
    """R7.1, R3.1: a tile seen on a card can not be returned; it stays one of the player's tiles, whichever."""
    game = ginkgo_env.make_game(players=3)

    def two_have_chosen(g: Any) -> bool:
        chosen = [(int(g.first) + k) % 3 for k in range(int(g.returner))]
        return any(g.tile[q] >= 0 for q in chosen)

    state = first_state(game, "return", two_have_chosen)
    for seat in range(3):
        states = dealt(game, state, seat, n=400)
        for q in range(3):
            assert ((states["tile"][:, q] >= 0) == (state["tile"][0, q] >= 0)).all()
            assert {len(tiles) for tiles in behind(states, q)} == {len(behind(state, q)[0])}
        every = [set().union(*(behind(states[k : k + 1], q)[0] for q in range(3))) for k in range(len(states))]
        assert {len(tiles) for tiles in every} == {sum(len(behind(state, q)[0]) for q in range(3))}


def test_tiles_set_aside_are_dealt_both_ways() -> None:
    game = ginkgo_env.make_game(players=3, setup="introductory")
    state = first_state(game, "return", lambda g: g.returner == 1 and len(members(g.tiles[g.first])) > 1)
    q, seat = int(state["first"][0]), int(state["actor"][0])
    states = dealt(game, state, seat, n=600)
    sizes = Counter(len(members(words)) for words in states["aside"][:, q])
    assert len(sizes) >= 2, f"the number set aside by {q} is always the same: {sizes}"
    third = 3 - q - seat
    assert not states["aside"][:, third].any(), "who has not chosen yet has set nothing aside"
