"""Pictures: every building, mark and counter is drawn where it lies, on any board, and a seat sees what it may know (M10)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree import ElementTree

import pytest

from ginkgo_env.core.game import States
from ginkgo_env.core.picture import Picture
from ginkgo_env.core.testing.pictures import extents, texts_in
from ginkgo_env.games.my_city.board import Cell
from ginkgo_env.games.my_city.constants import Source
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.picture.shapes import outline

from .played import MIDROUND, PLAYERS, examples, files, game, opening, played, steps
from .playing import made_up, three_banks

NAMES = ["Anna", "Berta", "Carla", "Dora"]
WORDS = {"t": "two trees", "r": "two rocks", "w": "well", "v": "vein of gold", "M": "mountain", "F": "forest"}
RING = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))
Point = tuple[float, float]


# --- reading pictures ------------------------------------------------------------------------------------------------------


class Part(NamedTuple):
    """An element as it is drawn: what it says, and the lines of a path on the page."""

    name: str
    cls: str
    words: str
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
    x, y, lines = 0.0, 0.0, []
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
        names = [max(k for k, part in enumerate(parts) if part.words == name) for name in NAMES[: table.seats]]
        cards = next(k for k, part in enumerate(parts) if part.words.startswith("Still to come"))
        self.parts = parts[names[p] : [*names, cards][p + 1]]
        self.texts = [part.words for part in self.parts if part.name == "text"]
        axes = [part.corners[0] for part in self.parts if part.name == "text"][2:]
        columns, rows = table.board.columns, table.board.rows
        assert self.texts[2 : 2 + columns + rows] == [*"abcdefghijklmnop"[:columns], *map(str, range(1, rows + 1))]
        self.centers = {
            (r, c): (axes[c][0], axes[columns + r][1]) for r in range(rows) for c in range(columns)
        }  # where the names of column and row meet
        self.size = (self.centers[rows - 1, columns - 1][0] - self.centers[0, 0][0]) / (columns - 1)

    def values(self) -> dict[str, int]:
        """The counter and the points by source."""
        words = ["counter", *[source.name.lower() for source in Source if source > Source.GOLD]]
        return {word: int(self.texts[self.texts.index(word) + 1]) for word in words}

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
    signs = {word: {cell for cell in seen.centers if kind_of(table, cell) == kind} - covered for kind, word in WORDS.items()}
    assert {title.split(":")[0] for title in groups} == {word for word, cells in signs.items() if cells}
    for title, parts in groups.items():
        names = {table.board.cell_name(r * table.board.columns + c) for r, c in signs[title.split(":")[0]]}
        assert set(title.split(": ")[1].split()) == names
        drawn = [seen.cells_with(part.corners) for part in parts]
        assert all(cells in (set(), signs[title.split(":")[0]]) for cells in drawn) and any(drawn)
    ids = Counter(word for word in seen.texts if word in table.buildings.ids)
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


# --- what lies on the table ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("players", PLAYERS)
def test_all_that_lies_on_the_boards_is_drawn_in_its_place(players: int) -> None:
    found = steps(players)
    for step in found[:: len(found) // 3]:
        for p in range(players):
            check_board(game(players), step.after, p)


def test_the_end_and_the_gold() -> None:
    for example, playback in examples():
        if playback.actor is None and example["gold_round"] and example["players"] > 1:
            table = playback.game
            assert isinstance(table, MyCity)
            for p in range(table.seats):
                check_board(table, playback.states, p)
            words = texts_in(table.picture(playback.states))
            winners = " and ".join(f"player_{seat}" for seat in example["winners"])
            assert any(word.startswith(f"Game over: {winners} win") for word in words)
            assert f"Gold: given in round {example['gold_round']} to" in " ".join(words)
            return
    raise AssertionError("no example with gold")


def test_cards_that_are_left_and_lost() -> None:
    table = game(2)
    state = table.from_position(MIDROUND)
    parts = parts_of(table.picture(state))
    told = {part.within for part in parts if part.within.endswith((" is to come", " has been turned up"))}
    left = MIDROUND["deck"]
    cards = {card: "the blocking card" if card == "X" else card for card in table.buildings.cards}
    assert told == {f"{words} {'is to come' if card in left else 'has been turned up'}" for card, words in cards.items()}
    words = texts_in(table.picture(state))
    assert f"Still to come: {len(left)}" in words and words[words.index("blocked") + 1] == MIDROUND["blocked"]
    assert "Gold: for all who are the first to cover every vein" in words
    passed = MIDROUND["players"][0]["passed"] + MIDROUND["players"][1]["passed"]
    assert passed and all(words[words.index("passed") + 1] in passed for card in passed)


def test_the_building_of_the_round_in_its_headings() -> None:
    """The cell that names the place is marked: it need not be at the corner (M11.5, M14.20)."""
    cards = list(game(1).buildings.cards)
    for card, headings in (("C2", "NESW"), ("Y4", "N"), ("R1", "NE")):
        state = game(1).from_position(opening(1, [card, *[other for other in cards if other != card]]))
        words = texts_in(game(1).picture(state))
        first = next(k for k, word in enumerate(words) if word.startswith(f"Round 1: {card}, a "))
        assert words[first + 1 : first + 1 + len(headings)] == [*headings] and words[first + 1 + len(headings)] == "a"


def test_the_river() -> None:
    """17 river sides (M1.9): 11 between cells of a row, 6 between cells of a column."""
    picture = game(1).picture(steps(1)[0].after)
    (d,) = [path.get("d", "") for path in ElementTree.fromstring(picture.svg()).iter() if path.get("class") == "none s-blue"]
    assert (len(re.findall("v", d)), len(re.findall("h", d))) == (11, 6)
    seen = seen_of(game(1), steps(1)[0].after, 0)
    (part,) = [part for part in seen.parts if part.cls == "none s-blue"]
    x, y = seen.centers[0, 4]
    assert part.corners[0] == pytest.approx((x + seen.size / 2, y - seen.size / 2), abs=0.05)  # between e1 and f1


# --- what is hidden, and what has changed ----------------------------------------------------------------------------------


def test_a_choice_is_drawn_for_its_owner_alone() -> None:
    """Of others not even that they have chosen is shown, nor who decides now (M10.2)."""
    table = game(3)
    by_kind: dict[bool, Any] = {step.action < table.actions["place"].size: step for step in steps(3)[1:] if waits(step)}
    assert set(by_kind) == {True, False}
    for places, step in by_kind.items():
        assert step.before is not None
        chooser, actor = int(step.before["actor"][0]), int(step.after["actor"][0])
        text = f"chosen: {table.action_text(step.after, step.action)}"
        for seat in range(3):
            before, after = (parts_of(table.picture(state, seat)) for state in (step.before, step.after))
            assert (text in [part.words for part in after]) == (seat == chooser)
            assert any(part.within.startswith("chosen: ") for part in after) == (seat == chooser and places)
            assert (before == after) == (seat not in (chooser, actor))
        assert text in texts_in(table.picture(step.after))


def waits(step: Any) -> bool:
    """Whether a choice of the first to choose is not yet in effect."""
    g = step.after[0]
    waiting = sum(int(choice) >= 0 for choice in g["choice"][:3])
    return waiting == 1 and int(g["actor"]) >= 0 and (step.before["choice"][0, :3] < 0).all()


def rings(parts: list[Part], name: str) -> list[Part]:
    return [part for part in parts if part.name == name and part.cls == "none s-mark"]


def test_what_has_changed_is_framed() -> None:
    """Buildings on the board and the choice of one's own by their outline; what was passed, the gold, the end in a frame."""
    table, framed = game(2), Counter[str]()
    for step in steps(2)[2::2]:
        parts = parts_of(table.picture(step.after, None, NAMES[:2], since=step.before))
        for p in (0, 1):
            before, after = (table.position(state)["players"][p] for state in (step.before, step.after))  # type: ignore[arg-type]
            seen = Seen(table, parts, p)
            new = [cells_at(table, entry["building"], entry["at"]) for entry in after["placed"] if entry not in before["placed"]]
            if int(step.after["choice"][0, p]) not in (-1, int(step.before["choice"][0, p])):  # type: ignore[index]
                text = table.action_text(step.after, step.action)
                new += [] if text in ("pass", "end") else [cells_at(table, table.buildings.ids[step.after["current"][0]], text)]
            found = [seen.cells_under(part) for part in rings(seen.parts, "path")]
            assert sorted(map(sorted, found)) == sorted(map(sorted, new))
            chips = len(after["passed"]) - len(before["passed"]) + (after["gold"] != before["gold"])
            chips += after["ended"] != before["ended"]
            assert len(rings(seen.parts, "rect")) == chips
            framed.update({"built": len(new), "chips": chips})
    assert framed["built"] > 20 and framed["chips"] > 2
    assert not any(rings(parts_of(table.picture(step.after)), name) for name in ("path", "rect"))


