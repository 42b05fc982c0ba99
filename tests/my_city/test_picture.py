"""Pictures: every building, mark and counter is drawn where it lies, on any board, and a seat sees what it may know (M10)."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.games.my_city.pictures.pieces import outline
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.testing.pictures import extents, texts_in

from ..rules.my_city.positions import made_up, three_banks
from .drawn import NAMES, Part, Seen, cells_at, check_board, covers, lines_of, parts_of, seen_of
from .played import MIDROUND, PLAYERS, examples, files, game, opening, played, steps

RING = ((0, 0), (0, 1), (0, 2), (1, 0), (1, 2), (2, 0), (2, 1), (2, 2))


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
            texts = texts_in(table.picture(playback.states))
            winners = " and ".join(f"player_{seat}" for seat in example["winners"])
            assert any(text.startswith(f"Game over: {winners} win") for text in texts)
            assert f"Gold: given in round {example['gold_round']} to" in " ".join(texts)
            return
    raise AssertionError("no example with gold")


def test_cards_that_are_left_and_lost() -> None:
    table = game(2)
    state = table.from_position(MIDROUND)
    parts = parts_of(table.picture(state))
    told = {part.within for part in parts if part.within.endswith((" is to come", " has been turned up"))}
    left = MIDROUND["deck"]
    cards = {card: "the blocking card" if card == "X" else card for card in table.buildings.cards}
    named = {re.sub(r",? .*(?=(is to come|has been turned up)$)", " ", texts) for texts in told}
    cards["X"] = "the"  # the blocking card
    assert named == {f"{texts} {'is to come' if card in left else 'has been turned up'}" for card, texts in cards.items()}
    texts = texts_in(table.picture(state))
    assert f"Still to come: {len(left)}" in texts and texts[texts.index("blocked") + 1] == MIDROUND["blocked"]
    assert "Gold: for all who are the first to cover every vein" in texts
    passed = MIDROUND["players"][0]["passed"] + MIDROUND["players"][1]["passed"]
    assert passed and all(texts[texts.index("passed") + 1] in passed for card in passed)


def test_the_building_of_the_round_in_its_headings() -> None:
    """The cell that names the place is marked: it need not be at the corner (M11.5, M14.20)."""
    cards = list(game(1).buildings.cards)
    for card, headings in (("C2", "NESW"), ("Y4", "N"), ("R1", "NE")):
        state = game(1).from_position(opening(1, [card, *[other for other in cards if other != card]]))
        texts = texts_in(game(1).picture(state))
        first = next(k for k, text in enumerate(texts) if text.startswith(f"Round 1: {card}, a "))
        assert texts[first + 1 : first + 1 + len(headings)] == [*headings] and texts[first + 1 + len(headings)] == "a"


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


@pytest.mark.full
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
            assert (text in [part.text for part in after]) == (seat == chooser)
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
    for step in steps(2)[2::3]:
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
    assert framed["built"] > 15 and framed["chips"] > 1
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
    assert not any("our own design" in text for text in texts_in(table.picture(step.after)))


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
