"""The Golden City (Die Goldene Stadt, Michael Schacht, Kosmos 2009) for 2 to 4 players.

The rules are in ``docs/rules/golden_city.md``. The board, most pairs of goods and most scoring cards are our own design: no
source shows the printed ones.
"""
