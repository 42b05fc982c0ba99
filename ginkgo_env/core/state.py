"""The state of every game: one numpy record, with the few fields that the core itself reads."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

States = np.recarray[Any, Any]
"""An array of records, (B,): a batch; of shape (1,) a state."""

Field = tuple[str, type[np.generic]] | tuple[str, type[np.generic], int | tuple[int, ...]]


Array = NDArray[Any]
"""What a field with a shape is to the type checker."""


def _field(kind: type[np.generic], *shape: int) -> Any:
    return (kind, shape) if shape else (kind,)


word, short, bits, byte = (partial(_field, kind) for kind in (np.uint64, np.int16, np.uint16, np.int8))
"""Fields of a class that :func:`fields_of` reads: ``points: Array = short(5)`` is an int16 field of five numbers."""


class State(Protocol):
    """One record as kernels see it. A game's own protocol adds its fields to these, which every record has."""

    rng: np.uint64
    """State of the random generator (``core.rng``); hidden."""
    seed: np.uint64
    """Seed of this game; hidden."""
    actor: int
    """int8: the seat that decides, negative in a finished game."""


class Record:
    """Base of the classes that declare the fields of a record: source of its dtype, and type of records for type checkers.

    Never instantiated: records are elements of numpy arrays.
    """

    def __getitem__(self, name: str) -> Any:
        raise NotImplementedError  # implemented by numpy's records


def fields_of(declared: type) -> list[Field]:
    """The fields that a class declares, in its order: the one list that makes the dtype and types the kernels.

    >>> class Cards:
    ...     deck: Array = word(2)
    ...     size: int = byte()
    >>> fields_of(Cards)
    [('deck', <class 'numpy.uint64'>, (2,)), ('size', <class 'numpy.int8'>)]
    """
    return [(name, *vars(declared)[name]) for name in declared.__annotations__]


def record_dtype(fields: Sequence[Field]) -> np.dtype[np.record]:
    """The dtype of a state, or of a game's tables: aligned, with fields as attributes, without padding.

    States are copied, compared and hashed as bytes, and padding bytes are not preserved. So fields are declared in order of
    decreasing width: ValueError is raised where alignment would leave a gap, and for a name that is an attribute of numpy's
    records. Missing bytes at the end become the field ``spare``.

    >>> record_dtype([("rng", np.uint64), ("seed", np.uint64), ("actor", np.int8)]).itemsize
    24
    """
    taken = [name for name, *_ in fields if hasattr(np.record, name)]
    if taken:
        raise ValueError(f"invalid field name {taken[0]!r}: numpy's records have an attribute of that name")
    plain = np.dtype(list(fields))
    spare = -plain.itemsize % np.dtype(np.uint64).itemsize
    whole = np.dtype([*fields, ("spare", np.int8, spare)] if spare else list(fields), align=True)
    if whole.itemsize != plain.itemsize + spare:
        raise ValueError("declare the fields of a state in order of decreasing width: this order leaves gaps between them")
    found: np.dtype[np.record] = np.dtype((np.record, whole))  # type: ignore[assignment]
    return found
