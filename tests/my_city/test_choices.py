"""Actions as people put them together (M11.5, M11.6), where they click for them, and the words with which they are asked."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from ginkgo_env.core.game import States
from ginkgo_env.core.language import speaking
from ginkgo_env.core.playback import Playback
from ginkgo_env.games.my_city.constants import (
    CHURCH_POINTS,
    GOLD_POINTS,
    ROCK_POINTS,
    START_POINTS,
    TREE_POINTS,
    WELL_POINTS,
    Ending,
)
from ginkgo_env.games.my_city.game import MyCity
from ginkgo_env.pictures.picture import Picture
from ginkgo_env.pictures.presenter import Choice
from ginkgo_env.testing.pictures import check_choices

from ..rules.my_city.positions import Table, table, three_banks
from ..tiers import by_tier
from .drawn import NAMES, Seen, cells_at, parts_of
from .played import MIDROUND, files, game, played, steps

ENGLISH, GERMAN = (MyCity().presenter.texts.labels(language) for language in ("en", "de"))
MARKS = "trwv"  # of cells that tell what they are
Extent = tuple[float, float, float, float]


def choice(found: Table, text: str) -> Choice:
    assert text in found.legal
    return found.game.presenter.choice(found.state, found.game.parse_action(found.state, text))


# --- picks -----------------------------------------------------------------------------------------------------------------


def test_a_placement_is_a_heading_and_a_cell() -> None:
    """It is about all land that the building would cover."""
    found = choice(table("Y1"), "e1E")
    assert list(found.picks.items()) == [("heading", "E"), ("cell", "e1")] and found.places == ("land:e1", "land:e2")
    assert choice(table("Y1"), "d1N").places == ("land:d1", "land:e1")


def test_the_cell_need_not_be_the_left_one() -> None:
    """M14.20: the anchor of J4 is its top right cell."""
    found = choice(table("C2"), "f1N")
    assert found == Choice(
        {"heading": "N", "cell": "f1"}, ("land:f1", "land:f2", "land:e3", "land:f3"), sentence="Build C2 at f1, not turned"
    )
    with speaking("de"):
        assert choice(table("Y1"), "e1E").sentence == "Y1 auf e1 bauen, nach rechts gedreht"
    assert choice(table("Y1"), "end").sentence == ""  # its label says it


def test_not_to_build_is_picked_alone() -> None:
    assert [choice(table("Y1"), text) for text in ("pass", "end")] == [Choice({"instead": "pass"}), Choice({"instead": "end"})]
    church = table("C1")
    instead = {str(found.picks.get("instead")) for text in church.legal for found in [choice(church, text)]}
    assert instead == {"None", "end"}  # M5.4


@pytest.mark.parametrize("players", by_tier((1, 2, 3, 4), (2,)))
def test_picks_and_actions_belong_together(players: int) -> None:
    """In whole games: the picks are the words of the notation, in both directions, and the places the cells of M11.5."""
    for seed in range(3):
        for step in list(played(game(players), seed))[seed::3]:
            check_picks(game(players), step.after)


def test_other_boards_and_buildings(tmp_path: Path) -> None:
    for made in (game(2, **files(tmp_path)), three_banks(tmp_path, 3)):
        for step in played(made, 1):
            check_picks(made, step.after)
        check_choices(made)


def check_picks(made: MyCity, state: States) -> None:
    if made.ending(state) is not None:
        return
    playback = Playback(made)
    playback.continue_from(state)
    legal = np.flatnonzero(playback.mask[0]).tolist()
    seen = set()
    for action in legal:
        picks, places, *_ = made.presenter.choice(state, action)
        text = picks.get("instead") or picks["cell"] + picks["heading"]
        assert made.parse_action(state, text) == action
        building = made.buildings.ids[state["current"][0]]
        cells = [] if "instead" in picks else cells_at(made, building, text)
        assert places == tuple(f"land:{made.board.cell_name(r * made.board.columns + c)}" for r, c in cells)
        seen.add(tuple(picks.items()))
    assert len(seen) == len(legal)


@pytest.mark.parametrize("config", by_tier(MyCity.configurations(), [{"players": 2}]), ids=str)
def test_the_promise(config: dict[str, int]) -> None:
    check_choices(game(**config))


# --- where people click ----------------------------------------------------------------------------------------------------


def rooms_in(picture: Picture) -> dict[str, Extent]:
    """The parts of a picture and the invisible rectangle that can be clicked in each. No part is drawn twice."""
    found = list(_rooms(ElementTree.fromstring(picture.svg()), 0, 0, "", {}))
    assert len({part for part, _ in found}) == len(found)
    return dict(found)


def _rooms(parent: ElementTree.Element, x: float, y: float, part: str, over: dict[str, str]) -> Iterator[tuple[str, Extent]]:
    for element in parent:
        attributes = over | element.attrib  # those that matter here are inherited
        if element.tag.endswith("}g"):
            dx, dy = map(float, element.get("transform", "translate(0 0)")[10:-1].split())
            yield from _rooms(element, x + dx, y + dy, element.get("data-part", part), attributes)
        elif element.tag.endswith("}rect") and part and attributes.get("pointer-events") == "all":
            assert attributes.get("class") == "none"
            left, top, width, height = (float(element.get(name, 0)) for name in ("x", "y", "width", "height"))
            yield part, (x + left, y + top, x + left + width, y + top + height)


@pytest.mark.parametrize("players", by_tier((1, 2, 3, 4), (1, 3)))
def test_land_is_clicked_where_it_lies(players: int) -> None:
    """The picture of who decides: each light green cell of the own board that is free, in its place, and nothing else."""
    made, found = game(players), steps(players)
    for step in found[:: len(found) // 3]:
        actor = int(step.after["actor"][0])
        if actor < 0:
            continue
        picture = made.picture(step.after, actor, NAMES[:players])
        land = {part[5:]: room for part, room in rooms_in(picture).items() if part[:5] == "land:"}
        board, seen = made.board, Seen(made, parts_of(picture), actor)
        covered = {
            cell
            for entry in made.position(step.after)["players"][actor]["placed"]
            for cell in cells_at(made, entry["building"], entry["at"])
        }
        free = {cell for cell in seen.centers if board.terrain[cell[0]][cell[1]] not in "MF"} - covered
        assert set(land) == {board.cell_name(r * board.columns + c) for r, c in free}
        for r, c in free:
            x, y = seen.centers[r, c]
            half = seen.size / 2
            assert land[board.cell_name(r * board.columns + c)] == pytest.approx(
                (x - half, y - half, x + half, y + half), abs=0.05
            )


def test_land_is_clicked_by_nobody_else() -> None:
    """Neither in open pictures nor by a seat that waits, which would tell whether others have chosen (M10.2)."""
    made = game(2)
    state = made.from_position(MIDROUND)
    land = {seat: [part for part in rooms_in(made.picture(state, seat)) if part.startswith("land:")] for seat in (None, 0, 1)}
    assert MIDROUND["decision"]["actor"] == 1 and not land[None] and not land[0] and len(land[1]) > 50


def test_marks_still_tell_what_they_are() -> None:
    """The signs of terrain lie below what can be clicked, so that tells of them."""
    made = table("Y1")
    root = ElementTree.fromstring(made.game.picture(made.state, 0).svg())
    named = {part: element for element in root.iter() if (part := element.get("data-part", "")).startswith("land:")}
    told = {part: title.text for part, element in named.items() if (title := element.find(".//{*}title")) is not None}
    for part, words in (("h1", "two trees"), ("g2", "two rocks"), ("c6", "well")):
        assert (told[f"land:{part}"] or "").startswith(f"{words}: {part}: ")
    assert len(told) == sum(letter in MARKS for row in made.game.board.terrain for letter in row)


def test_nothing_lies_over_what_is_clicked() -> None:
    """Neither the river nor frames of what has changed: land is the last thing on a board."""
    step = steps(2)[len(steps(2)) // 2]
    root = ElementTree.fromstring(game(2).picture(step.after, int(step.after["actor"][0]), since=step.before).svg())
    (board,) = [
        parent for parent in root.iter() if any(element.get("pointer-events") == "all" for element in parent if len(element))
    ]
    assert board.findall("{*}path") and board[-1].get("pointer-events") == "all"


@pytest.mark.parametrize(("card", "headings"), [("C2", "NESW"), ("Y4", "N"), ("R1", "NE")])
def test_headings_are_clicked_at_the_building_of_the_round(card: str, headings: str) -> None:
    """Those that the building has (M11.4): its letter and its shape, one beside the other, without overlapping."""
    made = table(card)
    for seat in (None, 0):
        rooms = {part: room for part, room in rooms_in(made.game.picture(made.state, seat)).items() if part[:4] == "head"}
        assert list(rooms) == [f"heading:{letter}" for letter in headings]
        across = sorted((left, right) for left, _, right, _ in rooms.values())
        assert all(right - left > 30 for left, right in across)
        assert all(a[1] < b[0] for a, b in pairwise(across))
    picked = {part for text in made.legal for part in choice(made, text).parts if part.startswith("heading:")}
    assert picked <= set(rooms)


def test_cells_that_are_picked_are_not_mixed_up_with_land() -> None:
    """A click on a cell means every placement that covers it, so no part is called as a pick of a cell is."""
    made = table("Y1")
    parts = rooms_in(made.game.picture(made.state, 0))
    assert not any(part.startswith(("cell:", "instead:")) for part in parts)
    covering = [text for text in made.legal if "land:e1" in choice(made, text).places]
    assert sorted(covering) == ["d1N", "e1E"]


# --- words -----------------------------------------------------------------------------------------------------------------


def expected_labels() -> set[str]:
    """What can be asked, picked, scored and configured. Names of cells say enough."""
    keys = {f"{what}:{kind}" for what in ("question", "guide", "elsewhere") for kind in MyCity.decisions}
    keys |= {"lobby:sentence", "lobby:minutes"}
    keys |= {f"{what}:{source}" for what in ("source", "note") for source in MyCity.sources}
    for found in (table("C2"), table("Y1")):
        for text in found.legal:
            picks = choice(found, text).picks
            keys |= {f"group:{group}" for group in picks} | {f"pick:{g}:{n}" for g, n in picks.items() if g != "cell"}
    for config in MyCity.configurations():
        keys |= {
            key for option, value in game(**config).config_dict.items() for key in (f"option:{option}", f"value:{option}:{value}")
        }
    return keys | {"tie_break"} | {f"ending:{ending.name.lower()}" for ending in Ending if ending}


def test_all_that_comes_up_has_words() -> None:
    assert list(ENGLISH) == list(GERMAN)
    assert {key for key in ENGLISH if not key.startswith("row:")} == expected_labels()  # tests/drawing has the rows


@pytest.mark.parametrize("words", [ENGLISH, GERMAN], ids=["en", "de"])
def test_words_tell_apart_and_notes_cite_the_rules(words: dict[str, str]) -> None:
    rules = (Path(__file__).parents[2] / "docs" / "rules" / "my_city.md").read_text(encoding="utf-8")
    for group in ("group:", "pick:", "source:", "note:", "option:"):
        found = [text for key, text in words.items() if key.startswith(group)]
        assert len(set(found)) == len(found) and all(text.strip() == text != "" for text in found)
    for key, text in words.items():
        if key.startswith("note:"):
            paragraph = re.search(r" \((M\d+\.\d+)\)\.$", text)
            assert paragraph and f"**{paragraph[1]}**" in rules and text.count(". ") == 0


@pytest.mark.parametrize("words", [ENGLISH, GERMAN], ids=["en", "de"])
def test_notes_have_the_points_of_the_rules(words: dict[str, str]) -> None:
    points = {"start": START_POINTS, "gold": GOLD_POINTS, "trees": TREE_POINTS, "rocks": -ROCK_POINTS}
    points |= {"churches": CHURCH_POINTS, "wells": WELL_POINTS}
    for source in MyCity.sources:
        first = re.search(r"\d+", words[f"note:{source}"])
        assert first and int(first[0]) == points.get(source, 1)
