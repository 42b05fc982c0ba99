"""Positions: the complete state as plain data, written, read and checked (G11.5).

What is written and how it is read back stand side by side: ``whole`` (status and piles), ``moment`` (pairs and the building turn)
and ``player``. The files ``check_*`` refuse what no game can reach: pieces in two places, moments that do not fit together.
"""

from ginkgo_env.games.golden_city.text.position.whole import read_config, read_position, write_position

__all__ = ["read_config", "read_position", "write_position"]
