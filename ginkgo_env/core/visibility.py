"""What a viewer may know of a state, by the declarations of its fields (``core.state``).

A hidden field keeps how much it holds, which is public, and loses what it holds: its things are replaced by the first of their
kind. What declarations cannot say is up to ``Game.hide``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ginkgo_env.core.state import Field, Held, PlainRecord, SeenBy, fields_of

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
