"""Seats around a table, relative to one of them: kernels on any record with a field ``players``.

A division would cost more than all else where these are used.
"""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.compile.jit import kernel


@kernel
def seat_at(g: Any, seat: int, k: int) -> int:
    """The k-th seat to the left, k below the number of players."""
    p = seat + k
    return p - g.players if p >= g.players else p


@kernel
def from_viewer(g: Any, p: int, seat: int) -> int:
    """How many seats player p sits to the left of the viewer."""
    return p - seat if p >= seat else p - seat + g.players
