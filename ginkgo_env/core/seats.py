"""Kernels on seats relative to one of them, for records with a field ``players``.

They avoid a division, which would cost more than everything else where they are used.
"""

from __future__ import annotations

from typing import Any

from ginkgo_env.core.compile.jit import kernel


@kernel
def seat_at(g: Any, seat: int, k: int) -> int:
    """Return the k-th seat to the left, 0 <= k < players."""
    p = seat + k
    return p - g.players if p >= g.players else p


@kernel
def from_viewer(g: Any, p: int, seat: int) -> int:
    """Return how many seats player p sits to the left of the viewer."""
    return p - seat if p >= seat else p - seat + g.players
