"""States as texts read them: quickly, field by field."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any


class Fields:
    """All fields of a record as plain numbers and lists, which Python reads many times faster than the record's own.

    ``g.points[2]``. What is changed here reaches a record only with :meth:`store`.
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
    """The members of a set, whose bits are those of a number, in ascending order."""
    while bits:
        low = bits & -bits
        yield low.bit_length() - 1
        bits ^= low
