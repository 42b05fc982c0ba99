"""Positions: records as plain data and back, by tables of forms.

A position is an object. A row of its table names a key and a field of the record, whose form follows from its declaration
(``core.state``), or a form of its own:

>>> from ginkgo_env.core.state import Axis, Record, Things, empty_state, number, pile, record_dtype, seat
>>> CARD = Things("card", 3)
>>> class State(Record):
...     players: int = number("how many", low=2, high=4)
...     actor: int = seat("who decides")
...     coins: Any = number("coins", Axis(4, "players"), high=9)
...     deck_size: int = number("cards in the deck", high=3)
...     deck: Any = pile("the next card last", CARD, 3, size="deck_size")
>>> forms = Forms(State, {CARD: ("ace", "king", "queen")})
>>> form = forms.object("actor", "deck", ("purses", EachSeat(forms.object("coins"))))
>>> states = empty_state(State, record_dtype(State))
>>> states["players"] = 2
>>> position = form.write(Fields(states[0])) | {"deck": ["queen", "ace"]}
>>> position
{'actor': None, 'deck': ['queen', 'ace'], 'purses': [{'coins': 0}, {'coins': 0}]}
>>> read_state(form, position, states)[0].deck.tolist()
[0, 2, -1]

Reading checks what is needed to fill in a record of its declared types, and names the place of a problem. Whether all of it goes
together is checked in the record; whether it is written as it was read, by :func:`check_same`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence, Set
from copy import deepcopy
from dataclasses import dataclass
from enum import IntEnum
from typing import Any

import numpy as np

from ginkgo_env.core.errors import PositionError, shown, some
from ginkgo_env.core.state import Field, Fields, Held, States, Things, fields_of

_NONE = -1
_LONGEST = 100  # no list of a position is longer
_BITS = 64


# --- plain data --------------------------------------------------------------------------------------------------------------


def fail(where: str, problem: str) -> PositionError:
    """Return the error for a place in a position."""
    return PositionError(f"position: {where or 'the whole'}: {problem}")


def checked_object(data: Any, keys: Set[str], where: str) -> Mapping[str, Any]:
    """Return an object with exactly these keys. Raises PositionError."""
    if not isinstance(data, Mapping):
        raise fail(where, f"expected an object, got {shown(data)}")
    if data.keys() != keys:
        missing, unknown = sorted(keys - set(data)), sorted(map(shown, set(data) - keys))
        problems = [f"{what} {some(names)}" for what, names in (("missing", missing), ("unknown", unknown)) if names]
        raise fail(where, "; ".join(problems))
    return data


def checked_list(data: Any, what: str, where: str, length: int | None = None) -> list[Any]:
    """Return a list of this length, or of at most 100 entries. Raises PositionError."""
    if not isinstance(data, list) or len(data) > _LONGEST or (length is not None and len(data) != length):
        raise fail(where, f"expected a list of {what if length is None else f'{length} {what}'}, got {shown(data)}")
    return data


def check_same(data: Any, expected: Any, where: str = "") -> None:
    """Raise PositionError with the first place where a value or its type is not as expected."""
    if isinstance(expected, dict):
        given = checked_object(data, expected.keys(), where)
        for key, inner in expected.items():
            check_same(given[key], inner, f"{where}.{key}" if where else key)
    elif isinstance(expected, list):
        if not isinstance(data, list) or len(data) != len(expected):
            raise fail(where, f"expected a list of {len(expected)}, got {len(data) if isinstance(data, list) else shown(data)}")
        for i, inner in enumerate(expected):
            check_same(data[i], inner, f"{where}[{i}]")
    elif type(data) is not type(expected) or data != expected:
        raise fail(where, f"expected {shown(expected)}, got {shown(data)}")


def check_constants(data: Any, constants: Mapping[str, Any], where: str = "") -> None:
    """Raise PositionError for an object in which any of some keys has another value; keys may be missing."""
    for key, value in constants.items():
        if isinstance(data, Mapping) and key in data:
            check_same(data[key], value, f"{where}.{key}" if where else key)


# --- values ------------------------------------------------------------------------------------------------------------------


class Value:
    """How a value of a record is written and read; by default as it is."""

    def write(self, value: Any) -> Any:
        """Return the value as plain data."""
        return value

    def read(self, data: Any, g: Fields, where: str) -> Any:
        """Return the value of plain data. Raises PositionError."""
        raise NotImplementedError


@dataclass(frozen=True)
class Number(Value):
    """A number in a range."""

    low: int
    high: int
    limit: str = ""
    """The field to which the upper bound is added, if any."""

    def read(self, data: Any, g: Fields, where: str) -> int:
        """Return a number."""
        high = self.high + (getattr(g, self.limit) if self.limit else 0)
        if type(data) is not int or not self.low <= data <= high:
            raise fail(where, f"expected a whole number from {self.low} to {high}, got {shown(data)}")
        return data


class Flag(Value):
    """Whether something is so."""

    def write(self, value: int) -> bool:
        """Return true or false."""
        return bool(value)

    def read(self, data: Any, g: Fields, where: str) -> int:
        """Return 1 or 0."""
        if type(data) is not bool:
            raise fail(where, f"expected true or false, got {shown(data)}")
        return int(data)


class Word(Value):
    """64 bits in hexadecimal digits."""

    def write(self, value: int) -> str:
        """Return the digits."""
        return f"0x{value:016x}"

    def read(self, data: Any, g: Fields, where: str) -> int:
        """Return the bits."""
        if isinstance(data, str) and re.fullmatch("0x[0-9a-f]{16}", data):
            return int(data, 16)
        raise fail(where, f"expected 0x and 16 hexadecimal digits, got {shown(data)}")


@dataclass(frozen=True)
class Name(Value):
    """The name of a number; None is the name of one that has none."""

    names: Sequence[str | None]

    def write(self, value: int) -> str | None:
        """Return the name."""
        return self.names[value]

    def read(self, data: Any, g: Fields, where: str) -> int:
        """Return the number of a name."""
        if not isinstance(data, str | None) or data not in self.names:
            raise fail(where, f"expected one of {some(map(str, self.names))}, got {shown(data)}")
        return self.names.index(data)


@dataclass(frozen=True)
class OrNull(Value):
    """Another value, or null for -1."""

    value: Value

    def write(self, value: int) -> Any:
        """Return the value, or None."""
        return None if value == _NONE else self.value.write(value)

    def read(self, data: Any, g: Fields, where: str) -> Any:
        """Return the value, or -1."""
        return _NONE if data is None else self.value.read(data, g, where)


@dataclass(frozen=True)
class ByName(Value):
    """Several numbers as an object."""

    names: Sequence[str]
    number: Number

    def write(self, value: Sequence[int]) -> dict[str, int]:
        """Return the object."""
        return dict(zip(self.names, value, strict=True))

    def read(self, data: Any, g: Fields, where: str) -> list[int]:
        """Return the numbers."""
        given = checked_object(data, set(self.names), where)
        return [self.number.read(given[name], g, f"{where}.{name}") for name in self.names]


@dataclass(frozen=True)
class Names(Value):
    """Things as a list of names. Subclasses say what the record holds.

    rank : the place of each thing in the order of the list; by default its id
    """

    names: Sequence[str]
    rank: Sequence[int] = ()

    def in_order(self, ids: Sequence[int]) -> list[str]:
        """Return the names of things in order."""
        return [self.names[i] for i in sorted(ids, key=lambda i: self.rank[i] if self.rank else i)]

    def ids(self, data: Any, where: str) -> list[int]:
        """Return the ids of a list of names. Raises PositionError."""
        known = {name: i for i, name in enumerate(self.names)}
        for name in checked_list(data, "names", where):
            if not isinstance(name, str) or name not in known:
                raise fail(where, f"unexpected {shown(name)}")
        return [known[name] for name in data]


@dataclass(frozen=True)
class Counts(Names):
    """How many things there are of each kind; there may be more kinds than names."""

    kinds: int = 0

    def write(self, value: Sequence[int]) -> list[str]:
        """Return the name of each thing."""
        return self.in_order([i for i, n in enumerate(value) for _ in range(n)])

    def read(self, data: Any, g: Fields, where: str) -> list[int]:
        """Return the number of each kind."""
        ids = self.ids(data, where)
        return [ids.count(i) for i in range(self.kinds)]


@dataclass(frozen=True)
class NameSet(Names):
    """A set of things, as words of bits; a set that is a single word may lie alone."""

    words: int = 1
    alone: bool = False

    def write(self, value: Any) -> list[str]:
        """Return the names of the members."""
        bits = value if self.alone else sum(word << _BITS * w for w, word in enumerate(value))
        return self.in_order([i for i in range(len(self.names)) if bits >> i & 1])

    def read(self, data: Any, g: Fields, where: str) -> Any:
        """Return the words."""
        return self.set_of(self.ids(data, where), where)

    def set_of(self, ids: Sequence[int], where: str) -> Any:
        """Return the words of a set that is given as a list.

        Raises PositionError for a thing that is there twice.
        """
        if twice := [self.names[i] for i in ids if ids.count(i) > 1]:
            raise fail(where, f"duplicate {twice[0]}")
        words = [sum(1 << i % _BITS for i in ids if i // _BITS == w) for w in range(self.words)]
        return words[0] if self.alone else words


# --- fields of a record --------------------------------------------------------------------------------------------------------


class Form:
    """How a part of a record is written and read.

    p : a place of the first axis, if it is about the entries there
    """

    def write(self, g: Fields, p: int | None = None) -> Any:
        """Return the part as plain data."""
        raise NotImplementedError

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read plain data into the record. Raises PositionError."""
        raise NotImplementedError


