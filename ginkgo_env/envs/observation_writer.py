"""Kinds of observation for a learner.

* ``blocks``: the vector of ``game.observation``, in the game's own dtype
* ``features``: the vector of ``game.features``, float32
* ``both``: one float32 vector, first that of ``game.observation``, then that of ``game.features``
* ``dict``: ``observation`` as in ``blocks``, and ``action_mask``

A kind has one or more parts: the space of a single part is a ``Box``, that of several parts a ``Dict``. ``KINDS`` holds all
kinds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, short_repr
from ginkgo_env.core.game import Game
from ginkgo_env.core.layout import Layout

Seats = NDArray[np.int64]
Look = Callable[[Batch, NDArray[np.int64]], NDArray[Any]]
_ROWS = 64  # rows of the small batch
Observations = NDArray[Any] | dict[str, NDArray[Any]]
"""Observations of the rows of a batch, along the first axis: an array, or an array for each part."""


class Part(NamedTuple):
    """A part of an observation."""

    space: Callable[[Game], spaces.Box]
    write: Callable[[Batch, Seats, NDArray[Any]], object]
    """(batch, seats (B,), out (B, n)): write the observations of these seats."""


def blocks_space(game: Game) -> spaces.Box:
    """Return the space of ``game.observation``."""
    return _box(game.observation_dtype, game.observation)


def _box(dtype: Any, *layouts: Layout) -> spaces.Box:
    """Vectors of some layouts, one after the other."""
    low, high = (np.concatenate(ends) for ends in zip(*(layout.bounds(dtype) for layout in layouts), strict=True))
    return spaces.Box(low, high, dtype=dtype)


def mask_space(game: Game) -> spaces.Box:
    """Return the space of action masks."""
    return spaces.Box(0, 1, (game.actions.size,), np.int8)


def _write_both(batch: Batch, seats: Seats, out: NDArray[Any]) -> None:
    """Write the observations of seats and, after them, the features."""
    n = batch.game.observation.size
    out[:, :n] = batch.observe(seats)
    out[:, n:] = batch.features(seats)


def write_masks(batch: Batch, seats: Seats, out: NDArray[np.int8]) -> None:
    """Write the masks of the actors; all ones in finished games, where actions are ignored.

    With an all-zero mask, policies would compute NaN or an arbitrary action.
    """
    np.copyto(out, batch.mask)
    out[batch.over] = 1


_BLOCKS = Part(blocks_space, lambda batch, seats, out: batch.observe(seats, out=out))
_FEATURES = Part(lambda game: _box(np.float32, game.features), lambda batch, seats, out: batch.features(seats, out=out))
_BOTH = Part(lambda game: _box(np.float32, game.observation, game.features), _write_both)

KINDS: dict[str, dict[str, Part]] = {
    "blocks": {"observation": _BLOCKS},
    "features": {"features": _FEATURES},
    "both": {"both": _BOTH},
    "dict": {"observation": _BLOCKS, "action_mask": Part(mask_space, write_masks)},
}
"""The parts of each kind of observation."""


class ObservationWriter:
    """Writes observations of one kind.

    space : the space of one observation
    """

    def __init__(self, game: Game, kind: str) -> None:
        if not isinstance(kind, str) or kind not in KINDS:
            raise ConfigError(f"invalid observation {short_repr(kind)}; expected one of {', '.join(KINDS)}")
        self.kind = kind
        self._spaces = {name: part.space(game) for name, part in KINDS[kind].items()}
        self._alone = len(self._spaces) == 1
        one, *_ = self._spaces.values()
        # Gymnasium sorts the keys of a plain dict.
        self.space: spaces.Box | spaces.Dict = one if self._alone else spaces.Dict(OrderedDict(self._spaces))

    def empty(self, n: int) -> Observations:
        """Return arrays for n observations."""
        return self._joined({name: np.empty((n, *space.shape), space.dtype) for name, space in self._spaces.items()})

    def write(self, batch: Batch, seats: Seats, out: Observations) -> None:
        """Write the observations of the seats (B,) of a batch."""
        for name, part in KINDS[self.kind].items():
            part.write(batch, seats, out[name] if isinstance(out, dict) else out)

    def rows(self, subset: RowSubset, rows: NDArray[np.int64], seats: Seats) -> Observations:
        """Return the observations of seats (k,) in some rows (k,) of a batch: new arrays."""
        return self._joined({name: subset.look(rows, seats, self._looking(name)) for name in self._spaces})

    @staticmethod
    def at(shown: Observations, k: int) -> Any:
        """Return the k-th observation as views."""
        return {name: array[k] for name, array in shown.items()} if isinstance(shown, dict) else shown[k]

    def _looking(self, name: str) -> Callable[[Batch, Seats], NDArray[Any]]:
        part, space = KINDS[self.kind][name], self._spaces[name]

        def look(batch: Batch, seats: Seats) -> NDArray[Any]:
            out = np.empty((batch.size, *space.shape), space.dtype)
            part.write(batch, seats, out)
            return out

        return look

    def _joined(self, parts: dict[str, NDArray[Any]]) -> Observations:
        if not self._alone:
            return parts
        (array,) = parts.values()
        return array


class RowSubset:
    """Evaluates functions on some rows of ``batch``, on copies of them unless they are most of the batch."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self._small: Batch | None = None  # created when it is first needed

    def look(self, rows: NDArray[np.int64], seats: NDArray[np.int64], look: Look) -> NDArray[Any]:
        """Return the values (k, ...) of ``look(batch, seats)``, a function of all rows, for some rows (k,).

        seats : (k,) the seat of each of these rows
        """
        batch = self.batch
        if 2 * rows.size > batch.size:
            every = np.zeros(batch.size, np.int64)
            every[rows] = seats
            return look(batch, every)[rows]
        return np.concatenate([look(few, some)[:n] for few, some, n in self._parts(rows, seats)])

    def _parts(self, rows: NDArray[np.int64], seats: NDArray[np.int64]) -> Iterator[tuple[Batch, NDArray[np.int64], int]]:
        """Yield copies of the rows in parts that fit into the small batch, at least one."""
        few = self._small = self._small or Batch(self.batch.game, min(_ROWS, self.batch.size))
        for start in range(0, max(1, rows.size), few.size):
            part = rows[start : start + few.size]
            few.copy_rows(self.batch, part, np.arange(part.size))
            some = np.zeros(few.size, np.int64)
            some[: part.size] = seats[start : start + few.size]
            yield few, some, part.size
