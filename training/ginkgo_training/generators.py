"""The state of a random generator as an array, for checkpoints and for workers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def words_of(random: np.random.Generator) -> NDArray[np.uint64]:
    """(6,): the state of a generator of numpy's PCG64."""
    state: Any = random.bit_generator.state
    inner = state["state"]
    words = [inner[name] >> shift & (2**64 - 1) for name in ("state", "inc") for shift in (0, 64)]
    words += [state["has_uint32"], state["uinteger"]]  # half of a word may be left over
    return np.array(words, np.uint64)


def take_words(random: np.random.Generator, words: NDArray[np.uint64]) -> None:
    """Let a generator go on from a state (6,)."""
    state: dict[str, Any] = dict(random.bit_generator.state)
    a, b, c, d, has, half = (int(word) for word in words)
    random.bit_generator.state = state | {
        "state": {"state": a | b << 64, "inc": c | d << 64},
        "has_uint32": has,
        "uinteger": half,
    }
