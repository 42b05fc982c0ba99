"""Positions: the complete state as plain data, written, read and checked (M11.9).

A position holds the whole game, so it is read by replaying it: ``player`` reads the decisions of each player, and ``whole`` plays
them with the rules' kernels. Illegal decisions, and values that differ from the state that play reaches, are refused.
"""

from ginkgo_env.games.my_city.text.position.whole import read_position, write_position

__all__ = ["read_position", "write_position"]
