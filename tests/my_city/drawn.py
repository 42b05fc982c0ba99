"""Pictures read back: what lies where on a player's board, and whether that is what the position says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from typing import NamedTuple
from xml.etree import ElementTree

from ginkgo_env.core.game import States
from ginkgo_env.games.my_city.board import Cell
from ginkgo_env.games.my_city.constants import Source
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.pictures.picture import Picture

NAMES = ["Anna", "Berta", "Carla", "Dora"]
WORDS = {"t": "two trees", "r": "two rocks", "w": "well", "v": "vein of gold", "M": "mountain", "F": "forest"}
Point = tuple[float, float]


class Part(NamedTuple):
    """An element as it is drawn: what it says, and the lines of a path on the page."""

    name: str
    cls: str
    text: str
    lines: list[list[Point]]
    within: str
    """The title of the group that it belongs to."""

    @property
    def corners(self) -> list[Point]:
        return [corner for corners in self.lines for corner in corners]


def parts_of(picture: Picture) -> list[Part]:
    root = ElementTree.fromstring(picture.svg("light"))
    return list(_parts(root, 0, 0, ""))


def _parts(parent: ElementTree.Element, x: float, y: float, within: str) -> Iterator[Part]:
    for element in parent:
        name = element.tag.split("}")[1]
        if name == "g":
            dx, dy = map(float, element.get("transform", "translate(0 0)")[10:-1].split())
            title = element.find("{*}title")
            yield from _parts(element, x + dx, y + dy, within if title is None else title.text or "")
        elif name in ("path", "text", "rect"):
            lines = lines_of(element.get("d", ""), x, y)
            if name == "text":
                height = float(element.get("font-size", 0))
                lines = [[(x + float(element.get("x", 0)), y + float(element.get("y", 0)) - 0.365 * height)]]
            yield Part(name, element.get("class", ""), element.text or "", lines, within)


def lines_of(d: str, x0: float = 0, y0: float = 0) -> list[list[Point]]:
    """The points of each line of a path; of round corners also the corner."""
    x, y = 0.0, 0.0
    lines: list[list[Point]] = []
    for command, text in re.findall("([MLqahvZ])([^MLqahvZ]*)", d):
        n = [float(one) for one in re.findall(r"-?[\d.]+", text)]
        if command == "M":
            lines.append([])
        if command == "q":
            lines[-1].append((x0 + x + n[0], y0 + y + n[1]))
        if command in "ML":
            x, y = n
        elif command != "Z":
            dx, dy = {"h": (*n[:1], 0.0), "v": (0.0, *n[:1])}.get(command) or (n[-2], n[-1])
            x, y = x + dx, y + dy
        lines[-1].append((x0 + x, y0 + y))
    return lines


def covers(lines: list[list[Point]], x: float, y: float) -> bool:
    """Whether a point lies within closed lines, and not in a hole."""
    sides = [side for corners in lines for side in zip(corners, [*corners[1:], corners[0]], strict=True)]
    return sum((b > y) != (d > y) and x < a + (y - b) / (d - b) * (c - a) for (a, b), (c, d) in sides) % 2 == 1


class Seen:
    """What the picture of a state shows of one player."""

    def __init__(self, table: MyCity, parts: list[Part], p: int) -> None:
        names = [max(k for k, part in enumerate(parts) if part.text == name) for name in NAMES[: table.seats]]
        cards = next(k for k, part in enumerate(parts) if part.text.startswith("Still to come"))
        self.parts = parts[names[p] : [*names, cards][p + 1]]
        self.texts = [part.text for part in self.parts if part.name == "text"]
        axes = [part.corners[0] for part in self.parts if part.name == "text"][2:]
        columns, rows = table.board.columns, table.board.rows
        assert self.texts[2 : 2 + columns + rows] == [*"abcdefghijklmnop"[:columns], *map(str, range(1, rows + 1))]
        self.centers = {
            (r, c): (axes[c][0], axes[columns + r][1]) for r in range(rows) for c in range(columns)
        }  # where the names of column and row meet
        self.size = (self.centers[rows - 1, columns - 1][0] - self.centers[0, 0][0]) / (columns - 1)

    def values(self) -> dict[str, int]:
        """The counter and the points by source."""
        texts = ["counter", *[source.name.lower() for source in Source if source > Source.GOLD]]
        return {text: int(self.texts[self.texts.index(text) + 1]) for text in texts}

    def groups(self) -> dict[str, list[Part]]:
        """The paths of each group with a title."""
        found: dict[str, list[Part]] = {}
        for part in self.parts:
            if part.within and part.name == "path":
                found.setdefault(part.within, []).append(part)
        return found

    def cells_under(self, part: Part) -> set[Cell]:
        """The cells whose middle a path covers."""
        return {cell for cell, (x, y) in self.centers.items() if covers(part.lines, x, y)}

    def cells_with(self, corners: list[Point]) -> set[Cell]:
        """The cells in which points of a path lie."""
        half = self.size / 2
        near = {
            (cell, point)
            for cell, (x, y) in self.centers.items()
            for point in corners
            if abs(point[0] - x) <= half - 0.05 and abs(point[1] - y) <= half - 0.05
        }
        away = set(corners) - {point for _, point in near}
        assert all(self._at_edge(*point) for point in away)
        return {cell for cell, _ in near}

    def _at_edge(self, x: float, y: float) -> bool:
        """Whether a point lies on a line of the grid, as the corners of whole cells do."""
        x0, y0 = self.centers[0, 0]
        steps = [(x - x0) / self.size + 0.5, (y - y0) / self.size + 0.5]
        return all(abs(step - round(step)) < 0.01 for step in steps)


def seen_of(table: MyCity, state: States, p: int) -> Seen:
    return Seen(table, parts_of(table.picture(state, None, NAMES[: table.seats])), p)


def cells_at(table: MyCity, building: str, place: str) -> list[Cell]:
    """Where a building lies, from the rules (M11.5)."""
    shape = table.buildings.list[table.buildings.ids.index(building)].turned("NESW".index(place[-1]))
    row, column = int(place[1:-1]) - 1, ord(place[0]) - ord("a") - shape[0][1]
    return [(row + r, column + c) for r, c in shape]


def check_board(table: MyCity, state: States, p: int) -> None:
    """Buildings, signs of terrain, ids and numbers of a player against the position."""
    player, seen = table.position(state)["players"][p], seen_of(table, state, p)
    groups, covered = seen.groups(), set()
    for entry in player["placed"]:
        cells = cells_at(table, entry["building"], entry["at"])
        names = " ".join(table.board.cell_name(r * table.board.columns + c) for r, c in cells)
        (title,) = [title for title in groups if title.startswith(entry["building"] + ", ")]
        assert title.endswith(f": {names}") and seen.cells_under(groups.pop(title)[0]) == set(cells)
        covered |= set(cells)
    groups = {title: parts for title, parts in groups.items() if not title.startswith("chosen: ")}
    signs = {text: {cell for cell in seen.centers if kind_of(table, cell) == kind} - covered for kind, text in WORDS.items()}
    assert {title.split(":")[0] for title in groups} == {text for text, cells in signs.items() if cells}
    for title, parts in groups.items():
        places = {table.board.cell_name(r * table.board.columns + c) for r, c in signs[title.split(":")[0]]}
        assert set(title.split(": ")[1].split()) == places
        drawn = [seen.cells_with(part.corners) for part in parts]
        assert all(cells in (set(), signs[title.split(":")[0]]) for cells in drawn) and any(drawn)
    ids = Counter(text for text in seen.texts if text in table.buildings.ids)
    chosen = [table.buildings.ids[state["current"][0]]] if any(part.within.startswith("chosen: ") for part in seen.parts) else []
    assert ids == Counter([*[entry["building"] for entry in player["placed"]], *player["passed"], *chosen])
    points, _ = table.points(state)
    wanted = {source.name.lower(): points[p][source] for source in Source if source > Source.GOLD}
    assert seen.values() == {"counter": player["points"], **wanted}
    assert seen.texts[1] == f"{points[p].sum()} points"
    assert (f"ended in round {player['ended']}" in seen.texts) == bool(player["ended"])
    assert ("gold +3" in seen.texts) == player["gold"]


def kind_of(table: MyCity, cell: Cell) -> str:
    return table.board.terrain[cell[0]][cell[1]]
