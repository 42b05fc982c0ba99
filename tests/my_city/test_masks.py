"""M4, M5: masks are what a slow reading of the rules gives (``slow.py``)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ..rules.my_city.positions import PLAYERS, game_of, made_up, singles
from .playing import batch_of, in_play
from .slow import legal


@pytest.mark.parametrize("players", PLAYERS)
def test_m4_m12_2_legal_actions_by_trying_every_cell(players: int) -> None:
    """In random games the mask is what a slow reading of M4 and M5 gives."""
    met = 0
    for batch in in_play(players, rows=3, seed=40 + players, every=4):
        for row in np.flatnonzero(~batch.over):
            g = batch.states[row]
            assert set(np.flatnonzero(batch.mask[row])) == legal(game_of(players), g, g["actor"])
            met += 1
    assert met > 8


def test_m4_6_what_is_built_stays() -> None:
    """What has been placed stays as it is until the end of the game."""
    before: np.ndarray | None = None
    for batch in in_play(3, rows=8, seed=7, every=1):
        at = batch.states["at"].copy()
        if before is not None:
            assert ((before == -1) | (before == at)).all() and (before != at).sum() <= 3 * 8
        before = at


@pytest.mark.parametrize("size", [(11, 11), (8, 16), (16, 8), (9, 13)])
def test_m14_22_nothing_wraps_around(size: tuple[int, int], tmp_path: Path) -> None:
    """On boards without mountain or forest, cells of the last column do not touch the first column of the next row.

    The cells 63 and 64 do touch where they lie in one row, and the cells a row apart that lie in different words; and a
    placement may reach more than 64 cells beyond its anchor.
    """
    rows, columns = size
    cells = rows * columns
    banks = ["a" * columns] * (rows - 1) + ["a" * (columns - 1) + "b"]
    shapes = ("R1 red ####", "R2 red ###/..#", "R3 red ..#/..#/..#/..#/..#/###")
    game = made_up(tmp_path, " ".join(["." * columns] * rows), " ".join(banks), *singles(25), *shapes)
    state = game.template.copy()
    for last in {columns - 1, 62, 63, 64, 65, 63 - columns, 64 + columns, cells - 2} & set(range(cells - 1)):
        g = state[0]
        g["at"][0], g["covered"][0], g["placed"][0], g["points"][0] = -1, 0, 1, 10
        g["at"][0, 0], g["covered"][0, 0, last // 64] = last, 1 << last % 64
        for current in (1, 25, 26, 27):
            g["current"], g["actor"] = current, 0
            mask = np.zeros((1, game.actions.size), np.int8)
            game.kernels.legal(0, 1, state, game.components, mask)
            assert set(np.flatnonzero(mask[0])) == legal(game, g, 0)


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
