"""M10.4: resampling."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ..rules.my_city.positions import PLAYERS, Table, game_of, made_up, singles, table
from .playing import batch_of, in_play
from .slow import legal

HIDDEN = {"rng", "seed", "deck", "choice"}


def chosen(g: Any, seat: int) -> list[int]:
    """The other seats that have chosen in this round."""
    return [p for p in range(g["players"]) if p != seat and g["choice"][p] >= 0]


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
