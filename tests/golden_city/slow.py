"""What follows from houses and from the files of the board: slow and short."""

from __future__ import annotations

import csv
from functools import cache
from typing import Any

from ginkgo_env.games.golden_city.board import DEFAULT_BOARD, SHIPPED

GOODS_NAMES = ["pottery", "wine", "cloth", "spices"]
RIVERS = ["N", "E", "S", "W"]


def places_of(word: Any) -> list[int]:
    return [i for i in range(58) if int(word) >> i & 1]


def sites_of(board: Any, g: Any, seat: int) -> list[int]:
    """G5.2, from the files of the board."""
    rows = {row["place"]: i for i, row in enumerate(board.places)}
    own = places_of(g["houses"][seat])
    built = [place for p in range(g["players"]) for place in places_of(g["houses"][p])]
    joined = {i: set[int]() for i in range(58)}
    for row in board.roads:
        a, b = rows[row["place_1"]], rows[row["place_2"]]
        joined[a].add(b)
        joined[b].add(a)
    found = []
    for i, row in enumerate(board.places):
        beside = any(place in joined[i] for place in own)
        if (
            (row["kind"] == "coast" and i not in built)
            or (row["kind"] == "suburb" and i not in built and beside)
            or (row["kind"] in ("outer", "inner") and i not in own and beside)
        ):
            found.append(i)
    return found


@cache
def scoring_rows() -> list[dict[str, str]]:
    """The scoring cards of the shipped board."""
    with (SHIPPED / DEFAULT_BOARD / "scoring.csv").open(encoding="utf-8") as file:
        return list(csv.DictReader(file))