@dataclass(frozen=True)
class Entry(Form):
    """A field, or its entry at a place."""

    field: str
    value: Value

    def write(self, g: Fields, p: int | None = None) -> Any:
        """Return the value."""
        found = getattr(g, self.field)
        return self.value.write(found if p is None else found[p])

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the value."""
        value = self.value.read(data, g, where)
        if p is None:
            setattr(g, self.field, value)
        else:
            getattr(g, self.field)[p] = value


@dataclass(frozen=True)
class Pile(Form):
    """A pile as a list of names in the order in which they are drawn: the record has the next one last."""

    field: str
    size: str
    names: Names

    def write(self, g: Fields, p: int | None = None) -> list[str]:
        """Return the names."""
        return [self.names.names[i] for i in reversed(getattr(g, self.field)[: getattr(g, self.size)])]

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the pile and its size."""
        ids, room = self.names.ids(data, where), len(getattr(g, self.field))
        if len(ids) > room:
            raise fail(where, f"expected at most {room}, got {len(ids)}")
        setattr(g, self.field, [*reversed(ids), *[_NONE] * (room - len(ids))])
        setattr(g, self.size, len(ids))


@dataclass(frozen=True)
class WithCopies(Form):
    """Sets of things in which one member stands for as many equal things as a second field says."""

    field: str
    copies: str
    thing: int
    value: NameSet

    def write(self, g: Fields, p: int | None = None) -> list[str]:
        """Return the names of all things, the equal ones last."""
        names = self.value.write(getattr(g, self.field)[p])
        return names + [self.value.names[self.thing]] * (getattr(g, self.copies)[p] - 1)

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the set and the number of equal things."""
        ids = self.value.ids(data, where)
        n = ids.count(self.thing)
        once = [i for i in ids if i != self.thing] + [self.thing] * (n > 0)
        getattr(g, self.field)[p], getattr(g, self.copies)[p] = self.value.set_of(once, where), n


@dataclass(frozen=True)
class Same(Form):
    """A value that all positions of a configuration have."""

    value: Any

    def write(self, g: Fields, p: int | None = None) -> Any:
        """Return a copy of the value."""
        return deepcopy(self.value)

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Check the value."""
        check_same(data, self.value, where)


