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
>>> form = forms.object("actor", "deck", ("purses", each_seat(forms.object("coins"))))
>>> states = empty_state(State, record_dtype(State))
>>> states["players"] = 2
>>> position = form.write(PlainRecord(states[0]), None) | {"deck": ["queen", "ace"]}
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
from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from ginkgo_env.core.errors import PositionError, join_names, short_repr
from ginkgo_env.core.state import Field, Held, PlainRecord, States, Things, fields_of

_NONE = -1
_LONGEST = 100  # no list of a position is longer
_WORD_BITS = 64


# --- plain data --------------------------------------------------------------------------------------------------------------


def fail(where: str, problem: str) -> PositionError:
    """Return the error for a place in a position."""
    return PositionError(f"position: {where or 'the whole'}: {problem}")


def checked_object(document: Any, keys: Set[str], where: str) -> Mapping[str, Any]:
    """Return an object with exactly these keys. Raises PositionError."""
    if not isinstance(document, Mapping):
        raise fail(where, f"expected an object, got {short_repr(document)}")
    if document.keys() != keys:
        missing, unknown = sorted(keys - set(document)), sorted(map(short_repr, set(document) - keys))
        problems = [f"{what} {join_names(names)}" for what, names in (("missing", missing), ("unknown", unknown)) if names]
        raise fail(where, "; ".join(problems))
    return document


def checked_list(document: Any, what: str, where: str, length: int | None = None, most: int = _LONGEST) -> list[Any]:
    """Return a list of this length, or of at most so many entries. Raises PositionError."""
    if not isinstance(document, list) or len(document) > _LONGEST or (length is not None and len(document) != length):
        raise fail(where, f"expected a list of {what if length is None else f'{length} {what}'}, got {short_repr(document)}")
    if len(document) > most:
        raise fail(where, f"expected at most {most} {what}, got {len(document)}")
    return document


def ids_of(document: Any, names: Sequence[str], where: str, most: int = _LONGEST) -> list[int]:
    """Return the numbers of a list of names. Raises PositionError."""
    known = {name: i for i, name in enumerate(names)}
    for name in checked_list(document, "names", where, most=most):
        if not isinstance(name, str) or name not in known:
            raise fail(where, f"unexpected {short_repr(name)}")
    return [known[name] for name in document]


def check_same(document: Any, expected: Any, where: str = "") -> None:
    """Raise PositionError with the first place where a value or its type is not as expected."""
    if isinstance(expected, dict):
        given = checked_object(document, expected.keys(), where)
        for key, inner in expected.items():
            check_same(given[key], inner, f"{where}.{key}" if where else key)
    elif isinstance(expected, list):
        if not isinstance(document, list) or len(document) != len(expected):
            raise fail(
                where,
                f"expected a list of {len(expected)}, "
                f"got {len(document) if isinstance(document, list) else short_repr(document)}",
            )
        for i, inner in enumerate(expected):
            check_same(document[i], inner, f"{where}[{i}]")
    elif type(document) is not type(expected) or document != expected:
        raise fail(where, f"expected {short_repr(expected)}, got {short_repr(document)}")


def check_constants(document: Any, constants: Mapping[str, Any]) -> None:
    """Raise PositionError for an object in which any of some keys has another value; keys may be missing."""
    for key, value in constants.items():
        if isinstance(document, Mapping) and key in document:
            check_same(document[key], value, key)


# --- values ------------------------------------------------------------------------------------------------------------------


class Value(NamedTuple):
    """How a value of a record is written, and read again."""

    write: Callable[[Any], Any]
    """(value) -> plain data"""
    read: Callable[[Any, PlainRecord, str], Any]
    """(document, g, where) -> the value. Raises PositionError."""


def number(low: int, high: int, limit: str = "") -> Value:
    """Return the form of a number; ``limit`` is a field that is added to the upper bound."""

    def read(document: Any, g: PlainRecord, where: str) -> int:
        most = high + (getattr(g, limit) if limit else 0)
        if type(document) is not int or not low <= document <= most:
            raise fail(where, f"expected a whole number from {low} to {most}, got {short_repr(document)}")
        return document

    return Value(lambda value: value, read)


SEAT = number(0, -1, "players")
"""The form of a seat."""


def _read_flag(document: Any, g: PlainRecord, where: str) -> int:
    if type(document) is not bool:
        raise fail(where, f"expected true or false, got {short_repr(document)}")
    return int(document)


def _read_word(document: Any, g: PlainRecord, where: str) -> int:
    if isinstance(document, str) and re.fullmatch("0x[0-9a-f]{16}", document):
        return int(document, 16)
    raise fail(where, f"expected 0x and 16 hexadecimal digits, got {short_repr(document)}")


FLAG, WORD = Value(bool, _read_flag), Value("0x{:016x}".format, _read_word)
"""The forms of a flag, true or false, and of 64 bits, in hexadecimal digits."""


