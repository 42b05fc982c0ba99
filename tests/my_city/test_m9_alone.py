"""M9: alone, rewards, and what players of one deal share (M14.23, M14.24)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, ConfigError

from .playing import PLAYERS, Table, batch_of, deck_of, game_of, in_play, played, table
from .slow import legal

# --- M9.1, M9.2 ----------------------------------------------------------------------------------------------------------------


def test_m9_1_alone_the_winner_is_seat_0() -> None:
    found = played("Y1 e1E", "R1 end")
    assert found.outcome.winners == (0,) and found.outcome.scores == (-65,)


def test_m9_1_a_game_alone_is_told_to_be_a_variant() -> None:
    assert [game_of(players).variant for players in PLAYERS] == ["variant", "", "", ""]


@pytest.mark.parametrize("players", PLAYERS)
def test_m9_2_score_sums_to_the_gain_over_the_start(players: int) -> None:
    """It is paid when choices take effect: nothing in the middle of a round."""
    batch = Batch(game_of(players), 6, reward="score")
    batch.reset(seed=players)
    total = np.zeros((6, players))
    while not batch.over.all():
        rounds, over = batch.states["rounds"].copy(), batch.over.copy()
        batch.step(batch.sample())
        total += batch.rewards
        waiting = (batch.states["rounds"] == rounds) & ~batch.over | over
        assert not batch.rewards[waiting].any()
    assert total.tolist() == (batch.totals + 68).tolist()


def paid(reward: Any, found: Table, *texts: str) -> list[float]:
    """What the last of some actions pays."""
    batch = Batch(found.game, 1, reward=reward)
    batch.set_states(np.arange(1), found.state)
    for text in texts:
        batch.step(np.array([found.game.parse_action(found.state, text)]))
    return batch.rewards[0].tolist()


def test_m9_2_win_comes_from_winners_not_from_scores() -> None:
    """Equal points, and rows decide (M8.8)."""
    found = table("Y1", "Y2", players=3).play("d8N", "e1E", "d8N")
    assert found.scores == [-65] * 3 and paid("win", found, "end", "end") == [0, 0, 0]
    assert paid("win", found, "end", "end", "end") == [-0.5, 1, -0.5]
    shared = table("Y1", players=4)
    assert paid("win", shared, "end", "e1E", "e1E", "end") == [0] * 4  # not over
    both = shared.copy().play("end", "e1E", "e1E", "end")
    assert paid("win", both, "end", "end") == [-0.5, 0.5, 0.5, -0.5]


def test_m9_2_margin() -> None:
    """The own score minus the mean of the others', in hundredths, from two players on."""
    found = table("Y1", "Y2", players=3).play("e1E", "d8N", "pass")
    assert found.scores == [-65, -65, -69]
    assert paid("margin", found, "end", "end", "end") == pytest.approx([0.02, 0.02, -0.04])
    with pytest.raises((BatchError, ConfigError)):
        Batch(game_of(1), 1, reward="margin")


# --- M9.3, M14.23, M14.24: equal chances --------------------------------------------------------------------------------------


def choices(found: Table, rng: np.random.Generator) -> str:
    """A placement, a pass or an end; ends are rare."""
    legal = found.legal
    return legal[-1] if rng.random() < 0.03 or len(legal) == 1 else legal[rng.integers(len(legal) - 1)]


def history(players: int, seed: int) -> tuple[list[str], list[list[str]], Table]:
    """A random game: deck, the choices of each seat in order, and its end."""
    rng = np.random.default_rng(seed)
    deck = [str(card) for card in rng.permutation(game_of().buildings.cards)]
    found, texts = Table(game_of(players), deck), [list[str]() for _ in range(players)]
    while found.actor is not None:
        text = choices(found, rng)
        texts[found.actor].append(text)
        found.play(text)
    return deck, texts, found


def replayed(deck: list[str], texts: list[list[str]]) -> Table:
    """The game in which each seat makes these choices."""
    found, rest = Table(game_of(len(texts)), deck), [iter(own) for own in texts]
    while found.actor is not None:
        found.play(next(rest[found.actor]))
    return found


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m14_23_permuting_the_seats_permutes_the_results(players: int) -> None:
    for seed in range(3):
        deck, texts, found = history(players, seed)
        order = np.random.default_rng(seed).permutation(players).tolist()
        other = replayed(deck, [texts[p] for p in order])
        assert other.sources == [found.sources[p] for p in order] and other.ended == [found.ended[p] for p in order]
        assert {order[p] for p in other.outcome.winners} == set(found.outcome.winners)
        for name in ("covered", "at", "placed", "passed", "points", "gold"):
            assert (other.g[name][:players] == found.g[name][order]).all()
        assert (other.ending, other.g["drawn"], other.g["gold_round"]) == (found.ending, found.g["drawn"], found.g["gold_round"])


@pytest.mark.parametrize("players", [2, 3, 4])
def test_m9_4_m14_23_players_of_a_game_and_alone(players: int) -> None:
    """Apart from gold, and passes it pays for, each gets what the same choices bring alone."""
    compared = 0
    for seed in range(10, 14):
        deck, texts, found = history(players, seed)
        for p in range(players):
            if found.g["gold"].any() and not found.g["gold"][p]:
                continue  # alone they might have had gold
            alone = replayed(deck, [texts[p]])
            assert alone.sources == [found.sources[p]]
            compared += 1
    assert compared > players


@pytest.mark.parametrize("players", [2, 4])
def test_m12_5_m14_24_masks_do_not_depend_on_choices_of_earlier_seats(players: int) -> None:
    """Each seat's mask is that of its board and counter, whatever seats before it have chosen in this round."""
    rng, met = np.random.default_rng(players), 0
    for batch in in_play(players, rows=2, seed=80 + players, every=5):
        for row in np.flatnonzero(~batch.over & (batch.actor > 0)):
            g, actor = batch.states[row], int(batch.actor[row])
            mask = batch.mask[row].copy()
            assert set(np.flatnonzero(mask)) == legal(game_of(players), g, actor)
            for p in range(actor):
                if g["ended"][p]:
                    continue
                for choice in rng.choice(sorted(legal(game_of(players), g, p)), 3):
                    other = batch.state(int(row)).copy()
                    other["choice"][0, p] = choice
                    changed = batch_of(game_of(players), other)
                    assert (changed.mask[0] == mask).all() and changed.actor[0] == actor
                    met += 1
    assert met > 5


def test_m12_5_m14_24_gold_of_an_earlier_seat_is_not_seen() -> None:
    """Whoever chooses later in the round of the gold does not know of it (M3.3)."""
    found = Table(game_of(2), deck_of(game_of(2), "B1", "Y1"))
    before = found.seen(1)
    found.play("e1E")
    after = found.seen(1)
    assert all((before[name] == after[name]).all() for name in before)


def test_m9_3_all_meet_the_same_cards() -> None:
    """A deal is one for all numbers of players: the deck follows from the seed alone."""
    decks = []
    for players in PLAYERS:
        batch = ginkgo_env.Batch(game_of(players), 5)
        batch.reset(seed=[1, 2, 3, 4, 5])
        decks.append(batch.states["deck"].tolist())
    assert decks[0] == decks[1] == decks[2] == decks[3]
