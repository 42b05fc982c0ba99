"""Loops of other packages over the scalar kernels of a game."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ginkgo_env
from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.jit import JIT_DISABLED, kernel
from ginkgo_env.core.events import SILENT
from ginkgo_env.core.loops import legal, record_of, round_of, score, step
from ginkgo_env.core.masks import RUNNING, draw_legal
from ginkgo_env.core.rng import GOLDEN, mix

GAMES = ("three_cards", "my_city", "ginkgopolis", "golden_city")


@kernel
def play_out(g: Any, t: Any, mask: Any, key: np.uint64, log: Any) -> int:
    """Play at random to the end; returns how many rounds begin."""
    rounds, now, ending = 0, round_of(g, t), RUNNING
    while ending == RUNNING and g.actor >= 0:
        key += GOLDEN
        ending = step(g, t, draw_legal(mask, mix(key)), mask, log)
        if round_of(g, t) != now:
            rounds, now = rounds + 1, round_of(g, t)
    return rounds


def play_out_many(
    start: int, stop: int, states: Any, components: Any, masks: Any, keys: Any, rounds: Any, points: Any, log: Any
) -> None:
    """Random playouts of rows: rounds (B,) int64 gets how many rounds began, points (B, sides, sources) int32 the scores."""
    for i in range(start, stop):
        t = record_of(states[i], components)
        legal(states[i], t, masks[i])
        rounds[i] = play_out(states[i], t, masks[i], keys[i], log)
        score(states[i], t, points[i])


def played_out(batch: Batch, keys: Any) -> tuple[Any, Any]:
    """Rounds and points of random playouts of a batch's games, in place."""
    game = batch.game
    rounds, points = np.zeros(batch.size, np.int64), np.zeros((batch.size, game.sides, len(game.sources)), np.int32)
    batch.run(game.kernels.bind(play_out_many), batch.mask, keys, rounds, points, SILENT)
    return rounds, points


def slowly(batch: Batch, keys: Any) -> Any:
    """Rounds of the same playouts, step by step."""
    round_of_row, rounds = [batch.game.round_of(batch.state(row)) for row in range(batch.size)], np.zeros(batch.size, np.int64)
    batch._keys[:] = keys
    while not batch.over.all():
        batch.step(batch.sample())
        for row, before in enumerate(round_of_row):
            round_of_row[row] = batch.game.round_of(batch.state(row))
            rounds[row] += round_of_row[row] != before
    return rounds


@pytest.mark.full
@pytest.mark.usefixtures("trial_game")
@pytest.mark.parametrize("name", GAMES)
def test_random_playouts_are_those_of_the_batch(name: str) -> None:
    game = ginkgo_env.make_game(name)
    keys = np.arange(100, 105).astype(np.uint64)
    loop, threads, steps = (Batch(game, 5, threads=n) for n in (1, 4, 1))
    for batch in (loop, threads, steps):
        batch.reset(seed=1)
    rounds, points = played_out(loop, keys)
    for found, same in zip(played_out(threads, keys), (rounds, points), strict=True):
        assert (found == same).all(), "results depend on threads"
    assert (rounds == slowly(steps, keys)).all() and (rounds > 0).all() == (name != "three_cards")  # which has no rounds
    assert loop.states.tobytes() == steps.states.tobytes() and (points == steps.scores()).all()


@pytest.mark.usefixtures("trial_game")
def test_each_game_has_its_own_machine_code() -> None:
    kernels = [ginkgo_env.make_game(name).kernels for name in GAMES]
    loops = [each.bind(play_out_many) for each in kernels]
    assert len({loop.__qualname__ for loop in loops}) == len(GAMES)
    assert [each.bind(play_out_many) for each in kernels] == loops
    inner = [getattr(loop, "py_func", loop).__globals__["play_out"] for loop in loops] if not JIT_DISABLED else []
    assert len(set(inner)) == len(inner) and play_out not in inner, "a kernel that steps is copied for each game"


def test_a_loop_that_is_not_bound_says_so() -> None:
    with pytest.raises(TypeError, match=r"legal stands for a game's kernel: bind the loop with game\.kernels\.bind"):
        legal(None, None, None)


@pytest.mark.full
@pytest.mark.usefixtures("trial_game")
@pytest.mark.skipif(JIT_DISABLED, reason="nothing is compiled")
def test_machine_code_is_kept_for_the_next_process(tmp_path: Path) -> None:
    (tmp_path / "rollouts.py").write_text(f"{OTHER_PACKAGE}\n# {tmp_path}\n")  # compiled by no earlier test
    script = (
        "import numpy as np, rollouts, ginkgo_env\n"
        "game = ginkgo_env.make_game('three_cards')\n"
        "batch, loop = ginkgo_env.Batch(game, 2), game.kernels.bind(rollouts.count_legal)\n"
        "batch.run(loop, batch.mask.copy())\n"
        "print(sum(loop.stats.cache_hits.values()), sum(loop.stats.cache_misses.values()))"
    )
    found = [
        subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=tmp_path).stdout.split()
        for _ in range(2)
    ]
    assert found == [["0", "1"], ["1", "0"]]


OTHER_PACKAGE = """
from ginkgo_env.core.loops import legal, record_of


def count_legal(start, stop, states, components, masks):
    for i in range(start, stop):
        legal(states[i], record_of(states[i], components), masks[i])
"""
