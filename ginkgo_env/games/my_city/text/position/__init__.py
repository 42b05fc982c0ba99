"""Positions: the complete state as plain data, written, read and checked (M11.9).

A position tells the whole game, so reading is replaying: ``told`` takes what each player is said to have done, ``whole`` plays it
with the rules' kernels and refuses what the rules refuse, and what differs from the state that play comes to.
"""

from ginkgo_env.games.my_city.text.position.whole import read_config, read_position, write_position

__all__ = ["read_config", "read_position", "write_position"]