def name_of(names: Sequence[str | None]) -> Value:
    """Return the form of a number that is written by name; one may have the name None."""

    def read(document: Any, g: PlainRecord, where: str) -> int:
        if not isinstance(document, str | None) or document not in names:
            raise fail(where, f"expected one of {join_names(map(str, names))}, got {short_repr(document)}")
        return names.index(document)

    return Value(names.__getitem__, read)


def or_null(value: Value) -> Value:
    """Return the form of another value, or of -1, which is null."""
    return Value(
        lambda number: None if number == _NONE else value.write(number),
        lambda document, g, where: _NONE if document is None else value.read(document, g, where),
    )


def by_name(names: Sequence[str], each: Value) -> Value:
    """Return the form of several values as an object."""

    def read(document: Any, g: PlainRecord, where: str) -> list[Any]:
        given = checked_object(document, set(names), where)
        return [each.read(given[name], g, f"{where}.{name}") for name in names]

    return Value(lambda values: dict(zip(names, map(each.write, values), strict=True)), read)


def name_counts(names: Sequence[str], kinds: int) -> Value:
    """Return the form of how many things of each kind there are: a list of their names."""

    def read(document: Any, g: PlainRecord, where: str) -> list[int]:
        ids = ids_of(document, names, where)
        return [ids.count(i) for i in range(kinds)]

    return Value(lambda counts: [name for name, n in zip(names, counts, strict=False) for _ in range(n)], read)


def name_set(names: Sequence[str], rank: Sequence[int] = (), words: int = 0) -> Value:
    """Return the form of a set: a list of names.

    rank : the place of each thing in the order of the list; by default its id
    words : how many words the record has; 0 for a single number
    """

    def write(value: Any) -> list[str]:
        bits = sum(word << _WORD_BITS * w for w, word in enumerate(value)) if words else value
        members = [i for i in range(len(names)) if bits >> i & 1]
        return [names[i] for i in (sorted(members, key=rank.__getitem__) if rank else members)]

    def read(document: Any, g: PlainRecord, where: str) -> Any:
        ids = ids_of(document, names, where)
        if twice := [names[i] for i in ids if ids.count(i) > 1]:
            raise fail(where, f"duplicate {twice[0]}")
        bits = sum(1 << i for i in ids)
        return [bits >> _WORD_BITS * w & (1 << _WORD_BITS) - 1 for w in range(words)] if words else bits

    return Value(write, read)


# --- parts of a record ---------------------------------------------------------------------------------------------------------


class Form(NamedTuple):
    """How a part of a record is written, and read again.

    p : a place of the first axis, if it is about the entries there; None otherwise
    """

    write: Callable[[PlainRecord, int | None], Any]
    """(g, p) -> plain data"""
    read: Callable[[Any, PlainRecord, str, int | None], None]
    """(document, g, where, p): reads document into the record. Raises PositionError."""


def entry(field: str, value: Value) -> Form:
    """Return the form of a field, or of its entry at a place."""

    def write(g: PlainRecord, p: int | None) -> Any:
        return value.write(getattr(g, field) if p is None else getattr(g, field)[p])

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        found = value.read(document, g, where)
        if p is None:
            setattr(g, field, found)
        else:
            getattr(g, field)[p] = found

    return Form(write, read)


def _pile(field: str, size: str, names: Sequence[str]) -> Form:
    """Return the form of a pile: names in the order in which they are drawn. The record has the next one last."""

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        room = len(getattr(g, field))
        ids = ids_of(document, names, where, room)
        setattr(g, field, [*reversed(ids), *[_NONE] * (room - len(ids))])
        setattr(g, size, len(ids))

    return Form(lambda g, p: [names[i] for i in reversed(getattr(g, field)[: getattr(g, size)])], read)


def _with_copies(field: str, copies: str, name: str, value: Value) -> Form:
    """Return the form of sets with a member, the last in order, that stands for as many equal things as a second field says."""

    def write(g: PlainRecord, p: int | None) -> list[str]:
        names: list[str] = value.write(getattr(g, field)[p])
        return names + [name] * (getattr(g, copies)[p] - 1)

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        equal = [each for each in checked_list(document, "names", where) if isinstance(each, str) and each == name]
        once = [each for each in document if not isinstance(each, str) or each != name] + equal[:1]
        getattr(g, field)[p], getattr(g, copies)[p] = value.read(once, g, where), len(equal)

    return Form(write, read)


def decision(kinds: Sequence[str]) -> Form:
    """Return the form of the fields ``stage`` and ``actor``; nobody decides when the game is over."""
    kind, actor = name_of(kinds), or_null(SEAT)

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        given = checked_object(document, {"kind", "actor"}, where)
        g.stage, g.actor = kind.read(given["kind"], g, f"{where}.kind"), actor.read(given["actor"], g, f"{where}.actor")

    return Form(lambda g, p: {"kind": kind.write(g.stage), "actor": actor.write(g.actor)}, read)


