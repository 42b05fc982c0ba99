"""My City, the eternal game (Reiner Knizia, Kosmos 2020) for 1 to 4 players. Rules: ``docs/rules/my_city.md``.

Board and shapes of buildings are our own design with the right numbers: no source shows the eternal side of the printed board.
"""
