"""Promises about batches: seeds, rows, sizes, threads, autoreset, copies, machine code."""

from __future__ import annotations

import hashlib
import sys
from collections.abc import Sequence
from typing import Any

import numpy as np

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.compile.jit import JIT_DISABLED
from ginkgo_env.core.compile.specialize import specialized_copies
from ginkgo_env.core.game import Game
from ginkgo_env.core.masks import NO_ACTION
from ginkgo_env.testing.play import LONGEST, at, fresh, peek, play, require, table, visited, without_streams


def check_reproducible(game: Game, *, seed: int = 0, rows: int = 4) -> None:
    """The same seed and actions give the same bytes; other seeds give other games if there is chance."""
    first, second = fresh(game, rows, seed), fresh(game, rows, seed)
    for step in play(first):
        for row in range(rows):
            require(table(first, row) == table(second, row), f"step {step}, row {row}: two runs of one seed differ")
        if not first.over.all():
            second.step(peek(first))
    courses = _courses(fresh(game, 8, seed))
    require(len(courses) > 1 or not game.has_chance, "games of different seeds, played the same way, do not differ")
    require(len(courses) == 1 or game.has_chance, "a game without chance depends on its seed")


def _courses(batch: Batch) -> set[bytes]:
    """The different courses of the games of a batch if every player takes the first legal action, as digests."""
    courses = [hashlib.sha256() for _ in range(batch.size)]
    while True:
        for course, record in zip(courses, batch.states, strict=True):
            course.update(without_streams(record))
        if batch.over.all():
            return {course.digest() for course in courses}
        batch.step(np.where(batch.over, NO_ACTION, batch.mask.argmax(axis=1)))


def check_rows_are_apart(game: Game, *, seed: int = 0, rows: int = 5) -> None:
    """Stepping, resetting, setting and copying one row leave the bytes of the others alone."""
    batch = fresh(game, rows, seed)
    for step in range(40 * rows):
        row = step % rows
        actions = np.full(rows, NO_ACTION)
        actions[row] = batch.sample()[row]
        before = [batch.states[k].tobytes() + batch.mask[k].tobytes() for k in range(rows)]
        if step % 10 == 9:
            batch.reset(seed=step, rows=[row])
        elif step % 10 == 8:
            batch.copy_rows(batch, [(row + 1) % rows], [row])
        else:
            batch.step(actions)
        for k in range(rows):
            if k != row:
                same = batch.states[k].tobytes() + batch.mask[k].tobytes() == before[k]
                require(same, f"step {step}: changing row {row} changed row {k}")


def check_batch_size(game: Game, *, seed: int = 0, size: int = 7) -> None:
    """Games of given seeds are the same in one batch, in shuffled rows, and each alone."""
    seeds = np.random.SeedSequence(seed).generate_state(size, np.uint64)
    order = np.random.default_rng(seed).permutation(size)
    whole, shuffled = Batch(game, size), Batch(game, size)
    whole.reset(seed=seeds)
    shuffled.reset(seed=seeds[order])
    alone = [Batch(game, 1) for _ in range(size)]
    for row, batch in enumerate(alone):
        batch.reset(seed=[int(seeds[row])])
    for step in play(whole):
        for row in range(size):
            here = table(whole, row)
            require(table(alone[row], 0) == here, f"step {step}: row {row} differs when it is alone in its batch")
            require(table(shuffled, int(np.flatnonzero(order == row)[0])) == here, f"step {step}: row {row} depends on order")
        if not whole.over.all():
            actions = peek(whole)
            shuffled.step(actions[order])
            for row, batch in enumerate(alone):
                require(batch.sample()[0] == actions[row], f"step {step}: row {row} samples differently when it is alone")
                batch.step(actions[row : row + 1])


def check_threads(game: Game, *, seed: int = 0, size: int = 7) -> None:
    """Two threads give the same results as one."""
    one, two = fresh(game, size, seed), fresh(game, size, seed, threads=2)
    try:
        for step in play(one):
            for what in ("states", "mask", "done", "rewards", "totals", "standings"):
                require(getattr(one, what).tobytes() == getattr(two, what).tobytes(), f"step {step}: {what} depend on threads")
            if step % 8 == 0:
                require((one.observe() == two.observe()).all(), f"step {step}: observations depend on threads")
                require((one.scores() == two.scores()).all(), f"step {step}: scores depend on threads")
            if not one.over.all():
                two.step(two.sample())
        one.reset(seed=seed)
        two.reset(seed=seed)
        one.resample(0, seed=seed)
        two.resample(0, seed=seed)
        require(one.states.tobytes() == two.states.tobytes(), "resampling depends on threads")
    finally:
        two.close()


