"""Generated boards: files of a board that are made from those of the board ``own`` (G1.6.3).

The places and their order, the rivers, the quarters and the bonus cards are those of ``own``.
"""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from ginkgo_env.core.generated import SplitMix64
from ginkgo_env.games.golden_city.constants import FIRST_DISTRICT, FIRST_SUBURB, Good

T = TypeVar("T")
Row = dict[str, str]
Point = tuple[int, int]
Road = tuple[int, int]
"""Numbers of two places, the lower one first."""
_MOVED_LANDSCAPES = 10  # suburbs that exchange their landscapes
_MOVED_ROADS = 16
_LONGEST = 41  # distance of places that a new road may join, in drawing units
_LEAST_ROADS = 2  # of suburbs and districts


def generated_files(number: int, own: Mapping[str, Sequence[Row]]) -> list[str]:
    """Return the texts of the files of a generated board, in the order of ``own``.

    own : the rows of each file of the board ``own``
    """
    random = SplitMix64(number)
    files = {file: [row | {"provenance": "generated"} for row in rows] for file, rows in own.items()}
    places = files["places"]
    names = [row["place"] for row in places]
    roads = [(names.index(row["place_1"]), names.index(row["place_2"])) for row in files["roads"]]
    _change_places(random, places)
    moved = _moved_roads(random, roads, [(int(row["x"]), int(row["y"])) for row in places])
    files["roads"] = [{"place_1": places[a]["place"], "place_2": places[b]["place"], "provenance": "generated"} for a, b in moved]
    files["goods"] = _renamed_goods(random, files["goods"])
    _rename(random, files["scoring"], "good")
    for kind in "river", "quarter":
        _rename(random, [row for row in files["scoring"] if row["kind"] == kind], "area")
    return [_text(rows) for rows in files.values()]


def reached(roads: Iterable[Collection[T]], start: Iterable[T]) -> set[T]:
    """Return the places that roads join to some places, and these."""
    places, rest = set(start), [set(road) for road in roads]
    while more := set().union(*(road for road in rest if road & places)) - places:
        places |= more
    return places


def _change_places(random: SplitMix64, places: list[Row]) -> None:
    """Permute rewards, landscapes of some suburbs, and what houses in districts bring; rename suburbs."""
    coasts, suburbs, districts = places[:FIRST_SUBURB], places[FIRST_SUBURB:FIRST_DISTRICT], places[FIRST_DISTRICT:]
    initials = {row["landscape"]: row["place"][0] for row in suburbs}
    _permute(random, coasts, "reward")
    _permute(random, suburbs, "reward")
    _permute(random, random.shuffled(suburbs)[:_MOVED_LANDSCAPES], "landscape")
    counts = Counter[str]()
    for row in suburbs:
        counts[row["landscape"]] += 1
        row["place"] = f"{initials[row['landscape']]}{counts[row['landscape']]}"
    for kind in "outer", "inner":
        own = [row for row in districts if row["kind"] == kind]
        _permute(random, own, "letters_first", "letters_second", "coins_first", "cards_first")


def _moved_roads(random: SplitMix64, roads: list[Road], points: list[Point]) -> list[Road]:
    """Replace some roads by others, none of which crosses a road. All places stay joined over land."""
    kept, taken = list(roads), 0
    for road in random.shuffled(roads):
        rest = [other for other in kept if other != road]
        counts = Counter(place for other in rest for place in other)
        enough = all(counts[place] >= (1 if place < FIRST_SUBURB else _LEAST_ROADS) for place in road)
        inland = reached((other for other in rest if min(other) >= FIRST_SUBURB), [FIRST_DISTRICT])
        if taken < _MOVED_ROADS and enough and len(inland) == len(points) - FIRST_SUBURB:
            kept, taken = rest, taken + 1
    pairs = [(a, b) for a, b in combinations(range(len(points)), 2) if b >= FIRST_SUBURB and (a, b) not in roads]
    near = [(a, b) for a, b in pairs if _squared(points[a], points[b]) <= _LONGEST**2]
    for road in random.shuffled(near):
        ends = points[road[0]], points[road[1]]
        if len(kept) < len(roads) and not any(_cross(*ends, points[a], points[b]) for a, b in kept):
            kept.append(road)
    return sorted(kept)


def _squared(a: Point, b: Point) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    """Whether two lines cross between their ends."""

    def side(p: Point, q: Point, r: Point) -> int:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return side(a, b, c) * side(a, b, d) < 0 and side(c, d, a) * side(c, d, b) < 0


def _permute(random: SplitMix64, rows: Sequence[Row], *columns: str) -> None:
    """Permute what stands in some columns among rows."""
    for row, values in zip(rows, random.shuffled([{name: row[name] for name in columns} for row in rows]), strict=True):
        row.update(values)


def _rename(random: SplitMix64, rows: Sequence[Row], *columns: str) -> None:
    """Permute the names in some columns: each name becomes one other, everywhere."""
    names = sorted({row[column] for row in rows for column in columns})
    other = dict(zip(names, random.shuffled(names), strict=True))
    for row in rows:
        row.update({column: other[row[column]] for column in columns})


def _renamed_goods(random: SplitMix64, rows: list[Row]) -> list[Row]:
    """Permute the goods on goods cards; return the rows in the order of goods."""
    _rename(random, rows, "good_1", "good_2")
    order = [good.name.lower() for good in Good]
    for row in rows:
        row["good_1"], row["good_2"] = sorted((row["good_1"], row["good_2"]), key=order.index)
        row["card"] = f"{row['good_1']}+{row['good_2']}"
    return sorted(rows, key=lambda row: (order.index(row["good_1"]), order.index(row["good_2"])))


def _text(rows: Sequence[Row]) -> str:
    """Return rows as the text of a CSV file."""
    stream = io.StringIO()
    writer = csv.DictWriter(stream, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return stream.getvalue()
