"""Records as plain Python objects, for texts and positions."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any


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
