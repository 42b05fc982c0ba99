"""States of any content: `set_states` and positions refuse what kernels could not take, and whatever they accept can be used.

Kernels check no index: a flaw that the check of a game misses may kill the process that runs a test.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from ginkgo_env import Batch, BatchError, PositionError
from ginkgo_env.core.game import Game, States
from ginkgo_env.core.playback import Playback
from ginkgo_env.core.state import Field, Held, fields_of
from ginkgo_env.registry import GAMES, game_class
from ginkgo_env.testing import play, visited
from ginkgo_env.testing.play import STREAM_FIELDS, each

GAMES_WITH_FLAWS = [name for name in GAMES if game_class(name).flaws is not None]
TIERS = [15, pytest.param(200, marks=pytest.mark.full), pytest.param(10_000, marks=pytest.mark.exhaustive)]
ROOT = Path(__file__).parents[2]
AT_ONCE = 2_000
MOST_TEXTS = 40  # states of a call that are also described and drawn, which takes most of the time


def configurations(name: str) -> list[Game]:
    return [game_class(name)(**options) for options in game_class(name).configurations()]


def random_bytes(game: Game, rng: np.random.Generator, n: int) -> States:
    """Records of random bytes, of small ones in every second, in the right configuration."""
    shape = n, game.template.itemsize
    drawn = np.where(np.arange(n)[:, None] % 2, rng.integers(0, 256, shape), rng.integers(-2, 6, shape)).astype(np.uint8)
    states = drawn.reshape(-1).view(game.template.dtype)
    for field in game.config_fields:
        states[field] = game.template[field]
    return states.view(np.recarray)


def changed(game: Game, states: States, rng: np.random.Generator) -> States:
    """Each state with one or two changes: of a byte, of entries of a field, or of a field as another state has it."""
    changed = states.copy()
    fields = [name for name in states.dtype.names or () if name not in (*game.config_fields, *STREAM_FIELDS, "spare")]
    for row in range(len(changed)):
        for _ in range(rng.integers(1, 3)):
            name, kind, other = fields[rng.integers(len(fields))], rng.integers(6), states[rng.integers(len(states))]
            if kind == 0:
                record = changed[row : row + 1].view(np.uint8)
                start = int(rng.integers(len(record)))
                record[start] = rng.integers(256)
                continue
            entries = changed[name][row : row + 1].reshape(-1)  # a view, as the fields of a row are contiguous
            i, j = rng.integers(entries.size, size=2)
            theirs = np.ravel(other[name])
            if kind == 1:
                entries[i] = theirs[j]
            elif kind == 2:
                entries[i], entries[j] = entries[j], entries[i]
            elif kind == 3:
                entries[i : i + 1] += entries.dtype.type(rng.choice([1, 2]))
            elif kind == 4:
                entries[i : i + 1] -= entries.dtype.type(1)
            else:
                entries[:] = theirs
    for field in game.config_fields:
        changed[field] = game.template[field]
    return changed


def moved(game: Game, states: States, rng: np.random.Generator) -> States:
    """Each state with one or two things moved to another place, so that all are still there."""
    assert game.state is not None
    changed, fields = states.copy(), fields_of(game.state)
    holders = {things: [name for name, f in fields.items() if f.things == things and f.is_place] for things in game.pieces}
    kinds = [things for things, names in holders.items() if len(names) > 1]
    for g in changed if kinds else ():
        for _ in range(rng.integers(1, 3)):
            things = kinds[rng.integers(len(kinds))]
            here, there = rng.choice(holders[things], size=2)
            held = things_in(g, here, fields[here], rng)
            if held and put(g, there, fields[there], held[0], rng):
                held[1]()
    return changed


def things_in(g: Any, name: str, field: Field, rng: np.random.Generator) -> tuple[int, Callable[[], None]] | None:
    """A thing in a field, at random, and what takes it away from there."""
    found: list[tuple[int, Callable[[], None]]] = []
    entries = g[name].reshape(-1) if field.shape else None
    if field.held is Held.SET:
        bits = entries.view(np.uint8)
        members = [(i, b) for i in range(len(bits)) for b in range(8) if bits[i] >> b & 1]
        found = [(i % field.set_bytes * 8 + b, lambda i=i, b=b: bits.__setitem__(i, bits[i] ^ (1 << b))) for i, b in members]
    elif entries is not None and field.used not in ("", "players"):
        size = int(g[field.used])
        if size:
            found = [(int(entries[size - 1]), lambda: take_top(g, name, field))]
    elif field.held is Held.ID and entries is not None:
        found = [(int(value), lambda i=i: entries.__setitem__(i, -1)) for i, value in enumerate(entries) if value >= 0]
    elif entries is not None:
        n = field.things.n if field.things and field.held is Held.COUNTS else 1
        ids = [(i, i % n if n > 1 else field.thing) for i, value in enumerate(entries) if value > 0]
        found = [(thing, lambda i=i: entries.__setitem__(i, entries[i] - 1)) for i, thing in ids]
    return found[rng.integers(len(found))] if found else None


def take_top(g: Any, name: str, field: Field) -> None:
    g[field.used] -= 1
    g[name][int(g[field.used])] = field.empty


def put(g: Any, name: str, field: Field, thing: int, rng: np.random.Generator) -> bool:
    """Put a thing into a field, and return whether there is room for it."""
    if not field.shape:
        return False
    p = int(rng.integers(g.players)) if field.used == "players" else 0
    entries = (g[name][p : p + 1] if field.used == "players" else g[name]).reshape(-1)
    if field.held is Held.SET:
        entries.view(np.uint8)[thing >> 3] |= 1 << (thing & 7)
    elif field.used not in ("", "players"):
        size = int(g[field.used])
        if size >= len(entries):
            return False
        entries[size], g[field.used] = thing, size + 1
    elif field.held is Held.ID:
        free = np.flatnonzero(entries < 0)
        if not len(free):
            return False
        entries[free[rng.integers(len(free))]] = thing
    else:
        entries[thing if field.held is Held.COUNTS else 0] += 1
    return True


def sound_ones(game: Game, seed: int, n: int) -> Iterator[States]:
    """Changed states of random play that the check accepts, n in all if there are enough, a few hundred at a time."""
    rng, states, found = np.random.default_rng(seed), visited(game, seed=seed, n=200, rows=8, finished=True), 0
    for _ in range(20 + n // 10):
        some = states[rng.integers(len(states), size=min(AT_ONCE, 20 * n))]
        after = (changed if rng.integers(2) else moved)(game, some, rng)
        different = np.array([a.tobytes() != b.tobytes() for a, b in zip(after, some, strict=True)])
        numbers = game.flaw_numbers(after)
        refused = after[numbers > 0][:20]
        for state in each(refused):
            with pytest.raises(BatchError):
                Batch(game, 1).set_states([0], state)
        accepted = after[different & (numbers == 0)][: n - found]
        found += len(accepted)
        if len(accepted):
            yield accepted.view(np.recarray)
        if found == n:
            return


def use(game: Game, states: States, seed: int) -> None:
    """Do with states all that can be done with those of play."""
    batch = Batch(game, len(states))
    batch.set_states(np.arange(len(states)), states)
    assert (batch.mask.any(axis=1) == ~batch.over).all()
    low, high = game.observation.bounds(game.observation_dtype)
    for seat in range(game.seats):
        seen = batch.observe(seat)
        outside = (seen < low) | (seen > high)
        assert not outside.any(), [name for name, block in game.observation.items() if outside[:, block.slice].any()]
        assert np.isfinite(batch.features(seat)).all()
        dealt = Batch(game, len(states))
        dealt.copy_rows(batch, np.arange(len(states)), np.arange(len(states)))
        dealt.resample(seat, seed=seed)
        assert not game.flaw_numbers(dealt.states).any()
        assert (dealt.mask.any(axis=1) == ~dealt.over).all()
        assert (dealt.observe(seat) == seen).all()
    batch.scores()
    for row, state in enumerate(each(batch.states[:: 1 + len(states) // MOST_TEXTS].copy().view(np.recarray))):
        use_texts(game, state, seed + row)
    for _ in play(batch):
        assert not game.flaw_numbers(batch.states).any()
    for row in range(batch.size):
        batch.outcome(row)


def use_texts(game: Game, state: States, seed: int) -> None:
    playback, rng = Playback(game), np.random.default_rng(seed)
    playback.continue_from(state)
    for seat in (None, *range(game.seats)):
        assert game.describe(state, seat)
        assert game.picture(state, seat).svg()
    game.outcome(state)
    game.result_details(state)
    position = game.position(state)
    with suppress(PositionError):  # a reader may demand more: that of My City replays the game
        assert game.position(game.from_position(position)) == position
    names = game.side_names
    for _ in range(3):
        if playback.actor is None:
            return
        actions = np.flatnonzero(playback.mask[0]).tolist()
        for action in actions[:: max(1, len(actions) // 5)]:
            assert game.parse_action(playback.states, game.action_text(playback.states, action)) == action
            game.presenter.choice(playback.states, action)
        before, action = playback.state(), int(rng.choice(actions))
        rows = playback.play(action)
        game.narrate(rows, names)
        game.chances(rows)
        for seat in range(game.seats):
            game.visible(seat, before, action, playback.states, rows)


@pytest.mark.parametrize("name", GAMES_WITH_FLAWS)
def test_random_bytes_are_refused(name: str) -> None:
    rng = np.random.default_rng(1)
    for game in configurations(name):
        batch, states = Batch(game, 1), random_bytes(game, rng, 500)
        before = batch.states.tobytes()
        assert game.flaw_numbers(states).all()
        for state in each(states[:20]):
            with pytest.raises(BatchError, match="invalid states; "):
                batch.set_states([0], state)
        assert batch.states.tobytes() == before


@pytest.mark.parametrize("n", TIERS)
@pytest.mark.parametrize("name", GAMES_WITH_FLAWS)
def test_what_is_accepted_can_be_used(name: str, n: int) -> None:
    games, used = configurations(name), 0
    for seed, game in enumerate(games):
        for states in sound_ones(game, seed, n // len(games)):
            use(game, states, seed)
            used += len(states)
    assert used > n // 2


@pytest.mark.full
@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("name", GAMES_WITH_FLAWS)
def test_what_is_accepted_is_used_within_bounds(name: str) -> None:
    """The same in a process of its own, with bounds checks on."""
    script = f"import sys; from {__name__} import *; test_what_is_accepted_can_be_used({name!r}, 60)"
    environment = {**os.environ, "GINKGO_BOUNDSCHECK": "1", "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run([sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-1500:]


@pytest.mark.parametrize("n", TIERS)
@pytest.mark.parametrize("name", GAMES_WITH_FLAWS)
def test_play_and_resampling_have_no_flaw(name: str, n: int) -> None:
    for seed, game in enumerate(configurations(name)):
        batch = Batch(game, max(1, n // 20))
        batch.reset(seed=seed)
        dealt = Batch(game, batch.size)
        rows = np.arange(batch.size)
        for step in play(batch):
            assert not game.flaw_numbers(batch.states).any(), step
            dealt.copy_rows(batch, rows, rows)
            dealt.resample(step % game.seats, seed=step)
            assert not game.flaw_numbers(dealt.states).any(), step