def seats(field: str) -> Form:
    """Return the form of flags by seat: a list of seats."""

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        for seat in checked_list(document, "seats", where):
            getattr(g, field)[SEAT.read(seat, g, where)] = 1

    return Form(lambda g, p: [seat for seat in range(g.players) if getattr(g, field)[seat]], read)


def object_of(rows: Mapping[str, Form], constants: Mapping[str, Any] | None = None) -> Form:
    """Return the form of an object.

    rows : forms by key, which are read in order
    constants : values of the first keys, which are checked before
    """
    fixed = constants or {}

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        check_constants(document, fixed)
        given = checked_object(document, fixed.keys() | rows.keys(), where)
        for key, form in rows.items():
            form.read(given[key], g, f"{where}.{key}" if where else key, p)

    return Form(lambda g, p: deepcopy(dict(fixed)) | {key: form.write(g, p) for key, form in rows.items()}, read)


def unless_null(applies: Callable[[PlainRecord, Any], bool], form: Form) -> Form:
    """Return the form of what is there while it `applies` (g, p), and null otherwise."""

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        if document is not None:
            form.read(document, g, where, p)

    return Form(lambda g, p: form.write(g, p) if applies(g, p) else None, read)


def at(place: Callable[[PlainRecord], int], form: Form) -> Form:
    """Return the form of the entries at one place of the first axis."""
    return Form(lambda g, p: form.write(g, place(g)), lambda document, g, where, p: form.read(document, g, where, place(g)))


def each_of(form: Form, size: str, most: int) -> Form:
    """Return the form of a list with an entry for as many places as a field says, at most `most`."""

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        setattr(g, size, len(checked_list(document, "entries", where, most=most)))
        for i, inner in enumerate(document):
            form.read(inner, g, f"{where}[{i}]", i)

    return Form(lambda g, p: [form.write(g, i) for i in range(getattr(g, size))], read)


def each_seat(form: Form) -> Form:
    """Return the form of a list with an entry for each seat."""

    def read(document: Any, g: PlainRecord, where: str, p: int | None) -> None:
        for seat, inner in enumerate(checked_list(document, "players", where, g.players)):
            form.read(inner, g, f"{where}[{seat}]", seat)

    return Form(lambda g, p: [form.write(g, seat) for seat in range(g.players)], read)


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

    def object(self, *rows: str | tuple[str, str | Form], constants: Mapping[str, Any] | None = None) -> Form:
        """Return the form of an object.

        rows : names of fields, which are the keys; or keys with the name of a field or a form
        """
        pairs = ((row, row) if isinstance(row, str) else row for row in rows)
        return object_of({key: self.field(form) if isinstance(form, str) else form for key, form in pairs}, constants)

    def field(self, name: str) -> Form:
        """Return the form of a field."""
        field = self._fields[name]
        if field.held is Held.ID and field.used not in ("", "players"):
            return _pile(name, field.used, self._names_of(field))
        copies = [other for other, each in self._fields.items() if each.among == name]
        if copies:
            return _with_copies(name, copies[0], self._names_of(field)[self._fields[copies[0]].thing], self.value(name))
        return entry(name, self.value(name))

    def value(self, name: str) -> Value:
        """Return the form of a value of a field; of a pile, that of a single entry."""
        field = self._fields[name]
        if field.held is Held.BITS:
            return WORD
        if field.held is Held.SET and field.things:
            words = 0 if field.alone else field.shape[-1]
            return name_set(self._names_of(field), self._ranks.get(field.things, ()), words)
        if field.held is Held.COUNTS and field.things:
            return name_counts(self._names_of(field), field.things.n)
        if field.held is Held.ID:
            return or_null(name_of(self._names_of(field)))
        if field.names:
            name_value = name_of(self._names.get(field.names) or [member.name.lower() for member in field.names])
            return or_null(name_value) if field.low < 0 else name_value
        if (field.low, field.high, field.limit) == (0, 1, ""):
            return FLAG
        if field.limit and field.low < 0:
            return or_null(number(0, field.high, field.limit))
        return number(field.low, field.high, field.limit)

    def _names_of(self, field: Field) -> Any:
        return self._names[field.things]  # type: ignore[index]


def read_state(form: Form, position: Any, template: States, derive: Callable[[PlainRecord], None] | None = None) -> States:
    """Return the record of a position, shape (1,), which may not be valid. Raises PositionError.

    template : the empty record of the configuration
    derive : fills in the fields that follow from those of the position
    """
    g = PlainRecord(template[0])
    form.read(position, g, "", None)
    if derive:
        derive(g)
    states: States = template.copy().view(np.recarray)
    g.store(states[0])
    return states
