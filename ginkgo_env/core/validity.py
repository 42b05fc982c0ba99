"""Checks of records of any content: each value in its range, each thing in one place.

The declarations of a class (``core.state``) are compiled into a table of numbers, which one kernel for all games reads along with
the bytes of a record. What declarations cannot say is checked by a game's own kernel ``find_flaw``, which may rely on all this.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import IntEnum, auto
from functools import cache
from math import prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.compile.bits import ONE, ZERO, lowest
from ginkgo_env.core.compile.intrinsics import borrow
from ginkgo_env.core.compile.jit import entry, kernel
from ginkgo_env.core.state import Field, Held, Things, fields_of

Pieces = Mapping[Things, Sequence[int] | NDArray[Any]]
"""How many things of each id there are in a configuration."""

_NONE = -1
_BITS = 8  # of a byte


class _Of(IntEnum):
    """Columns of the table: what the kernels know of a field. Offsets are those of bytes in the record, -1 for none."""

    HELD = 0  # Held, by its place in the enum
    AT = auto()  # offset
    WIDTH = auto()  # bytes of an entry; 1 for sets, whose entries are bytes here
    N = auto()  # entries
    EACH = auto()  # entries for each place of the first axis
    USED = auto()  # offset of the field that says how many places of the first axis are in use
    LOW = auto()
    HIGH = auto()  # added to LIMIT if there is one
    LIMIT = auto()
    LIMIT_WIDTH = auto()
    EMPTY = auto()
    KINDS = auto()  # things
    FIRST = auto()  # the place of thing 0 among all pieces, -1 if this is no place of things
    SET_BYTES = auto()  # bytes of a set
    THING = auto()
    AMONG = auto()  # offset of the sets in which the thing is a member


_WORD, _NUMBER, _ID, _COUNTS, _SET = range(len(Held))


class Declarations:
    """The declared fields of a record as kernels read them.

    Attributes
    ----------
    things : the kinds of things that have places, those of which a game says how many there are
    """

    def __init__(self, declared: type, dtype: np.dtype[np.record], things: tuple[Things, ...]) -> None:
        self.fields, self._dtype, self.things = fields_of(declared), dtype, things
        self._first = dict(zip(self.things, np.cumsum([0, *(kind.n for kind in things)]).tolist(), strict=False))
        self._table = np.array([self._row(name, field) for name, field in self.fields.items()], np.int64)
        self._complete = np.array([kind.all_in_places for kind in things for _ in range(kind.n)], np.bool_)

    def _row(self, name: str, field: Field) -> list[int]:
        size, width = prod(field.shape), np.dtype(field.dtype).itemsize
        is_set = field.held is Held.SET
        n = size * width if is_set else size
        row = dict.fromkeys(_Of, 0) | {
            _Of.HELD: list(Held).index(field.held),
            _Of.AT: self._offset(name),
            _Of.WIDTH: 1 if is_set else width,
            _Of.N: n,
            _Of.EACH: n // field.shape[0] if field.shape else n,
            _Of.USED: self._offset(field.used),
            _Of.LOW: field.low,
            _Of.HIGH: field.high,
            _Of.LIMIT: self._offset(field.limit),
            _Of.LIMIT_WIDTH: self._dtype[field.limit].base.itemsize if field.limit else 0,
            _Of.EMPTY: field.empty,
            _Of.KINDS: field.things.n if field.things else 0,
            _Of.FIRST: self._first[field.things] if field.is_place and field.things in self._first else _NONE,
            _Of.THING: field.thing,
            _Of.AMONG: self._offset(field.among),
        }
        sets = self.fields[field.among] if field.among else field
        if sets.held is Held.SET:
            row[_Of.SET_BYTES] = sets.set_bytes
        return list(row.values())

    def _offset(self, name: str) -> int:
        fields: Any = self._dtype.fields
        return int(fields[name][1]) if name else _NONE

    def copies(self, pieces: Pieces) -> NDArray[np.int64]:
        """Return how many pieces there are of all things, in order, (n,)."""
        return np.concatenate([np.zeros(0, np.int64), *(np.asarray(pieces[things], np.int64) for things in self.things)])

    def check(
        self, states: NDArray[Any], copies: NDArray[np.int64], configurations: NDArray[np.int64], numbers: NDArray[np.int64]
    ) -> None:
        """Write the flaw of each record whose number is 0 into numbers (B,).

        It is 0 for none, or a negative number for :meth:`sentence`.

        states (B,), C-contiguous : records of any content
        copies (k, n) : what :meth:`copies` returned for each configuration
        configurations (B,) : the configuration of each record
        """
        content = states.view(np.int8).reshape(len(states), self._dtype.itemsize)
        check_many(content, self._table, copies, self._complete, configurations, numbers)

    def sentence(self, number: int) -> str:
        """Return a flaw in words.

        number : negative
        """
        at = -1 - number
        if at < len(self.fields):
            name, field = list(self.fields.items())[at]
            return f"{name}: expected {field.values}" + (f", and {field.empty} beyond {field.used}" if field.used else "")
        kind = [kind for kind in self.things for _ in range(kind.n)][at - len(self.fields)]
        return f"each {kind.name} must be in one place" if kind.all_in_places else f"there are too many {kind.name}s"


@cache
def declarations(declared: type, dtype: np.dtype[np.record], things: tuple[Things, ...]) -> Declarations:
    """Return the declarations of a class, made once."""
    return Declarations(declared, dtype, things)


# --- kernels on the bytes of a record ------------------------------------------------------------------------------------------


@kernel
def number_at(content: np.ndarray, at: int, width: int) -> int:
    """Return a number of one or two bytes."""
    return int(content[at]) if width == 1 else (int(content[at]) & 255) | int(content[at + 1]) << _BITS


@kernel
def entries_in_use(content: np.ndarray, field: np.ndarray) -> int:
    """Return how many entries of a field are in use."""
    if field[_Of.USED] == _NONE:
        return int(field[_Of.N])
    return min(int(field[_Of.N]), max(0, int(content[field[_Of.USED]])) * int(field[_Of.EACH]))


@kernel
def has_member(content: np.ndarray, at: int, member: int) -> int:
    """Return 1 if a set of which the first byte is given has a member."""
    bit: int = (int(content[at + (member >> 3)]) >> (member & 7)) & 1
    return bit


@kernel
def is_in_range(content: np.ndarray, field: np.ndarray, in_use: int) -> bool:
    """Return whether numbers are possible where they are in use, and the empty value elsewhere."""
    at, width, low, high, empty = field[_Of.AT], field[_Of.WIDTH], field[_Of.LOW], field[_Of.HIGH], field[_Of.EMPTY]
    if field[_Of.LIMIT] != _NONE:
        high += number_at(content, field[_Of.LIMIT], field[_Of.LIMIT_WIDTH])
    wrong = 0
    if width == 1:  # two loops that are vectorized
        for value in content[at : at + in_use]:
            wrong += 1 if value < low or value > high else 0
        for value in content[at + in_use : at + field[_Of.N]]:
            wrong += 1 if value != empty else 0
    else:
        for i in range(field[_Of.N]):
            value = number_at(content, at + 2 * i, width)
            wrong += 1 if (value < low or value > high if i < in_use else value != empty) else 0
    if field[_Of.AMONG] != _NONE:
        for i in range(in_use):
            member = has_member(content, field[_Of.AMONG] + i * field[_Of.SET_BYTES], field[_Of.THING])
            wrong += 1 if member != (1 if content[at + i] > 0 else 0) else 0
    return wrong == 0


@kernel
def are_sets_in_range(content: np.ndarray, field: np.ndarray, in_use: int) -> bool:
    """Return whether sets have possible members only, and none where they are not in use."""
    at, size, low, stop = field[_Of.AT], field[_Of.SET_BYTES], field[_Of.LOW], field[_Of.HIGH] + 1
    whole = stop >> 3  # bytes of which all bits are below the end
    wrong = 0
    for start in range(at, at + in_use, size):
        for member in range(low):
            wrong |= has_member(content, start, member)
        if whole < size:
            wrong |= (int(content[start + whole]) & 255) >> (stop & 7)
        for i in range(start + whole + 1, start + size):
            wrong |= int(content[i])
    for i in range(at + in_use, at + field[_Of.N]):
        wrong |= int(content[i])
    return wrong == 0


@kernel
def add_pieces(content: np.ndarray, field: np.ndarray, in_use: int, places: np.ndarray) -> None:
    """Add the things in a field to the numbers of all pieces (n,)."""
    held, at, first = field[_Of.HELD], field[_Of.AT], field[_Of.FIRST]
    if held == _ID:
        for i in range(at, at + in_use):
            if content[i] != _NONE:
                places[first + content[i]] += 1
    elif held == _COUNTS:
        for start in range(at, at + in_use, field[_Of.KINDS]):
            for kind in range(field[_Of.KINDS]):
                places[first + kind] += content[start + kind]
    elif held == _SET:
        for start in range(at, at + in_use, field[_Of.SET_BYTES]):
            for i in range(field[_Of.SET_BYTES]):
                rest = np.uint64(int(content[start + i]) & 255)
                while rest != ZERO:
                    places[first + i * _BITS + lowest(rest)] += 1
                    rest &= rest - ONE
    else:
        for i in range(at, at + in_use):
            places[first + field[_Of.THING]] += content[i]
            if field[_Of.AMONG] != _NONE:  # one of them is counted there
                places[first + field[_Of.THING]] -= 1 if content[i] > 0 else 0


@kernel
def flaw_of_record(content: np.ndarray, table: np.ndarray, copies: np.ndarray, complete: np.ndarray, places: np.ndarray) -> int:
    """Return 0 if a record is as declared, otherwise the negative number of a flaw.

    It is -1 for the first field; pieces are numbered after the fields.

    places (n,) : overwritten
    """
    for f in range(table.shape[0]):
        in_use = entries_in_use(content, table[f])
        held = table[f, _Of.HELD]
        if held == _SET:
            fits = are_sets_in_range(content, table[f], in_use)
        else:
            fits = held == _WORD or is_in_range(content, table[f], in_use)
        if not fits:
            return -1 - f
    places[:] = 0
    for f in range(table.shape[0]):
        if table[f, _Of.FIRST] != _NONE:
            add_pieces(content, table[f], entries_in_use(content, table[f]), places)
    for piece in range(copies.shape[0]):
        if places[piece] > copies[piece] or (complete[piece] and places[piece] < copies[piece]):
            return int(-1 - table.shape[0] - piece)
    return 0


@entry
def check_many(
    content: np.ndarray,
    table: np.ndarray,
    copies: np.ndarray,
    complete: np.ndarray,
    configurations: np.ndarray,
    numbers: np.ndarray,
) -> None:
    """Write the flaw of each record (B, bytes) whose number is 0 into numbers (B,)."""
    content, table, copies, complete = borrow(content), borrow(table), borrow(copies), borrow(complete)
    kept = np.empty(complete.shape[0], np.int64)
    places = borrow(kept)
    for i in range(content.shape[0]):
        if numbers[i] == 0:
            numbers[i] = flaw_of_record(content[i], table, copies[configurations[i]], complete, places)
    kept[:1] = 0  # Numba frees an array after its last use, although another name borrows it