# --- outlines, other boards ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("size", [25.0, 40.0])
def test_outlines_are_those_of_the_cells(size: float) -> None:
    """They cover their cells and nothing else, and keep a distance from the neighbors."""
    shapes = [building.turned(heading) for building in game(1).buildings.list for heading in range(4)]
    for cells in [*shapes, RING, RING[1:], RING[:3] + RING[4:], ((0, 0),)]:
        lines = lines_of(outline(cells, size, 2))
        for r in range(-1, 5):
            for c in range(-1, 5):
                assert covers(lines, (c + 0.5) * size, (r + 0.5) * size) == ((r, c) in cells)
        for x, y in (point for corners in lines for point in corners):
            around = {(int((y + b) // size), int((x + a) // size)) for a in (-1.9, 1.9) for b in (-1.9, 1.9)}
            assert around <= set(cells)


SIZES = {"wide": (8, 16), "high": (16, 8), "column": (16, 2), "row": (1, 16)}


@pytest.mark.parametrize("size", SIZES)
def test_boards_of_all_sizes_fit(size: str, tmp_path: Path) -> None:
    rows, columns = SIZES[size]
    terrain = [("tr.wv" * 20)[r : r + columns] if r % 2 else "." * columns for r in range(rows)]
    pieces = ("Y123 yellow ##", "R1 red ##/##", "B77 blue #", "C999 church #", "C1 church ##", "B8 blue ###/#.#/###")
    table = made_up(tmp_path, " ".join(terrain), " ".join(["a" + "b" * (columns - 1)] * rows), *pieces, players=2)
    for step in list(played(table, 3))[::3]:
        check_board(table, step.after, 1)
    check_page(table.picture(step.after, since=step.before))
    assert not any("our own design" in word for word in texts_in(table.picture(step.after)))


def test_another_board_and_buildings(tmp_path: Path) -> None:
    for table in (game(2, **files(tmp_path)), three_banks(tmp_path, 3)):
        for step in played(table, 2):
            check_board(table, step.after, table.seats - 1)
        check_page(table.picture(step.after, since=step.before))


@pytest.mark.parametrize("players", PLAYERS)
def test_nothing_lies_outside_or_on_other_texts(players: int) -> None:
    found = steps(players)
    for step in found[1 :: len(found) // 2]:
        picture = game(players).picture(step.after, None, NAMES[:players], since=step.before)
        check_page(picture)
        assert "Board 'own' (our own design: no source shows the eternal side of the printed board)" in texts_in(picture)


def check_page(picture: Picture) -> None:
    assert picture.width == game(1).picture(steps(1)[0].after).width
    for x, y in (point for part in parts_of(picture) for point in part.corners):
        assert 0 <= x <= picture.width and 0 <= y <= picture.height
    boxes = [(what, e) for what, e in extents(picture) if what.startswith("text ")]
    for k, (what, a) in enumerate(boxes):
        for other, b in boxes[k + 1 :]:
            across, down = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
            assert across <= 1 or down <= 1, f"{what} lies on {other}"