@dataclass(frozen=True)
class Decision(Form):
    """The fields ``stage`` and ``actor``; nobody decides when the game is over."""

    kinds: Sequence[str]

    def write(self, g: Fields, p: int | None = None) -> dict[str, Any]:
        """Return an object."""
        return {"kind": self.kinds[g.stage], "actor": None if g.actor < 0 else g.actor}

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read an object."""
        given = checked_object(data, {"kind", "actor"}, where)
        g.stage = Name(self.kinds).read(given["kind"], g, f"{where}.kind")
        g.actor = OrNull(Number(0, -1, "players")).read(given["actor"], g, f"{where}.actor")


@dataclass(frozen=True)
class Seats(Form):
    """Flags by seat, as a list of seats."""

    field: str

    def write(self, g: Fields, p: int | None = None) -> list[int]:
        """Return the seats."""
        return [seat for seat in range(g.players) if getattr(g, self.field)[seat]]

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the seats."""
        for seat in checked_list(data, "seats", where):
            getattr(g, self.field)[Number(0, -1, "players").read(seat, g, where)] = 1


class Object(Form):
    """An object: rows of keys and forms."""

    def __init__(self, rows: Mapping[str, Form]) -> None:
        self.rows = rows

    def write(self, g: Fields, p: int | None = None) -> dict[str, Any]:
        """Return the object."""
        return {key: form.write(g, p) for key, form in self.rows.items()}

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the rows in order; whether it is of this configuration is checked first."""
        check_constants(data, {key: form.value for key, form in self.rows.items() if isinstance(form, Same)}, where)
        given = checked_object(data, self.rows.keys(), where)
        for key, form in self.rows.items():
            form.read(given[key], g, f"{where}.{key}" if where else key, p)


@dataclass(frozen=True)
class OrNothing(Form):
    """Another form while it `applies` (g, p), null otherwise."""

    applies: Callable[[Fields, int | None], bool]
    form: Form

    def write(self, g: Fields, p: int | None = None) -> Any:
        """Return the data, or None."""
        return self.form.write(g, p) if self.applies(g, p) else None

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the data, or leave the record as it is."""
        if data is not None:
            self.form.read(data, g, where, p)