def check_autoreset(game: Game, *, seed: int = 0, rows: int = 4) -> None:
    """With autoreset each row plays and reports the same game, and then holds the next one."""
    plain, auto = fresh(game, rows, seed), fresh(game, rows, seed, autoreset=True)
    first = np.ones(rows, np.bool_)  # rows of `auto` that still hold their first game
    for step in range(LONGEST):
        if plain.over.all():
            return
        actions = plain.sample()
        auto.step(np.where(first, actions, auto.sample()))
        plain.step(actions)
        require(not auto.over.any() and auto.mask.any(axis=1).all(), f"step {step}: a row does not continue despite autoreset")
        ended = first & plain.done
        require((auto.done[first] == plain.done[first]).all(), f"step {step}: autoreset changes when a game ends")
        require((auto.truncated[first] == plain.truncated[first]).all(), f"step {step}: autoreset changes how a game ends")
        require((auto.rewards[first] == plain.rewards[first]).all(), f"step {step}: autoreset changes rewards")
        require((auto.totals[ended] == plain.totals[ended]).all(), f"step {step}: autoreset changes the scores of an ended game")
        same = (auto.standings[ended] == plain.standings[ended]).all()
        require(same, f"step {step}: autoreset changes the standings of an ended game")
        first &= ~plain.done
        for row in np.flatnonzero(first):
            same = plain.states[row].tobytes() == auto.states[row].tobytes()
            require(same, f"step {step}: autoreset changes the game in row {row} before its end")


def check_copies(game: Game, *, seed: int = 0) -> None:
    """A copied row is an independent game that continues in the same way."""
    states = visited(game, seed=seed, n=6)
    source = at(game, states)
    target = fresh(game, len(states) + 1, seed + 1)
    rows = np.arange(len(states))
    target.copy_rows(source, rows, rows + 1)
    require(target.states[1:].tobytes() == source.states.tobytes(), "a copied row has different bytes")
    require((target.mask[1:] == source.mask).all(), "a copied row has a different mask")
    before = source.states.tobytes()
    actions = source.sample()
    target.step(np.concatenate([[NO_ACTION], actions]))
    require(source.states.tobytes() == before, "a copy and its original are not independent")
    source.step(actions)
    require(target.states[1:].tobytes() == source.states.tobytes(), "a copied game continues differently")


# --- compiled kernels --------------------------------------------------------------------------------------------------------


def compiled_kernels(game: Game) -> dict[str, Any]:
    """Return the compiled functions of the core, the game and its loops by their full names."""
    places = ("ginkgo_env.core.", type(game).__module__.rpartition(".")[0] + ".")
    found = {f"{loop.py_func.__module__}.{loop.py_func.__name__}": loop for loop in game.kernels if hasattr(loop, "py_func")}
    for module in [m for name, m in sorted(sys.modules.items()) if name.startswith(places)]:
        for value in (*vars(module).values(), *specialized_copies()):
            if hasattr(value, "signatures") and hasattr(value, "py_func") and value.py_func.__module__.startswith(places):
                found[f"{value.py_func.__module__}.{value.py_func.__qualname__}"] = value
    return found


def _numbers_of(signature: Sequence[Any]) -> tuple[str, ...]:
    """A signature without the kinds of its arrays and records.

    Fields of a record, rows of a batch and local arrays differ in kind, and so do the records of different games. A game
    without components has None in place of the record of components.
    """
    names = ("array" if hasattr(kind, "ndim") else "record" if hasattr(kind, "fields") else str(kind) for kind in signature)
    return tuple("record" if name == "none" else name for name in names)


def _of_records(kind: Any) -> bool:
    """Whether a compiled type is an array of records."""
    return hasattr(getattr(kind, "dtype", None), "fields")


def check_one_signature(game: Game) -> None:
    """No kernel is compiled more than once for integers of different widths or numbers of different kinds.

    Helpers on arrays are compiled once for each kind of array (a field of the record, a row, a local array), which is needed.
    Machine code from the cache has no signatures of inner kernels: to test them, compile in a process without a cache.
    """
    if JIT_DISABLED:
        return
    batch = fresh(game, 2, 0)
    batch.observe()
    batch.resample(0, seed=0)
    batch.step(batch.sample())
    game.outcome(batch.state(0))
    for name, kernel in compiled_kernels(game).items():
        kinds = {_numbers_of(signature) for signature in kernel.signatures}
        require(len(kinds) <= 1, f"{name} is compiled for {len(kinds)} kinds of numbers: {sorted(kinds)}"[:400])
    for entry in game.kernels.rules:
        records = [
            next(str(kind.dtype) for kind in signature if _of_records(kind)) for signature in getattr(entry, "signatures", ())
        ]
        name = entry.py_func.__name__  # type: ignore[attr-defined]
        require(len(records) == len(set(records)) > 0, f"the entry {name!r} is compiled several times, or never, for its records")
