"""Named blocks of a flat vector: the layout of actions and of observations.

Numeric offsets are not needed: ``layout["city"]`` is the block, ``layout.view(vector, "city")`` has its numbers in its shape.
Kernels get ``layout.offsets``, indexed by the members of an enum.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.errors import BatchError, join_names, short_repr


def field_names(fields: type[IntEnum]) -> tuple[str, ...]:
    """Return the names of the fields that an enum numbers, in lower case.

    Kernels write ``out[start + Status.ROUND]``; texts and users get ``field_names(Status)``.

    Raises ValueError unless the members are 0, 1, 2, ... in their order, without aliases.

    >>> class Status(IntEnum):
    ...     ROUND, ROUNDS_LEFT = range(2)
    >>> field_names(Status)
    ('round', 'rounds_left')
    """
    if list(fields.__members__.values()) != list(range(len(fields.__members__))):
        raise ValueError(f"members of {fields.__name__} must be 0, 1, 2, ... in order, got {dict(fields.__members__)}")
    return tuple(name.lower() for name in fields.__members__)


@dataclass(frozen=True)
class Block:
    """A named block of a flat vector.

    ``low`` and ``high`` bound its numbers; ``seen_by`` says who may know them ("all" or "self"). The layout sets ``start``.

    >>> Block("board", (3, 3), "tiles").size
    9
    """

    name: str
    shape: tuple[int, ...]
    meaning: str
    low: int = 0
    high: int = 1
    seen_by: str = "all"
    start: int = field(default=0, compare=False)

    @property
    def size(self) -> int:
        """The number of values."""
        return math.prod(self.shape)

    @property
    def stop(self) -> int:
        """The index after the last value."""
        return self.start + self.size

    @property
    def slice(self) -> slice:
        """The slice of the vector."""
        return slice(self.start, self.stop)


class Layout(Mapping[str, Block]):
    """Consecutive blocks of a flat vector; a mapping from names to blocks.

    >>> layout = Layout([Block("hand", (4,), "own cards"), Block("board", (3, 3), "tiles")])
    >>> layout.size, layout["board"].start
    (13, 4)
    """

    def __init__(self, blocks: Sequence[Block]) -> None:
        self._blocks: dict[str, Block] = {}
        start = 0
        for block in blocks:
            if block.name in self._blocks:
                raise BatchError(f"invalid blocks; two are named {short_repr(block.name)}")
            placed = Block(block.name, block.shape, block.meaning, block.low, block.high, block.seen_by, start)
            self._blocks[block.name] = placed
            start = placed.stop
        self.size = start
        self.offsets: NDArray[np.int64] = np.array([b.start for b in self._blocks.values()] + [start], np.int64)

    def __getitem__(self, name: str) -> Block:
        return self._blocks[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._blocks)

    def __len__(self) -> int:
        return len(self._blocks)

    def view(self, vector: NDArray[Any], name: str) -> NDArray[Any]:
        """Return a view of a block of a vector (..., n), in the shape ``(..., *block.shape)``."""
        block, vector = self._block(name), self.checked_vector(vector)
        return vector[..., block.slice].reshape(*vector.shape[:-1], *block.shape)

    def locate(self, index: int) -> tuple[Block, tuple[int, ...]]:
        """Return the block of a flat index, and the place in it. Raises BatchError outside the vector."""
        for block in self._blocks.values():
            if block.start <= index < block.stop:
                place = np.unravel_index(index - block.start, block.shape)
                return block, tuple(int(i) for i in place)
        raise BatchError(f"invalid index {short_repr(index)}; expected 0..{self.size - 1}")

    def index(self, name: str, *place: int) -> int:
        """Return the flat index of a place in a block."""
        block = self._block(name)
        try:
            return block.start + int(np.ravel_multi_index(place, block.shape))
        except (TypeError, ValueError):
            raise BatchError(f"invalid place {place}; expected one in the shape {block.shape}") from None

    def checked_vector(self, vector: Any) -> Any:
        """Return a vector (..., n): an array or a tensor. Raises BatchError for anything else."""
        shape = getattr(vector, "shape", None)
        if not isinstance(shape, tuple) or not shape or shape[-1] != self.size:
            given = short_repr(vector) if shape is None else f"of shape {tuple(shape)}"
            raise BatchError(f"invalid vector {given}; expected numbers of shape (..., {self.size})")
        return vector

    def _block(self, name: str) -> Block:
        block = self._blocks.get(name) if isinstance(name, str) else None
        if block is None:
            raise BatchError(f"invalid block {short_repr(name)}; expected one of {join_names(self._blocks)}")
        return block

    def bounds(self, dtype: type[np.generic]) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return the lowest and highest values (n,), as a Gymnasium ``Box`` takes them."""
        low, high = np.empty(self.size, dtype), np.empty(self.size, dtype)
        for block in self._blocks.values():
            low[block.slice], high[block.slice] = block.low, block.high
        return low, high

    def __repr__(self) -> str:
        return f"Layout({self.size}: {', '.join(f'{b.name}{list(b.shape)}' for b in self._blocks.values())})"


class Observation(Mapping[str, NDArray[Any]]):
    """An observation (n,), or a batch of them (..., n), as a mapping from names of blocks to views.

    >>> layout = Layout([Block("hand", (4,), "own cards"), Block("board", (2, 2), "tiles")])
    >>> Observation(layout, np.arange(8))["board"]
    array([[4, 5],
           [6, 7]])
    """

    def __init__(self, layout: Layout, vector: NDArray[Any]) -> None:
        if not isinstance(layout, Layout):
            raise BatchError(f"invalid layout {short_repr(layout)}; expected a Layout")
        self.layout, self.vector = layout, layout.checked_vector(vector)

    def __getitem__(self, name: str) -> NDArray[Any]:
        if name not in self.layout:
            raise KeyError(name)
        return self.layout.view(self.vector, name)

    def __iter__(self) -> Iterator[str]:
        return iter(self.layout)

    def __len__(self) -> int:
        return len(self.layout)
