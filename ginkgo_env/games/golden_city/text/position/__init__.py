"""Positions: the complete state as plain data, written and read (G11.5).

Each part is written and read in one module: ``whole`` (status and piles), ``moment`` (pairs and the building turn), ``houses``
and ``player``. The kernel ``rules.soundness.sound`` checks what is read.
"""

from ginkgo_env.games.golden_city.text.position.whole import read_position, write_position

__all__ = ["read_position", "write_position"]
