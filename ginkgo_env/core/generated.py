"""Generated boards: their names, named sets of them, and the random numbers from which they are made."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, TypeVar

from ginkgo_env.core.rng import GOLDEN

T = TypeVar("T")

_BITS = 2**64 - 1


def generated_number(name: str) -> int | None:
    """Return the number in the name of a generated board, such as ``generated_17``; None for other names.

    The numbers are 0 to 9999.
    """
    matched = re.fullmatch(r"generated_(0|[1-9][0-9]{0,3})", name)
    return int(matched[1]) if matched else None


def board_mixtures() -> dict[str, list[dict[str, Any]]]:
    """Return sets of generated boards for :meth:`Game.mixtures <ginkgo_env.core.game.Game.mixtures>`."""
    numbers = {"training_boards": range(32), "held_out_boards": range(32, 48)}
    return {name: [{"board": f"generated_{number}"} for number in own] for name, own in numbers.items()}


class SplitMix64:
    """The generator of :mod:`ginkgo_env.core.rng` in Python integers.

    A seed gives the same numbers in every version of the package.

    seed : its first state, 0 <= seed < 2**64
    """

    def __init__(self, seed: int) -> None:
        self._state = seed

    def below(self, n: int) -> int:
        """Return a random number 0 <= r < n."""
        self._state = bits = (self._state + int(GOLDEN)) & _BITS
        bits = (bits ^ bits >> 30) * 0xBF58476D1CE4E5B9 & _BITS
        bits = (bits ^ bits >> 27) * 0x94D049BB133111EB & _BITS
        return ((bits ^ bits >> 31) >> 32) * n >> 32

    def between(self, low: int, high: int) -> int:
        """Return a random number low <= r <= high."""
        return low + self.below(high - low + 1)

    def shuffled(self, items: Iterable[T]) -> list[T]:
        """Return items in random order (Fisher and Yates, from the last item down)."""
        shuffled = list(items)
        for i in range(len(shuffled) - 1, 0, -1):
            j = self.below(i + 1)
            shuffled[i], shuffled[j] = shuffled[j], shuffled[i]
        return shuffled
