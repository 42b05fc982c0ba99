"""What the state of every game is to the core: one numpy record, with the few fields that the core itself reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np

States = np.recarray[Any, Any]
"""An array of records, (B,): a batch; of shape (1,) a state."""

Field = tuple[str, type[np.generic]] | tuple[str, type[np.generic], int | tuple[int, ...]]


class State(Protocol):
    """One record as kernels see it. A game's own protocol adds its fields to these, which every record has."""

    rng: np.uint64
    """State of the random generator (``core.rng``); hidden."""
    seed: np.uint64
    """Seed of this game; hidden."""
    actor: int
    """int8: the seat that decides, negative in a finished game."""


def record_dtype(fields: Sequence[Field]) -> np.dtype[np.record]:
    """The dtype of a state, or of a game's tables: aligned, with fields as attributes, and without padding, whose bytes nobody would keep.

    States are copied, compared and hashed as bytes. Fields must be declared wide ones first: where one would have to be moved
    for its alignment, ValueError is raised; bytes that lack at the end become the field ``spare``.

    >>> record_dtype([("rng", np.uint64), ("seed", np.uint64), ("actor", np.int8)]).itemsize
    24
    """
    plain = np.dtype(list(fields))
    spare = -plain.itemsize % np.dtype(np.uint64).itemsize
    whole = np.dtype([*fields, ("spare", np.int8, spare)] if spare else list(fields), align=True)
    if whole.itemsize != plain.itemsize + spare:
        raise ValueError("the fields of a state must be declared wide ones first: there would be gaps between them")
    found: np.dtype[np.record] = np.dtype((np.record, whole))  # type: ignore[assignment]
    return found
