"""Differences between texts, which an event stream sends in place of a view after the first one."""

from __future__ import annotations

import re
from typing import TypeAlias

Edits: TypeAlias = list[str | list[int]]
"""Pieces of a text in order: new ones, and ``[start, stop]`` for pieces of the text before."""

_CUT = re.compile(r"(?=[<{\[])")


def pieces_of(text: str) -> list[str]:
    """Cut a text of JSON and SVG before each element, object and list."""
    return _CUT.split(text)


def edits_between(before: list[str], after: list[str]) -> Edits:
    """Return the edits that make the pieces of a text from those of the text before.

    >>> edits_between(["<a>", "<b>", "<c>"], ["<a>", "<b>", "<new>", "<c>"])
    [[0, 2], '<new>', [2, 3]]
    """
    positions = {piece: position for position, piece in reversed([*enumerate(before)])}
    edits: Edits = []
    for piece in after:
        run = edits[-1] if edits and isinstance(edits[-1], list) else None
        if run and before[run[1] : run[1] + 1] == [piece]:
            run[1] += 1
        elif piece in positions:
            edits.append([positions[piece], positions[piece] + 1])
        else:
            edits.append(piece)
    return edits
