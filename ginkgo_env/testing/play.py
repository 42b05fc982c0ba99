"""Random play for tests: batches, states, and the contents of a row."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import BatchError, short_repr
from ginkgo_env.core.game import Game, States

STREAM_FIELDS = ("rng", "seed")
"""Random numbers in a record (``core.rng``)."""

LONGEST = 5_000
"""The number of decisions after which a game must be over."""

Policy = Callable[[Batch], ArrayLike]
"""A function from a batch to legal actions (B,), NO_ACTION in finished rows; ``Batch.sample`` is uniform."""


def require(condition: Any, sentence: str) -> None:
    """Raise AssertionError unless a condition holds (an ``assert`` that ``python -O`` keeps)."""
    if not condition:
        raise AssertionError(sentence)


def play(batch: Batch, steps: int = LONGEST, policy: Policy = Batch.sample) -> Iterator[int]:
    """Play until every game is over, by default at random; yield the number of steps so far."""
    for step in range(steps):
        yield step
        if batch.over.all():
            return
        batch.step(policy(batch))
    require(batch.over.all(), f"a game of {batch.game.name} is not over after {steps} decisions")


def fresh(game: Game, rows: int, seed: int, **options: Any) -> Batch:
    """Return a batch at the start of its games."""
    batch = Batch(game, rows, **options)
    batch.reset(seed=seed)
    return batch


def visited(
    game: Game, *, seed: int = 0, n: int = 16, rows: int = 4, finished: bool = False, policy: Policy = Batch.sample
) -> States:
    """Return about n states of random play, (n,), of all kinds; with ``finished``, final states too."""
    batch = fresh(game, rows, seed)
    records = np.concatenate([batch.states.copy() for _ in play(batch, policy=policy)]).view(np.recarray)
    kinds = np.array(game.kind(records))
    wanted = sorted(set(kinds.tolist()) - (set() if finished else {game.over}))
    share = -(-n // len(wanted))
    chosen: list[int] = []
    for kind in wanted:
        found = np.flatnonzero(kinds == kind)
        chosen += found[np.linspace(0, len(found) - 1, min(share, len(found))).astype(int)].tolist()
    return records[sorted(chosen)].view(np.recarray)


def at(game: Game, states: States, *, check: bool = True) -> Batch:
    """Return a batch whose rows hold these states, by default valid ones (``Batch.set_states``)."""
    batch = Batch(game, len(states))
    batch.set_states(np.arange(len(states)), states, check=check)
    return batch


def repeated(game: Game, state: States, n: int) -> Batch:
    """Return a batch with n copies of a state."""
    return at(game, np.repeat(state, n).view(np.recarray))


def each(states: States) -> list[States]:
    """Return the states (n,) as a list of states (1,)."""
    return [states[i : i + 1].view(np.recarray) for i in range(len(states))]


def table(batch: Batch, row: int) -> bytes:
    """Return the bytes of a row that a step may change."""
    pieces = (batch.states, batch.mask, batch.done, batch.rewards, batch.totals, batch.standings)
    return b"".join(np.ascontiguousarray(piece[row : row + 1]).tobytes() for piece in pieces)


def without_streams(record: Any) -> bytes:
    """Return the bytes of a record without its random numbers, which may be all that differs."""
    names = getattr(getattr(record, "dtype", None), "names", None) or ()
    if not set(STREAM_FIELDS) <= {*names}:
        raise BatchError(f"invalid record {short_repr(record)}; expected the record of a state")
    rest = record.copy()
    for name in STREAM_FIELDS:
        rest[name] = 0
    return bytes(rest.tobytes())


def peek(batch: Batch) -> NDArray[np.int64]:
    """Return the next result of ``sample``, without advancing its random stream."""
    keys = batch._keys.copy()
    actions = batch.sample()
    batch._keys[:] = keys
    return actions
