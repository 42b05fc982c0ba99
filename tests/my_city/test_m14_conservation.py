"""M14.28: nothing is lost, and all that a record keeps follows from placements. M14.27: other boards, without compiling."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.testing.batches import compiled_kernels

from ..rules.my_city.positions import PLAYERS, game_of, made_up
from .invariants import check_invariants
from .observing import check_observations
from .playing import in_play
from .slow import legal


@pytest.mark.full
@pytest.mark.parametrize("players", PLAYERS)
def test_m14_28_conservation_at_length(players: int) -> None:
    for batch in in_play(players, rows=40, seed=190 + players, every=5):
        for row in range(batch.size):
            check_invariants(game_of(players), batch.state(row))


SECOND = (
    "..tttw.. ..Mrr... ..MM.w.F ........ w......F ..tt...r",
    "aaabbbcc aaabbbcc aaabbccc aabbbccc aabbbbcc aabbbbcc",
)
PIECES = (
    *("Y1 yellow ##", "Y2 yellow ###/#..", "R1 red #", "R2 red .#./###/.#.", "R3 red ####", "B1 blue ##/##", "B2 blue #.#/###"),
    *("C7 church ##/.#", "C8 church ###/#.#/##.", "Y30 yellow ###", "R30 red ##", "B30 blue #./#./##"),
)


def signatures(game: MyCity) -> dict[str, int]:
    return {name: len(kernel.signatures) for name, kernel in compiled_kernels(game).items()}


def test_m14_27_another_board_plays_without_compiling(tmp_path: Path) -> None:
    """6 x 8 cells, three banks, no veins, other buildings: by the same kernels, as the slow reading says."""
    game, own = made_up(tmp_path, *SECOND, *PIECES, players=3), game_of(3)
    for batch in in_play(3, rows=2, seed=4, every=50):
        batch.observe()
        check_invariants(own, batch.state(0))  # compiles what counts points
        batch.resample(0, seed=1)
    before = signatures(own)
    met = 0
    for batch in in_play(3, rows=6, seed=5, every=2, game=game):
        batch.observe()
        for row in range(batch.size):
            g = batch.states[row]
            check_invariants(game, batch.state(row))
            if g["actor"] >= 0:
                assert set(np.flatnonzero(batch.mask[row])) == legal(game, g, g["actor"])
                met += 1
    batch.resample(0, seed=1)
    assert met > 40 and game.kernels is own.kernels and signatures(game) == signatures(own) == before
    assert not batch.states["gold"].any() and batch.states["passed"].any()


@pytest.mark.parametrize("size", [(1, 16), (16, 1), (2, 3), (7, 9), (8, 8), (5, 13), (8, 16), (16, 8)], ids=str)
def test_m14_27_boards_of_all_sizes(size: tuple[int, int], tmp_path: Path) -> None:
    """One row, one column, 63 to 65 cells, 128: legal actions, records, points and observations as the slow reading says."""
    rows, columns = size
    marks = ".tr.v.w."
    terrain = ["".join(marks[(3 * r + c) % 8] for c in range(columns)) for r in range(rows)]
    banks = ["".join("a" if 2 * (r * columns + c) < rows * columns else "b" for c in range(columns)) for r in range(rows)]
    large = ("Y40 yellow ..#/..#/..#/..#/..#/###", "B40 blue ######")
    game = made_up(tmp_path, " ".join(terrain), " ".join(banks), *PIECES, *large, players=2)
    for batch in in_play(2, rows=2, seed=3, every=7, game=game):
        check_observations(batch)
        for row in range(batch.size):
            g = batch.states[row]
            check_invariants(game, batch.state(row))
            if g["actor"] >= 0:
                assert set(np.flatnonzero(batch.mask[row])) == legal(game, g, g["actor"])
