"""What a learner is shown: kinds of observation by name.

* ``blocks``: the vector of ``game.observation``, in the game's own dtype
* ``features``: the vector of ``game.features``, float32
* ``both``: one float32 vector, first that of ``game.observation``, then that of ``game.features``
* ``dict``: ``observation`` as in ``blocks``, and ``action_mask``

A kind is a list of parts. One part alone is a ``Box``, several are a ``Dict`` of them. Another kind is another line in ``KINDS``.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from ginkgo_env.core.batch import Batch
from ginkgo_env.core.errors import ConfigError, shown
from ginkgo_env.core.game import Game
from ginkgo_env.envs.row_subset import RowSubset

Seats = NDArray[np.int64]
Shown = NDArray[Any] | dict[str, NDArray[Any]]
"""Observations, the rows of a batch along the first axis: an array, or one for each part."""


class Part(NamedTuple):
    """A part of an observation."""

    space: Callable[[Game], spaces.Box]
    write: Callable[[Batch, Seats, NDArray[Any]], object]
    """(batch, seats (B,), out (B, n)): write what these seats see."""


def blocks_space(game: Game) -> spaces.Box:
    """The blocks of ``game.observation`` as one vector."""
    dtype: Any = game.observation_dtype
    low, high = game.observation.bounds(dtype)
    return spaces.Box(low, high, dtype=dtype)


def features_space(game: Game) -> spaces.Box:
    """The compact features of ``game.features`` as one vector."""
    low, high = game.features.bounds(np.float32)
    return spaces.Box(low, high, dtype=np.float32)


def both_space(game: Game) -> spaces.Box:
    """The blocks and then the features, as one vector."""
    bounds = zip(game.observation.bounds(np.float32), game.features.bounds(np.float32), strict=True)
    low, high = (np.concatenate(ends) for ends in bounds)
    return spaces.Box(low, high, dtype=np.float32)


def mask_space(game: Game) -> spaces.Box:
    """An action mask."""
    return spaces.Box(0, 1, (game.actions.size,), np.int8)


def write_blocks(batch: Batch, seats: Seats, out: NDArray[Any]) -> None:
    """Write the observations of seats."""
    batch.observe(seats, out=out)


def write_features(batch: Batch, seats: Seats, out: NDArray[Any]) -> None:
    """Write the features of seats."""
    batch.features(seats, out=out)


def write_both(batch: Batch, seats: Seats, out: NDArray[Any]) -> None:
    """Write the observations of seats and, after them, the features."""
    n = batch.game.observation.size
    out[:, :n] = batch.observe(seats)
    out[:, n:] = batch.features(seats)


def write_masks(batch: Batch, seats: Seats, out: NDArray[np.int8]) -> None:
    """Write the masks of whoever decides: in a finished game all ones, as no action matters there.

    An all-zero mask would leave a policy nothing to choose from: NaN, or silently anything.
    """
    np.copyto(out, batch.mask)
    out[batch.over] = 1


_BLOCKS, _MASK = Part(blocks_space, write_blocks), Part(mask_space, write_masks)

KINDS: dict[str, dict[str, Part]] = {
    "blocks": {"observation": _BLOCKS},
    "features": {"features": Part(features_space, write_features)},
    "both": {"both": Part(both_space, write_both)},
    "dict": {"observation": _BLOCKS, "action_mask": _MASK},
}
"""The parts of each kind of observation."""


class ObservationWriter:
    """Observations of one kind.

    space : of one observation
    """

    def __init__(self, game: Game, kind: str) -> None:
        if not isinstance(kind, str) or kind not in KINDS:
            raise ConfigError(f"invalid observation {shown(kind)}; expected one of {', '.join(KINDS)}")
        self.kind = kind
        self._spaces = {name: part.space(game) for name, part in KINDS[kind].items()}
        self._alone = len(self._spaces) == 1
        one, *_ = self._spaces.values()
        # A plain dict's keys would be sorted.
        self.space: spaces.Box | spaces.Dict = one if self._alone else spaces.Dict(OrderedDict(self._spaces))

    def empty(self, n: int) -> Shown:
        """Room for n observations."""
        return self._joined({name: np.empty((n, *space.shape), space.dtype) for name, space in self._spaces.items()})

    def write(self, batch: Batch, seats: Seats, out: Shown) -> None:
        """Write what the seats (B,) of a batch see."""
        for name, part in KINDS[self.kind].items():
            part.write(batch, seats, out[name] if isinstance(out, dict) else out)

    def rows(self, aside: RowSubset, rows: NDArray[np.int64], seats: Seats) -> Shown:
        """What seats (k,) see in some rows (k,) of a batch: new arrays."""
        return self._joined({name: aside.look(rows, seats, self._looking(name)) for name in self._spaces})

    @staticmethod
    def at(shown: Shown, k: int) -> Any:
        """The k-th observation: views."""
        return {name: array[k] for name, array in shown.items()} if isinstance(shown, dict) else shown[k]

    def _looking(self, name: str) -> Callable[[Batch, Seats], NDArray[Any]]:
        part, space = KINDS[self.kind][name], self._spaces[name]

        def look(batch: Batch, seats: Seats) -> NDArray[Any]:
            out = np.empty((batch.size, *space.shape), space.dtype)
            part.write(batch, seats, out)
            return out

        return look

    def _joined(self, parts: dict[str, NDArray[Any]]) -> Shown:
        if not self._alone:
            return parts
        (array,) = parts.values()
        return array
