"""My City, the eternal game (Reiner Knizia, Kosmos 2020) for 1 to 4 players.

The rules are in ``docs/rules/my_city.md``. The board and the shapes of buildings are our own design, with the numbers of the
printed game: no source shows the eternal side of the printed board.
"""
