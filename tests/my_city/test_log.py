"""M11.8: the deck is the only chance, and what else is logged."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np

import ginkgo_env
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.my_city.constants import Event

from ..rules.my_city.positions import game_of, made_up, played, singles, table
from ..rules.my_city.test_m5_not_building import two_banks


def test_m2_2_the_deck_is_shuffled() -> None:
    """Each card may come up at each place, as often."""
    batch = ginkgo_env.Batch(game_of(), 2800)
    batch.reset(seed=1)
    decks = batch.states["deck"][:, :28]
    assert (np.sort(decks, axis=1) == np.arange(28)).all() and (batch.states["deck"][:, 28:] == -1).all()
    for place in (0, 1, 13, 27):
        counts = Counter(decks[:, place].tolist())
        assert len(counts) == 28 and 60 < min(counts.values()) <= max(counts.values()) < 145  # 100 on average, deviation 10
    assert len(np.unique(decks, axis=0)) == 2800


def test_m2_2_m11_8_the_deck_is_the_only_chance() -> None:
    """It is logged at the start, in drawing order, and depends on the seed alone."""
    playback, decks = Playback(game_of(2)), []
    for seed in (7, 7, 8):
        (chance,) = game_of(2).chances(playback.start(seed))
        assert chance.name == "deck" and sorted(chance.outcome) == sorted(game_of().buildings.cards)
        ids = playback.states["deck"][0, :28].tolist()
        assert chance.outcome == [game_of().buildings.cards[card] for card in ids]
        decks.append(chance.outcome)
        while playback.actor is not None:
            rows = playback.play(int(np.flatnonzero(playback.mask[0])[0]))
            assert game_of(2).chances(rows) == []
        assert playback.states["deck"][0, :28].tolist() == ids
    assert decks[0] == decks[1] != decks[2]


def test_m3_4_what_takes_effect_stands_in_the_log_in_this_order() -> None:
    """Choices by seat, then gold, then the next card."""
    one = table("Y1", "R1", players=3).play("e1E", "pass", "end")
    assert [row[0] for row in one.rows[-5:]] == [Event.BUILD, Event.PASS, Event.END, Event.REVEAL, Event.ROUND]
    assert [row[1] for row in one.rows[-5:-2]] == [0, 1, 2]


def test_m5_4_a_chosen_end_is_none_that_was_forced() -> None:
    assert played("Y1 e1E", "C1 end").logged(Event.END) == [(0, 24, 0)]


def test_m5_2_m5_4_forced_ends(tmp_path: Path) -> None:
    """Without points and placement, and at a church without a place."""
    no_points = table(*(f"Y{i}" for i in range(1, 13)), "C1", game=two_banks(tmp_path, 1)).play(*["pass"] * 10, "b1N", "c1N")
    church = table("Y1", "Y2", "C1", "Y3", game=two_banks(tmp_path, 1)).play("b1N", "c1N")
    for found in (no_points, church):
        assert found.logged(Event.END) == [(0, 12, 1)]
    three = table("Y1", "Y2", "C1", "Y3", players=3, game=two_banks(tmp_path, 3))
    three.play("b1N", "b1N", "b1N", "c1N", "a1N", "c1N", "c1N")
    assert [(seat, forced) for seat, _, forced in three.logged(Event.END)] == [(0, 1), (2, 1)]


def test_m3_5_m5_5_the_blocking_card() -> None:
    found = table("X", "Y1", "R1", "B1", players=2)
    assert [row[0] for row in found.rows] == [Event.REVEAL, Event.REVEAL, Event.BLOCKED, Event.REVEAL, Event.ROUND]
    found.play("pass", "pass")
    assert [number for number, _, _ in found.logged(Event.ROUND)] == [1, 2]


def test_m6_1_gold(tmp_path: Path) -> None:
    game = made_up(tmp_path, "v..", "abb", *singles(2), players=2)
    assert table("Y1", players=2, game=game).play("b1N", "a1N").logged(Event.GOLD)[0][0] == 1


def test_m7_1_m7_2_endings(tmp_path: Path) -> None:
    assert played("Y1 end", players=3).logged(Event.ENDING) == [(1, 0, 0)]
    assert played("Y1 pass", game=made_up(tmp_path, "..", "ab", *singles(1))).logged(Event.ENDING) == [(2, 0, 0)]


def test_m7_3_nothing_is_truncated() -> None:
    assert not game_of(4).truncated(played("Y1 end", players=4).state).any()
