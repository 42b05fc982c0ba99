"""What the readers of all games share: a vector of named blocks to fill in, and the labelled lines of a description.

``tests/<game>/reader.py`` has ``Reader(game, seat, rules)`` with ``read(text)``. A reader gets the texts of one seat, in their
order, and returns the observation of that seat. It knows the rules, the layout, and the printed names in the order of their ids.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ginkgo_env.core.game import Game


class Vector:
    """An observation that is filled in block by block."""

    def __init__(self, game: Game) -> None:
        self.layout, self.numbers = game.observation, np.zeros(game.observation.size, game.observation_dtype)

    def __getitem__(self, name: str) -> NDArray[Any]:
        return self.layout.view(self.numbers, name)


def unwrapped(text: str, indent: int) -> list[str]:
    """The lines of a description; those that a line was broken into are one again."""
    lines: list[str] = []
    for line in text.splitlines():
        if lines and lines[-1].strip() and line.startswith(" " * indent) and not line[indent : indent + 1].isspace():
            lines[-1] += " " + line.strip()
        else:
            lines.append(line)
    return lines


def number(pattern: str, text: str) -> int:
    """The number in the first group of a pattern, 0 where the pattern is not found."""
    match = re.search(pattern, text, re.MULTILINE)
    return int(match[1]) if match else 0
