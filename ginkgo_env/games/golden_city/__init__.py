"""The Golden City (Die Goldene Stadt, Michael Schacht, Kosmos 2009) for 2 to 4 players. Rules: ``docs/rules/golden_city.md``.

The board is our own design, as are most of the pairs of goods and scoring cards: no source shows the printed ones.
"""
