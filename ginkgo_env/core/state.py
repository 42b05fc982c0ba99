"""The state of every game: one numpy record, whose fields are declared once.

A game's class ``State`` declares each field by its meaning, its shape, what it holds, its empty value and who may see it:

>>> CARD = Things("card", 40)
>>> P = Axis(4, "players")
>>> class State(Record):
...     rng: np.uint64 = uint64("state of the generator", seen_by=NO_SEAT)
...     hand: Array = set_of("cards in hand", CARD, P, seen_by=OWNER)
...     players: int = number("number of players", low=2, high=4)
...     coins: Array = number("coins of a player", P, high=35)
...     deck_size: int = number("cards in the deck", high=40)
...     deck: Array = pile("the next card last", CARD, 40, size="deck_size", seen_by=NO_SEAT)

From this follow the dtype (:func:`record_dtype`), the empty record (:func:`empty_state`), checks of records of any content
(``core.validity``), positions as plain data (``core.forms``) and the table of the state in the docs:

>>> RECORD = record_dtype(State)
>>> RECORD["hand"].shape, RECORD["coins"].base.name, int(empty_state(State, RECORD)[0].deck[0])
((4, 1), 'int8', -1)
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

States = np.recarray[Any, Any]
"""An array of records: (B,) a batch, (1,) a state."""

Array = NDArray[Any]
"""The type of a field with a shape, for type checkers."""

_NONE = -1  # no thing, nobody


class State(Protocol):
    """A record as kernels see it, with the fields that every game has. A game's protocol adds its own."""

    rng: np.uint64
    """The state of the random generator (``core.rng``); hidden."""
    seed: np.uint64
    """The seed of this game; hidden."""
    actor: int
    """int8: the seat that decides, negative in a finished game."""


class Record:
    """Base of the classes that declare the fields of a record, for its dtype and for type checkers.

    Never instantiated: records are elements of numpy arrays.
    """

    def __getitem__(self, name: str) -> Any:
        raise NotImplementedError  # implemented by numpy's records


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


# --- what a field can hold ---------------------------------------------------------------------------------------------------


class SeenBy(Enum):
    """Who may see a field; the values are texts for the docs."""

    EVERYBODY = "everybody"
    NO_SEAT = "no seat"
    OWNER = "its seat"
    """Each entry is known to the seat of its place on the first axis."""
    AS_SET = "everybody, but not the order"
    """For a pile."""
    IN_PART = "in part: see the meaning"
    """A rule of the game says which seats see which part (``Game.hide``)."""


EVERYBODY, NO_SEAT, OWNER, AS_SET, IN_PART = SeenBy


class Held(Enum):
    """How a field holds things or numbers."""

    BITS = "64 bits"
    NUMBER = "numbers"
    ID = "the id of a thing, or none"
    COUNTS = "how many things of each kind there are, on the last axis"
    SET = "a set of things: bits of the words on the last axis (``core.compile.bits``)"


@dataclass(frozen=True)
class Things:
    """A kind of cards, tiles or other pieces, with ids from 0 to n - 1.

    name : for texts, such as ``goods card``
    all_in_places : whether every thing of the game is in one of the fields that hold it; otherwise some may be nowhere, such as
        cards that nobody has taken yet
    """

    name: str
    n: int
    all_in_places: bool = True


class Axis(int):
    """The length of an axis, with the field that counts how many entries are in use. All others are empty."""

    used: str

    def __new__(cls, length: int, used: str) -> Axis:
        """Create the length of an axis that is used as far as the field `used` says."""
        axis = int.__new__(cls, length)
        axis.used = used
        return axis