@dataclass(frozen=True)
class At(Form):
    """The entries at one place of the first axis."""

    place: Callable[[Fields], int]
    form: Form

    def write(self, g: Fields, p: int | None = None) -> Any:
        """Return the data."""
        return self.form.write(g, self.place(g))

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the data."""
        self.form.read(data, g, where, self.place(g))


@dataclass(frozen=True)
class Each(Form):
    """A list of the same form for as many places as a field says, at most `most`."""

    form: Form
    size: str
    most: int

    def write(self, g: Fields, p: int | None = None) -> list[Any]:
        """Return the list."""
        return [self.form.write(g, i) for i in range(getattr(g, self.size))]

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the list and its length."""
        if len(checked_list(data, where, where)) > self.most:
            raise fail(where, f"expected at most {self.most} entries, got {len(data)}")
        setattr(g, self.size, len(data))
        for i, entry in enumerate(data):
            self.form.read(entry, g, f"{where}[{i}]", i)


@dataclass(frozen=True)
class EachSeat(Form):
    """A list of the same form for each seat."""

    form: Form

    def write(self, g: Fields, p: int | None = None) -> list[Any]:
        """Return the list."""
        return [self.form.write(g, seat) for seat in range(g.players)]

    def read(self, data: Any, g: Fields, where: str, p: int | None = None) -> None:
        """Read the list."""
        for seat, entry in enumerate(checked_list(data, "players", where, g.players)):
            self.form.read(entry, g, f"{where}[{seat}]", seat)


class Forms:
    """The forms of the declared fields of a record.

    declared : the class that declares them
    names : the names of things and of members of enums, by number; an enum without any has those of its members
    ranks : the place of things in the order of lists, where that is not the order of their ids
    """

    def __init__(
        self,
        declared: type,
        names: Mapping[Things | type[IntEnum], Sequence[str | None]],
        ranks: Mapping[Things, Sequence[int]] | None = None,
    ) -> None:
        self._fields, self._names, self._ranks = fields_of(declared), names, ranks or {}

    def object(self, *rows: str | tuple[str, str | Form]) -> Object:
        """Return the form of an object.

        rows : names of fields, which are the keys; or keys with the name of a field or a form
        """
        pairs = ((row, row) if isinstance(row, str) else row for row in rows)
        return Object({key: self.field(form) if isinstance(form, str) else form for key, form in pairs})

    def field(self, name: str) -> Form:
        """Return the form of a field."""
        field = self._fields[name]
        if field.used not in ("", "players") and isinstance(value := self._value(field), Names):
            return Pile(name, field.used, value)
        copies = [(other, each.thing) for other, each in self._fields.items() if each.among == name]
        if copies and isinstance(value := self.value(name), NameSet):
            return WithCopies(name, *copies[0], value)
        return Entry(name, self.value(name))

    def entry(self, name: str, value: Value | None = None) -> Form:
        """Return the form of a field with a value of its own or, for piles, of single entries."""
        return Entry(name, value or self.value(name))

    def value(self, name: str) -> Value:
        """Return the form of a value of a field."""
        value = self._value(self._fields[name])
        return OrNull(Name(value.names)) if type(value) is Names else value

    def _value(self, field: Field) -> Value:
        """Return the form of a value; of ids, that of a list of them."""
        if field.held is Held.WORD:
            return Word()
        if field.things and field.held is not Held.NUMBER:
            names: Any = self._names[field.things]
            rank = self._ranks.get(field.things, ())
            if field.held is Held.SET:
                return NameSet(names, rank, words=1 if field.alone else field.shape[-1], alone=field.alone)
            return Counts(names, rank, field.things.n) if field.held is Held.COUNTS else Names(names, rank)
        if field.names:
            name = Name(self._names.get(field.names) or [member.name.lower() for member in field.names])
            return OrNull(name) if field.low < 0 else name
        if (field.low, field.high, field.limit) == (0, 1, ""):
            return Flag()
        number = Number(max(0, field.low) if field.limit else field.low, field.high, field.limit)
        return OrNull(number) if field.limit and field.low < 0 else number


def read_state(form: Form, position: Any, template: States, derive: Callable[[Fields], None] | None = None) -> States:
    """Return the record of a position, shape (1,), which may not be valid. Raises PositionError.

    template : the empty record of the configuration
    derive : fills in the fields that follow from those of the position
    """
    g = Fields(template[0])
    form.read(position, g, "")
    if derive:
        derive(g)
    states: States = template.copy().view(np.recarray)
    g.store(states[0])
    return states
