"""The state of every game: one numpy record, and the same as a plain Python object."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from enum import IntEnum
from functools import partial
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

States = np.recarray[Any, Any]
"""An array of records: (B,) a batch, (1,) a state."""

Field = tuple[str, type[np.generic]] | tuple[str, type[np.generic], int | tuple[int, ...]]


Array = NDArray[Any]
"""The type of a field with a shape, for type checkers."""


def _field(kind: type[np.generic], *shape: int) -> Any:
    return (kind, shape) if shape else (kind,)


word, short, bits, byte = (partial(_field, kind) for kind in (np.uint64, np.int16, np.uint16, np.int8))
"""Declare fields of a class for :func:`fields_of`: ``points: Array = short(5)`` is an int16 field of shape (5,)."""


class State(Protocol):
    """A record as kernels see it, with the fields that every game has. A game's protocol adds its own."""

    rng: np.uint64
    """The state of the random generator (``core.rng``); hidden."""
    seed: np.uint64
    """The seed of this game; hidden."""
    actor: int
    """int8: the seat that decides, negative in a finished game."""


class Flaws(IntEnum):
    """Base of the flaws of a game: members are declared as sentences and numbered from 1.

    >>> class Flaw(Flaws):
    ...     DECK = "the deck does not hold every card once"
    >>> int(Flaw.DECK), Flaw.DECK.sentence
    (1, 'the deck does not hold every card once')
    """

    sentence: str

    def __new__(cls, sentence: str) -> Flaws:
        """Create a member with the next number."""
        member = int.__new__(cls, len(cls.__members__) + 1)
        member._value_, member.sentence = int(member), sentence
        return member


class Record:
    """Base of the classes that declare the fields of a record, for its dtype and for type checkers.

    Never instantiated: records are elements of numpy arrays.
    """

    def __getitem__(self, name: str) -> Any:
        raise NotImplementedError  # implemented by numpy's records


def fields_of(declared: type) -> list[Field]:
    """Return the fields that a class declares, in order: one list for the dtype and for type checkers.

    >>> class Cards:
    ...     deck: Array = word(2)
    ...     size: int = byte()
    >>> fields_of(Cards)
    [('deck', <class 'numpy.uint64'>, (2,)), ('size', <class 'numpy.int8'>)]
    """
    return [(name, *vars(declared)[name]) for name in declared.__annotations__]


def record_dtype(fields: Sequence[Field]) -> np.dtype[np.record]:
    """Return the dtype of a state or of tables: aligned, without padding, with fields as attributes.

    States are copied, compared and hashed as bytes, and numpy does not preserve padding. So fields are declared in order of
    decreasing width; missing bytes at the end become the field ``spare``.

    Raises ValueError if alignment would leave a gap, or for a name that is an attribute of numpy's records.

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
    dtype: np.dtype[np.record] = np.dtype((np.record, whole))  # type: ignore[assignment]
    return dtype


# --- records as plain Python objects, for texts and positions ----------------------------------------------------------------


class Fields:
    """The fields of a record as plain numbers and lists, such as ``g.points[2]``.

    Python reads these many times faster than a record. Changes reach a record only by :meth:`store`.
    """

    def __init__(self, record: Any) -> None:
        self.__dict__.update({name: record[name].tolist() for name in record.dtype.names})

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"a state has no field {name!r}")

    if TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None: ...

    def store(self, record: Any) -> None:
        """Write all fields into a record."""
        for name, value in self.__dict__.items():
            record[name] = value


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set, given as the bits of a number, in ascending order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
