"""M10: what a player may know (M14.25)."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginkgo_env.core.game import States
from ginkgo_env.testing.hidden import check_observations, check_resampling_is_blind, check_resampling_is_seeded
from ginkgo_env.testing.play import play

from .playing import PLAYERS, Table, batch_of, game_of, in_play, made_up, singles, table
from .slow import legal

HIDDEN = {"rng", "seed", "deck", "choice"}


def chosen(g: Any, seat: int) -> list[int]:
    """The other seats that have chosen in this round."""
    return [p for p in range(g["players"]) if p != seat and g["choice"][p] >= 0]


def changed(state: States, seat: int, rng: np.random.Generator) -> States:
    """A state that differs in what a seat cannot know: the order of the deck, the others' choices, the generator."""
    other = state.copy()
    g, game = other[0], game_of(int(state["players"][0]))
    rest = g["deck"][g["drawn"] : 28]
    g["deck"][g["drawn"] : 28] = rng.permutation(rest)
    for p in chosen(g, seat):
        g["choice"][p] = rng.choice(sorted(legal(game, g, p)))
    g["rng"], g["seed"] = rng.integers(2**63, size=2)
    return other


@pytest.mark.parametrize("players", PLAYERS)
def test_m10_1_m10_3_m14_25_states_that_a_seat_cannot_tell_apart(players: int) -> None:
    rng, differ = np.random.default_rng(players), 0
    for batch in in_play(players, rows=3, seed=20 + players, every=5):
        for row in np.flatnonzero(~batch.over):
            state = batch.state(int(row))
            for seat in range(players):
                other = batch_of(game_of(players), changed(state, seat, rng))
                assert (other.observe(seat) == batch.observe(seat)[row]).all()
                assert (other.mask[0] == batch.mask[row]).all() and other.actor[0] == batch.actor[row]
                differ += bool((other.states["choice"] != state["choice"]).any())
    assert differ > 5 or players == 1


def test_m10_2_the_own_choice_is_seen_by_its_seat_alone() -> None:
    found = table("Y1", players=3).play("e1E", "pass")
    seen = [found.seen(seat)["chosen"] for seat in range(3)]
    assert [int(np.flatnonzero(one)[0]) for one in seen] == [121 + 4, 484, 486] and all(one.sum() == 1 for one in seen)
    before = table("Y1", players=3).seen(2)
    assert all((before[name] == block).all() for name, block in found.seen(2).items())


def test_m10_2_a_forced_end_is_a_choice(tmp_path: Path) -> None:
    """Others cannot see that a seat before them has to end; the seat can."""
    game = made_up(tmp_path, "....", "aabb", *singles(4), "C1 church ##", players=2)
    found = table("Y1", "Y2", "C1", players=2, game=game).play("b1N", "b1N", "c1N", "a1N")
    assert found.actor == 1 and found.g["choice"][0] == 4 * 4 + 1
    assert found.seen(0)["chosen"].tolist() == [0] * 17 + [1, 0] and found.seen(1)["chosen"][-1] == 1
    assert found.seen(1)["players"][1, 1] == 0


@pytest.mark.parametrize("players", PLAYERS)
def test_m10_4_resampling(players: int) -> None:
    """The same cards in another order, legal choices for who has chosen; all else stays, and so does what the seat sees."""
    game, varied = game_of(players), Counter[str]()
    for batch in in_play(players, rows=3, seed=30 + players, every=5):
        for row in range(batch.size):
            old, seat = batch.states[row].copy(), row % players
            worlds = batch_of(game, np.repeat(batch.state(row), 4).view(np.recarray))
            worlds.resample(seat, seed=row)
            assert (worlds.observe(seat) == batch.observe(seat)[row]).all()
            for g in worlds.states:
                for name in old.dtype.names:
                    varied[name] += bool((g[name] != old[name]).any())
                drawn = int(old["drawn"])
                assert (g["deck"][:drawn] == old["deck"][:drawn]).all()
                assert sorted(g["deck"][drawn:]) == sorted(old["deck"][drawn:]) and (g["deck"][28:] == -1).all()
                hidden = chosen(old, seat)
                assert chosen(g, seat) == hidden and g["choice"][seat] == old["choice"][seat]
                assert all(g["choice"][p] in legal(game, g, p) for p in hidden)
    assert {name for name, n in varied.items() if n} == (HIDDEN if players > 1 else HIDDEN - {"choice"})


def worlds_of(found: Table, seat: int, n: int) -> Any:
    worlds = batch_of(found.game, np.repeat(found.state, n).view(np.recarray))
    worlds.resample(seat, seed=5)
    return worlds.states


def test_m10_4_all_orders_and_choices_are_as_likely() -> None:
    found = table("Y1", players=3).play("e1E", "end")
    states = worlds_of(found, 2, 4400)
    for p in (0, 1):
        counts = Counter(states["choice"][:, p].tolist())
        assert (
            set(counts) == legal(game_of(3), found.g, p) and 55 < min(counts.values()) <= max(counts.values()) < 150
        )  # 100 each
    assert (states["choice"][:, 2] == -1).all()
    for place in (1, 14, 27):
        counts = Counter(states["deck"][:, place].tolist())
        assert set(counts) == set(range(1, 28)) and 110 < min(counts.values()) <= max(counts.values()) < 220  # 163 each
    assert (states["deck"][:, 0] == 0).all()
    both = Counter(zip(states["choice"][:, 0].tolist(), states["choice"][:, 1].tolist(), strict=True))
    assert len(both) > 1300  # of 44 x 44, each seat on its own


def test_m10_4_who_cannot_choose_is_forced_again(tmp_path: Path) -> None:
    game = made_up(tmp_path, "....", "aabb", *singles(4), "C1 church ##", players=2)
    found = table("Y1", "Y2", "C1", players=2, game=game).play("b1N", "b1N", "c1N", "a1N")
    assert (worlds_of(found, 1, 20)["choice"][:, 0] == 17).all()
    assert (worlds_of(found, 0, 20)["choice"][:, 0] == 17).all()  # the own one stays


@pytest.mark.parametrize("players", [1, 3])
def test_resampled_games_can_be_played(players: int) -> None:
    for batch in in_play(players, rows=4, seed=60 + players, every=7):
        other = batch_of(game_of(players), batch.states)
        other.resample(0, seed=1)
        assert (other.mask == batch.mask).all()
    for _ in play(other):
        pass


@pytest.mark.parametrize("players", [1, 3])
def test_the_promises_about_hidden_information(players: int) -> None:
    for check in (check_observations, check_resampling_is_seeded, check_resampling_is_blind):
        check(game_of(players))
