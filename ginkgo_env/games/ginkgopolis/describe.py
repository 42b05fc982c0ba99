"""The table and what happens there, as text for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any


def narrate(rows: Sequence[tuple[int, int, int, int]], names: Sequence[str]) -> list[str]:
    """The rows of a log as sentences."""
    raise NotImplementedError


def describe(g: Any, seat: int | None, names: Sequence[str]) -> str:
    """The table as text; with a seat only what that seat may know."""
    raise NotImplementedError