@dataclass(frozen=True, kw_only=True)
class Field:
    """The declaration of a field: see the functions that make it."""

    meaning: str
    dtype: type[np.generic]
    shape: tuple[int, ...] = ()
    held: Held = Held.NUMBER
    low: int
    high: int
    """The highest value or, with ``limit``, what is added to that field."""
    limit: str = ""
    empty: int = 0
    names: type[IntEnum] | None = None
    things: Things | None = None
    alone: bool = False
    """Whether a set is a single word, without an axis of words."""
    is_place: bool = True
    """Whether the things are here, and nowhere else; otherwise the field only names them."""
    thing: int = 0
    """The id of the things of which ``Held.NUMBER`` counts how many there are."""
    among: str = ""
    """The field with the sets in which this thing is one member, however many there are."""
    seen_by: SeenBy = EVERYBODY

    @property
    def used(self) -> str:
        """The field that counts how many entries of the first axis are in use; empty if all are."""
        return getattr(self.shape[0], "used", "") if self.shape else ""

    @property
    def set_bytes(self) -> int:
        """The bytes of a set."""
        assert self.things is not None
        width = np.dtype(self.dtype).itemsize
        return -(-self.things.n // (8 * width)) * width

    @property
    def values(self) -> str:
        """The possible values, for people."""
        if self.held is Held.BITS:
            return "64 bits"
        if self.things and self.held is Held.SET:
            return f"set of {self.things.name}s {self.low}..{self.high}"
        if self.things and self.held is Held.ID:
            return f"{self.things.name} {max(0, self.low)}..{self.high}" + (f" or {self.low}" if self.low < 0 else "")
        if self.names:
            return f"{self.names.__name__} {self.low}..{self.high}"
        return (
            f"{self.low}..{self.limit} - {-self.high}" if self.limit and self.high else f"{self.low}..{self.limit or self.high}"
        )


def number(
    meaning: str,
    *shape: int,
    low: int = 0,
    high: int | str = 0,
    below: int | str | None = None,
    of: Things | None = None,
    **more: Any,
) -> Any:
    """Declare numbers from `low` to `high`, or `below` a bound.

    A bound may be the name of a field whose value it is.

    of : the numbers are those of things of this kind, all equal or with the id ``thing``
    more : further attributes of :class:`Field`; ``dtype`` is by default int8 or, for larger numbers, int16
    """
    bound, more_than = (high, 0) if below is None else (below, -1)
    limit, top = (bound, more_than) if isinstance(bound, str) else ("", bound + more_than)
    dtype = more.pop("dtype", np.int8 if low >= -128 and top < 128 else np.int16)
    return Field(meaning=meaning, dtype=dtype, shape=shape, low=low, high=top, limit=limit, things=of, **more)


def _with_defaults(given: Mapping[str, Any], **defaults: Any) -> dict[str, Any]:
    return {**defaults, **given}


def flag(meaning: str, *shape: int, **more: Any) -> Any:
    """Declare flags: 1 or 0."""
    return number(meaning, *shape, high=1, **more)


def one_of(meaning: str, names: type[IntEnum], *shape: int, **more: Any) -> Any:
    """Declare members of an enum, which are numbered from 0 on, up to `high` if it is given."""
    return number(meaning, *shape, names=names, **_with_defaults(more, high=len(names) - 1))


def seat(meaning: str, *shape: int, **more: Any) -> Any:
    """Declare seats below the field ``players``, or -1 for nobody, which is the empty value."""
    return number(meaning, *shape, **_with_defaults(more, low=_NONE, below="players", empty=_NONE))


def item(meaning: str, things: Things, *shape: int, **more: Any) -> Any:
    """Declare ids of things, or -1 for none, which is the empty value."""
    return number(meaning, *shape, of=things, held=Held.ID, **_with_defaults(more, low=_NONE, below=things.n, empty=_NONE))


def pile(meaning: str, things: Things, length: int, *, size: str, **more: Any) -> Any:
    """Declare a pile: the ids of as many things as the field `size` says, and -1 above them."""
    return item(meaning, things, Axis(length, size), **_with_defaults(more, low=0))


def counts(meaning: str, things: Things, *shape: int, high: int = 127, **more: Any) -> Any:
    """Declare how many things of each kind there are: a last axis by kind is added to the shape."""
    return number(meaning, *shape, things.n, high=high, of=things, held=Held.COUNTS, **more)


def set_of(
    meaning: str, things: Things, *shape: int, dtype: type[np.generic] = np.uint64, alone: bool = False, **more: Any
) -> Any:
    """Declare sets of things: a last axis of words, which are uint64 or uint16, is added to the shape.

    alone : whether a set is a single word, without that axis
    """
    words = -(-things.n // (8 * np.dtype(dtype).itemsize))
    shape = shape if alone else (*shape, words)
    bounds = _with_defaults(more, low=0, high=things.n - 1)
    return Field(meaning=meaning, dtype=dtype, shape=shape, held=Held.SET, things=things, alone=alone, **bounds)


def uint64(meaning: str, *shape: int, seen_by: SeenBy = EVERYBODY) -> Any:
    """Declare 64 bits of any content."""
    return Field(meaning=meaning, dtype=np.uint64, shape=shape, held=Held.BITS, low=0, high=0, seen_by=seen_by)


def short(meaning: str, *shape: int, **more: Any) -> Any:
    """Declare 16-bit numbers of any value."""
    return number(meaning, *shape, low=-(2**15), high=2**15 - 1, **more)


def byte(meaning: str, *shape: int, **more: Any) -> Any:
    """Declare 8-bit numbers of any value."""
    return number(meaning, *shape, low=-(2**7), high=2**7 - 1, **more)


# --- records -----------------------------------------------------------------------------------------------------------------


def fields_of(declared: type) -> dict[str, Field]:
    """Return the fields that a class declares, by name and in order."""
    return {name: vars(declared)[name] for name in declared.__annotations__}


def record_dtype(declared: type) -> np.dtype[np.record]:
    """Return the dtype of a state or of components: aligned, without padding, with fields as attributes.

    States are copied, compared and hashed as bytes, and numpy does not preserve padding. So fields are declared in order of
    decreasing width; missing bytes at the end become the field ``spare``.

    Raises ValueError if alignment would leave a gap, or for a name that is an attribute of numpy's records.
    """
    fields: list[Any] = [(name, field.dtype, tuple(map(int, field.shape))) for name, field in fields_of(declared).items()]
    taken = [name for name, *_ in fields if hasattr(np.record, name)]
    if taken:
        raise ValueError(f"invalid field name {taken[0]!r}: numpy's records have an attribute of that name")
    plain = np.dtype(fields)
    spare = -plain.itemsize % np.dtype(np.uint64).itemsize
    whole = np.dtype([*fields, ("spare", np.int8, spare)] if spare else fields, align=True)
    if whole.itemsize != plain.itemsize + spare:
        raise ValueError("declare the fields of a state in order of decreasing width: this order leaves gaps between them")
    dtype: np.dtype[np.record] = np.dtype((np.record, whole))  # type: ignore[assignment]
    return dtype


def empty_state(declared: type, dtype: np.dtype[np.record]) -> States:
    """Return a record of shape (1,) in which every field has its empty value.

    dtype : what :func:`record_dtype` returned for the class
    """
    states = np.zeros(1, dtype).view(np.recarray)
    for name, field in fields_of(declared).items():
        states[name] = field.empty
    return states


# --- records as plain Python objects, for texts and positions ----------------------------------------------------------------


class PlainRecord:
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
        for name in record.dtype.names:
            record[name] = getattr(self, name)


def members(bits: int) -> Iterator[int]:
    """Yield the members of a set, given as the bits of a number, in ascending order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low


# --- what a viewer may know of a state, by the declarations of its fields -----------------------------------------------------

# A hidden field keeps how much it holds, which is public, and loses what it holds: its things are replaced by the first of their
# kind. What declarations cannot say is up to ``Game.hide``.

OBSERVER = 255
"""The viewer without a seat, who sees what is public. No game has that many seats, so indexing by it fails."""


class VisibleState(PlainRecord):
    """A state as a viewer may know it, for texts and pictures: its fields, and what goes with them."""

    viewer: int | None
    """A seat, or OBSERVER; None: all information visible."""
    open_seats: Sequence[int]
    """The seats whose private information the viewer knows."""
    names: Sequence[str]
    """The names of the sides."""
    since: Any
    """An earlier state of the same kind, to mark what has changed; None without one."""


def hide_fields(g: PlainRecord, declared: type, seat: int) -> None:
    """Replace what the declarations hide from a seat or OBSERVER by placeholders, in place."""
    for name, field in fields_of(declared).items():
        value = getattr(g, name)
        if field.seen_by is SeenBy.NO_SEAT:
            setattr(g, name, placeholder(field, value))
        elif field.seen_by is SeenBy.OWNER:
            setattr(g, name, [own if p == seat else placeholder(field, own) for p, own in enumerate(value)])
        elif field.seen_by is SeenBy.AS_SET:
            size = getattr(g, field.used)
            value[:size] = sorted(value[:size])


def placeholder(field: Field, value: Any) -> Any:
    """Return a value that holds as many things, the first of their kind; for numbers the empty value."""
    if field.held is Held.SET:
        return first_things(sum(word.bit_count() for word in value), len(value), 8 * field.dtype().itemsize)
    if field.held is Held.COUNTS:
        return [sum(value), *[0] * (len(value) - 1)]
    if isinstance(value, list):
        return [placeholder(field, one) for one in value]
    return max(0, field.low) if field.held is Held.ID and value >= 0 else field.empty


def first_things(n: int, words: int, width: int = 64) -> list[int]:
    """Return the set of the things 0 to n - 1 as words of some bits."""
    return [((1 << n) - 1) >> width * word & ((1 << width) - 1) for word in range(words)]
